"""What a proof leaves behind for others: certificates and their verification, SARIF, JUnit, baselines."""

from fairtrial.prove.certificate.baseline import Accepted, Baseline, Reckoned, baseline_of, read_baseline, reckon
from fairtrial.prove.certificate.circumstances import Circumstances, circumstances
from fairtrial.prove.certificate.comparison import Rerun, Verification, VerifiedTask
from fairtrial.prove.certificate.junit import junit
from fairtrial.prove.certificate.model import Certificate, certificate, certificate_document
from fairtrial.prove.certificate.reading import ReadCertificate, read_certificate
from fairtrial.prove.certificate.sarif import sarif
from fairtrial.prove.certificate.signed import CertifiedSignoff, VoidSignoff
from fairtrial.prove.certificate.verification import plan, verify

__all__ = [
    "Accepted",
    "Baseline",
    "Certificate",
    "CertifiedSignoff",
    "Circumstances",
    "ReadCertificate",
    "Reckoned",
    "Rerun",
    "Verification",
    "VerifiedTask",
    "VoidSignoff",
    "baseline_of",
    "certificate",
    "certificate_document",
    "circumstances",
    "junit",
    "plan",
    "read_baseline",
    "read_certificate",
    "reckon",
    "sarif",
    "verify",
]
