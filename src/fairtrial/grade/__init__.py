"""Rollout -> verdict: Harbor's verifier contract made strict, item results, and aggregation by a grading.toml."""

from fairtrial.checks.aggregation import CheckRule, Rules, Score, aggregate
from fairtrial.formats.items import read_items
from fairtrial.grade.deliverable import deliverable_paths
from fairtrial.grade.harbor import PASS_AT, HarborGrader
from fairtrial.grade.proposing import proposals_of
from fairtrial.grade.protocol import Grader, Grading
from fairtrial.grade.reward import Reward, read_reward
from fairtrial.grade.rules_file import read_rules

__all__ = [
    "PASS_AT",
    "CheckRule",
    "Grader",
    "Grading",
    "HarborGrader",
    "Reward",
    "Rules",
    "Score",
    "aggregate",
    "deliverable_paths",
    "proposals_of",
    "read_items",
    "read_reward",
    "read_rules",
]
