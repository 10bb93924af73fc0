"""Probes on deliverables that are data: JSON, CSV, SQLite, SQL, Markdown, text."""

from fairtrial.attack.protocol import Probe

PROBES: tuple[Probe, ...] = ()
