"""Where a submission stands by each rule: a person's override, else the majority of the judges' runs, else nobody.

What a check found is a lead: it flags nothing, and asks for a ruling. A ruling that was made under other rules, or of
other findings than there are now, says nothing, and is told. No majority is not clean: a person has to rule. Of one
judge's runs the first of each number counts, so that asking again until it suits changes nothing; judges that disagree
with each other settle nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from fairtrial.records import Rule, Ruled, Ruling, Screening, Submission, canonical_json
from fairtrial.rules.current import current_screenings, found_by, seen_in
from fairtrial.rules.schema import BenchmarkRules

By = Literal["override", "majority", "checks", "nobody"]
Status = Literal["clean", "violation", "unclear", "awaiting", "not_judged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Say how one submission stands by one rule, and by whose word."""

    rule: Rule
    ruled: Ruled | None
    """None: nobody ruled."""
    by: By
    """`checks`: nobody ruled, and the checks alone speak; `nobody`: not even they do."""
    reason: str
    author: str = ""
    """Who overrode, or the judges' models."""
    votes: Mapping[str, int] = field(default_factory=dict)
    """Runs of judges that count, by what they said."""
    found: bool | None = None
    """What the checks found: something, nothing, or (None) not all could be measured."""
    void: tuple[str, ...] = ()
    """Rulings that say nothing any more, and why."""
    counted: tuple[Ruling, ...] = ()

    @property
    def status(self) -> Status:
        """Return it as one word: `awaiting` a ruling on a finding, `not_judged` where there is none to rule on."""
        if self.ruled is not None:
            return self.ruled
        return "awaiting" if self.found else "not_judged"

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "rule": self.rule, "status": self.status, "ruled": self.ruled, "by": self.by, "author": self.author,
            "reason": self.reason, "votes": dict(self.votes), "found": self.found, "void": list(self.void),
            "rulings": [one.id for one in self.counted],
        }  # fmt: skip


def standing(
    rulings: Iterable[Ruling],
    rules: BenchmarkRules,
    model: str,
    screenings: Iterable[Screening] | None = None,
    submissions: Iterable[Submission] = (),
) -> dict[Rule, Standing]:
    """Return how `model` stands by each rule that the benchmark checks.

    Without `screenings` (None) rulings are not held against what the checks say now, and `found` is None throughout.
    """
    of_model = [one for one in rulings if one.model == model]
    held, handed_in = None if screenings is None else tuple(screenings), tuple(submissions)
    found: dict[Rule, Standing] = {}
    for rule in rules.toml.benchmark.checked:
        now = None if held is None else current_screenings(held, handed_in, rule, model)
        found[rule] = _standing([one for one in of_model if one.rule == rule], rules, rule, now)
    return found


def _standing(
    rulings: Sequence[Ruling], rules: BenchmarkRules, rule: Rule, screenings: Sequence[Screening] | None
) -> Standing:
    valid, void = _sorted_out(rulings, rules, screenings)
    found = None if screenings is None else found_by(screenings)
    overrides = [one for one in valid if one.kind == "override"]
    if overrides:
        last = overrides[-1]
        return Standing(rule=rule, ruled=last.ruled, by="override", reason=last.reason, author=last.by, found=found,
                        void=void, counted=(last,))  # fmt: skip
    said = [_majority(each, rules.toml.judges.runs) for each in _by_judge(valid)]
    settled = [one for one in said if one.ruled is not None]
    if not settled:
        return _unruled(rule, screenings or (), said, void, found)
    ruled: Ruled = settled[0].ruled or "unclear"
    reason = " / ".join(one.reason for one in settled)
    if len({one.ruled for one in settled}) > 1:
        ruled, reason = "unclear", f"judges disagree: {reason}"
    counted = tuple(one for each in said for one in each.runs)
    votes: dict[str, int] = dict(Counter(one.ruled for one in counted))
    authors = ", ".join(dict.fromkeys(one.runs[0].by for one in settled))
    return Standing(rule=rule, ruled=ruled, by="majority", reason=reason, author=authors, votes=votes, found=found,
                    void=void, counted=counted)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Said:
    """What the runs of one judge come to."""

    runs: tuple[Ruling, ...]
    ruled: Ruled | None
    reason: str


def _majority(rulings: Sequence[Ruling], runs: int) -> _Said:
    """Count the first `runs` runs; more than half of them, of those asked for, must say the same."""
    first: dict[int, Ruling] = {}
    for one in rulings:
        if one.run < runs:
            first.setdefault(one.run, one)
    counted = tuple(first[run] for run in sorted(first))
    votes = Counter(one.ruled for one in counted)
    for ruled in ("clean", "violation", "unclear"):
        if 2 * votes[ruled] > runs:
            reason = next(one.reason for one in counted if one.ruled == ruled)
            return _Said(counted, ruled, f"{votes[ruled]} of {runs} runs: {reason}")
    told = ", ".join(f"{count} {ruled}" for ruled, count in sorted(votes.items()))
    if len(counted) < runs:
        return _Said(counted, None, f"{len(counted)} of {runs} runs gave a ruling ({told or 'none'}), no majority")
    return _Said(counted, "unclear", f"no majority in {runs} runs ({told}): a person has to rule")


def _by_judge(rulings: Sequence[Ruling]) -> list[list[Ruling]]:
    """Return judges' rulings, those of one judge on one evidence together."""
    each: dict[tuple[str, str], list[Ruling]] = {}
    for one in rulings:
        if one.kind == "judge":
            judge = canonical_json(settings_of(one).get("judge") or one.by).decode()
            each.setdefault((judge, one.evidence), []).append(one)
    return list(each.values())


def _unruled(
    rule: Rule, screenings: Sequence[Screening], said: Sequence[_Said], void: tuple[str, ...], found: bool | None
) -> Standing:
    """Return where a submission stands by a rule of which nobody has settled anything."""
    counted = tuple(one for each in said for one in each.runs)
    votes: dict[str, int] = dict(Counter(one.ruled for one in counted))
    told = " / ".join(one.reason for one in said) or "nobody ruled"
    checks = "; ".join(one.summary for one in screenings) or "no check of it is in the ledger"
    by: By = "checks" if screenings else "nobody"
    return Standing(rule=rule, ruled=None, by=by, reason=f"{told}; checks: {checks}", votes=votes, found=found,
                    void=void, counted=counted)  # fmt: skip


def _sorted_out(
    rulings: Sequence[Ruling], rules: BenchmarkRules, screenings: Sequence[Screening] | None
) -> tuple[list[Ruling], tuple[str, ...]]:
    """Return the rulings that count, and why each other one does not."""
    seen = None if screenings is None else seen_in(screenings)
    asked = rules.toml.judges.model
    valid: list[Ruling] = []
    void: list[str] = []
    for one in rulings:
        who = f"{one.kind} {one.by}, {one.ruled}"
        if one.rules != rules.name:
            void.append(f"{who}: was made under {one.rules}")
        elif seen is not None and settings_of(one).get("screenings") != seen:
            void.append(f"{who}: was made on other findings than the checks have now")
        elif one.kind == "judge" and asked and settings_of(one).get("judge", {}).get("model", {}).get("model") != asked:
            void.append(f"{who}: the rules name {asked} as their judge")
        else:
            valid.append(one)
    return valid, tuple(dict.fromkeys(void))


def settings_of(ruling: Ruling) -> dict[str, Any]:
    """Return the settings of a ruling, empty where it has none that can be read."""
    try:
        found = orjson.loads(ruling.settings or b"{}")
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}
