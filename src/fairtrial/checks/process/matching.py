r"""Which events of a trajectory a table of a checks.toml means.

{tool = "issue_refund"}                              # a tool by its name, or one of several
{tool = "issue_refund", arguments = {amount = {above = 80}}}
{runs = "git push"}                                  # a shell command that begins so, wherever it stands in a line
{matches = "refund\\b"}                              # a pattern in what was run or in the arguments of a call
{writes = "*.py"}                                    # a file that is written to
{runs = "pytest", observation = "\\d+ passed", exit = 0}
{user = "\\byes\\b"}                                 # a reply of the user; `opening = true` counts the first word too

All keys of a table must hold. Patterns are Python's, searched anywhere; `runs` at the beginning of a command.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fairtrial.checks.process.edits import CHANGING, edits_of
from fairtrial.checks.process.shell_commands import Ran
from fairtrial.checks.process.shell_syntax import forms
from fairtrial.checks.process.trajectory import Act, Heard, Trajectory, said
from fairtrial.checks.protocol import CheckError

Matchers = dict[str, Any] | list[dict[str, Any]]
"""As TOML has them: a table, or several of which one must hold."""
KEYS = ("tool", "arguments", "runs", "matches", "writes", "observation", "exit", "user", "opening")
MOST_SEARCHED = 1_000_000
BOUNDS = {"above": float.__gt__, "below": float.__lt__, "at_least": float.__ge__, "at_most": float.__le__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An event that is meant."""

    step: int
    call: int = -1
    """Place of the call in the trajectory; -1 for what a user said."""
    place: int = 0
    """Place of the command within its line."""
    what: str
    is_certain: bool = True
    names: Mapping[str, str] = field(default_factory=dict)
    """Arguments, and named groups of patterns: what `same` compares."""
    reads_result: bool = False
    """Its table asks what came back, which is known after the whole step."""

    def before(self, other: Hit) -> bool:
        """Say whether this was done, and its result known, before `other`; calls made at once are not."""
        if self.step != other.step:
            return self.step < other.step
        return self.call == other.call and self.place < other.place and not self.reads_result


def hits(trajectory: Trajectory, tables: Matchers) -> list[Hit]:
    """Return the events that one of `tables` means, in order. Raise CheckError for a table that makes no sense."""
    found: dict[tuple[int, int, int], Hit] = {}
    for table in [tables] if isinstance(tables, dict) else tables:
        for hit in _Matcher.of(table).hits(trajectory):
            found.setdefault((hit.step, hit.call, hit.place), hit)
    return [found[key] for key in sorted(found)]


