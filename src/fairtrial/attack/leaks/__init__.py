"""Probes that look for the answer where the agent can read it, and hand in what they find."""

from fairtrial.attack.protocol import Probe

PROBES: tuple[Probe, ...] = ()
