"""Find the key of a rollout's task in the suites at hand: by the task's content, never by a name alone if it has one.

A rollout that names the content it ran on is judged by that content or not at all. One whose source has no such hash,
or a hash of another tool, is matched by the task's name, and that is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fairtrial.audit.judging.cases import Work
from fairtrial.tasks import Key, Task, load_suite

_SETTINGS = ("task.toml", "instruction.md", "grading.toml", "proof.toml", "README.md")
_FOLDERS = ("environment", "tests", "solution", "steps")


@dataclass(frozen=True, slots=True)
class Keyed:
    """A task with its key."""

    task: Task
    key: Key

    @property
    def folder(self) -> Path:
        """Return the task's folder."""
        return self.key.path.resolve()

    @property
    def places(self) -> tuple[str, ...]:
        """Return which files and folders of the task's folder make up the key, by their path below it.

        What else lies there may tell the verdict: a ledger of runs, attacks that passed the grader, notes.
        """
        oracle = [self.key.oracle] if self.key.oracle is not None else []
        declared = [*(candidate.solve.parent for candidate in self.key.candidates), *oracle]
        below = [path.resolve().relative_to(self.folder).as_posix() for path in declared]
        named = [
            name
            for name in dict.fromkeys((*_SETTINGS, *_FOLDERS, *below))
            if name != "." and (self.folder / name).exists()
        ]
        return tuple(name for name in named if not any(name.startswith(f"{outer}/") for outer in named))


@dataclass(frozen=True, slots=True)
class Keys:
    """The tasks of the suites at hand."""

    by_hash: Mapping[str, Keyed] = field(default_factory=dict)
    by_name: Mapping[str, Sequence[Keyed]] = field(default_factory=dict)

    def of(self, work: Work) -> Keyed | str | None:
        """Return the task of `work`; None where no suite has it; why not, where its content moved or is not clear."""
        if work.task_hash in self.by_hash:
            return self.by_hash[work.task_hash]
        named = self.by_name.get(work.task, ())
        if not named:
            return None
        if is_ours(work.task_hash):
            return f"the task {work.task} has changed since it was run: {named[0].key.path} is {named[0].task.hash}"
        if len(named) > 1:
            return f"several tasks at hand are called {work.task}, and the rollout does not say which it ran on"
        return named[0]


def is_ours(task_hash: str) -> bool:
    """Say whether a rollout names its task's content as fairtrial does; Harbor has a checksum of its own.

    >>> is_ours("sha256:" + 64 * "0"), is_ours(64 * "0"), is_ours("")
    (True, False, False)
    """
    return task_hash.startswith("sha256:")


def read_keys(suites: Sequence[Path]) -> Keys:
    """Load the suites at these paths. Raise FormatError or InputError for what cannot be loaded."""
    by_hash: dict[str, Keyed] = {}
    by_name: dict[str, list[Keyed]] = {}
    for path in suites:
        suite = load_suite(path)
        for task in suite.tasks:
            if task.hash in by_hash:
                continue
            by_hash[task.hash] = Keyed(task, suite.keys[task.name])
            by_name.setdefault(task.name, []).append(by_hash[task.hash])
    return Keys(by_hash, by_name)
