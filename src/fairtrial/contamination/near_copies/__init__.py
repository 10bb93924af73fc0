"""Groups of near copies among texts, for a split that leaves no twin on the other side."""

from fairtrial.contamination.near_copies.groups import NearCopies, near_copies
from fairtrial.contamination.near_copies.joined import Chain, Cut
from fairtrial.contamination.near_copies.vectors import find_vectors

__all__ = ["Chain", "Cut", "NearCopies", "find_vectors", "near_copies"]
