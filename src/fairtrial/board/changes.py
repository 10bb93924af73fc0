"""What changed between two versions of a board: who moved, and why; what of the rules; who came and went.

Two documents are compared, so that a version can be read long after its ledger changed. A row that moved although
nothing of its own changed is told so: others came, left or moved. Not covered: how it looks (`report.board`).
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from fairtrial.board.locking import FIELDS
from fairtrial.board.versions import Version

Fate = Literal["entered", "left", "moved", "changed", "same"]
_MOST_NAMES = 5
_NOISE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class RowChange:
    """One row, before and after."""

    key: str
    label: str
    fate: Fate
    rank_before: int | None
    rank_after: int | None
    score_before: Mapping[str, Any] | None
    score_after: Mapping[str, Any] | None
    status_before: str
    status_after: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """All that changed between two versions."""

    since: int
    until: int
    rules_before: str
    rules_after: str
    rules_diff: tuple[str, ...]
    """Lines of a unified diff of the two rules files."""
    locked: tuple[str, ...]
    """What changed of locks, tasks, runs a task and weights."""
    rows: tuple[RowChange, ...]
    """All rows but those that are the same; those that moved first."""
    same: int
    refused: tuple[str, ...]
    """Runs that are refused now and were not, or the other way."""

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        return asdict(self)


def changes(before: Version, after: Version) -> Changes:
    """Return what changed from `before` to `after`."""
    old, new = before.document, after.document
    locked = _locked(old["locked"], new["locked"])
    first, second = ({row["key"]: row for row in each["rows"]} for each in (old, new))
    others = _came_and_went(first, second)
    rows = [_row_change(first.get(key), second.get(key), locked, others) for key in [*second, *(first.keys() - second)]]
    order = ("moved", "entered", "left", "changed", "same")
    rows.sort(key=lambda row: (order.index(row.fate), row.rank_after or row.rank_before or 10**9, row.label, row.key))
    diff = difflib.unified_diff(before.rules.splitlines(), after.rules.splitlines(), f"version {before.number}",
                                f"version {after.number}", lineterm="")  # fmt: skip
    return Changes(
        since=before.number, until=after.number, rules_before=old["rules"], rules_after=new["rules"],
        rules_diff=tuple(diff), locked=locked, rows=tuple(row for row in rows if row.fate != "same"),
        same=sum(row.fate == "same" for row in rows), refused=_refused(old["refused"], new["refused"]),
    )  # fmt: skip


def _row_change(
    old: Mapping[str, Any] | None, new: Mapping[str, Any] | None, locked: tuple[str, ...], others: tuple[str, ...]
) -> RowChange:
    either = new or old or {}
    own = _reasons(old, new) if old and new else ()
    is_moved = bool(old and new) and (old or {})["rank"] != (new or {})["rank"]
    is_scored_anew = bool(old and new) and not _same_score((old or {})["score"], (new or {})["score"])
    fate: Fate = ("entered" if not old else "left" if not new else "moved" if is_moved
                  else "changed" if own or is_scored_anew else "same")  # fmt: skip
    reasons = own
    if fate in ("moved", "changed") and (is_scored_anew or not own):
        reasons += locked
    if fate == "moved" and not reasons:
        reasons = (f"nothing of its own changed; {_named(others)}",) if others else (
            "nothing of its own changed; rows that it is compared with did",)  # fmt: skip
    if fate == "entered":
        reasons = (f"{either['status']}: {either['why']}" if either["why"] else either["status"],)
    if fate == "left":
        reasons = ("no run of it is accepted any more",)
    return RowChange(
        key=either["key"], label=either["model"], fate=fate, rank_before=old["rank"] if old else None,
        rank_after=new["rank"] if new else None, score_before=old["score"] if old else None,
        score_after=new["score"] if new else None, status_before=old["status"] if old else "",
        status_after=new["status"] if new else "", reasons=reasons,
    )  # fmt: skip


def _same_score(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    return all(
        old[name] == new[name] or (None not in (old[name], new[name]) and abs(old[name] - new[name]) < _NOISE)
        for name in ("value", "low", "high")
    )


def _reasons(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what changed of a row itself."""
    found = [*_runs_changed(old, new), *_withdrawn(old, new), *_rulings(old, new)]
    if old["submissions"] != new["submissions"]:
        found.append("it was handed in anew")
    if old["status"] != new["status"]:
        found.append(f"{_standing(old)} before, {_standing(new)} now" + (f": {new['why']}" if new["why"] else ""))
    return tuple(found)


