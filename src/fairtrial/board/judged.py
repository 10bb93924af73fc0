"""What the judges, and persons over them, leave of a model: clean, flagged, penalised; and whether anybody judged.

A violation that is ruled is a penalty. A finding without a ruling, or judges without a majority, flag the row: it keeps
its score and says so, or has that of its base where the rules let it await a ruling there. A row of which a check could
not say anything is then held back too: what was not measured is not clean. Where nobody found or ruled anything it is
shown as not judged.
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


def doubts(standings: Mapping[Rule, Standing], rules: BenchmarkRules) -> list[str]:
    """Return each rule by which something was found, or judges do not agree, and nothing is decided.

    Where the base's score counts until then, so does each of which a check could not say anything.
    """
    open_ = [_told(one) for one in standings.values() if one.status in ("awaiting", "unclear")]
    if rules.toml.penalty.awaiting == "own_score":
        return open_
    return [*open_, *(f"{one.rule}: not measured ({one.reason})" for one in standings.values() if is_unmeasured(one))]


def is_unmeasured(one: Standing) -> bool:
    """Say whether a check was run, could not say all that it should, and nobody has ruled."""
    return one.found is None and one.by == "checks"


def held_back(standings: Mapping[Rule, Standing], rules: BenchmarkRules, *, is_graded: bool) -> bool:
    """Say whether the rules give the base's score until somebody decides: on a finding, or on what was not measured.

    The latter only of results that are graded: others are no score that could be held back, and wait for reruns.
    """
    if rules.toml.penalty.awaiting == "own_score":
        return False
    each = standings.values()
    is_found = any(one.found is True and one.status in ("awaiting", "unclear") for one in each)
    return is_found or (is_graded and any(map(is_unmeasured, each)))


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
