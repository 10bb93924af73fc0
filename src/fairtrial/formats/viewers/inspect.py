"""Scores as Inspect's `precomputed_scores` reads them, one folder a run: the verdict, what people say, what judges say.

    RUN/verdicts.jsonl  C or I as graded
    RUN/people.jsonl    C or I as people found it, adjudicated where they were
    RUN/judges.jsonl    C or I as judges found it

A record is {id, epoch, value, answer, explanation, metadata}, told apart by id and epoch alone: so each run (one suite,
model, agent, effort, settings, environment, seed and step) has files of its own. `id` is the task, `epoch` the number
of the attempt, counted from 1. What is ungraded, or what reviewers cannot tell, has no record: Inspect then leaves the
sample unscored. Not covered: the log itself; `inspect score LOG` adds these to one that is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from fairtrial.formats.viewers.shown import Shown, Told, WrittenFile, in_words, said_of
from fairtrial.formats.viewers.writing import writing
from fairtrial.records import digest

_UNFIT = re.compile(r"[^A-Za-z0-9._@-]+")
_WHAT = {"verdicts": "verdicts", "people": "what people found", "judges": "what judges found"}
_DIGITS = 6
_HOW = (
    "`inspect score LOG --scorer inspect_ai/precomputed_scores -S scores=FILE` adds a file to the log of its run; "
    "what has no record stays unscored."
)


class InspectViewer:
    """Writes precomputed scores."""

    name = "inspect"

    def write(self, rollouts: Iterable[Shown], folder: Path) -> Told:
        """Write up to three files a run, none that would be empty."""
        told = Told()
        for run, of_run in groupby(rollouts, key=lambda shown: shown.run):
            place = folder / _name(run)
            with ExitStack() as stack:
                files = _Files(place, stack)
                for shown in _told_apart(of_run, told):
                    _write_one(shown, files, told)
                told.files += [
                    WrittenFile(place / f"{kind}.jsonl", rows, f"{_WHAT[kind]} of {run[1]}")
                    for kind, rows in files.rows.items()
                ]
        told.notes.append(_HOW)
        return told


@dataclass(slots=True)
class _Files:
    """The files of one run, each opened at its first record."""

    place: Path
    stack: ExitStack
    rows: dict[str, int] = field(default_factory=dict)
    handles: dict[str, BinaryIO] = field(default_factory=dict)

    def put(self, kind: str, record: dict[str, Any]) -> None:
        path = self.place / f"{kind}.jsonl"
        with writing(path):
            if kind not in self.handles:
                self.handles[kind] = self.stack.enter_context(path.open("wb"))
            self.handles[kind].write(orjson.dumps(record) + b"\n")
        self.rows[kind] = self.rows.get(kind, 0) + 1


def _told_apart(of_run: Iterable[Shown], told: Told) -> Iterator[Shown]:
    """Yield the first rollout of each task and attempt; a second one would be a duplicate record, which is refused."""
    for _, same in groupby(of_run, key=lambda shown: (shown.rollout.task, shown.rollout.attempt)):
        first, *others = same
        told.left_out["same_task_and_attempt"] += len(others)
        yield first


def _write_one(shown: Shown, files: _Files, told: Told) -> None:
    said = {"verdicts": shown.passed, "people": shown.person, "judges": shown.judge}
    if shown.passed is None:
        told.counts["without_verdict"] += 1
    if all(value is None for value in said.values()):
        told.left_out["nothing_said"] += 1
        return
    told.written += 1
    record = {"id": shown.rollout.task, "epoch": shown.epoch, "answer": shown.rollout.answer,
              "explanation": in_words(shown), "metadata": said_of(shown)}  # fmt: skip
    for kind, value in said.items():
        if value is not None:
            files.put(kind, {**record, "value": "C" if value else "I"})


def _name(run: tuple[Any, ...]) -> str:
    """Return the name of a run's folder: its model and agent, and digits of all that tells it from others.

    >>> _name(("s", "lab/strong", "high", "", "", "", None, None, "policy"))
    'lab-strong@high-d1fb78'
    """
    _, model, effort, agent, *_ = run
    label = "-".join(part for part in (f"{model}@{effort}" if effort else model, agent) if part)
    apart = digest(orjson.dumps(run)).removeprefix("sha256:")[:_DIGITS]
    return f"{_UNFIT.sub('-', label)[:80].strip('.-') or 'run'}-{apart}"
