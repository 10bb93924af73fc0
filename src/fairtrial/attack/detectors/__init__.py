"""Detectors of hacks in trajectories: rules that read what an agent did, each hit a lead with its steps and quotes."""

from fairtrial.attack.detectors.acts import Act
from fairtrial.attack.detectors.detecting import SUSPECTED, detect, judged, summed
from fairtrial.attack.detectors.protocol import GROUPS, Detected, Detector, Hit, Seen
from fairtrial.attack.detectors.reading import see
from fairtrial.attack.detectors.registry import detectors
from fairtrial.attack.detectors.terms import Clause, Terms

__all__ = [
    "GROUPS",
    "SUSPECTED",
    "Act",
    "Clause",
    "Detected",
    "Detector",
    "Hit",
    "Seen",
    "Terms",
    "detect",
    "detectors",
    "judged",
    "see",
    "summed",
]
