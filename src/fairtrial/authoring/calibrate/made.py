"""A made task, ready to be attempted: read by the same readers as everybody's tasks, under one suite's name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from fairtrial.authoring.calibrate.family import Family, Made, make_twice
from fairtrial.authoring.synthetic.material import prompt_of, texts_below
from fairtrial.grade.text import text_suite
from fairtrial.records import FormatError
from fairtrial.tasks import Key, Task, load_task
from fairtrial.tasks.text import TextKey, TextTask

_ID_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """One task with its key: a text task, or one with a box."""

    made: Made
    text_task: TextTask | None = None
    text_key: TextKey | None = None
    task: Task | None = None
    key: Key | None = None

    @property
    def name(self) -> str:
        """Return the task's name."""
        named = self.text_task or self.task
        assert named is not None
        return named.name

    @property
    def hash(self) -> str:
        """Return the task's content hash."""
        named = self.text_task or self.task
        assert named is not None
        return named.hash

    @property
    def text(self) -> str:
        """Return what is asked, the files of a box among it: one instruction may stand over different work."""
        if self.text_task is not None:
            return prompt_of(self.text_task)
        assert self.task is not None
        context = self.task.environment.context
        files = texts_below(context)[0] if context is not None else ()
        return "\n".join((self.task.instruction, *(content for _, content in files)))

    @property
    def cluster(self) -> str:
        """Return the cluster that the family names, empty where it names none."""
        named = self.text_task or self.task
        assert named is not None
        return named.cluster


def suite_of(family: Family) -> str:
    """Return the suite's identity: the family's name and what makes its tasks."""
    return f"{family.name}@{family.identity.removeprefix('sha256:')[:_ID_DIGITS] or 'unhashed'}"


def ready(family: Family, difficulty: str, seed: int, work: Path) -> Ready:
    """Make a task twice and read it. Raise InputError or FormatError for what the family does wrong."""
    made = make_twice(family, difficulty, seed, work)
    suite = suite_of(family)
    if made.row is not None:
        task, key = _of_row(made.row, work)
        return Ready(made=made, text_task=replace(task, suite=suite), text_key=key)
    assert made.folder is not None
    folder_task, folder_key = load_task(made.folder)
    name = folder_task.name if folder_task.name != made.folder.name else made.name
    return Ready(made=made, task=replace(folder_task, name=name, suite=suite,
                                         family=folder_task.family or family.name), key=folder_key)  # fmt: skip


def _of_row(row: Mapping[str, Any], work: Path) -> tuple[TextTask, TextKey]:
    file = work / "row.jsonl"
    try:
        file.write_bytes(orjson.dumps(dict(row)) + b"\n")
        suite = text_suite(file)
    except FormatError as error:
        raise FormatError(f"the family made no text task: {error}", field="FAMILY",
                          hint="A dict with `prompt` and `answer`; see docs/text-tasks.md.") from error  # fmt: skip
    return suite.tasks[0], suite.keys[suite.tasks[0].name]
