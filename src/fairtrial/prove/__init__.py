"""Known candidates in, proof out: is the grader right where the score is known, and can it be broken where not?"""

from fairtrial.prove.asking import is_known_label, probes_wanted
from fairtrial.prove.held import held, keep
from fairtrial.prove.known import Known, known_candidates
from fairtrial.prove.options import ProveOptions
from fairtrial.prove.outcome import ProbeOutcome
from fairtrial.prove.proof import ProvenTask, prove
from fairtrial.prove.schedule import case_of, trials_wanted

__all__ = [
    "Known",
    "ProbeOutcome",
    "ProveOptions",
    "ProvenTask",
    "case_of",
    "held",
    "is_known_label",
    "keep",
    "known_candidates",
    "probes_wanted",
    "prove",
    "trials_wanted",
]
