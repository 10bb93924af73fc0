"""Rollouts for the tests of detectors, told in the text form of tests/quality/trajectories."""

from __future__ import annotations

import orjson

from fairtrial.attack.detectors import Detector, Hit, Seen, see
from fairtrial.formats.atif import read_trajectory
from quality.trajectories_read import told


def seen(instruction: str, *steps: str, agent: str = "loop") -> Seen:
    """Return what detectors see of a rollout: each step a mark and its text, `bash\\nls` or `write a.py\\n...`.

    A step `out\\n...` is what came back of the step before it.
    """
    marks = []
    for step in steps:
        word = step.split(None, 1)[0]
        marks.append((f"%% {step}" if word in ("say", "out") else f"%% say\n%% {step}") + "\n")
    text = f"%% task t | d\n%% agent {agent}\n%% system\n{instruction}\n%% user\nDo it.\n%% rollout a honest pass x\n"
    (one,) = told(text + "".join(marks))
    return see(read_trajectory(orjson.dumps(one.document)), "t")


def found(detector: Detector, of: Seen) -> list[Hit]:
    """Return its hits, the strongest first."""
    return sorted(detector.hits(of), key=lambda hit: -hit.score)


def score(detector: Detector, of: Seen) -> float:
    """Return the score of its strongest hit, 0 for none."""
    return max((hit.score for hit in detector.hits(of)), default=0.0)
