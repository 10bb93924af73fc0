"""Check what a command does: its exit code and what it prints. It is run apart, within limits, and leaves nothing."""

from __future__ import annotations

import shlex
from typing import Literal

from fairtrial.checks.apart import SECONDS, Ended, run_apart
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import said
from fairtrial.checks.state.wording import Texts, Wording

Command = list[str] | str
"""A list of words is run as it stands, a text by `sh -c`."""


def command_succeeds(
    command: Command,
    folder: Inside = "/",
    seconds: float = SECONDS,
    code: int = 0,
    stdin: str = "",
    environment: dict[str, str] | None = None,
    user: str = "",
) -> Result:
    """Check that a command ends, within `seconds`, with the exit `code`. As root, say whom it should run as."""
    ended = _run(command, folder, seconds, stdin, environment, user)
    if ended.code == code:
        return Result(True, f"{_named(command)} ended with {code}")
    last = ended.errors.strip() or ended.output.strip()
    printed = f"; it printed {said(last[-200:], 220)}" if last else ""
    return Result(False, f"{_named(command)} {ended.said}, not with {code}{printed}")


def command_output(
    command: Command,
    folder: Inside = "/",
    equals: str | None = None,
    contains: Texts = "",
    lacks: Texts = "",
    regex: Texts = "",
    stream: Literal["stdout", "stderr", "both"] = "stdout",
    run: dict[str, str | float] | None = None,
) -> Result:
    """Check what a command prints: all of it (white space at both ends aside), or its wording. Any exit code will do.

    `run` may hold `seconds`, `stdin`, `user` and `code`, an exit code that is wanted.
    """
    how = dict(run or {})
    code = how.pop("code", None)
    seconds, stdin, user = float(how.pop("seconds", SECONDS)), str(how.pop("stdin", "")), str(how.pop("user", ""))
    if how:
        raise CheckError(f"`run` has no key {said(next(iter(how)))}: seconds, stdin, user, code")
    ended = _run(command, folder, seconds, stdin, None, user)
    if ended.code is None or (code is not None and ended.code != code):
        return Result(False, f"{_named(command)} {ended.said}" + ("" if code is None else f", not with {code:g}"))
    printed = {"stdout": ended.output, "stderr": ended.errors, "both": ended.output + ended.errors}[stream]
    what = f"what {_named(command)} printed"
    if equals is not None:
        passed = printed.strip() == equals.strip()
        why = f"{what} is {said(printed.strip())}" + ("" if passed else f", not {said(equals.strip())}")
        if not passed or not (contains or lacks or regex):
            return Result(passed, why)
    return Wording(contains, lacks, regex).judged(printed, what)


def _run(
    command: Command, folder: str, seconds: float, stdin: str, environment: dict[str, str] | None, user: str
) -> Ended:
    words = ["sh", "-c", command] if isinstance(command, str) else command
    if not words or not command:
        raise CheckError("`command` is empty")
    return run_apart(words, folder, seconds=seconds, stdin=stdin, environment=environment, user=user)


def _named(command: Command) -> str:
    return f"`{said(command if isinstance(command, str) else shlex.join(command))[1:-1]}`"
