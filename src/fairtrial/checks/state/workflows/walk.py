"""Walk one workflow and say of each fact whether it held; a fact that was not reached did not."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fairtrial.checks.limits import limited
from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import WorkError, said
from fairtrial.checks.state.json_path import places
from fairtrial.checks.state.values import difference
from fairtrial.checks.state.wording import Wording
from fairtrial.checks.state.workflows.steps import Fact, Step, Workflow, filled
from fairtrial.checks.state.workflows.visitor import Seen, Visitor
from fairtrial.compare.equivalence import KINDS, equivalent
from fairtrial.compare.stated import Stated

Asks = Callable[[str, Seen], tuple[str, dict[str, Any]]]
"""Reads what is asked for in words off a page: the words found, and evidence. Raises CheckError, WorkError."""
WAIT_SECONDS = 0.1
SHOWN = 2000


@dataclass(slots=True)
class Walk:
    """What was found on one walk."""

    facts: dict[str, Result] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    """Facts that could not be measured, and why."""
    trail: list[str] = field(default_factory=list)
    """Each step, and the address and status after it."""
    evidence: list[dict[str, Any]] = field(default_factory=list)
    """Screenshots."""

    def result(self, name: str) -> Result:
        """Return the result of the fact `name`. Raise CheckError where it could not be measured."""
        if name in self.broken:
            raise CheckError(self.broken[name])
        return self.facts[name]


def walk(workflow: Workflow, visitor: Visitor, asks: Asks | None = None) -> Walk:
    """Walk `workflow` with `visitor`. What cannot be done fails the facts that come after it, and no other."""
    found = Walk()
    kept: dict[str, str] = {}
    stuck = ""
    for step in workflow.steps:
        if isinstance(step, Fact):
            _fact(found, step, visitor, asks, kept, stuck)
        elif not stuck:
            try:
                _act(step, visitor, kept)
                seen = visitor.seen()
                found.trail.append(f"{step.said} -> {seen.status} {said(seen.url, 200)}")
            except WorkError as fault:
                stuck = f"{step.said}: {fault}"
                found.trail.append(stuck[:300])
    found.evidence = visitor.evidence()
    return found


def _act(step: Step, visitor: Visitor, kept: dict[str, str]) -> None:
    if step.action != "keep":
        visitor.act(Step(step.number, step.action, filled(step.value, kept), filled(step.within, kept)))
        return
    for name, pattern in step.value.items():
        text = visitor.seen().text
        held = limited(partial(_group, pattern, text), "the page, searched,", seconds=10)
        if held is None:
            raise WorkError(f"nothing on the page matches {said(pattern)}")
        kept[name] = held


def _group(pattern: str, text: str) -> str | None:
    match = re.search(pattern, text)
    return match[1] if match else None


def _fact(found: Walk, fact: Fact, visitor: Visitor, asks: Asks | None, kept: Mapping[str, str], stuck: str) -> None:
    if stuck:
        found.facts[fact.name] = Result(False, f"it was not reached: {stuck}"[:500])
        return
    states = filled(dict(fact.states), kept)
    end = time.monotonic() + visitor.patience_seconds
    try:
        while True:
            seen = visitor.seen()
            result = held(states, seen, asks)
            if result.passed or "read" in states or time.monotonic() >= end:
                break
            time.sleep(WAIT_SECONDS)
    except CheckError as error:
        found.broken[fact.name] = error.what
        return
    except WorkError as fault:
        found.facts[fact.name] = Result(False, str(fault))
        return
    shown = {"url": seen.url, "status": seen.status}
    shown |= {} if result.passed else {"text": seen.text[:SHOWN]}
    found.facts[fact.name] = Result(result.passed, result.why, result.value, {**result.evidence, **shown})


def held(states: Mapping[str, Any], seen: Seen, asks: Asks | None = None) -> Result:
    """Return whether all that is stated holds of what is seen. Raise CheckError where it cannot be known.

    >>> held({"text": "Total: 5"}, Seen(text="Total: 6", url="/cart")).why
    "the page /cart does not contain 'Total: 5'; it begins 'Total: 6'"
    """
    try:
        for key in ("status", "url", "title"):
            if key in states and getattr(seen, key) != states[key]:
                return Result(False, f"the {key} is {said(getattr(seen, key))}, not {said(states[key])}")
        for name, value in states.get("fields", {}).items():
            if seen.fields.get(name) != str(value):
                return Result(False, f"the field {said(name)} holds {said(seen.fields.get(name))}, not {said(value)}")
        if words := {key: states[key] for key in ("text", "lacks", "regex") if key in states}:
            wording = Wording(
                words.get("text", ""), words.get("lacks", ""), words.get("regex", ""), ignore_spacing=True
            )
            result = wording.judged(seen.text, f"the page {seen.url}")
            if not result.passed:
                return result
        if "equals" in states:
            return _valued(states, seen, asks)
    except WorkError as fault:
        return Result(False, str(fault))
    return Result(True, f"it holds at {seen.url}")


def _valued(states: Mapping[str, Any], seen: Seen, asks: Asks | None) -> Result:
    if "json" in states:
        at = places(seen.json(), states["json"])
        if len(at) != 1:
            return Result(False, f"there are {len(at)} values at {states['json']} of the answer at {seen.url}")
        if not states.get("kind"):
            why = difference(at[0][1], states["equals"], float(states.get("tolerance", 0.0)), states["json"])
            return Result(not why, why or f"{states['json']} is {said(at[0][1])}")
        value, evidence = str(at[0][1]), dict[str, Any]()
    elif "after" in states:
        value, evidence = _after(states["after"], seen), {}
    elif asks is None:
        raise CheckError("a fact that is read off the page in words needs a judge: use `judged_workflow`")
    else:
        value, evidence = asks(states["read"], seen)
    return _compared(value, states, evidence)


def _after(label: str, seen: Seen) -> str:
    """Return what follows `label` on its line, or else the next line. Raise WorkError where it is not there once."""
    lines = seen.text.split("\n")
    at = [number for number, line in enumerate(lines) if label in line]
    if len(at) != 1 or lines[at[0]].count(label) != 1:
        raise WorkError(f"{said(label)} stands {len(at)} times on the page {seen.url}, and once is wanted")
    rest = lines[at[0]].partition(label)[2].strip()
    return rest or (lines[at[0] + 1].strip() if at[0] + 1 < len(lines) else "")


def _compared(value: str, states: Mapping[str, Any], evidence: dict[str, Any]) -> Result:
    wanted, kind = str(states["equals"]), str(states.get("kind", ""))
    if not kind:
        passed = " ".join(value.split()) == " ".join(wanted.split())
        return Result(passed, f"it is {said(value)}" + ("" if passed else f", not {said(wanted)}"), evidence=evidence)
    if kind not in KINDS:
        raise CheckError(f"there is no kind {said(kind)}: {', '.join(KINDS)}")
    same = equivalent(wanted, value, kind, Stated(absolute=float(states.get("tolerance", 0.0))))
    told = "" if same.equivalent else f", and {said(wanted)} was expected"
    return Result(same.equivalent, f"it is {said(value)}{told}: {same.reason}"[:500], evidence=evidence)
