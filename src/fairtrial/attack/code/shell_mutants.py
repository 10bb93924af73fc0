"""Probe: the reference's shell with one small change, drawn over all kinds of change.

A mutant that passes is a lead: it may behave as the reference does where it matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.code.shell_sites import shell_mutated, shell_sites
from fairtrial.attack.code.single_site import single_site_mutants
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target

_CARD = Card(
    id="shell_mutant",
    family="mutant",
    surface="workspace",
    submits="the reference's shell with one test, number, flag, operator, redirection, command or stage of a "
    "pipeline changed",
    sound="fails it",
    proof="Always a lead: the changed place may not matter to what was asked.",
    classes=("BGW-119", "BGW-137"),
)


@dataclass(frozen=True, slots=True)
class ShellMutants:
    """Change one place at a time."""

    card: Card = _CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one a drawn place, at most `target.most`."""
        yield from single_site_mutants(target, "shell", shell_sites, shell_mutated)
