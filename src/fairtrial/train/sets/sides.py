"""Only the training side: tasks that are held out are left out, and so is every task that shares a cluster with one.

A side is said by a rollout's split, by the text task's, by a document of `contamination split`, or by a file of tasks
that are held out. Records say it of a task of their suite (of any, where no suite is named); files say it of a name.
Tasks are grouped by the clusters they declare and by equal texts; measured, by near copies too. A group with a member
that is held out is left out whole: no part of it is trained on. Not covered: whether a set was contaminated by other
data (`contamination scan`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from fairtrial.contamination.near_copies import find_vectors, near_copies
from fairtrial.records import FormatError, InputError
from fairtrial.tasks.text import TextSuite
from fairtrial.train.sets.options import NearCopies

HELD_OUT = "held_out"
_OTHER_WORDS = {"heldout", "test", "eval", "evaluation", "validation", "val", "dev"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One content of a task as far as its side goes. Several may be of one task."""

    name: str
    suite: str = ""
    """Without its hash; empty: of whatever suite."""
    text: str = ""
    cluster: str = ""
    is_held_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Which tasks are trained on."""

    why: Mapping[tuple[str, str], str]
    """(suite, task) that is left out -> reason: `held_out`, `not_in_split`, `near_copy_of_held_out`."""
    groups: int
    """Groups of near copies that lay on both sides, and were left out."""
    not_measured: tuple[str, ...]

    def of(self, suite: str, task: str) -> str:
        """Return why a task is left out; empty where it is trained on."""
        return self.why.get((stem(suite), task), "") or self.why.get(("", task), "")


def stem(suite: str) -> str:
    """Return the name of a suite without the hash of what it holds.

    >>> stem("sorting@0fefcbc548b4"), stem("sorting")
    ('sorting', 'sorting')
    """
    return suite.rpartition("@")[0] or suite


def is_held_out(split: str) -> bool:
    """Say whether a rollout's or a task's split means the other side.

    >>> [is_held_out(word) for word in ("held_out", "Test", "Held-out", "train", "")]
    [True, True, True, False, False]
    """
    word = "_".join(split.lower().replace("-", " ").replace("_", " ").split())
    return word == HELD_OUT or word in _OTHER_WORDS


def read_split(path: Path) -> dict[str, bool]:
    """Return task -> whether it is held out, by a document of `contamination split`. Raise FormatError for another."""
    try:
        document = orjson.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path, field="--split") from error
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=path) from error
    sides: dict[str, bool] = {}
    for side, held in (("train", False), (HELD_OUT, True)):
        ids = document.get(side) if isinstance(document, dict) else None
        if not isinstance(ids, list):
            raise FormatError("is no list of ids", path=path, field=side,
                              hint="A split is what `fairtrial contamination split --json` prints.")  # fmt: skip
        for one in map(str, ids):
            if sides.setdefault(one, held) != held:
                raise FormatError(f"`{one}` is on both sides", path=path, field=side)
    return sides


def sides_of(
    tasks: Sequence[Placed], held_out: TextSuite | None, split: Mapping[str, bool] | None, how: NearCopies
) -> Sides:
    """Return which of `tasks` are left out, and why.

    Raise InputError where `split` names none of them.
    """
    if split is not None and not any(task.name in split for task in tasks):
        raise InputError("names none of the tasks", field="--split", hint="Its ids are to be names of tasks.")
    beyond = tuple(_beyond(held_out))
    names = {task.name for task in beyond}
    anywhere = {task.name for task in tasks if not task.suite}
    key = [("" if task.name in anywhere else task.suite, task.name) for task in tasks]
    why: dict[tuple[str, str], str] = {}
    for at, task in enumerate(tasks):
        if task.is_held_out or task.name in names or (split or {}).get(task.name):
            why[key[at]] = HELD_OUT
        elif split is not None and task.name not in split:
            why.setdefault(key[at], "not_in_split")
    straddling = 0
    everyone = [*tasks, *beyond]
    for group in _groups(everyone, [*key, *(("", task.name) for task in beyond)], how):
        mine = {key[at] for at in group if at < len(tasks)}
        is_apart = max(group) >= len(tasks) or any(why.get(one) == HELD_OUT for one in mine)
        rest = {one for one in mine if one not in why}
        straddling += bool(is_apart and rest)
        if is_apart:
            why |= dict.fromkeys(rest, "near_copy_of_held_out")
    return Sides(why=why, groups=straddling, not_measured=tuple(_not_measured(tasks, how, bool(beyond or split))))


def _beyond(held_out: TextSuite | None) -> Iterable[Placed]:
    for task in held_out.tasks if held_out else ():
        text = task.prompt if isinstance(task.prompt, str) else "\n".join(one.content for one in task.prompt)
        yield Placed(name=task.name, text=text, cluster=task.cluster, is_held_out=True)


def _groups(tasks: Sequence[Placed], keys: Sequence[tuple[str, str]], how: NearCopies) -> list[list[int]]:
    """Return the groups of two and more, by number: of one task, cluster or text, or near copies where measured."""
    parent = list(range(len(tasks)))

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    first: dict[tuple[str, ...], int] = {}
    for at, task in enumerate(tasks):
        for key in (("task", *keys[at]), ("cluster", task.cluster), ("text", " ".join(task.text.split()))):
            if key[-1]:
                parent[root(at)] = root(first.setdefault(key, at))
    texts = [at for at, task in enumerate(tasks) if task.text]
    if how == "measured" and len(texts) > 1:
        for group in near_copies([tasks[at].text for at in texts], find_vectors()).groups:
            for place in group[1:]:
                parent[root(texts[place])] = root(texts[group[0]])
    groups: dict[int, list[int]] = {}
    for at in range(len(tasks)):
        groups.setdefault(root(at), []).append(at)
    return [members for members in groups.values() if len(members) > 1]


def _not_measured(tasks: Sequence[Placed], how: NearCopies, has_other_side: bool) -> Iterable[str]:
    if not has_other_side and not any(task.is_held_out for task in tasks):
        yield "Nothing says which tasks are held out (--held-out, --split, or a split in the records)."
    if how == "declared":
        yield "Near copies were not looked for beyond declared clusters and equal texts (--near-copies measured)."
    elif bare := len({(one.suite, one.name) for one in tasks} - {(one.suite, one.name) for one in tasks if one.text}):
        yield f"Near copies of tasks without a text: {bare:,} tasks were not compared."
