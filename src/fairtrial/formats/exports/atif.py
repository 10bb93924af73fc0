"""`atif`: one trajectory a file, named as Harbor names trials, so that `import --format atif` finds the task again.

A rollout that has a trajectory is written as it was recorded, copied steps and steps that no model made included: the
format marks them. One of a prompt and an answer becomes a user's step and an agent's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from fairtrial.formats.atif import document, read_trajectory
from fairtrial.formats.atif_import import trajectory_files
from fairtrial.formats.exports.conversation import conversation, trajectory_of
from fairtrial.formats.exports.files import write_bytes
from fairtrial.formats.exports.messages import prompt_messages
from fairtrial.formats.exports.protocol import File, Written
from fairtrial.formats.exports.rows import Demonstration, Kind, Origin, Row
from fairtrial.records import digest

_ID_DIGITS = 12
_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")


class AtifExporter:
    """Writes and reads trajectories."""

    name = "atif"
    kinds: frozenset[Kind] = frozenset({"sft"})

    def write(self, rows: Sequence[Row], folder: Path) -> Written:
        """Write `trajectories/TASK__ID.json` for each row."""
        files = []
        for number, row in enumerate(rows):
            assert isinstance(row, Demonstration)  # `kinds` names no other
            turns = (*prompt_messages(row.prompt), *row.reply)
            model = row.origin.models[0] if row.origin.models else ""
            told = row.trajectory or replace(trajectory_of(turns, agent="completion", model=model), tools=row.tools)
            data = orjson.dumps(document(told), option=orjson.OPT_INDENT_2)
            path = folder / "trajectories" / f"{_stem(row.origin, data)}.json"
            write_bytes(path, data)
            files.append(File(path=path, of=(number,)))
        return Written(files=tuple(files))

    def read(self, path: Path) -> list[Row]:
        """Read a trajectory, or all in a folder, by name."""
        rows: list[Row] = []
        for file in trajectory_files(path) if path.is_dir() else [path]:
            told = read_trajectory(file)
            prompt, reply = conversation(told)
            rows.append(Demonstration(prompt=prompt, reply=reply, tools=told.tools, trajectory=told))
        return rows


def _stem(origin: Origin, data: bytes) -> str:
    """Return the name of a file: the task, and what tells its rollouts apart.

    >>> _stem(Origin(task="desk/refund 1", rollouts=("a" * 32,)), b"")
    'desk-refund-1__aaaaaaaaaaaa'
    """
    apart = (origin.rollouts[0] if origin.rollouts else digest(data).removeprefix("sha256:"))[:_ID_DIGITS]
    return f"{_UNFIT.sub('-', origin.task or 'task')}__{apart}"
