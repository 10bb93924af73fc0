"""What a log's header says of all its samples: task, model, agent, effort, settings, environment, who graded.

The suite is `task@version`. The agent is the solver that was named, else the plan's steps joined by `+`. Settings are
the hash of what may change a result: arguments of task and solver, the plan, the generation's options but those of
connections, limits, and the models of the roles; two logs of one task with other limits thus do not look alike.
Not covered: packages and revision of the code, which every commit changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.formats.batch import Options
from fairtrial.formats.inspect.scores import Choice
from fairtrial.formats.json_files import Fields
from fairtrial.formats.times import utc_or_empty
from fairtrial.records import FormatError, canonical_json, digest

GRADER_ROLE = "grader"
_CONNECTION = frozenset({
    "max_retries", "timeout", "attempt_timeout", "max_connections", "adaptive_connections", "cache", "cache_prompt",
    "batch",
})  # fmt: skip
_LIMITS = ("message_limit", "token_limit", "token_limit_type", "turn_limit", "time_limit", "working_limit",
           "cost_limit", "max_messages")  # fmt: skip
_NO_MODEL = ("", "none", "none/none")


@dataclass(frozen=True, slots=True)
class Run:
    """What the samples of one log share."""

    path: Path
    task: str
    suite: str
    model: str
    agent: str
    effort: str
    seed: int | None
    settings: str
    environment: str
    choice: Choice
    is_graded: bool
    """False: the log ended and no scorer ran."""
    shares_grader: bool
    """The grader's role is played by the model under test."""
    started: str
    ended: str
    id: str

    @classmethod
    def of(cls, path: Path, header: Mapping[str, Any], options: Options) -> Run:
        """Read a header. Raise FormatError naming the field that is wrong, or a scorer that the log does not have."""
        whole = Fields(path, dict(header))
        spec = whole.inner("eval") or Fields(path, {})
        plan, stats = whole.inner("plan") or Fields(path, {}), whole.inner("stats") or Fields(path, {})
        task, version = spec.text("task"), spec.text("task_version")
        if not task:
            raise spec.wrong("task", "is missing")
        agent = spec.text("solver") or "+".join(step.text("solver") for step in plan.inners("steps"))
        named = "" if spec.text("model") in _NO_MODEL else spec.text("model")
        generation = {**_object(spec, "model_generate_config"), **_object(plan, "config")}
        return cls(
            path=path, task=task, suite=f"{task}@{version}" if version not in ("", "0") else task,
            model=named or options.model or agent or "unknown", agent=agent,
            effort=str(generation.get("reasoning_effort") or ""), seed=_seed(generation),
            settings=_settings(spec, plan, generation), environment=sandbox_of(spec.content.get("sandbox")),
            choice=_choice(path, header, options), is_graded=_is_graded(header),
            shares_grader=_role_model(spec, GRADER_ROLE) == spec.text("model"),
            started=utc_or_empty(stats.text("started_at")) or utc_or_empty(spec.text("created")),
            ended=utc_or_empty(stats.text("completed_at")),
            id=spec.text("run_id") or spec.text("task_id"),
        )  # fmt: skip


def _seed(generation: Mapping[str, Any]) -> int | None:
    seed = generation.get("seed")
    return seed if type(seed) is int and abs(seed) < 2**63 else None


def sandbox_of(found: Any) -> str:
    """Return the type of a sandbox; logs of 2024 have a list of type and file.

    >>> sandbox_of({"type": "docker", "config": "compose.yaml"}), sandbox_of(["docker", None]), sandbox_of(None)
    ('docker', 'docker', '')
    """
    kind = found.get("type") if isinstance(found, dict) else found[0] if isinstance(found, list) and found else found
    return kind if isinstance(kind, str) else ""


def _choice(path: Path, header: Mapping[str, Any], options: Options) -> Choice:
    wanted = options.columns.get("score", "")
    try:
        return Choice.of(header, wanted)
    except LookupError as error:
        raise FormatError(f"the log has no scorer `{wanted}`", path=path, field="--columns score",
                          hint=f"It has: {error}.") from error  # fmt: skip


def _is_graded(header: Mapping[str, Any]) -> bool:
    """Say whether scorers ran, or would have run had the log ended."""
    results = header.get("results")
    spec = header.get("eval", {})
    if isinstance(results, dict) and not results.get("scores"):
        return False
    return bool(results) or bool(spec.get("scorers"))


def _settings(spec: Fields, plan: Fields, generation: Mapping[str, Any]) -> str:
    config = _object(spec, "config")
    told = {
        "task_args": _object(spec, "task_args"), "solver_args": _object(spec, "solver_args"),
        "dataset": (_object(spec, "dataset")).get("name"),
        "steps": [[step.text("solver"), step.content.get("params")] for step in plan.inners("steps")],
        "generation": {name: value for name, value in generation.items()
                       if name not in _CONNECTION and value is not None},
        "limits": {name: config[name] for name in _LIMITS if config.get(name) is not None},
        "roles": sorted([role, _role_model(spec, role)] for role in _object(spec, "model_roles")),
    }  # fmt: skip
    return digest(canonical_json({name: value for name, value in told.items() if value}))


def _role_model(spec: Fields, role: str) -> str:
    found = _object(spec, "model_roles").get(role)
    first = found[0] if isinstance(found, list) and found else found
    return str(first.get("model") or "") if isinstance(first, dict) else ""


def _object(fields: Fields, name: str) -> dict[str, Any]:
    found = fields.inner(name)
    return found.content if found else {}
