"""Ways to break a grader before a policy does: probes of workspaces, of text graders and of judges; the hack agent."""

from fairtrial.attack.card import Card
from fairtrial.attack.catalogue import cards, catalogue_version, find, workspace_probes
from fairtrial.attack.protocol import EVERY_RUNNER, OURS, Probe, Submission
from fairtrial.attack.survey import survey
from fairtrial.attack.target import Change, Target

__all__ = [
    "EVERY_RUNNER",
    "OURS",
    "Card",
    "Change",
    "Probe",
    "Submission",
    "Target",
    "cards",
    "catalogue_version",
    "find",
    "survey",
    "workspace_probes",
]
