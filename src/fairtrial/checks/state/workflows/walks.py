"""Walks that the checks of one run share: each workflow is walked once, its app is started once for all walks.

A walk changes the app (a refund cannot be made twice), so the facts of one workflow are all read on the same walk.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from fairtrial.checks.protocol import Kept, Result
from fairtrial.checks.reading import WorkError
from fairtrial.checks.state.workflows.app import App
from fairtrial.checks.state.workflows.steps import Workflow, Workflows, read_workflows
from fairtrial.checks.state.workflows.visitor import Visitor
from fairtrial.checks.state.workflows.walk import Asks, Walk, walk
from fairtrial.records.errors import InputError


class Walks(Kept):
    """What was read, started and walked so far."""

    NAME: ClassVar[str] = "walks that are shared"

    def __init__(self) -> None:
        self._files: dict[str, Workflows] = {}
        self._apps: dict[str, App | WorkError] = {}
        self._walks: dict[tuple[str, ...], Walk] = {}

    def file(self, path: str) -> Workflows:
        """Return the workflows.toml at `path`, read once."""
        if path not in self._files:
            self._files[path] = read_workflows(Path(path))
        return self._files[path]

    def started(self, path: str) -> None:
        """Start the app of the workflows.toml at `path`, unless it is up. Raise WorkError where it does not start."""
        file = self.file(path)
        if not file.start:
            return
        if path not in self._apps:
            try:
                self._apps[path] = App.started(file)
            except WorkError as fault:
                self._apps[path] = fault
        if isinstance(app := self._apps[path], WorkError):
            raise app

    def walked(
        self, key: tuple[str, ...], workflow: Workflow, opens: Callable[[], Visitor], asks: Asks | None = None
    ) -> Walk:
        """Return the walk of `workflow` under `key`, made at the first call. Raise what `opens` raises."""
        if key not in self._walks:
            visitor = opens()
            try:
                self._walks[key] = walk(workflow, visitor, asks)
            finally:
                visitor.close()
        return self._walks[key]

    def close(self) -> None:
        """End the apps that were started."""
        for app in self._apps.values():
            if isinstance(app, App):
                app.close()
        self._apps.clear()


def workflow_of(file: Workflows, name: str, expect: str) -> Workflow:
    """Return the workflow `name`. Raise InputError where it, or the fact `expect` in it, is not there."""
    if name not in file.workflows:
        raise InputError(f"there is no workflow `{name}`", field="walk", hint=f"There are {', '.join(file.workflows)}.")
    found = file.workflows[name]
    if expect and expect not in {fact.name for fact in found.facts}:
        known = ", ".join(fact.name for fact in found.facts)
        raise InputError(f"`{name}` expects no `{expect}`", field="expect", hint=f"It expects {known}.")
    return found


def told(found: Walk, workflow: Workflow, expect: str) -> Result:
    """Return the result of the fact `expect`, or of all facts together where it is empty."""
    shown = {"trail": found.trail, **({"screenshots": found.evidence} if found.evidence else {})}
    if expect:
        result = found.result(expect)
        return Result(result.passed, result.why, result.value, {**result.evidence, **shown})
    results = {fact.name: found.result(fact.name) for fact in workflow.facts}
    failed = [f"{name}: {result.why}" for name, result in results.items() if not result.passed]
    why = f"{len(failed)} of {len(results)} facts do not hold; {failed[0]}" if failed else f"{len(results)} facts hold"
    facts = {name: {"passed": result.passed, "why": result.why} for name, result in results.items()}
    return Result(not failed, why[:500], evidence={"facts": facts, **shown})
