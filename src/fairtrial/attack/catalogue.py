"""Every probe there is, in the order in which they are tried. A new probe is a file and a line in its folder's list."""

from __future__ import annotations

import importlib.metadata

from fairtrial.attack import artifacts, code, hacker, judges, leaks, reading, tampering, text
from fairtrial.attack.asked_always import ASKED_ALWAYS
from fairtrial.attack.card import Card
from fairtrial.attack.protocol import Probe
from fairtrial.records import InputError, canonical_json, digest

ENTRY_POINTS = "fairtrial.probe"


def workspace_probes() -> tuple[Probe, ...]:
    """Return the built-in probes of workspaces, then those that installed packages bring."""
    built_in = (*artifacts.PROBES, *code.PROBES, *leaks.PROBES, *tampering.PROBES, *hacker.PROBES)
    brought = tuple(point.load() for point in importlib.metadata.entry_points(group=ENTRY_POINTS))
    return (*built_in, *brought)


def find(probe_id: str) -> Probe:
    """Return the probe with this id. Raise InputError where there is none."""
    for probe in workspace_probes():
        if probe.card.id == probe_id:
            return probe
    raise InputError(f"there is no probe `{probe_id}`", hint="`fairtrial attack --list` names them all.")


def cards() -> tuple[Card, ...]:
    """Return the card of everything that is tried: asked of every task, probes of each surface, rules of reading."""
    return (
        *ASKED_ALWAYS,
        *(probe.card for probe in workspace_probes()),
        *(probe.card for probe in text.PROBES),
        *(probe.card for probe in judges.PROBES),
        *(rule.card for rule in reading.RULES),
    )


def catalogue_version(cards: tuple[Card, ...]) -> str:
    """Return a content address of the ids and versions of `cards`, for certificates."""
    return digest(canonical_json([[card.id, card.version] for card in cards]))
