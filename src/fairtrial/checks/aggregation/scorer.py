"""Score rollouts by rules that were made ready once: results in, `Score` out. Pure, standard library.

Results are sets of bits, and equal results are added up once, so that 100,000 rollouts take seconds. A check that
has no result (None) leaves open only what hangs on it: without a gate, a blocker or a correctness check, or what they
build on, nothing is measured; without a check of another axis `correct` stands, and the score where it does not
depend on it. Not covered: where values come from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from fairtrial.checks.aggregation.rules import Measure, Rules, dependency_order, faults
from fairtrial.checks.aggregation.score import Score
from fairtrial.checks.aggregation.shares import shares
from fairtrial.records.errors import InputError

OTHER_AXES = ("process", "quality", "scope", "efficiency")
MOST_REMEMBERED = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One rollout of a group."""

    checks: Mapping[str, bool | None]
    """Name -> passed; None where it could not be measured."""
    values: Mapping[str, float] = field(default_factory=dict)
    """Name of a check, or of what a rollout cost (OWN_MEASURES) -> what was measured."""


def aggregate(rules: Rules, passed: Mapping[str, bool | None]) -> Score:
    """Return the score of one rollout by itself. Raise InputError naming checks that are unknown or not listed.

    >>> from fairtrial.checks.aggregation import CheckRule
    >>> rules = Rules(checks=(CheckRule(name="total"), CheckRule(name="receipt", depends_on=("total",))))
    >>> aggregate(rules, {"total": True, "receipt": False}).score
    0.5
    """
    return Scorer(rules).score(passed)


