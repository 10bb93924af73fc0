"""Python that does no work and goes for its grader: a prelude at import, a body in every function, a run as a program.

All tricks are laid out alike: the names of the reference's programs with the trick behind each, in an otherwise
untouched workspace. So none of them holds any of the work asked for, and each is wrong by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fairtrial.attack.code.forged_reward import filled
from fairtrial.attack.code.hollow_code import skeleton
from fairtrial.attack.code.python_code import Function
from fairtrial.attack.code.sources import Source, asked_for, only_programs
from fairtrial.attack.protocol import OURS, Submission
from fairtrial.attack.target import Target
from fairtrial.records import Runner, Severity

_ANY_NAME = """

def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *args, **kwargs: None
"""


def nothing(function: Function) -> str:
    """Return the body of a function that does nothing."""
    del function
    return "return None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    """One way to go for a grader from within the code that it runs."""

    name: str
    what: str
    """What the code does, after "a program that": "ends the process with exit code 0 when it is imported"."""
    prelude: str = ""
    """Statements at the top of the module."""
    body: Callable[[Function], str] = nothing
    """Function of the reference -> statements in its place."""
    program: str = ""
    """Statements run where the file is run as a program."""
    is_bare: bool = False
    """Nothing but the prelude is written: no names of the reference."""
    runners: tuple[Runner, ...] = OURS
    severity: Severity = "proof"
    why: str = "None of the work is in it."


def tricks_on(target: Target, tricks: Sequence[Trick]) -> Iterator[Submission]:
    """Yield a submission a trick, where the work asked for is Python."""
    programs = asked_for(target, "python")
    for trick in tricks if programs else ():
        texts = {source.inside: filled(target, hostile_text(source, trick)) for source in programs}
        what = f"{' and '.join(texts)} doing none of the work: code that {trick.what}"
        yield Submission(name=trick.name, agent=only_programs(target, trick.name, texts), expects="fails", what=what,
                         severity=trick.severity, why=trick.why, runners=trick.runners)  # fmt: skip


def hostile_text(source: Source, trick: Trick) -> str:
    """Return the program that stands in place of `source`."""
    if trick.is_bare:
        return trick.prelude
    parts = [trick.prelude, skeleton(source.after, trick.body), _ANY_NAME]
    if trick.program:
        indented = "\n".join(f"    {line}" if line else "" for line in trick.program.splitlines())
        parts.append(f'if __name__ == "__main__":\n{indented}\n')
    return "\n".join(part for part in parts if part)
