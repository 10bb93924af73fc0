"""Probes that look for the answer where the agent can read it, and hand in what they find."""

from fairtrial.attack.leaks import answer_found, box_searched, grader_found, solution_found, values_found
from fairtrial.attack.protocol import Probe

PROBES: tuple[Probe, ...] = (
    answer_found.PROBE,
    solution_found.PROBE,
    box_searched.PROBE,
    values_found.PROBE,
    grader_found.PROBE,
)
