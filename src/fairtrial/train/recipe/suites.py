"""The tasks of a recipe: text tasks or task folders; and what training and held-out tasks must not share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fairtrial.grade.text import text_suite
from fairtrial.tasks import Suite, load_suite
from fairtrial.tasks.text import TextSuite
from fairtrial.train.recipe.leaks import Asked, prompt_of

AnySuite = TextSuite | Suite


def read_tasks(path: Path) -> AnySuite:
    """Read text tasks where `path` is a file, task folders where it is a folder. Raise FormatError as those do."""
    return load_suite(path) if path.is_dir() else text_suite(path)


def without_family(suite: AnySuite, family: str) -> AnySuite:
    """Return `suite` without the tasks of `family`; its identity stays that of the whole."""
    if not family:
        return suite
    if isinstance(suite, TextSuite):
        return replace(suite, tasks=tuple(task for task in suite.tasks if task.family != family))
    return replace(suite, tasks=tuple(task for task in suite.tasks if task.family != family))


def shared(train: AnySuite, held_out: AnySuite) -> str:
    """Say what a training task and a held-out task have in common, by name; empty where nothing is shared."""
    for what, of in (("name", _names), ("content", _hashes), ("cluster", _clusters)):
        ours = dict(of(train))
        for value, task in of(held_out):
            if value in ours:
                return (f"the training task `{ours[value]}` and the held-out task `{task}` share their {what}"
                        + (f" `{value}`" if what == "cluster" else ""))  # fmt: skip
    if isinstance(train, TextSuite) and isinstance(held_out, TextSuite):  # folders may share an instruction
        asked = Asked(held_out.tasks)
        for trained in train.tasks:
            if name := asked.task(prompt_of(trained)):
                return f"the training task `{trained.name}` and the held-out task `{name}` ask the same"
    return ""


def _names(suite: AnySuite) -> Iterator[tuple[str, str]]:
    return ((task.name, task.name) for task in suite.tasks)


def _hashes(suite: AnySuite) -> Iterator[tuple[str, str]]:
    return ((task.hash, task.name) for task in suite.tasks)


def _clusters(suite: AnySuite) -> Iterator[tuple[str, str]]:
    return ((task.cluster, task.name) for task in suite.tasks if task.cluster)
