"""What the judges, and persons over them, leave of a model: clean, flagged, penalised; and whether anybody judged.

A violation that is ruled is a penalty. A finding without a ruling, or judges without a majority, flag the row: it keeps
its score and says so, or has that of its base where the rules let it await a ruling there. Where nobody found or ruled
anything the row is shown as not judged, which is not clean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairtrial.board.result import Judged
from fairtrial.board.runs import Records, Who
from fairtrial.records import Screening
from fairtrial.records.ruling import Rule
from fairtrial.rules.current import current_screenings
from fairtrial.rules.rulings import Standing, standing
from fairtrial.rules.schema import BenchmarkRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Everything that speaks of models, by model."""

    rules: BenchmarkRules
    records: Records

    def standings_of(self, who: Who | None, models: Sequence[str]) -> dict[str, dict[Rule, Standing]]:
        """Return how the models of a row stand, by each name that records call them by."""
        names = models if who is None else [name for name in who.names if self._is_spoken_of(name)] or [who.model]
        return {name: self.standings(name) for name in names}

    def _is_spoken_of(self, name: str) -> bool:
        records = self.records
        named = {one.model for one in records.rulings} | {one.model for one in records.screenings}
        return name in named | {one.model for one in records.submissions}

    def standings(self, model: str) -> dict[Rule, Standing]:
        """Return how `model` stands by each rule."""
        records = self.records
        return standing([one for one in records.rulings if one.model == model], self.rules, model,
                        [one for one in records.screenings if one.model == model], records.submissions)  # fmt: skip

    def screenings(self, model: str) -> tuple[Screening, ...]:
        """Return the screenings of `model` that count, in the order of the rules."""
        mine = [one for one in self.records.screenings if one.model == model]
        return tuple(one for rule in self.rules.toml.benchmark.checked
                     for one in current_screenings(mine, self.records.submissions, rule, model))  # fmt: skip


def violations(standings: Mapping[Rule, Standing]) -> list[str]:
    """Return each rule that was broken, by whose word and why."""
    return [_told(one) for one in standings.values() if one.status == "violation"]


def doubts(standings: Mapping[Rule, Standing]) -> list[str]:
    """Return each rule by which something was found, or judges do not agree, and nothing is decided."""
    return [_told(one) for one in standings.values() if one.status in ("awaiting", "unclear")]


def held_back(standings: Mapping[Rule, Standing], rules: BenchmarkRules) -> bool:
    """Say whether something was found on which nobody has decided, and the rules give the base's score until then."""
    if rules.toml.penalty.awaiting == "own_score":
        return False
    return any(one.found is True and one.status in ("awaiting", "unclear") for one in standings.values())


def judged(standings: Sequence[Mapping[Rule, Standing]]) -> Judged:
    """Say whether every rule was ruled for every model of a row."""
    each = [one for model in standings for one in model.values()]
    if not each:
        return "not asked"
    ruled = [one.status in ("clean", "violation") for one in each]
    return "judged" if all(ruled) else "in part" if any(ruled) else "not judged"


def unruled(standings: Mapping[Rule, Standing]) -> list[Rule]:
    """Return the rules by which nobody ruled and nothing was found."""
    return [rule for rule, one in standings.items() if one.status == "not_judged"]


def _told(one: Standing) -> str:
    if one.status == "awaiting":
        return f"{one.rule}: awaiting a ruling ({one.reason})"
    by = f"override by {one.author}" if one.by == "override" else f"majority of {one.author}"
    return f"{one.rule}: {one.ruled}, {by}: {one.reason}"
