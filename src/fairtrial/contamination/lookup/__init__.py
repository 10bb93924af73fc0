"""Was the benchmark itself looked up? From trajectories and from what an agent left, by the names in a rules file."""

from fairtrial.contamination.conduct.leads import CERTAINTIES, Lead, UnreadFile
from fairtrial.contamination.lookup.looking import Lookups, lookups_of
from fairtrial.contamination.lookup.names import BenchmarkNames

__all__ = ["CERTAINTIES", "BenchmarkNames", "Lead", "Lookups", "UnreadFile", "lookups_of"]
