"""Load a task folder as its two halves, `Task` and `Key`, and a folder of them as a `Suite`.

Nothing is run, built or fetched. The first error found is raised; `fairtrial lint` lists them all.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairtrial.records import Environment, InputError, Limits
from fairtrial.tasks.dockerfile import IMAGE_WORKDIR, read_dockerfile, world_of
from fairtrial.tasks.folder import StepFolder, TaskFolder, read_folder
from fairtrial.tasks.hashes import content_hash, file_digest, suite_hash
from fairtrial.tasks.model import Key, Step, StepKey, Suite, Task
from fairtrial.tasks.proof_toml import ProofToml
from fairtrial.tasks.task_toml import ArtifactTable, EnvironmentTable


def load_task(path: Path | str) -> tuple[Task, Key]:
    """Load the task folder at `path`.

    Raise FormatError or InputError, naming file, line and field, for the first thing that is wrong with it.
    """
    return split_folder(read_folder(Path(path)))


def split_folder(folder: TaskFolder) -> tuple[Task, Key]:
    """Split what was read into the public half and the key. Raise its first error, if it has any."""
    if folder.errors:
        raise folder.errors[0]
    return _task(folder), _key(folder)


def find_tasks(path: Path | str) -> list[Path]:
    """Return the task folders at `path`: itself, or those in it, at most one folder further down.

    Folders without a task.toml, and those whose name starts with a dot, are passed over. Raise InputError if there
    is no task at all.
    """
    top = Path(path)
    if not top.is_dir():
        raise InputError("is not a folder", path=top, hint="Give a task folder, or a folder of them.")
    if (top / "task.toml").is_file():
        return [top]
    found: list[Path] = []
    for child in _folders(top):
        found += [child] if (child / "task.toml").is_file() else _tasks_in(child)
    if not found:
        raise InputError("holds no task", path=top, hint="A task is a folder with a task.toml; none was found here.")
    return found


def _folders(path: Path) -> list[Path]:
    return sorted(child for child in path.iterdir() if child.is_dir() and not child.name.startswith("."))


def _tasks_in(path: Path) -> list[Path]:
    return [child for child in _folders(path) if (child / "task.toml").is_file()]


def load_suite(path: Path | str, only: Collection[str] = ()) -> Suite:
    """Load every task at `path` (see `find_tasks`) as one suite, tasks sorted by name.

    With names in `only`, those tasks are the suite, and its hash is theirs. Raise FormatError or InputError for the
    first task that cannot be loaded, if two have one name, or for a name that no task has.
    """
    top = Path(path)
    loaded = [load_task(place) for place in find_tasks(top)]
    keys: dict[str, Key] = {}
    for task, key in loaded:
        if task.name in keys:
            raise InputError(
                f"two tasks are named `{task.name}`", path=key.path, hint=f"The other is {keys[task.name].path}."
            )
        keys[task.name] = key
    if missing := sorted(set(only) - set(keys)):
        raise InputError(f"the suite has no task `{missing[0]}`", path=top, hint=f"It has: {', '.join(sorted(keys))}.")
    tasks = sorted((task for task, _ in loaded if not only or task.name in only), key=lambda task: task.name)
    keys = {task.name: keys[task.name] for task in tasks}
    total = suite_hash((task.name, task.hash) for task in tasks)
    suite = Suite(name=top.resolve().name, path=top, hash=total, tasks=(), keys=keys)
    return replace(suite, tasks=tuple(replace(task, suite=suite.identity) for task in tasks))


def task_name(folder: TaskFolder) -> str:
    """Return the name in task.toml, else that of the folder."""
    return folder.settings.task.name or folder.path.resolve().name


def _task(folder: TaskFolder) -> Task:
    """Build the public half."""
    labels = folder.settings.metadata
    environment = _environment(folder)
    sources = [item.source if isinstance(item, ArtifactTable) else item for item in folder.settings.artifacts]
    return Task(
        name=task_name(folder),
        hash=content_hash("task/1", _outcome_content(folder)),
        environment=environment,
        steps=tuple(_step(folder, step) for step in folder.steps),
        artifacts=tuple(posixpath.normpath(posixpath.join(environment.workdir, source)) for source in sources),
        live=folder.proof.live,
        domain=str(labels.domain or labels.category),
        family=str(labels.family),
        cluster=str(labels.cluster),
    )


def _step(folder: TaskFolder, step: StepFolder) -> Step:
    own = step.table.agent.timeout_sec if step.table else None
    seconds = own or folder.settings.agent.timeout_sec
    return Step(name=step.name, instruction=step.instruction, agent_seconds=seconds, workdir=step.workdir)


def _environment(folder: TaskFolder) -> Environment:
    """Describe the world: task.toml's workdir and variables go before the Dockerfile's."""
    table = folder.settings.environment
    world = folder.world
    variables = dict(world.variables if world else {}) | table.env
    context = folder.path / "environment"
    content = {
        "files": {name: entry for name, entry in folder.tree.items() if name.startswith("environment/")},
        "settings": folder.settings.outcome_settings().get("environment", {}),
    }
    return Environment(
        context=context if context.is_dir() else None,
        instructions=folder.instructions,
        image="" if folder.instructions else table.docker_image or "",
        workdir=table.workdir or (world.workdir if world else IMAGE_WORKDIR),
        variables=tuple(variables.items()),
        limits=_limits(folder.settings.agent.timeout_sec, table),
        allow_internet=table.wants_network,
        hash=content_hash("environment/1", content),
    )


def environment_of_dockerfile(path: Path) -> Environment:
    """Return the world that a Dockerfile outside a task folder describes; COPY reads from beside it.

    Raise FormatError for a Dockerfile that cannot be read.
    """
    instructions = read_dockerfile(path)
    world = world_of(instructions, path)
    return Environment(context=path.parent.resolve(), instructions=instructions, workdir=world.workdir,
                       variables=tuple(world.variables.items()))  # fmt: skip


def _limits(seconds: float, table: EnvironmentTable) -> Limits:
    usual = Limits()
    return Limits(
        seconds=seconds,
        memory_mb=table.memory_megabytes or usual.memory_mb,
        file_mb=table.storage_megabytes or usual.file_mb,
    )


def _key(folder: TaskFolder) -> Key:
    """Build the private half."""
    verifier = folder.settings.verifier
    return Key(
        task=task_name(folder),
        path=folder.path,
        grader_hash=content_hash("grader/1", _grader_content(folder)),
        steps=tuple(_step_key(folder, step) for step in folder.steps),
        verifier_variables=dict(verifier.env),
        solution_variables=dict(folder.settings.solution.env),
        verifier_limits=_limits(verifier.timeout_sec, verifier.environment or folder.settings.environment),
        reward_strategy=folder.settings.multi_step_reward_strategy,
        candidates=folder.candidates,
        free=tuple(folder.proof.free),
        oracle=folder.oracle,
        oracle_hash=content_hash("oracle/1", _oracle_content(folder)) if folder.oracle is not None else "",
        grading=folder.grading,
    )


def _step_key(folder: TaskFolder, step: StepFolder) -> StepKey:
    own = step.table.verifier.timeout_sec if step.table else None
    return StepKey(
        name=step.name,
        tests=step.tests,
        solution=step.solution,
        verifier_seconds=own or folder.settings.verifier.timeout_sec,
        min_reward=step.table.least_reward if step.table else None,
    )


def _oracle_content(folder: TaskFolder) -> dict[str, object]:
    """Return what the oracle grades with, as JSON: its files, and the verifier's settings."""
    prefix = f"{os.path.normpath(folder.proof.oracle)}/"
    files = {name: entry for name, entry in folder.tree.items() if name.startswith(prefix)}
    return {"files": files, "settings": folder.settings.outcome_settings().get("verifier"), "live": folder.proof.live}


