"""Find which name of the work stands for which name that the tests use; refuse where that is not clear.

A name that is there as the tests say it stands for itself. Every other is matched to a definition of its kind which the
calls in the tests fit: the best one, if it is alike enough, clearly ahead of the next, and clearly best for no other
name. Nothing here knows whether tests pass. The same code gives the same mapping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fairtrial.checks.code.adapting.definitions import Definition, Modules
from fairtrial.checks.code.adapting.fitting import fits, is_reordered, renamed, score
from fairtrial.checks.code.adapting.needs import Need

ENOUGH = 0.5
ALONE = 0.35
"""Enough where a name has one definition that fits, and that fits no other name."""
AHEAD = 0.08

Probe = Callable[[Need, Definition], float | None]
"""The share of probes that a need's reference and a definition answer alike; None where there is none for the need."""


@dataclass(frozen=True, slots=True)
class Match:
    """One name that the tests use, and what it stands for in the work."""

    needs: str
    """`module:name`, or `module:Class.member`."""
    has: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    """Parameter that the tests know -> that of the work, where one has another name or place."""
    order: tuple[str, ...] = ()
    """The tests' parameters by place, where the work has them in another order."""
    score: float = 1.0
    by: str = "name"
    """`name` (it is there), `export` (it is there by another name of the reference's), `likeness`, or `proposal`."""

    def row(self) -> dict[str, Any]:
        """Return it as JSON."""
        row: dict[str, Any] = {"needs": self.needs, "has": self.has, "score": self.score, "by": self.by}
        if self.parameters:
            row["parameters"] = dict(self.parameters)
        return row | ({"order": list(self.order)} if self.order else {})


@dataclass(frozen=True, slots=True)
class Mapped:
    """What was matched, and what was not."""

    matches: tuple[Match, ...]
    absent: tuple[str, ...] = ()
    """Names for which the work has nothing that the calls fit."""
    unclear: Mapping[str, Sequence[tuple[str, float]]] = field(default_factory=dict)
    """Names for which it has more than one, or none that is alike enough; with scores."""


def mapped(
    needs: Mapping[str, Need],
    work: Modules,
    reference: Modules,
    probe: Probe | None = None,
    given: Sequence[Match] = (),
) -> Mapped:
    """Return what stands for each of `needs` in the work; `given` matches stand as they are."""
    there = {place: one for place, need in needs.items() if (one := _there(need, work, reference))}
    matches = [*given]
    for place, one in there.items():
        need = needs[place]
        is_as_said = work.get(need.module, {}).get(need.name) == one
        matches.append(match_of(need, one, 1.0, "name" if is_as_said else "export"))
    every = offered(work, reference, there.values())
    settled = {needs[match.needs].reference.place: match for match in matches}
    left = _one_each(needs, settled)
    free = {place: one for place, one in every.items() if place not in {match.has for match in given}}
    table = {place: _scored(need, free, probe) for place, need in left.items()}
    absent = tuple(sorted(place for place, found in table.items() if not found))
    chosen = _settled({place: found for place, found in table.items() if found})
    settled |= {left[place].reference.place: match_of(left[place], free[has], value, "likeness")
                for place, (has, value) in chosen.items()}  # fmt: skip
    unclear = _unclear(table, chosen)
    known = {match.needs for match in matches}
    for place, need in needs.items():
        if place not in known and need.reference.place in settled:
            matches.append(replace(settled[need.reference.place], needs=place))
    by_place = {match.needs: match for match in matches}
    for place, need in needs.items():
        if place in by_place and need.members:
            found = _members(need, there[place] if place in there else every[by_place[place].has])
            matches += found.matches
            absent += found.absent
            unclear |= found.unclear
    return Mapped(tuple(sorted(matches, key=lambda match: match.needs)), absent, unclear)


def _one_each(needs: Mapping[str, Need], settled: Mapping[str, Match]) -> dict[str, Need]:
    """Return a need for each definition that is not settled: tests may know one by several names."""
    found: dict[str, Need] = {}
    for need in needs.values():
        if need.reference.place not in settled:
            first = found.setdefault(need.reference.place, replace(need, calls=set(need.calls)))
            first.calls.update(need.calls)
    return {need.place: need for need in found.values()}


def offered(work: Modules, reference: Modules, taken: Iterable[Definition] = ()) -> dict[str, Definition]:
    """Return what can stand for another name: what the work defines, but what keeps a name that the reference has."""
    own = {one.place: one for names in work.values() for one in names.values()}
    kept = {one.place for names in reference.values() for one in names.values()} | {one.place for one in taken}
    return {place: one for place, one in sorted(own.items()) if place not in kept}