def _runs_changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    found = []
    several = len(new["models"]) > 1
    before = {(part["track"], part["base"] if several else ""): part for part in old["tracks"]}
    for part in new["tracks"]:
        held = before.get((part["track"], part["base"] if several else ""))
        where = f" on {part['track']}" if len(new["tracks"]) > 1 else ""
        if held is None:
            found.append(f"scored on track {part['track']} too")
            continue
        both = part["tasks"].keys() & held["tasks"].keys()
        other = sorted(task for task in both if part["tasks"][task]["runs"] != held["tasks"][task]["runs"])
        regraded = sorted(task for task in both if part["tasks"][task]["runs"] == held["tasks"][task]["runs"]
                          and part["tasks"][task] != held["tasks"][task])  # fmt: skip
        if other:
            found.append(f"other runs count of {_tasks(other)}{where}")
        if regraded:
            found.append(f"the same runs were graded anew of {_tasks(regraded)}{where}")
        found += [f"{told}{where}" for told in _scored_otherwise(held, part)]
    return found


def _scored_otherwise(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return whether other runs count for a part: its own, or its base model's. Labels alone may change."""
    was, now = ("" if each["scored_by"] == each["label"] else each["scored_by"] for each in (old, new))
    if old["scored_by"] and new["scored_by"] and was != now:
        runs = "its own runs" if not was else f"the runs of {was}"
        return [f"scored by {f'the runs of {now}' if now else 'its own runs'}, before by {runs}"]
    if now and was == now and old["accuracy"] != new["accuracy"]:
        return [f"runs of {now}, whose score it has, changed"]
    return []


def _withdrawn(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    held = {each["id"] for each in old["withdrawals"]}
    return [f"{_count(each['rollouts'], 'run')} withdrawn by {each['author']}: {each['reason']}"
            for each in new["withdrawals"] if each["id"] not in held]  # fmt: skip


def _rulings(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    found = []
    for model, standings in new["standings"].items():
        for rule, now in standings.items():
            was = old["standings"].get(model, {}).get(rule)
            if was is None or (was["status"], was["rulings"]) == (now["status"], now["rulings"]):
                continue
            whose = f" of {model}" if len(new["standings"]) > 1 else ""
            found.append(f"{rule}{whose}: {_spaced(was['status'])} before, {_spaced(now['status'])} now, {_by(now)}")
    return found


def _standing(row: Mapping[str, Any]) -> str:
    """Return the status in a word; what nobody judged is not called clean."""
    is_judged = row["status"] != "clean" or row["judged"] in ("judged", "not asked")
    return str(row["status"]) if is_judged else {"in part": "judged in part"}.get(row["judged"], str(row["judged"]))


def _by(now: Mapping[str, Any]) -> str:
    """Return by whose word a row stands so now; where nobody's, which words say nothing any more."""
    if now["by"] in ("override", "majority"):
        return f"{'override by' if now['by'] == 'override' else 'majority of'} {now['author']}: {now['reason']}"
    if now["void"]:
        return f"{_count(len(now['void']), 'ruling')} no longer count: {now['void'][0]}"
    return str(now["reason"])


def _spaced(word: str) -> str:
    return word.replace("_", " ")


def _locked(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    found = []
    before = {each["track"]: each for each in old["tracks"]}
    for now in new["tracks"]:
        was = before.pop(now["track"], None)
        if was is None:
            found.append(f"track {now['track']} is new")
            continue
        track = f"track {now['track']}: "
        found += [f"{track}{name} was {was[name] or 'open'}, is {now[name] or 'open'}"
                  for name in (*FIELDS, "runs_per_task") if was[name] != now[name]]  # fmt: skip
        if None not in (was["weight"], now["weight"]) and abs(was["weight"] - now["weight"]) > _NOISE:
            found.append(f"{track}weight was {was['weight']:.3f}, is {now['weight']:.3f}")
        for gone, word in (
            (sorted(set(was["tasks"]) - set(now["tasks"])), "no longer there"),
            (sorted(set(now["tasks"]) - set(was["tasks"])), "new"),
        ):
            if gone:
                found.append(f"{track}{_tasks(gone)} {word}")
    return (*found, *(f"track {name} is gone" for name in before))


def _came_and_went(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what became of rows that others are compared with."""
    entered = [new[key]["model"] for key in new if key not in old]
    left = [old[key]["model"] for key in old if key not in new]
    scored = [
        f"{new[key]['model']} has {'another' if new[key]['score']['value'] is not None else 'no'} score"
        for key in new
        if key in old and not _same_score(old[key]["score"], new[key]["score"])
    ]
    return (*(f"{name} entered" for name in entered), *(f"{name} left" for name in left), *scored)


def _refused(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    first, second = ({(each["run"], each["why"]) for each in refused} for refused in (old, new))
    return (*(f"{run} is refused: {why}" for run, why in sorted(second - first)),
            *(f"{run} is no longer refused for this: {why}" for run, why in sorted(first - second)))  # fmt: skip


def _tasks(names: Sequence[str]) -> str:
    return f"{_count(len(names), 'task')} ({_named(names)})"


def _named(names: Sequence[str]) -> str:
    told = ", ".join(names[:_MOST_NAMES])
    return told if len(names) <= _MOST_NAMES else f"{told} and {len(names) - _MOST_NAMES} more"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