@dataclass(frozen=True, slots=True)
class _Matcher:
    table: Mapping[str, Any]

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> _Matcher:
        for key in table:
            if key not in KEYS:
                raise CheckError(f"a matcher has no key `{key}`; it has {', '.join(KEYS)}")
        if not set(table) - {"opening", "exit", "observation"}:
            raise CheckError("a matcher needs `tool`, `arguments`, `runs`, `matches`, `writes` or `user`")
        if "user" in table and set(table) - {"user", "opening"}:
            raise CheckError("a matcher of `user` has no other key but `opening`")
        for key in ("runs", "matches", "observation", "user"):
            if key in table:
                compiled(table[key], key)
        return cls(table)

    def hits(self, trajectory: Trajectory) -> Iterator[Hit]:
        if "user" in self.table:
            for heard in trajectory.heard:
                yield from self._heard(heard)
            return
        for act in trajectory.acts:
            yield from self._acts(act)

    def _heard(self, heard: Heard) -> Iterator[Hit]:
        match = compiled(self.table["user"], "user").search(heard.text[:MOST_SEARCHED])
        if match and (not heard.is_opening or self.table.get("opening") is True):
            names = {name: value for name, value in match.groupdict().items() if value}
            yield Hit(step=heard.step, what=f"the user said `{match[0]:.60}`", names={"": heard.text} | names)

    def _acts(self, act: Act) -> Iterator[Hit]:
        if not self._means_tool(act) or not self._means_arguments(act):
            return
        found = list(self._placed(act))
        if not found or not self._means_result(act):
            return
        yield from found

    def _means_tool(self, act: Act) -> bool:
        tools = self.table.get("tool")
        if tools is None:
            return not act.is_claim
        return act.tool in ([tools] if isinstance(tools, str) else tools)

    def _means_arguments(self, act: Act) -> bool:
        wanted = self.table.get("arguments", {})
        if not isinstance(wanted, dict):
            raise CheckError("`arguments` of a matcher is a table: name of an argument -> what it is")
        return all(name in act.arguments and _is_as(act.arguments[name], one) for name, one in wanted.items())

    def _placed(self, act: Act) -> Iterator[Hit]:
        """Yield a hit for each command of a shell action that is meant, or one for the whole call."""
        if "writes" in self.table and not any(
            fnmatch.fnmatch(path, glob) or fnmatch.fnmatch(path.rpartition("/")[2], glob)
            for path in edits_of(act).paths for glob in _texts(self.table["writes"])
        ):  # fmt: skip
            return
        names = {name: str(value) for name, value in act.arguments.items() if isinstance(value, str | int | float)}
        if act.commands and ("runs" in self.table or "matches" in self.table):
            for place, ran in enumerate(act.commands):
                groups = self._ran(ran)
                if groups is not None:
                    yield Hit(step=act.step, call=act.number, place=place, what=" ".join(ran.words),
                              is_certain=ran.is_certain, names=names | groups,
                              reads_result=self._reads_result)  # fmt: skip
            return
        groups = {}
        if "runs" in self.table:
            return
        if "matches" in self.table:
            # What is written into a file is not done by that: it is searched only where the tool is named.
            is_text = act.path and "tool" not in self.table
            arguments = {k: v for k, v in act.arguments.items() if not (is_text and k in CHANGING)}
            match = compiled(self.table["matches"], "matches").search(said(arguments)[:MOST_SEARCHED])
            if match is None:
                return
            groups = {name: value for name, value in match.groupdict().items() if value}
        what = " ".join(act.commands[0].words) if act.commands else f"{act.tool}({', '.join(names.values())})"
        yield Hit(step=act.step, call=act.number, what=what, names=names | groups, reads_result=self._reads_result)

    @property
    def _reads_result(self) -> bool:
        return "observation" in self.table or "exit" in self.table

    def _ran(self, ran: Ran) -> dict[str, str] | None:
        """Return the named groups where this command is meant; None where it is not."""
        groups: dict[str, str] = {}
        if "runs" in self.table:
            pattern = compiled(self.table["runs"], "runs")
            match = next((m for form in forms(ran.words) if (m := pattern.match(form[:MOST_SEARCHED]))), None)
            if match is None:
                return None
            groups |= match.groupdict()
        if "matches" in self.table:
            match = compiled(self.table["matches"], "matches").search(ran.text[:MOST_SEARCHED])
            if match is None:
                return None
            groups |= match.groupdict()
        return {name: value for name, value in groups.items() if value}

    def _means_result(self, act: Act) -> bool:
        if "observation" in self.table:
            pattern = compiled(self.table["observation"], "observation")
            if not pattern.search(act.observation[:MOST_SEARCHED]):
                return False
        if "exit" not in self.table:
            return True
        if act.status is None:
            raise CheckError(f"the trajectory does not record how `{act.tool}` at step {act.step} ended")
        wanted = self.table["exit"]
        return act.status in (wanted if isinstance(wanted, list) else [wanted])


def compiled(pattern: Any, key: str) -> re.Pattern[str]:
    """Return the pattern. Raise CheckError for what is none."""
    if not isinstance(pattern, str) or not pattern:
        raise CheckError(f"`{key}` of a matcher is a pattern, a text that is not empty")
    try:
        return re.compile(pattern, re.MULTILINE)
    except re.error as error:
        raise CheckError(f"`{key}` is no pattern: {error}") from error


def _texts(value: Any) -> list[str]:
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise CheckError("`writes` of a matcher is a text, or a list of texts")
    return found


def _is_as(value: Any, wanted: Any) -> bool:
    """Say whether an argument is what the table asks: equal, one of several, within bounds, or matching."""
    if isinstance(wanted, list):
        return any(_is_as(value, one) for one in wanted)
    if not isinstance(wanted, dict):
        return same(value, wanted)
    for key, bound in wanted.items():
        if key == "matches":
            if not compiled(bound, "matches").search(str(value)):
                return False
        elif key == "is_not":
            if _is_as(value, bound):
                return False
        elif key in BOUNDS:
            number = _number(value)
            if number is None or not BOUNDS[key](number, float(bound)):
                return False
        else:
            raise CheckError(f"an argument is asked by {', '.join([*BOUNDS, 'matches', 'is_not'])}, not by `{key}`")
    return True


def same(one: Any, other: Any) -> bool:
    """Say whether two values of arguments are the same, numbers by what they say.

    >>> same("94.90", 94.9), same("A-1", "a-1"), same(True, 1)
    (True, False, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return str(one).lower() == str(other).lower()
    numbers = _number(one), _number(other)
    if None not in numbers:
        return numbers[0] == numbers[1]
    return str(one).strip() == str(other).strip()


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
