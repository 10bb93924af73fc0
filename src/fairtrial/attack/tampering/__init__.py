"""Probes that leave the work undone and go for the grader: reward files, tests, runner, environment."""

from fairtrial.attack.protocol import Probe

PROBES: tuple[Probe, ...] = ()
