"""A task folder, read and checked but not yet split into its two halves.

Collects every error rather than the first, so that `fairtrial lint` can list them all. It reads grading.toml only
to address it: what that file says belongs to grading.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from fairtrial.records import FormatError, InputError, Instruction
from fairtrial.tasks.dockerfile import World, read_dockerfile, world_of
from fairtrial.tasks.hashes import check_link, file_digest, tree_of
from fairtrial.tasks.model import Candidate
from fairtrial.tasks.proof_toml import ProofToml
from fairtrial.tasks.task_toml import StepTable, TaskToml
from fairtrial.tasks.toml import TomlFile, check_values, read_toml

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class StepFolder:
    """The files of one step. A single-step task has one, unnamed, that is the task folder itself."""

    name: str
    instruction: str
    tests: Path
    solution: Path | None
    workdir: Path | None
    table: StepTable | None


@dataclass(slots=True)
class TaskFolder:
    """All that was read of a task folder; `errors` is empty if it can be loaded."""

    path: Path
    settings: TaskToml = field(default_factory=TaskToml)
    proof: ProofToml = field(default_factory=ProofToml)
    proof_file: TomlFile | None = None
    instructions: tuple[Instruction, ...] = ()
    world: World | None = None
    """None where an image is named and there is no Dockerfile."""
    steps: tuple[StepFolder, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    oracle: Path | None = None
    grading: Path | None = None
    tree: dict[str, list[str]] = field(default_factory=dict)
    """Path below the task folder -> [kind, content address] of every file that counts."""
    errors: list[FormatError] = field(default_factory=list)

    def attempt(self, read: Callable[[], Read], otherwise: Read) -> Read:
        """Return what `read` returns, or note its error and return `otherwise`."""
        try:
            return read()
        except FormatError as error:
            self.errors.append(error)
            return otherwise


def read_folder(path: Path) -> TaskFolder:
    """Read the task folder at `path`. Raise InputError only if it is no task folder at all."""
    if not path.is_dir():
        raise InputError("is not a folder", path=path, hint="A task is a folder with a task.toml.")
    folder = TaskFolder(path)
    if not (path / "task.toml").is_file():
        raise FormatError("has no task.toml", path=path, hint="A task is a folder with a task.toml.")
    for name in ("task.toml", "instruction.md", "proof.toml", "grading.toml"):
        if (path / name).is_symlink():
            folder.attempt(lambda name=name: check_link(path / name, path), None)  # type: ignore[misc]
    _read_settings(folder)
    _read_environment(folder)
    folder.steps = tuple(_read_steps(folder))
    _read_proof(folder)
    folder.grading = folder.attempt(lambda: _grading_path(folder), None)
    folder.tree = folder.attempt(lambda: _tree(folder), {})
    return folder


def _grading_path(folder: TaskFolder) -> Path | None:
    """Return the task's grading.toml: at its root or, of one step, in tests/. Raise FormatError where two differ.

    Of several steps the root's alone speaks of the whole; one in a step's tests makes that step's reward.
    """
    places = [folder.path / "grading.toml"]
    if not folder.settings.steps:
        places.append(folder.path / "tests" / "grading.toml")
    found = [place for place in places if place.is_file()]
    if len(found) > 1 and file_digest(found[0]) != file_digest(found[1]):
        hint = "Keep the one in tests/, which the grader can read too, or make them the same."
        raise FormatError(f"says other rules than {found[1]}", path=found[0], hint=hint)
    return found[0] if found else None


def _read_settings(folder: TaskFolder) -> None:
    file = folder.attempt(lambda: read_toml(folder.path / "task.toml"), None)
    if file is not None:
        settings, errors = check_values(TaskToml, file)
        folder.settings = settings or folder.settings
        folder.errors += errors


def _read_environment(folder: TaskFolder) -> None:
    dockerfile = folder.path / "environment" / "Dockerfile"
    if dockerfile.is_file():
        folder.instructions = folder.attempt(lambda: read_dockerfile(dockerfile), ())
        folder.world = folder.attempt(lambda: world_of(folder.instructions, dockerfile), None)
    elif not folder.settings.environment.docker_image:
        folder.errors.append(
            FormatError(
                "is missing",
                path=dockerfile,
                hint="A task needs environment/Dockerfile, or `docker_image` under [environment] in task.toml.",
            )
        )


def _read_steps(folder: TaskFolder) -> list[StepFolder]:
    """Read the only step, or those that [[steps]] names, in their order."""
    if not folder.settings.steps:
        return [_read_step(folder, folder.path, None)]
    steps: list[StepFolder] = []
    for table in folder.settings.steps:
        if any(step.name == table.name for step in steps):
            error = FormatError(f"two steps are named `{table.name}`", path=folder.path / "task.toml", field="steps")
            folder.errors.append(error)
        steps.append(_read_step(folder, folder.path / "steps" / table.name, table))
    return steps


def _read_step(folder: TaskFolder, place: Path, table: StepTable | None) -> StepFolder:
    """Read one step; a named step without tests of its own is graded by the task's."""
    instruction = folder.attempt(lambda: _text(place / "instruction.md"), "")
    tests = place / "tests" if table is None or (place / "tests").is_dir() else folder.path / "tests"
    if not (tests / "test.sh").is_file():
        folder.errors.append(
            FormatError("is missing", path=place / "tests" / "test.sh", hint="A grader starts at tests/test.sh.")
        )
    has_solution = (place / "solution" / "solve.sh").is_file()
    return StepFolder(
        name=table.name if table else "",
        instruction=instruction,
        tests=tests,
        solution=place / "solution" if has_solution else None,
        workdir=place / "workdir" if table and (place / "workdir").is_dir() else None,
        table=table,
    )


