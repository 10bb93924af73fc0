"""Read the comparisons of a ledger that count, and say what was left out and why.

The last word of each reviewer on a pair, in the order in which it was shown, counts; shown swapped, it is another
comparison. People and judges, and different questions, are never pooled. Not covered: who is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.audited import all_preferences
from fairtrial.records import InputError, Preference

Kind = Literal["person", "judge"]

_ROLLOUTS = """
select id, suite, task, model, agent, effort, cluster, origin from rollouts
where id in (select "first" from preferences union select "second" from preferences)
"""
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One comparison that counts, and whose works were compared."""

    preference: Preference
    first: str
    """Model of the rollout that was shown first: `MODEL`, `MODEL@EFFORT`, `agent/MODEL` where it ran in several."""
    second: str
    suite: str
    task: str
    cluster: str
    """Near copies of tasks share one."""

    @property
    def pair(self) -> tuple[str, str]:
        """Return the two rollouts, whichever was shown first."""
        one, other = sorted((self.preference.first, self.preference.second))
        return one, other

    @property
    def better(self) -> str | None:
        """Return the id of the rollout that is preferred, `tie`, or None where the reviewer cannot tell."""
        said = self.preference.preferred
        if said in (None, "tie"):
            return said
        return self.preference.first if said == "first" else self.preference.second


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """The comparisons of one question, by people or by judges."""

    compared: tuple[Compared, ...]
    kind: Kind
    question: str = ""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Why -> how many."""
    of_other_kind: int = 0
    """How many the other kind of reviewer made; they are not in here."""

    @property
    def decided(self) -> tuple[Compared, ...]:
        """Return those in which the reviewer could tell; ties are an answer."""
        return tuple(one for one in self.compared if one.preference.preferred is not None)


def read_pairs(
    ledger: Ledger, *, kind: Kind = "person", question: str | None = None, suite: str = "", tasks: Collection[str] = ()
) -> Pairs:
    """Return the comparisons of `ledger` that count.

    `question` None: the one that was asked. `suite` is a name, with or without its hash. Raise InputError where several
    questions were asked and none is named, or where nobody was asked the one that is; for a suite or task that the
    ledger does not hold.
    """
    held = all_preferences(ledger)
    mine = [one for one in held if one.kind == kind]
    asked = _question(mine, question, ledger)
    rollouts = _rollouts(ledger)
    _check_names(ledger, suite, tasks)
    labels = _labels(rollouts.values())
    left_out: Counter[str] = Counter()
    last = counting([one for one in mine if one.question == asked])
    left_out["said_again"] = sum(one.question == asked for one in mine) - len(last)
    compared = []
    for one in last:
        first, second = rollouts.get(one.first), rollouts.get(one.second)
        if first is None or second is None:
            left_out["no_such_rollout"] += 1
        elif why := _unfit(first, second):
            left_out[why] += 1
        elif (suite and suite not in (first["suite"], first["suite"].split("@")[0])) or (
            tasks and first["task"] not in tasks
        ):
            left_out["not_asked_for"] += 1
        else:
            place = (first["suite"], first["task"])
            compared.append(Compared(preference=one, first=labels[one.first], second=labels[one.second],
                                     suite=place[0], task=place[1],
                                     cluster=first["cluster"] or "\0".join(place)))  # fmt: skip
    return Pairs(compared=tuple(compared), kind=kind, question=asked, of_other_kind=len(held) - len(mine),
                 left_out={why: count for why, count in sorted(left_out.items()) if count})  # fmt: skip


def counting(preferences: Iterable[Preference]) -> tuple[Preference, ...]:
    """Return the last word of each reviewer on each pair in each order, by question; in the order of these.

    >>> said = [Preference(first="r", second="s", preferred=p, reviewer="ada", recorded_at=t)
    ...         for p, t in (("first", "1"), ("tie", "2"))]
    >>> [one.preferred for one in counting(said)]
    ['tie']
    """
    last: dict[tuple[str, ...], Preference] = {}
    for one in sorted(preferences, key=lambda one: (one.recorded_at, one.id)):
        last[one.question, one.kind, one.reviewer, one.first, one.second] = one
    return tuple(last[key] for key in sorted(last))


def _question(mine: list[Preference], wanted: str | None, ledger: Ledger) -> str:
    asked = sorted({one.question for one in mine})
    shown = ", ".join(f'"{question}"' for question in asked[:_SHOWN])
    if wanted is None and len(asked) > 1:
        raise InputError(f"{len(asked)} questions were asked, and answers to one say nothing of another",
                         path=ledger.path, field="--question", hint=f"Name one of: {shown}.")  # fmt: skip
    if wanted is not None and mine and wanted not in asked:
        raise InputError("nobody was asked this question", path=ledger.path, field="--question",
                         hint=f"Asked was: {shown}.")  # fmt: skip
    return wanted if wanted is not None else asked[0] if asked else ""


def _check_names(ledger: Ledger, suite: str, tasks: Collection[str]) -> None:
    if not suite and not tasks:
        return
    with connect(ledger) as connection:
        kept = connection.execute("select distinct coalesce(suite, ''), task from rollouts").fetchall()
    suites = {name for whole, _ in kept for name in (whole, whole.split("@")[0])}
    for option, wanted, there in (
        ("--suite", {suite} - {""}, suites),
        ("--task", set(tasks), {one for _, one in kept}),
    ):
        if missing := sorted(wanted - there):
            held = ", ".join(sorted(name for name in there if name)[:_SHOWN]) or "none with a name"
            raise InputError(f"no rollout of `{missing[0]}`", path=ledger.path, field=option, hint=f"It holds: {held}")


def _rollouts(ledger: Ledger) -> dict[str, dict[str, Any]]:
    with connect(ledger) as connection:
        result = connection.execute(_ROLLOUTS)
        columns = [column[0] for column in result.description or []]
        rows = [dict(zip(columns, row, strict=True)) for row in result.fetchall()]
    return {row["id"]: {name: value or "" for name, value in row.items()} for row in rows}


def _labels(rollouts: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the model of each rollout, named as `measure` names them."""
    kept = list(rollouts)
    scaffolds: dict[tuple[str, str], set[str]] = {}
    for one in kept:
        scaffolds.setdefault((one["model"], one["effort"]), set()).add(one["agent"])
    labels = {}
    for one in kept:
        label = one["model"] + (f"@{one['effort']}" if one["effort"] else "")
        several = len(scaffolds[one["model"], one["effort"]]) > 1 and one["agent"]
        labels[one["id"]] = f"{one['agent']}/{label}" if several else label
    return labels


def _unfit(first: Mapping[str, str], second: Mapping[str, str]) -> str:
    """Return why two rollouts cannot be compared, or nothing."""
    if "known" in (first["origin"], second["origin"]):
        return "known_candidate"
    return "" if (first["suite"], first["task"]) == (second["suite"], second["task"]) else "of_two_tasks"