def aggregate_group(rules: Rules, rows: Sequence[Row]) -> list[Score]:
    """Return the scores of the rollouts of one group, measures of efficiency told among its correct ones.

    >>> from fairtrial.checks.aggregation import CheckRule
    >>> rules = Rules(checks=(CheckRule(name="a"),), efficiency=(Measure(name="turns"),), quality_weight=0.2)
    >>> [s.score for s in aggregate_group(rules, [Row(checks={"a": True}, values={"turns": n}) for n in (4, 9)])]
    [1.0, 0.8]
    """
    return Scorer(rules).group(rows)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the checks alone say."""

    score: Score
    earned: Mapping[str, tuple[float, float]]
    """Other axis -> weight that its checks earned, and their whole weight; the first is NaN if not measured."""


class Scorer:
    """Scores by one set of rules, made ready at the start. Raise InputError where the rules are senseless."""

    def __init__(self, rules: Rules) -> None:
        for what, place in faults(rules):
            raise InputError(what, field=str(place[-1]))
        self.rules = rules
        self._names = tuple(check.name for check in rules.checks)
        self._bits = {name: 1 << index for index, name in enumerate(self._names)}
        by_name = {check.name: check for check in rules.checks}
        order = dependency_order({check.name: check.depends_on for check in rules.checks})
        self._built = [(self._bits[n], self._mask(by_name[n].depends_on)) for n in order if by_name[n].depends_on]
        members: dict[str, list[str]] = {name: [] for name in rules.workflows}
        for check in rules.checks:
            if check.workflow and (check.is_unit or check.role == "gate"):
                members[check.workflow].append(check.name)
        self._workflows = {name: self._mask(inside) for name, inside in members.items()}
        self._units = [(self._workflows[name], weight) for name, weight in rules.workflows.items()]
        self._units += [(self._bits[c.name], c.weight) for c in rules.checks if c.is_unit and not c.workflow]
        self._units_weight = math.fsum(weight for _, weight in self._units)
        self._counted = self._mask([c.name for c in rules.checks if c.is_unit])
        self._gates = [c.name for c in rules.checks if c.role == "gate"]
        self._blockers = [c.name for c in rules.checks if c.role == "blocker"]
        self._needed = self._all_that_correctness_hangs_on(order)
        self._others = [
            (c.counts_on, self._bits[c.name], c.weight)
            for c in rules.checks
            if c.counts_on is not None and c.counts_on != "correctness" and c.weight > 0
        ]
        self._measures = tuple(measure for measure in rules.efficiency if measure.weight > 0)
        self._measures_weight = math.fsum(measure.weight for measure in self._measures)
        self._remembered: dict[tuple[bool | None, ...], _Found] = {}

    def score(self, passed: Mapping[str, bool | None]) -> Score:
        """Return the score of one rollout by itself: measures take nothing away before its group is known.

        Raise InputError naming checks that are unknown or not listed.
        """
        return self._found(passed).score

    def group(self, rows: Sequence[Row]) -> list[Score]:
        """Return the scores of one group. Raise InputError as `score` does."""
        found = [self._found(row.checks) for row in rows]
        scores = [one.score for one in found]
        if not self._measures:
            return scores
        correct = [index for index, score in enumerate(scores) if score.correct]
        told = [_told(measure, [rows[index] for index in correct]) for measure in self._measures]
        for place, index in enumerate(correct):
            scores[index] = self._with_measures(found[index], [values[place] for values in told])
        return scores

    def _mask(self, names: Sequence[str]) -> int:
        mask = 0
        for name in names:
            mask |= self._bits[name]
        return mask

    def _all_that_correctness_hangs_on(self, order: Sequence[str]) -> int:
        """Return the gates, blockers and what counts towards correctness, with all that they build on."""
        needed = self._mask([*self._gates, *self._blockers])
        for mask, weight in self._units:
            needed |= mask if weight > 0 else 0
        parents = dict(self._built)
        for name in reversed(order):
            if needed & self._bits[name]:
                needed |= parents.get(self._bits[name], 0)
        return needed

    def _found(self, passed: Mapping[str, bool | None]) -> _Found:
        try:
            results = tuple([passed[name] for name in self._names])
        except KeyError:
            results = ()
        if len(passed) != len(results) or not results:
            self._refuse_strangers(passed)
        found = self._remembered.get(results)
        if found is None:
            found = self._add_up(results)
            if len(self._remembered) < MOST_REMEMBERED:
                self._remembered[results] = found
        return found

    def _refuse_strangers(self, passed: Mapping[str, bool | None]) -> None:
        if strangers := sorted(set(passed) - set(self._names)):
            raise InputError(f"results for checks that grading.toml does not name: {', '.join(strangers[:5])}")
        missing = sorted(set(self._names) - set(passed))
        raise InputError(f"no result for checks that grading.toml names: {', '.join(missing[:5])}")

    def _effective(self, results: Sequence[bool | None]) -> tuple[int, int]:
        """Return the checks that are effective and those that are not, as bits; the rest is not measured."""
        on = off = 0
        bit = 1
        for holds in results:
            if holds:
                on |= bit
            elif holds is not None:
                off |= bit
            bit <<= 1
        for bit, parents in self._built:
            if off & parents:
                on &= ~bit
                off |= bit
            elif on & parents != parents:
                on &= ~bit
        return on, off

    def _add_up(self, results: Sequence[bool | None]) -> _Found:
        on, off = self._effective(results)
        lacking = tuple([n for n, holds in zip(self._names, results, strict=True) if holds is None])
        is_measured = not self._mask(lacking) & self._needed
        gates = tuple([name for name in self._gates if off & self._bits[name]])
        blockers = tuple([name for name in self._blockers if off & self._bits[name]])
        correctness = self._correctness(on) if is_measured else None
        correct = correctness == 1.0 and not gates and not blockers if is_measured else None
        earned = self._earned(on, off)
        awaited = tuple(measure.name for measure in self._measures) if correct else ()
        quality = _quality(earned, self._measures_weight, self._measures_weight)
        score = Score(
            score=self._final(correct, 0.0 if gates or blockers else correctness, quality),
            correct=correct,
            correctness=correctness,
            quality=quality if correct else None,
            per_check=self._per_check(on, off),
            axes={"correctness": correctness} | {axis: _share(earned, axis) for axis in OTHER_AXES}
            | ({"efficiency": None} if self._measures else {}),
            workflows={name: _holds(mask, on, off) for name, mask in self._workflows.items()},
            effective={name: True if on & bit else False if off & bit else None for name, bit in self._bits.items()},
            gates_broken=gates,
            blockers_failed=blockers,
            not_measured=lacking,
            awaits_group=awaited,
        )  # fmt: skip
        return _Found(score, earned)

    def _correctness(self, on: int) -> float:
        """Return C; exactly 1 if and only if every unit that weighs anything passes."""
        if not self._units:
            return 1.0
        missed = [weight for mask, weight in self._units if on & mask != mask]
        if not any(missed):
            return 1.0
        whole = math.fsum(weight for mask, weight in self._units if on & mask == mask)
        return min(whole / self._units_weight, math.nextafter(1.0, 0.0))

    def _per_check(self, on: int, off: int) -> float | None:
        if not self._counted or (on | off) & self._counted != self._counted:
            return None
        return (on & self._counted).bit_count() / self._counted.bit_count()

    def _earned(self, on: int, off: int) -> dict[str, tuple[float, float]]:
        earned: dict[str, tuple[float, float]] = {}
        for axis, bit, weight in self._others:
            held, whole = earned.get(axis, (0.0, 0.0))
            gain = weight if on & bit else 0.0 if off & bit else math.nan
            earned[axis] = (held + gain, whole + weight)
        return earned

    def _final(self, correct: bool | None, reached: float | None, quality: float | None) -> float | None:
        if not correct:
            return reached if correct is not None else None
        if self.rules.quality_weight == 0:
            return 1.0
        return None if quality is None else 1 - self.rules.quality_weight * (1 - quality)

    def _with_measures(self, found: _Found, told: Sequence[float | None]) -> Score:
        """Return the score of a correct rollout whose measures are `told`, each a share, None where it has no value."""
        lacking = tuple(m.name for m, share in zip(self._measures, told, strict=True) if share is None)
        gain = sum(m.weight * (math.nan if s is None else s) for m, s in zip(self._measures, told, strict=True))
        held, whole = found.earned.get("efficiency", (0.0, 0.0))
        axis = {"efficiency": (held + gain, whole + self._measures_weight)}
        quality = _quality(found.earned, gain, self._measures_weight)
        return replace(
            found.score,
            score=self._final(True, 1.0, quality),
            quality=quality,
            axes=dict(found.score.axes) | {"efficiency": _share(axis, "efficiency")},
            not_measured=(*found.score.not_measured, *lacking),
            awaits_group=(),
        )


def _told(measure: Measure, rows: Sequence[Row]) -> list[float | None]:
    """Return each row's share of the others that it beats in `measure`; None where it has no value."""
    values = [row.values.get(measure.name) for row in rows]
    signed = [value if measure.direction == "more" else -value for value in values if value is not None]
    found = iter(shares(signed))
    return [None if value is None else next(found) for value in values]


def _holds(mask: int, on: int, off: int) -> bool | None:
    return False if off & mask else True if on & mask == mask else None


def _share(earned: Mapping[str, tuple[float, float]], axis: str) -> float | None:
    held, whole = earned.get(axis, (0.0, 0.0))
    return None if whole <= 0 or math.isnan(held) else min(1.0, held / whole)


def _quality(earned: Mapping[str, tuple[float, float]], gain: float, weight: float) -> float | None:
    """Return Q from what the checks earned and what the measures add; 1 where no other axis counts."""
    held = math.fsum([gain, *(part for part, _ in earned.values())])
    whole = math.fsum([weight, *(part for _, part in earned.values())])
    if whole <= 0:
        return 1.0
    return None if math.isnan(held) else min(1.0, held / whole)
