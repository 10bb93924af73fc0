"""The share of rollouts that game the grader, by training step: reviews weighted back, what detectors miss included."""

from fairtrial.audit.hacks.document import document_of
from fairtrial.audit.hacks.figures import LINE, Hacks, Share, Window, hacks
from fairtrial.audit.hacks.labels import JUDGES, Said, said_by_judge, said_by_people
from fairtrial.audit.hacks.windows import AT_LEAST, Member, windows

__all__ = [
    "AT_LEAST",
    "JUDGES",
    "LINE",
    "Hacks",
    "Member",
    "Said",
    "Share",
    "Window",
    "document_of",
    "hacks",
    "said_by_judge",
    "said_by_people",
    "windows",
]