def _text(path: Path) -> str:
    """Return the text at `path`. Raise FormatError if it is absent, not UTF-8, or empty."""
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise FormatError("is missing", path=path, hint="It tells the agent what to do.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError("cannot be read as UTF-8 text", path=path) from error
    if not text.strip():
        raise FormatError("is empty", path=path, hint="It tells the agent what to do.")
    return text


def _read_proof(folder: TaskFolder) -> None:
    """Read proof.toml, where there is one, and find each candidate's script."""
    path = folder.path / "proof.toml"
    if not path.is_file():
        return
    folder.proof_file = folder.attempt(lambda: read_toml(path), None)
    if folder.proof_file is None:
        return
    proof, errors = check_values(ProofToml, folder.proof_file)
    folder.errors += errors
    if proof is None:
        return
    folder.proof = proof
    found: list[Candidate] = []
    for index, table in enumerate(proof.candidate):
        solve = folder.attempt(lambda index=index: _solve_path(folder, index), None)  # type: ignore[misc]
        if solve is not None:
            seen = folder.attempt(lambda index=index, solve=solve: _trajectory_path(folder, index, solve), None)  # type: ignore[misc]
            found.append(
                Candidate(name=table.name, kind=table.kind, solve=solve, fails=tuple(table.fails), trajectory=seen)
            )
    folder.candidates = tuple(found)
    folder.oracle = folder.attempt(lambda: _oracle_path(folder), None)


def _oracle_path(folder: TaskFolder) -> Path | None:
    """Return the folder of the declared oracle. Raise FormatError where the declaration cannot be followed."""
    file, name = folder.proof_file, folder.proof.oracle
    if not name:
        return None
    assert file is not None
    top = Path(os.path.normpath(folder.path))
    oracle = Path(os.path.normpath(folder.path / name))
    if Path(name).is_absolute() or not oracle.is_relative_to(top) or oracle == top:
        raise file.error(f"`{name}` is no folder within the task", ("oracle",), "Give a folder beside tests/.")
    if not (oracle / "test.sh").is_file():
        raise file.error(f"`{name}` holds no test.sh", ("oracle",), "An oracle is graded with as tests/ is.")
    if not oracle.resolve().is_relative_to(folder.path.resolve()):
        raise file.error(f"`{name}` is a link that leads out of the task", ("oracle",))
    return oracle


def _solve_path(folder: TaskFolder, index: int) -> Path:
    """Return the script of a declared candidate. Raise FormatError where the declaration cannot be followed."""
    file, table = folder.proof_file, folder.proof.candidate[index]
    assert file is not None
    place = ("candidate", index)
    names = [other.name for other in folder.proof.candidate[:index]]
    if table.name in names:
        raise file.error(
            f"two candidates are named `{table.name}`",
            (*place, "name"),
            f"The other is at line {file.line(('candidate', names.index(table.name), 'name'))}.",
        )
    if table.kind != "defect" and table.fails:
        raise file.error("only a defect fails named checks", (*place, "fails"), "Leave it out.")
    solve = Path(os.path.normpath(folder.path / table.solve))
    if Path(table.solve).is_absolute() or not solve.is_relative_to(os.path.normpath(folder.path)):
        raise file.error(f"`{table.solve}` leaves the task folder", (*place, "solve"))
    if not solve.is_file():
        raise file.error(f"`{table.solve}` does not exist", (*place, "solve"))
    if not solve.resolve().is_relative_to(folder.path.resolve()):
        raise file.error(f"`{table.solve}` is a link that leads out of the task", (*place, "solve"))
    if solve.parent == Path(os.path.normpath(folder.path)):
        hint = "Its folder is laid into the box, and the task folder holds the tests."
        raise file.error(f"`{table.solve}` needs a folder of its own", (*place, "solve"), hint)
    return solve


def _trajectory_path(folder: TaskFolder, index: int, solve: Path) -> Path | None:
    """Return the trajectory of a declared candidate. Raise FormatError for one that does not lie beside its script."""
    file, name = folder.proof_file, folder.proof.candidate[index].trajectory
    if not name:
        return None
    assert file is not None
    path = Path(os.path.normpath(folder.path / name))
    if Path(name).is_absolute() or not path.is_relative_to(solve.parent) or path.is_symlink():
        hint = f"Its place is {os.path.relpath(solve.parent, folder.path)}/, with all that the candidate is made of."
        raise file.error(
            f"`{name}` does not lie beside the candidate's script", ("candidate", index, "trajectory"), hint
        )
    if not path.is_file():
        raise file.error(f"`{name}` does not exist", ("candidate", index, "trajectory"))
    return path


def _tree(folder: TaskFolder) -> dict[str, list[str]]:
    """Return the files that count, from the task's folders and those of its candidates."""
    root = Path(os.path.normpath(folder.path))
    places = [root / name for name in ("environment", "tests", "solution", "steps")]
    declared = [candidate.solve.parent for candidate in folder.candidates]
    return tree_of([*places, *declared, *([folder.oracle] if folder.oracle is not None else [])], root)
