"""The population as it is sampled: rollouts with what they are stratified by, in strata, each in its order of drawing.

A frame is kept whole with the sample that was drawn from it. So a sample grows by reading on where it stopped, whatever
the ledger has become since; rollouts that came later form strata of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

from fairtrial.audit.sampling.allocation import LEAST, Part
from fairtrial.audit.sampling.order import chance, spread
from fairtrial.records import FormatError, InputError

OVERSAMPLED = 4.0
"""A suspected rollout counts as so many: Neyman's sqrt(p (1 - p)) for hacks in 1 of 2 is 4 times that for 1 in 64."""
SCHEMA = "fairtrial.frame/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One rollout of the population."""

    rollout: str
    task: str
    model: str
    attempt: int = 0
    suite: str = ""
    agent: str = ""
    effort: str = ""
    domain: str = ""
    family: str = ""
    cluster: str = ""
    step: int | None = None
    outcome: str = "passed"
    lead: str = ""
    """What detectors said of it: `suspected`, `lead` (too weak to suspect), `unread` (it has no steps), or nothing."""

    @property
    def group(self) -> tuple[str, str]:
        """Return what repeats of it have in common: near copies, or the task."""
        return ("", self.cluster) if self.cluster else (self.suite, self.task)

    @property
    def label(self) -> str:
        """Return the model as figures name it."""
        return f"{self.model}@{self.effort}" if self.effort else self.model


