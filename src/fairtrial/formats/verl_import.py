"""`verl`: what verl dumps of its rollouts (`trainer.rollout_data_dir`), one JSONL file a step, as graded rollouts.

A row has `input`, `output`, `gts`, `score` and `step`, and whatever else the reward function returned; `acc`, where it
is there, says what is right, for scores may be of any range. The input is the prompt as text, its chat template's marks
gone. Not covered: verl's Parquet of prompts, which holds no rollout.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairtrial.formats.batch import Batch, Options
from fairtrial.formats.completions import FULL, Logged, number
from fairtrial.formats.exports.messages import Place
from fairtrial.formats.exports.rows import Turn
from fairtrial.formats.row_files import batches, files_at
from fairtrial.records import FormatError

_NEEDED = ("input", "output", "score", "step")


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the rows at `path`. Raise InputError where no model is named."""
    return batches(files_at(path, ".jsonl"), options, _row)


def _row(row: dict[str, Any], place: Place) -> Logged:
    for name, kind in zip(_NEEDED, (str, str, float | int | None, int), strict=True):
        if name not in row or not isinstance(row[name], kind):
            raise FormatError("is missing, or not what verl dumps", path=place.path, line=place.line, field=name)
    accuracy = row.get("acc")
    right = number(accuracy) if not isinstance(accuracy, bool) else float(accuracy)
    expected = row.get("gts")
    return Logged(
        prompt=(Turn(role="user", content=row["input"]),), reply=(Turn(role="assistant", content=row["output"]),),
        step=row["step"], score=number(row["score"]), accuracy=None if right is None else right >= FULL,
        is_scored=True, expected=None if expected is None else str(expected),
        more={name: value for name, value in row.items() if name not in (*_NEEDED, "gts")},
    )  # fmt: skip
