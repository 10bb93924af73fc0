"""What changed between two versions of a board: who moved, and why; what of the rules; who came and went.

Two documents are compared, so that a version can be read long after its ledger changed. A row that moved although
nothing of its own changed is told so: others came, left or moved. Not covered: how it looks (`report.board`).
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from fairtrial.board import comings
from fairtrial.board.locking import FIELDS
from fairtrial.board.versions import Version

Fate = Literal["entered", "left", "moved", "changed", "same"]
_MOST_NAMES = 5
_NOISE = 1e-12
_UNTOLD = "nothing in the records changed, and its score is made otherwise"


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
    locked = (*_locked(old["locked"], new["locked"]), *_drawn(old["ranks"], new["ranks"]))
    first, second = ({row["key"]: row for row in each["rows"]} for each in (old, new))
    others = _came_and_went(first, second)
    rows = [_row_change(first[key], second[key], locked, others) for key in second if key in first]
    rows += [_coming(second[key], comings.entered(second[key], old)) for key in second if key not in first]
    rows += [_going(first[key], comings.left(first[key], new)) for key in first if key not in second]
    order = ("moved", "entered", "left", "changed", "same")
    rows.sort(key=lambda row: (order.index(row.fate), row.rank_after or row.rank_before or 10**9, row.label, row.key))
    diff = difflib.unified_diff(before.rules.splitlines(), after.rules.splitlines(), f"version {before.number}",
                                f"version {after.number}", lineterm="")  # fmt: skip
    return Changes(
        since=before.number, until=after.number, rules_before=old["rules"], rules_after=new["rules"],
        rules_diff=tuple(diff), locked=(*locked, *_scale(old["references"], new["references"])),
        rows=tuple(row for row in rows if row.fate != "same"),
        same=sum(row.fate == "same" for row in rows), refused=_refused(old["refused"], new["refused"]),
    )  # fmt: skip


def _row_change(
    old: Mapping[str, Any], new: Mapping[str, Any], locked: tuple[str, ...], others: tuple[str, ...]
) -> RowChange:
    own = _reasons(old, new)
    is_moved, is_scored_anew = old["rank"] != new["rank"], not _same_score(old["score"], new["score"])
    fate: Fate = "moved" if is_moved else "changed" if own or is_scored_anew else "same"
    reasons = own
    if fate != "same" and (is_scored_anew or not own):
        reasons += locked
    if is_moved and not is_scored_anew and not (locked and not own):
        what = "nothing of its own changed" if not own else "its score is the same"
        reasons += (f"{what}; {_named(others) or 'rows that it is compared with did'}",)
    return RowChange(
        key=new["key"], label=new["model"], fate=fate, rank_before=old["rank"], rank_after=new["rank"],
        score_before=old["score"], score_after=new["score"], status_before=old["status"],
        status_after=new["status"], reasons=reasons or (_UNTOLD,),
    )  # fmt: skip


def _coming(row: Mapping[str, Any], why: tuple[str, ...]) -> RowChange:
    return RowChange(
        key=row["key"], label=row["model"], fate="entered", rank_before=None, rank_after=row["rank"],
        score_before=None, score_after=row["score"], status_before="", status_after=row["status"],
        reasons=(*why, f"{_standing(row)}: {row['why']}" if row["why"] else _standing(row)),
    )  # fmt: skip


def _going(row: Mapping[str, Any], why: tuple[str, ...]) -> RowChange:
    return RowChange(
        key=row["key"], label=row["model"], fate="left", rank_before=row["rank"], rank_after=None,
        score_before=row["score"], score_after=None, status_before=row["status"], status_after="", reasons=why,
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
        found.append(_handed_in(old, new))
    if _standing(old) != _standing(new):
        found.append(f"{_standing(old)} before, {_standing(new)} now" + (f": {new['why']}" if new["why"] else ""))
    elif not found and old["why"] != new["why"]:
        found.append(f"{_standing(new)} as before, but now: {new['why'] or 'for no reason'}")
    if not found and old["screenings"] != new["screenings"]:
        found.append("other checks speak of it")
    if not found and (old["spent"], old["making"]) != (new["spent"], new["making"]):
        found.append("other tokens or money are in the records")
    return tuple(found)


def _handed_in(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    was, now = (", ".join(dict.fromkeys(part["base"] for part in row["tracks"] if part["base"])) for row in (old, new))
    told = "handed in anew" if old["submissions"] else "handed in"
    return f"it was {told}" + (f", made from {now or 'no base that is named'}, before from {was}"
                               if was and was != now else "")  # fmt: skip


def _runs_changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    found = []
    several = len(new["models"]) > 1
    before = {(part["track"], part["base"] if several else ""): part for part in old["tracks"]}
    for part in new["tracks"]:
        held = before.get((part["track"], part["base"] if several else ""))
        where = f" on {part['track']}" if len(new["tracks"]) > 1 else ""
        if held is None:
            found.append(f"scored on track {part['track']}, and was not before")
            continue
        both = part["tasks"].keys() & held["tasks"].keys()
        other = sorted(task for task in both if part["tasks"][task]["runs"] != held["tasks"][task]["runs"])
        regraded = sorted(task for task in both if part["tasks"][task]["runs"] == held["tasks"][task]["runs"]
                          and part["tasks"][task] != held["tasks"][task])  # fmt: skip
        fewer = [task for task in other if _total(part["tasks"][task]) < _total(held["tasks"][task])]
        if fewer:
            found.append(f"fewer runs count of {_tasks(fewer)}{where}")
        if other := [task for task in other if task not in fewer]:
            found.append(f"other runs count of {_tasks(other)}{where}")
        if regraded:
            found.append(f"the same runs were graded anew of {_tasks(regraded)}{where}")
        found += [f"{told}{where}" for told in _scored_otherwise(held, part)]
    gone = {track for track, _ in before} - {part["track"] for part in new["tracks"]}
    return found + [f"scored on track {track} no more" for track in sorted(gone)]


def _total(tally: Mapping[str, Any]) -> int:
    return int(tally["passed"] + tally["failed"] + tally["ungraded"])


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
            told = f"{_spaced(was['status'])} before, {_spaced(now['status'])} now"
            if was["status"] == now["status"]:
                told = f"{_spaced(now['status'])} as before, by other rulings"
            found.append(f"{rule}{whose}: {told}, {_by(now)}")
    return found


def _standing(row: Mapping[str, Any]) -> str:
    """Return the status in a word; what nobody judged is not called clean."""
    if row["status"] != "clean":
        return str(row["status"])
    return {"judged": "clean", "in part": "judged in part", "not asked": "accepted"}.get(row["judged"], "not judged")


def _by(now: Mapping[str, Any]) -> str:
    """Return by whose word a row stands so now; where nobody's, which words say nothing any more."""
    if now["by"] in ("override", "majority"):
        return f"{'override by' if now['by'] == 'override' else 'majority of'} {now['author']}: {now['reason']}"
    if now["void"]:
        number = len(now["void"])
        return f"{_count(number, 'ruling')} no longer count{'s' if number == 1 else ''}: {now['void'][0]}"
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
        if was["tasks"] == now["tasks"] and was.get("clustered", "") != now["clustered"]:
            found.append(f"{track}its tasks are clustered otherwise: {was['clusters']} clusters before, "
                         f"{now['clusters']} now")  # fmt: skip
        if None not in (was["weight"], now["weight"]) and abs(was["weight"] - now["weight"]) > _NOISE:
            found.append(f"{track}weight was {was['weight']:.3f}, is {now['weight']:.3f}")
        for gone, word in (
            (sorted(set(was["tasks"]) - set(now["tasks"])), "no longer there"),
            (sorted(set(now["tasks"]) - set(was["tasks"])), "new"),
        ):
            if gone:
                found.append(f"{track}{_tasks(gone)} {word}")
    return (*found, *(f"track {name} is gone" for name in before))


def _drawn(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return what changed of the bootstrap behind the ranks."""
    return [f"ranks: {name} was {old[name]}, is {new[name]}" for name in ("method", "confidence", "seed", "replicates")
            if old[name] != new[name]]  # fmt: skip


def _scale(old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what changed of the base models and siblings below the rows."""
    before, found = {each["role"]: each for each in old}, []
    for now in new:
        was = before.pop(now["role"], None)
        if was is None or was["models"] != now["models"]:
            found.append(f"scale: {_named(now['models'])} as {now['role']} models" +
                         (f", before {_named(was['models'])}" if was else ", before none"))  # fmt: skip
        elif not _same_score(was["score"], now["score"]):
            found.append(f"scale: the {now['role']} models have another score")
    return found + [f"scale: no {role} models any more" for role in before]


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