BY: Mapping[str, Callable[[Unit], str]] = {
    "verdict": lambda unit: unit.outcome,
    "model": lambda unit: unit.label,
    "suite": lambda unit: unit.suite,
    "detector": lambda unit: unit.lead or "none",
    "agent": lambda unit: unit.agent,
    "domain": lambda unit: unit.domain,
    "family": lambda unit: unit.family,
    "step": lambda unit: "" if unit.step is None else str(unit.step),
}
"""What a sample can be stratified by -> its value for a rollout; an empty value stands in no name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameStratum:
    """One stratum: its rollouts in the order of drawing."""

    name: str
    cell: Mapping[str, str]
    rollouts: tuple[str, ...]

    def part(self, kept: int = 0) -> Part:
        """Return it as `allocate` reads it."""
        weight = len(self.rollouts) * (OVERSAMPLED if self.cell.get("detector") == "suspected" else 1.0)
        return Part(name=self.name, kind=self.cell.get("verdict", ""), weight=weight, population=len(self.rollouts),
                    kept=kept)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """All strata of a population."""

    strata: tuple[FrameStratum, ...]
    merged: tuple[str, ...] = field(default=())
    """Verdicts whose strata were so many that some properties only order the draws, and what was given up."""

    @property
    def population(self) -> int:
        """Return how many rollouts it holds."""
        return sum(len(stratum.rollouts) for stratum in self.strata)

    def encoded(self) -> bytes:
        """Return it as JSON."""
        return orjson.dumps({"schema": SCHEMA, "merged": self.merged, "strata": [
            {"name": one.name, "cell": dict(one.cell), "rollouts": one.rollouts} for one in self.strata]})  # fmt: skip

    @classmethod
    def decoded(cls, data: bytes) -> Frame:
        """Return the frame that `encoded` wrote. Raise FormatError for anything else."""
        try:
            found = orjson.loads(data)
            if found["schema"] != SCHEMA:
                raise FormatError(f"is no {SCHEMA}", field="schema")
            strata = tuple(FrameStratum(name=one["name"], cell=one["cell"], rollouts=tuple(one["rollouts"]))
                           for one in found["strata"])  # fmt: skip
            return cls(strata=strata, merged=tuple(found["merged"]))
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise FormatError(f"is no {SCHEMA}: {error}") from error


def frame_of(units: Sequence[Unit], by: Sequence[str], n: int, seed: int, *, suffix: str = "") -> Frame:
    """Return the strata of `units`, ordered by `seed`.

    Where a verdict has more strata than its share of `n` can give `LEAST` draws each, the last properties of `by` are
    given up for it as strata; the order of drawing is then spread over them instead. `suffix` marks strata that joined
    later. Raise InputError for a property that is not known.
    """
    return ordered_frame(units, by, kept_properties(units, by, n), seed, suffix=suffix)


def kept_properties(units: Sequence[Unit], by: Sequence[str], n: int) -> dict[str, tuple[str, ...]]:
    """Return for each verdict (`` where verdicts are no strata) the properties of `by` that `n` draws can afford."""
    unknown = [name for name in by if name not in BY]
    if unknown or len(set(by)) < len(by):
        raise InputError(f"`{unknown[0]}` is nothing to stratify by" if unknown else "names a property twice",
                         field="--by", hint=f"Known: {', '.join(BY)}.")  # fmt: skip
    kinds = _kinds(units, by)
    return {kind: tuple(_affordable(kinds[kind], by, n / len(kinds))) for kind in sorted(kinds)}


def ordered_frame(
    units: Sequence[Unit], by: Sequence[str], affordable: Mapping[str, Sequence[str]], seed: int, *, suffix: str = ""
) -> Frame:
    """Return the strata of `units` by the properties that each verdict can afford, ordered by `seed`."""
    kinds = _kinds(units, by)
    strata, merged = [], []
    for kind, kept in affordable.items():
        if len(kept) < len(by):
            merged.append(f"{kind or 'all'}: {', '.join(by[len(kept) :])}")
        cells: dict[tuple[str, ...], list[Unit]] = {}
        for unit in kinds[kind]:
            cells.setdefault(_cell(unit, kept), []).append(unit)
        for cell in sorted(cells):
            named = {name: value for name, value in zip(kept, cell, strict=True) if value}
            name = stratum_name(named) + suffix
            ordered = tuple(_ordered(cells[cell], by, seed, name))
            strata.append(FrameStratum(name=name, cell=named, rollouts=ordered))
    return Frame(strata=tuple(strata), merged=tuple(merged))


def _kinds(units: Iterable[Unit], by: Sequence[str]) -> dict[str, list[Unit]]:
    kinds: dict[str, list[Unit]] = {}
    for unit in units:
        kinds.setdefault(unit.outcome if "verdict" in by else "", []).append(unit)
    return kinds


def stratum_name(cell: Mapping[str, str]) -> str:
    """Return the name of a stratum; values that could be taken for something else are quoted.

    >>> stratum_name({"verdict": "passed", "model": "gpt-4o"})
    'verdict=passed, model=gpt-4o'
    """
    told = [f"{name}={orjson.dumps(value).decode() if _is_odd(value) else value}" for name, value in cell.items()]
    return ", ".join(told) or "all"


def _is_odd(value: str) -> bool:
    return any(mark in value for mark in ',="') or not value.isprintable()


def _cell(unit: Unit, by: Iterable[str]) -> tuple[str, ...]:
    return tuple(BY[name](unit) for name in by)


def _affordable(units: Sequence[Unit], by: Sequence[str], share: float) -> Sequence[str]:
    """Return the longest beginning of `by` whose strata can get `LEAST` draws each from `share` draws."""
    for kept in range(len(by), 0, -1):
        sizes: dict[tuple[str, ...], int] = {}
        for unit in units:
            cell = _cell(unit, by[:kept])
            sizes[cell] = sizes.get(cell, 0) + 1
        if sum(min(LEAST, size) for size in sizes.values()) <= share:
            return by[:kept]
    return [name for name in by if name == "verdict"]


def _ordered(units: Sequence[Unit], by: Sequence[str], seed: int, name: str) -> list[str]:
    """Return the ids in the order of drawing: spread over the cells of `by`, then over tasks, then by chance."""
    keyed = sorted(
        (chance(seed, name, "cell", *_cell(unit, by)), chance(seed, name, "task", *unit.group),
         chance(seed, name, "rollout", unit.rollout), unit.rollout, unit.group) for unit in units
    )  # fmt: skip
    order = spread([row[4] for row in keyed], lambda node: chance(seed, name, "halving", node))
    return [keyed[i][3] for i in order]