def _outcome_content(folder: TaskFolder) -> dict[str, object]:
    """Return all that changes an outcome, as JSON."""
    return {
        "files": folder.tree,
        "instruction": [step.instruction for step in folder.steps],
        "settings": folder.settings.outcome_settings(),
        "proof": _declared(folder.proof),
        "grading": file_digest(folder.grading) if folder.grading else "",
    }


def _declared(proof: ProofToml) -> dict[str, object]:
    """Return what proof.toml declares; later keys are left out where unused, so that older tasks keep their hash."""
    declared: dict[str, Any] = proof.model_dump(mode="json", exclude=set() if proof.oracle else {"oracle"})
    for candidate in declared["candidate"]:
        if not candidate["trajectory"]:
            del candidate["trajectory"]
    return declared


def _grader_content(folder: TaskFolder) -> dict[str, object]:
    """Return what grades, as JSON: tests, grading.toml, the verifier's settings and those of the steps."""
    settings = folder.settings.outcome_settings()
    tests = {
        name: entry
        for name, entry in folder.tree.items()
        if name.startswith("tests/") or (name.startswith("steps/") and name.split("/")[2:3] == ["tests"])
    }
    return {
        "files": tests,
        "settings": {name: settings.get(name) for name in ("verifier", "steps", "multi_step_reward_strategy")},
        "live": folder.proof.live,
        "grading": file_digest(folder.grading) if folder.grading else "",
    }
