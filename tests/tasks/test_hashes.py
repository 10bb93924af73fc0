"""The hash changes with all that changes an outcome, and with nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tasks.task_folders import FILES, make_task, write

from fairtrial.tasks import Key, Task, load_suite, load_task

Change = Callable[[Path], object]


def hashes(path: Path) -> tuple[str, str, str]:
    task, key = load_task(path)
    return task.hash, key.grader_hash, task.environment.hash


def add(name: str, text: str = "x") -> Change:
    return lambda path: write(path / name, text)


def swap(name: str, old: str, new: str) -> Change:
    def change(path: Path) -> None:
        text = (path / name).read_text()
        assert old in text
        (path / name).write_text(text.replace(old, new))

    return change


def setting(line: str) -> Change:
    """Put a line, or a whole table, at the end of task.toml, which ends within [environment]."""
    return lambda path: write(path / "task.toml", FILES["task.toml"] + line + "\n")


TASK, GRADER, ENVIRONMENT = 0, 1, 2

COUNTS: dict[str, tuple[Change, set[int]]] = {
    "instruction": (add("instruction.md", "Write 5.\n"), {TASK}),
    "workspace file": (add("environment/workspace/question.txt", "2 + 3\n"), {TASK, ENVIRONMENT}),
    "new workspace file": (add("environment/workspace/README.md"), {TASK, ENVIRONMENT}),
    "empty file": (add("environment/workspace/empty", ""), {TASK, ENVIRONMENT}),
    "Dockerfile": (swap("environment/Dockerfile", "3.11", "3.12"), {TASK, ENVIRONMENT}),
    "renamed file": (
        lambda p: (p / "environment/workspace/question.txt").rename(p / "environment/workspace/q.txt"),
        {TASK, ENVIRONMENT},
    ),
    "mode of a workspace file": (
        lambda p: (p / "environment/workspace/question.txt").chmod(0o755),
        {TASK, ENVIRONMENT},
    ),
    "mode of a test": (lambda p: (p / "tests/test.sh").chmod(0o755), {TASK, GRADER}),
    "link": (lambda p: (p / "tests/again.sh").symlink_to("test.sh"), {TASK, GRADER}),
    "test": (add("tests/test.sh", "true\n"), {TASK, GRADER}),
    "new test file": (add("tests/data/more.txt"), {TASK, GRADER}),
    "grading.toml": (add("grading.toml", '[[check]]\nname = "answer"\n'), {TASK, GRADER}),
    "grading.toml among the tests": (add("tests/grading.toml", '[[check]]\nname = "answer"\n'), {TASK, GRADER}),
    "reference": (add("solution/solve.sh", "true\n"), {TASK}),
    "candidate": (add("candidates/five/solve.sh", "echo 6 > /app/answer.txt\n"), {TASK}),
    "file beside a candidate": (add("candidates/five/data.txt"), {TASK}),
    "what a defect fails": (swap("proof.toml", '["answer"]', '["other"]'), {TASK}),
    "live": (
        swap("proof.toml", '[[candidate]]\nname = "five"', 'live = true\n[[candidate]]\nname = "five"'),
        {TASK, GRADER},
    ),
    "image": (setting('docker_image = "x@sha256:1"'), {TASK, ENVIRONMENT}),
    "memory": (setting("storage_mb = 64"), {TASK, ENVIRONMENT}),
    "variable": (setting('env = {A = "1"}'), {TASK, ENVIRONMENT}),
    "network": (setting("allow_internet = true"), {TASK, ENVIRONMENT}),
    "setting of a later schema": (setting("gpus = 2"), {TASK, ENVIRONMENT}),
    "agent's time": (setting("[agent]\ntimeout_sec = 5"), {TASK}),
    "verifier's time": (setting("[verifier]\ntimeout_sec = 5"), {TASK, GRADER}),
    "verifier's variable": (setting('[verifier]\nenv = {A = "1"}'), {TASK, GRADER}),
    "cache": (add("tests/__pycache__/check.cpython-311.pyc"), {TASK, GRADER}),
    "editor's backup": (add("tests/test.sh~"), {TASK, GRADER}),
    "version control": (add("environment/.git/config"), {TASK, ENVIRONMENT}),
    "artifact": (swap("task.toml", 'version = "1.0"', 'artifacts = ["/out"]'), {TASK}),
}

DOES_NOT_COUNT: dict[str, Change] = {
    "README": add("README.md", "Another text.\n"),
    "notes beside the task": add("notes/todo.md"),
    "author": swap("task.toml", 'author_name = "a"', 'author_name = "b"'),
    "difficulty": swap("task.toml", 'author_name = "a"', 'difficulty = "hard"'),
    "name": setting('[task]\nname = "another"'),
    "version": swap("task.toml", '"1.0"', '"1.4"'),
    "comment in task.toml": swap("task.toml", "[metadata]", "# why\n[metadata]"),
    "comment in proof.toml": swap("proof.toml", "kind", "# kind\nkind"),
    "default, spelt out": setting("[verifier]\ntimeout_sec = 600"),
    "build time": setting("build_timeout_sec = 5"),
    "mode that is not x": lambda p: (p / "tests/test.sh").chmod(0o600),
    "undeclared candidate": add("candidates/idea/solve.sh"),
    "time": lambda p: (p / "tests/test.sh").touch(),
}


@pytest.mark.parametrize("name", COUNTS)
def test_what_changes_an_outcome_changes_the_hash(tmp_path: Path, name: str) -> None:
    path = make_task(tmp_path / "t")
    before = hashes(path)
    change, expected = COUNTS[name]
    change(path)
    changed = {index for index, (old, new) in enumerate(zip(before, hashes(path), strict=True)) if old != new}
    assert changed == expected


@pytest.mark.parametrize("name", DOES_NOT_COUNT)
def test_what_changes_no_outcome_leaves_the_hash(tmp_path: Path, name: str) -> None:
    path = make_task(tmp_path / "t")
    before = hashes(path)
    DOES_NOT_COUNT[name](path)
    assert hashes(path) == before


def test_the_hash_is_the_same_wherever_the_folder_lies(tmp_path: Path) -> None:
    path = make_task(tmp_path / "t")
    shutil.copytree(path, tmp_path / "deep" / "er" / "t", symlinks=True)
    assert hashes(path) == hashes(tmp_path / "deep" / "er" / "t")


def test_the_hash_of_a_known_folder_is_known(tmp_path: Path) -> None:
    """A change here changes every stored hash: do it knowingly, under a new kind of content."""
    task, key = load_task(make_task(tmp_path / "t"))
    assert (short(task), short(key)) == KNOWN


def short(half: Task | Key) -> str:
    value = half.hash if isinstance(half, Task) else half.grader_hash
    return value.removeprefix("sha256:")[:16]


KNOWN = ("69341788ff88a4ae", "42e6a6aa9120b0c9")


def test_a_suite_hash_follows_names_and_tasks(tmp_path: Path) -> None:
    make_task(tmp_path / "s" / "a")
    make_task(tmp_path / "s" / "b")
    first = load_suite(tmp_path / "s").hash
    (tmp_path / "s" / "b").rename(tmp_path / "s" / "c")
    renamed = load_suite(tmp_path / "s").hash
    write(tmp_path / "s" / "c" / "tests" / "test.sh", "false\n")
    edited = load_suite(tmp_path / "s").hash
    write(tmp_path / "s" / "c" / "README.md", "text")
    assert len({first, renamed, edited}) == 3
    assert load_suite(tmp_path / "s").hash == edited
