"""`harbor`: trials that Harbor ran: one trial folder, a job, or a folder of jobs; multi-step trials included.

A trial is graded by its `reward`, passed at 1. Ungraded: no reward, a reward outside [0, 1], a trial that Harbor
calls invalid, and any exception that is not the agent's own doing; the reward as recorded stands in the verdict's
evidence and, with `as_recorded`, is the verdict. So does the tail of what the verifier printed, for whoever reviews the
verdict. Checks come from CTRF or JUnit files of the verifier. A trial of
Harbor's oracle or nop agent has its score known beforehand and is marked `origin = known`. Harbor names attempts and
numbers none: `attempt` is derived from the trial's id. Not covered: artifacts, token ids and log probabilities.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.atif import document, read_trajectory
from fairtrial.formats.atif_import import taken_in, trajectory_fields
from fairtrial.formats.batch import Batch, Options, Skipped, batch_of
from fairtrial.formats.items import read_items
from fairtrial.formats.json_files import Fields, attempt_number, read_fields
from fairtrial.formats.times import seconds_between, utc_or_empty
from fairtrial.records import CheckResult, FormatError, Rollout, Verdict, canonical_json, digest, storable

_TRIALS_A_BATCH = 200
_PASS_AT = 1 - 1e-9
_TAIL = 4000
"""Bytes of each stream of a verifier that are kept, as many as characters of our own graders."""

OWN_DOING: Mapping[str, str] = {
    "AgentTimeoutError": "agent_timeout", "NonZeroAgentExitCodeError": "agent_error",
    "ContextWindowExceededError": "context_limit", "ContextLengthExceededError": "context_limit",
    "OutputTokenExceededError": "output_limit", "OutputLengthExceededError": "output_limit",
    "AgentSafetyRefusalError": "refusal", "ContentPolicyViolationError": "refusal",
}  # fmt: skip
"""Exceptions that are the agent's own doing, and how it stopped: its reward counts."""

_REASONS = {
    "VerifierTimeoutError": "grader_timeout", "RewardFileNotFoundError": "reward_missing",
    "RewardFileEmptyError": "reward_missing", "VerifierOutputParseError": "reward_invalid",
}  # fmt: skip
_KNOWN_AGENTS = {"oracle", "nop"}


def read(path: Path, options: Options) -> Iterator[Batch]:
    """Yield the trials at `path`."""
    folders = trial_folders(path.parent if path.is_file() else path)
    if not folders:
        raise FormatError("has no trial of Harbor's (a folder with result.json)", path=path)
    for start in range(0, len(folders), _TRIALS_A_BATCH):
        attempts: list[tuple[Rollout, Verdict | None]] = []
        skipped: list[Skipped] = []
        blobs: list[bytes] = []
        chosen = folders[start : start + _TRIALS_A_BATCH]
        for folder in chosen:
            try:
                attempts.append(_Trial(folder, options).attempt(skipped, blobs))
            except FormatError as error:
                skipped.append(Skipped(error.where, error.what))
        yield batch_of(attempts, skipped, blobs, (start + len(chosen)) / len(folders))


def trial_folders(path: Path) -> list[Path]:
    """Return the trial folders at `path` or up to two levels below it, sorted, those without a result included."""
    if is_trial(path):
        return [path]
    for pattern in ("*", "*/*"):
        found = sorted(folder for folder in path.glob(pattern) if folder.is_dir() and is_trial(folder))
        if found:
            return found
    return []


def is_trial(folder: Path) -> bool:
    """Say whether a folder is a trial: its result names one, or it began and has no result."""
    result = folder / "result.json"
    if not result.is_file():
        return (folder / "config.json").is_file() and any(
            (folder / n).exists() for n in ("trial.log", "agent", "steps")
        )
    try:
        return "trial_name" in read_fields(result).content
    except FormatError:
        return (folder / "config.json").is_file() and not any(folder.glob("*/result.json"))


