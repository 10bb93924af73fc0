"""How much of a deliverable a probe replaces, and when that much wrong is wrong by construction.

Every value; the answers (all but what names a row); what was worked out (not given by the inputs); one column of
answers; all deliverables at once. Proof where the instruction asks for the file, and for a field among those replaced
which is neither prose nor free to choose; for one column alone, that it gives the name as a name (between marks or in
a list). A lead where it does not say so. Not covered: single values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from fairtrial.attack.artifacts.deliverables import Deliverable, Proposal, deliverables, listed, some
from fairtrial.attack.artifacts.leaves import Leaf, Put
from fairtrial.attack.target import Target
from fairtrial.records import Severity

Extent = Literal["all", "every", "answers", "computed", "column"]
Value = Callable[[Deliverable, Leaf], Put | None]

_IN_WORDS: dict[str, str] = {
    "every": "every value",
    "answers": "every value that does not name a row",
    "computed": "every value that had to be worked out",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Values of one or more deliverables that are replaced together."""

    name: str
    extent: Extent
    parts: tuple[tuple[Deliverable, tuple[int, ...]], ...]
    values: str
    """Which values, in words: "every `depot`"."""
    severity: Severity
    why: str
    """Why they are wrong by construction once replaced, or why that is only a lead."""

    def replaced(self, filling: str, with_what: str, value: Value, why: str = "") -> Proposal | None:
        """Return the proposal in which each value is what `value` makes of its leaf; None where nothing changes.

        `why` says why that is wrong by construction, where it is more than that nothing right is left.
        """
        files: dict[str, bytes | None] = {}
        for one, chosen in self.parts:
            content = one.altered(chosen, lambda leaf, one=one: value(one, leaf))  # type: ignore[misc]
            if content is not None:
                files[one.inside] = content
        if not files:
            return None
        names = listed([one.name for one, _ in self.parts if one.inside in files])
        return Proposal(name=f"{self.name}:{filling}", files=files, severity=self.severity,
                        why=why if why and self.severity == "proof" else self.why,
                        what=f"{names} with {self.values} {with_what}")  # fmt: skip


def scopes(target: Target, *extents: Extent, words: bool = False) -> Iterator[Scope]:
    """Yield what may be replaced, all deliverables at once first; running text only where `words` asks for it."""
    chosen = [one for one in deliverables(target) if one.answers and (words or not one.is_words)]
    if "all" in extents and len(chosen) > 1:
        severity: Severity = "proof" if any(_whole(one) == "proof" for one in chosen) else "lead"
        parts = tuple((one, _every(one)) for one in chosen)
        yield Scope(
            name="all", extent="all", parts=parts, values="every value", severity=severity, why=_why("every", severity)
        )
    chosen = some(chosen)
    for extent in [extent for extent in extents if extent in _IN_WORDS]:
        for one in chosen:
            if scope := _of_extent(one, extent):
                yield scope
    if "column" in extents:
        for one in chosen:
            yield from _columns(one)


def as_choice(proposal: Proposal | None, scope: Scope) -> Proposal | None:
    """Return the proposal as a lead where the instruction leaves a choice: its values may be right too."""
    if proposal is None or not any(one.demands.choice for one, _ in scope.parts):
        return proposal
    why = "A lead only: the instruction leaves a choice, and these values may be right too."
    return replace(proposal, severity="lead", why=why)


def _of_extent(one: Deliverable, extent: Extent) -> Scope | None:
    if one.is_words and extent == "computed":
        return None
    leaves = {"every": _every(one), "answers": one.answers, "computed": one.computed}[extent]
    if one.is_words and extent == "answers":
        leaves = tuple(index for index in leaves if one.leaves[index].group != "heading")
    if not leaves:
        return None
    severity = _whole(one) if extent != "computed" else "proof" if one.binding(leaves) else "lead"
    alone = len(one.leaves) == 1
    return Scope(name=f"{_path(one)}:{extent}", extent=extent, parts=((one, leaves),),
                 values="its one value" if alone else _IN_WORDS[extent],
                 severity=severity, why=_why("every" if alone else extent, severity))  # fmt: skip


def _columns(one: Deliverable) -> Iterator[Scope]:
    """Yield one scope for each column of answers, where there are several."""
    groups = dict.fromkeys(one.leaves[index].group for index in one.answers)
    if len(groups) < 2 or one.is_words:
        return
    for group in groups:
        leaves = tuple(index for index in one.answers if one.leaves[index].group == group)
        is_named = one.demands.spells(one.leaves[leaves[0]].field)
        severity: Severity = "proof" if is_named and one.binding(leaves) else "lead"
        yield Scope(name=f"{_path(one)}:{group}", extent="column", parts=((one, leaves),),
                    values=f"every `{group}`", severity=severity, why=_why("column", severity))  # fmt: skip


def _every(one: Deliverable) -> tuple[int, ...]:
    return tuple(index for index, leaf in enumerate(one.leaves) if not leaf.is_identity)


def _whole(one: Deliverable) -> Severity:
    """Return what a file with every answer wrong is worth: a proof where the instruction asks for the file."""
    only_free = all(not one.demands.binds(one.leaves[index].field) and one.demands.names_field(one.leaves[index].field)
                    for index in one.answers)  # fmt: skip
    return "proof" if one.demanded and not only_free else "lead"


def _path(one: Deliverable) -> str:
    return one.inside.lstrip("/")


def _why(extent: Extent, severity: Severity) -> str:
    if severity == "lead":
        return "A lead only: the instruction does not ask for these values in so many words."
    return {
        "every": "Nothing of the reference's values is left, so the work was not done.",
        "answers": "Only what names the rows is left, so no answer was given.",
        "computed": "All that is left stood in the inputs, so nothing was worked out.",
        "column": "The instruction asks for these values, and none of them is right.",
    }[extent]
