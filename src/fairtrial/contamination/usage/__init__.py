"""Were other models asked, and credentials read? From trajectories and from what an agent left, as leads."""

from fairtrial.contamination.conduct.leads import CERTAINTIES, Lead, UnreadFile
from fairtrial.contamination.usage.hosts import DEFAULT, KNOWN_HOSTS, ExternalHosts
from fairtrial.contamination.usage.measuring import Usage, usage_of

__all__ = ["CERTAINTIES", "DEFAULT", "KNOWN_HOSTS", "ExternalHosts", "Lead", "UnreadFile", "Usage", "usage_of"]
