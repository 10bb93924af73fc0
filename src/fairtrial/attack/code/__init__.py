"""Probes on deliverables that are programs: mutants of the reference's code, hollow code, hostile code."""

from fairtrial.attack.protocol import Probe

PROBES: tuple[Probe, ...] = ()
