"""`trl`: training sets, and what GRPOTrainer logs (`completions/completions_00010.parquet`), as rollouts.

A log has `step`, `prompt`, `completion`, `advantage` and one column a reward function, beside columns that a reward
function logged itself. With one column of numbers it is the reward; with several, `--columns score=NAME` says which.
A reward of None, which tells TRL that its grader broke, is ungraded(score_missing). Not covered: preference pairs and
prompts, which are no rollouts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from fairtrial.formats.batch import Batch, Options
from fairtrial.formats.completions import Logged, number
from fairtrial.formats.exports.messages import Place, turns_of
from fairtrial.formats.exports.rows import Turn
from fairtrial.formats.openai_import import chat
from fairtrial.formats.row_files import batches, files_at
from fairtrial.records import FormatError, InputError

_LOG = ("step", "completion", "advantage")
_NOT_A_REWARD = ("step", "prompt", "completion", "advantage")


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the rows at `path`. Raise InputError where no model is named, or several columns could be the reward."""
    return batches(
        files_at(path, ".jsonl", ".parquet"), options, partial(_row, reward=options.columns.get("score", ""))
    )


def _row(row: dict[str, Any], place: Place, reward: str) -> Logged:
    if all(name in row for name in _LOG):
        return _logged(row, place, reward)
    if "messages" in row:
        return chat(row, place)
    if "completion" in row:
        return Logged(**_said(row, place), task=str(row.get("task") or ""))
    what = "a pair" if "chosen" in row else "a prompt" if "prompt" in row else "no row of a set or log"
    raise FormatError(f"is {what}, and no rollout", path=place.path, line=place.line)


def _logged(row: dict[str, Any], place: Place, reward: str) -> Logged:
    named = [name for name in row if name not in _NOT_A_REWARD and isinstance(row[name], float | None)]
    if reward and reward not in row:
        raise InputError(f"there is no column `{reward}`", path=place.path, field="--columns",
                         hint=f"The log has: {', '.join(row)}.")  # fmt: skip
    if not reward and len(named) != 1:
        raise InputError("which column is the reward cannot be told", path=place.path, field="--columns",
                         hint=f"Say it by --columns score=NAME; the log has: {', '.join(row)}.")  # fmt: skip
    if not isinstance(row["step"], int):
        raise FormatError("is no number of a step", path=place.path, line=place.line, field="step")
    column = reward or named[0]
    more = {name: value for name, value in row.items() if name not in ("step", "prompt", "completion", column)}
    return Logged(**_said(row, place), step=row["step"], score=number(row[column]), is_scored=True, more=more)


def _said(row: dict[str, Any], place: Place) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field, name, role in (("prompt", "prompt", "user"), ("completion", "reply", "assistant")):
        said = row.get(field)
        plain = (Turn(role=role, content=said),) if isinstance(said, str) else None  # type: ignore[arg-type]
        found[name] = plain or turns_of(said, field, place)
    return found
