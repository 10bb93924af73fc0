"""Whose results a penalised row gets: those of its base model, or of what lies below that.

An entrant names the base, so that it must not choose its own score by naming it: never a model that is itself, broke
the rules, or was made from another and is not judged clean. Such a base is passed over for the one that it was made
from, down to a model that the rules name or that was made from none. Not covered: who is penalised (`rows`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fairtrial.board.accepted import Entry, Field
from fairtrial.board.judged import Bench, judged, violations
from fairtrial.board.runs import Who
from fairtrial.records import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Bases:
    """Finds the base model's run that a penalised one is scored by."""

    bench: Bench
    submissions: Mapping[str, Submission]

    def below(self, base: str, penalised: Who, field: Field, *, ruled: bool = True) -> tuple[Entry | None, str]:
        """Return the run whose results count for `penalised`, made from `base`, or why there is none.

        Where nobody has `ruled` so (a finding awaits a ruling, or no model was handed in) nothing is removed.
        """
        rules = self.bench.rules.toml
        named = [each.model for each in rules.base]
        if ruled and rules.penalty.flagged == "removed":
            return None, "the rules remove what breaks them"
        if not base:
            return None, "no base model is named, whose score it would get"
        if named and base not in named:
            return None, f"its base model {base} is none that the rules name"
        passed = {penalised.model}
        name, above = base, ""
        while name:
            entry, why = _run_of(name, penalised, field)
            model = entry.who.model if entry else name
            if model in passed:
                return None, f"its base model {name}, whose score it would get, is made from itself{above}"
            passed.add(model)
            made_from = self._made_from(name, entry)
            if name in named or made_from is None:
                return entry, f"{why}{above}" if why else ""
            above, name = f" (below {name}, which is not judged clean)", made_from
        return None, f"no base model is named, whose score it would get{above}"

    def _made_from(self, name: str, entry: Entry | None) -> str | None:
        """Return what a base was made from that cannot be trusted with a score; None where it can."""
        names = entry.who.names if entry else (name,)
        handed_in = next((self.submissions[each] for each in names if each in self.submissions), None)
        standings = self.bench.standings_of(entry.who if entry else None, (name,))
        broken = any(violations(each) for each in standings.values())
        below = handed_in.base if handed_in else ""
        if not broken and (not below or judged(tuple(standings.values())) == "judged"):
            return None
        return below


def _run_of(name: str, like: Who, field: Field) -> tuple[Entry | None, str]:
    """Return the whole run of `name`, in the scaffold and effort of `like` where there is one, or why there is none."""
    found = field.of_model(name, like)
    if found is not None and not found.accepted.waits_for:
        return found, ""
    several = sum(who.is_called(name) for who in field.entries) > 1
    told = "ran in several scaffolds or efforts" if several else "has no whole accepted run"
    return None, f"its base model {name}, whose score it would get, {told} on track {field.lock.track}"
