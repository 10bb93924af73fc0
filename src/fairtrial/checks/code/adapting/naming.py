"""Read one work beside its reference and its tests, and say what stands for which name: clear, stated, or proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.checks.code.adapting.definitions import Definition, Modules, modules_of
from fairtrial.checks.code.adapting.matching import Mapped, Match, mapped, match_of, offered
from fairtrial.checks.code.adapting.needs import Need, needs_of
from fairtrial.checks.code.adapting.proposal import Propose, checked, proposed
from fairtrial.checks.code.calling import Answer, answers, same
from fairtrial.checks.code.laying import CONTROL, laid
from fairtrial.checks.code.runs import Limits
from fairtrial.checks.code.trees import Tree, key, work
from fairtrial.checks.protocol import CheckError
from fairtrial.checks.reading import WorkError


@dataclass(frozen=True, slots=True)
class Naming:
    """What one work, its reference and its tests define and use."""

    tree: Tree
    tests: Tree
    reference: Tree
    limits: Limits
    ours: Modules
    theirs: Modules
    needs: Mapping[str, Need]

    @classmethod
    def of(cls, code: str, tests: str, reference: str, at: str, limits: Limits) -> Naming:
        """Read all three folders; the tests lie in the folder `at` of the code. Raise CheckError for a useless key."""
        but = () if at == "." else (f"{at}/",)
        asked, theirs = key(tests, "tests"), key(reference, "reference")
        tree = work(code)
        defined = modules_of(theirs, limits.import_from, but)
        needs = needs_of(asked, defined)
        if not needs:
            raise CheckError("the tests use no name of the reference: are `reference` and `import_from` right?")
        return cls(tree, asked, theirs, limits, modules_of(tree, limits.import_from, but), defined, needs)

    def mapped(self, probes: Sequence[Mapping[str, Any]], stated: Mapping[str, Any]) -> Mapped:
        """Return what stands for each name that the tests use; `stated` is for what is not clear of itself."""
        given = checked(stated, self.needs, offered(self.ours, self.theirs))
        probe = Probing(self, probes).share if probes else None
        return clear_of_absent(mapped(self.needs, self.ours, self.theirs, probe, given))

    def asked(self, propose: Propose) -> Mapped:
        """Return the same, asking `propose` for the names that are not clear."""
        found = self.mapped([], {})
        asked = {name: self.needs[name] for name in found.unclear if name in self.needs}
        if not asked:
            return found
        taken = {match.has for match in found.matches}
        free = {place: one for place, one in offered(self.ours, self.theirs).items() if place not in taken}
        return clear_of_absent(mapped(self.needs, self.ours, self.theirs, None, proposed(asked, free, propose)))


@dataclass(frozen=True, slots=True)
class Probing:
    """Calls whose answers tell definitions apart: what is right is what the reference answers."""

    naming: Naming
    probes: Sequence[Mapping[str, Any]]

    def share(self, need: Need, definition: Definition) -> float | None:
        """Return the share of the probes for `need` that the reference and `definition` answer alike; None of none."""
        meant = [probe for probe in self.probes if probe.get("call") in (need.place, need.reference.place)]
        if not meant:
            return None
        match = match_of(need, definition, 1.0, "likeness")
        wanted = self._answers(self.naming.reference, meant)
        if not all(wanted):
            raise CheckError(f"the reference gives no answer to a probe of {need.place}")
        got = self._answers(self.naming.tree, [_translated(probe, match) for probe in meant])
        return sum(_alike(a, b) for a, b in zip(wanted, got, strict=True)) / len(meant)

    def _answers(self, tree: Tree, calls: Sequence[Mapping[str, Any]]) -> list[Answer]:
        with laid(tree, without=CONTROL, user=self.naming.limits.user) as folder:
            return answers(folder, calls, self.naming.limits)


def clear_of_absent(found: Mapped) -> Mapped:
    """Return `found`. Raise WorkError where the work has nothing that could stand for a name."""
    if found.absent:
        raise WorkError(f"it has nothing that could stand for {found.absent[0]}, which the tests use")
    return found


def _translated(probe: Mapping[str, Any], match: Match) -> dict[str, Any]:
    named = {match.parameters.get(name, name): value for name, value in probe.get("kwargs", {}).items()}
    places = list(probe.get("args", ()))
    if match.order:
        named |= {match.parameters.get(n, n): value for n, value in zip(match.order, places, strict=False)}
        places = []
    return {"call": match.has, "args": places, "kwargs": named}


def _alike(one: Answer, other: Answer) -> bool:
    if "returns" in one:
        return "returns" in other and same(one["returns"], other["returns"], 1e-9)
    return bool(one["raises"][:1] == other.get("raises", ())[:1])