def fitting(need: Need, definition: Definition) -> bool:
    """Say whether `definition` is of the kind that is needed, and the tests' calls can be made on it."""
    if need.reference.kind != definition.kind:
        return False
    if definition.kind == "class" and is_reordered(need.reference.signature, definition.signature):
        return False
    return definition.kind in ("constant", "attribute") or fits(
        need.calls, need.reference.signature, definition.signature
    )


def match_of(need: Need, definition: Definition, value: float, by: str) -> Match:
    """Return the match of `need` with `definition`, parameters and all."""
    theirs, ours = need.reference.signature, definition.signature
    if by in ("name", "export") and fits(need.calls, ours, ours):
        return Match(need.place, definition.place, by=by)
    names = {was: now for was, now in renamed(theirs, ours).items() if was != now}
    order = theirs.names[: theirs.by_place] if definition.kind != "class" and is_reordered(theirs, ours) else ()
    return Match(need.place, definition.place, names, order, value, by)


def _there(need: Need, work: Modules, reference: Modules) -> Definition | None:
    """Return what the work has under the name that is needed, or under another that the reference has for the same."""
    names = [(need.module, need.name)]
    for module, known in sorted(reference.items()):
        names += [(module, name) for name, one in sorted(known.items()) if one.place == need.reference.place]
    for module, name in names:
        found = work.get(module, {}).get(name)
        if found is not None and found.kind == need.reference.kind:
            return found
    return None


def _scored(need: Need, free: Mapping[str, Definition], probe: Probe | None) -> dict[str, float]:
    found = {place: definition for place, definition in free.items() if fitting(need, definition)}
    return {
        place: score(need.reference, definition, probe(need, definition) if probe else None)
        for place, definition in found.items()
    }


def _settled(table: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[str, float]]:
    """Return what is clear: need -> (what it has, score). What is taken is out of the way of the rest."""
    chosen: dict[str, tuple[str, float]] = {}
    while True:
        taken = {has for has, _ in chosen.values()}
        rows = {
            need: {has: value for has, value in row.items() if has not in taken}
            for need, row in table.items()
            if need not in chosen
        }
        clear = {need: has for need, row in rows.items() if (has := _best(row)) and _is_best_for(need, has, rows)}
        if not clear:
            return chosen
        need = min(clear, key=lambda name: (-rows[name][clear[name]], name))
        chosen[need] = (clear[need], rows[need][clear[need]])


def _unclear(
    table: Mapping[str, Mapping[str, float]], chosen: Mapping[str, tuple[str, float]]
) -> dict[str, Sequence[tuple[str, float]]]:
    """Return what could stand for each name that is not settled, the most alike first."""
    left = {place: found for place, found in table.items() if found and place not in chosen}
    return {place: sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:5] for place, found in left.items()}


def _best(row: Mapping[str, float]) -> str:
    """Return what is alike enough and clearly ahead, "" if nothing is."""
    ranked = sorted(row, key=lambda has: (-row[has], has))
    if not ranked or row[ranked[0]] < (ENOUGH if len(ranked) > 1 else ALONE):
        return ""
    return ranked[0] if len(ranked) == 1 or row[ranked[0]] - row[ranked[1]] >= AHEAD else ""


def _is_best_for(need: str, has: str, rows: Mapping[str, Mapping[str, float]]) -> bool:
    return all(rows[need][has] - row.get(has, 0.0) >= AHEAD for other, row in rows.items() if other != need)


def _members(need: Need, target: Definition) -> Mapped:
    """Match the members of a class that tests use with those that the work's class has."""
    theirs = need.reference.members
    wanted = {
        name: Need(need.module, f"{need.name}.{name}", theirs[name], calls, {}) for name, calls in need.members.items()
    }
    there = {name for name in wanted if name in target.members}
    matches = [match_of(one, target.members[name], 1.0, "name") for name, one in wanted.items() if name in there]
    free = {one.place: one for name, one in target.members.items() if name not in theirs and not name.startswith("__")}
    table = {one.place: _scored(one, free, None) for name, one in wanted.items() if name not in there}
    chosen = _settled({place: found for place, found in table.items() if found})
    by_place = {one.place: one for one in wanted.values()}
    matches += [match_of(by_place[place], free[has], value, "likeness") for place, (has, value) in chosen.items()]
    sure = {f"{need.place}.{name}" for name in need.sure}
    absent = tuple(place for place, found in table.items() if not found and place in sure)
    unclear = {place: found for place, found in _unclear(table, chosen).items() if place in sure}
    return Mapped(tuple(matches), absent, unclear)