class _Trial:
    """Reads one trial folder."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.folder = folder
        self.options = options
        if not (folder / "result.json").is_file():
            raise FormatError("has no result.json: the trial did not end", path=folder)
        self.result = read_fields(folder / "result.json")
        self.steps = self.result.inners("step_results")

    def attempt(self, skipped: list[Skipped], blobs: list[bytes]) -> tuple[Rollout, Verdict]:
        """Return rollout and verdict; add the trajectory to `blobs`, or why it cannot be read to `skipped`."""
        rollout = self._rollout()
        try:
            data = self._trajectory(skipped, blobs)
            if data:
                rollout = _with_trajectory(rollout, trajectory_fields(read_trajectory(data), digest(data)))
                blobs.append(data)
        except FormatError as error:
            place = error.where or str(self.folder)
            skipped.append(Skipped(place, f"{error.what}; the trial is kept without its trajectory"))
        return rollout, self._verdict(rollout)

    def _trajectory(self, skipped: list[Skipped], blobs: list[bytes]) -> bytes:
        """Return the trial's ATIF document, that of its steps joined into one; empty where it has none."""
        whole = self.folder / "agent" / "trajectory.json"
        if whole.is_file():
            read_trajectory(whole)  # for an error that names the file
            return taken_in(whole, skipped, blobs)
        names = [step.text("step_name") for step in self.steps]
        files = [
            file for name in names if (file := self.folder / "steps" / name / "agent" / "trajectory.json").is_file()
        ]
        if not files:
            return b""
        for file in files:
            read_trajectory(file)
        parts = [read_trajectory(taken_in(file, skipped, blobs)) for file in files]
        joined = replace(parts[0], steps=tuple(step for part in parts for step in part.steps), stated=None)
        return canonical_json(document(joined))

    def _rollout(self) -> Rollout:
        result = self.result
        task, name = result.text("task_name"), result.text("trial_name")
        if not task:
            raise result.wrong("task_name", "is missing")
        agent = result.inner("agent_info") or Fields(result.path, {}, "agent_info.")
        agent_name = agent.text("name")
        started = utc_or_empty(result.text("started_at"))
        return Rollout(
            task=task, model=_model(agent) or self.options.model or agent_name or "unknown", agent=agent_name,
            effort=self._effort(), suite=result.text("source") or self.options.suite,
            attempt=attempt_number(result.text("id") or name), task_hash=result.text("task_checksum"),
            origin="known" if agent_name in _KNOWN_AGENTS else "policy", stop=self._stop(), label=name,
            source=str(self.folder), seconds=self._seconds(), recorded_at=started, **self._spent(),
        )  # fmt: skip

    def _effort(self) -> str:
        config = self.result.inner("config")
        agent = config.inner("agent") if config else None
        arguments = agent.inner("kwargs") if agent else None
        return arguments.text("reasoning_effort") if arguments else ""

    def _spent(self) -> dict[str, Any]:
        """Return tokens and cost; a multi-step trial has them in its steps only."""
        whole = self.result.inner("agent_result")
        contexts = [whole] if whole else [found for step in self.steps if (found := step.inner("agent_result"))]
        return {
            "input_tokens": _sum([context.integer("n_input_tokens") for context in contexts]),
            "output_tokens": _sum([context.integer("n_output_tokens") for context in contexts]),
            "cost_usd": _sum([context.number("cost_usd") for context in contexts]),
        }

    def _seconds(self) -> float | None:
        """Return the time of the agent, else of the trial."""
        times = [found for part in [self.result, *self.steps] if (found := part.inner("agent_execution"))]
        spans = [seconds_between(span.text("started_at"), span.text("finished_at")) for span in times]
        whole = seconds_between(self.result.text("started_at"), self.result.text("finished_at"))
        return _sum(spans) if _sum(spans) is not None else whole

    def _exceptions(self) -> list[str]:
        """Return the names of the exceptions, the trial's own first; a multi-step trial has them in its steps."""
        return [found.text("exception_type") for part in [self.result, *self.steps]
                if (found := part.inner("exception_info"))]  # fmt: skip

    def _stop(self) -> str:
        names = self._exceptions()
        return next((OWN_DOING[name] for name in names if name in OWN_DOING), "error" if names else "finished")

    def _verdict(self, rollout: Rollout) -> Verdict:
        reward, reason = self._reward()
        recorded = reward
        strange = [name for name in self._exceptions() if name not in OWN_DOING]
        if not reason and not self.options.as_recorded:
            if strange:
                reason = _REASONS.get(strange[0], _snake(strange[0]))
            elif self.result.content.get("reward_valid") is False:
                reason = "reward_invalid"
        elif reason == "reward_missing" and strange:
            reason = _REASONS.get(strange[0], _snake(strange[0]))
        graded: dict[str, Any] = {"outcome": "ungraded", "reason": reason} if reason or reward is None else {
            "outcome": "passed" if reward >= _PASS_AT else "failed", "score": reward}  # fmt: skip
        evidence: dict[str, Any] = {"as_recorded": recorded, "exceptions": self._exceptions()}
        if printed := self._printed():
            evidence["output"] = printed
        return Verdict(
            rollout=rollout.id, **graded, checks=self._checks(), evidence=orjson.dumps(evidence).decode(),
            grader="harbor/as-recorded" if self.options.as_recorded else "harbor", task_hash=rollout.task_hash,
            recorded_at=utc_or_empty(self.result.text("finished_at")),
        )  # fmt: skip

    def _reward(self) -> tuple[float | None, str]:
        """Return the overall reward, and why it cannot be taken (empty if it can)."""
        verifier = self.result.inner("verifier_result")
        rewards = verifier.inner("rewards") if verifier else None
        if rewards is None or not rewards.content:
            return None, "reward_missing"
        only = next(iter(rewards.content.values())) if len(rewards.content) == 1 else None
        value = rewards.content.get("reward", only)
        if value is None:
            return None, "reward_missing"
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return None, "reward_invalid"
        return float(value), "" if 0 <= value <= 1 else "score_out_of_range"

    def _checks(self) -> tuple[CheckResult, ...]:
        """Return the verifier's items; those of a step are named STEP/ITEM."""
        checks, _ = read_items(self.folder / "verifier")
        for folder in sorted((self.folder / "steps").glob("*/verifier")):
            found, _ = read_items(folder)
            checks += tuple(replace(check, name=f"{folder.parent.name}/{check.name}") for check in found)
        return checks

    def _printed(self) -> str:
        """Return the tail of what the verifier printed; what it printed of each step stands under the step's name."""
        said = [_tail_of(self.folder / "verifier")]
        for folder in sorted((self.folder / "steps").glob("*/verifier")):
            if tail := _tail_of(folder):
                said.append(f"{folder.parent.name}:\n{tail}")
        return "\n".join(tail for tail in said if tail)


def _tail_of(folder: Path) -> str:
    """Return the end of the verifier's two streams; a link, which may lead out of the trial, is not read."""
    said = []
    for path in (folder / "test-stdout.txt", folder / "test-stderr.txt"):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                file.seek(max(path.stat().st_size - _TAIL, 0))
                said.append(storable(file.read(_TAIL).decode(errors="replace")).strip("\n"))
    return "\n".join(tail for tail in said if tail)


def _model(agent: Fields) -> str:
    info = agent.inner("model_info")
    if info is None:
        return ""
    provider, name = info.text("provider"), info.text("name")
    return f"{provider}/{name}" if provider and name else name


def _with_trajectory(rollout: Rollout, found: Mapping[str, Any]) -> Rollout:
    """Add the trajectory; what the trial's result states itself stays."""
    silent = {name: value for name, value in found.items() if getattr(rollout, name) in (None, "")}
    return replace(rollout, **silent)


def _sum(values: list[Any]) -> Any:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _snake(name: str) -> str:
    """Return an exception's name as a reason.

    >>> _snake("EnvironmentStartTimeoutError")
    'environment_start_timeout'
    """
    return (
        re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name.removesuffix("Error")).lower() or "error"
    )
