"""What an agent did, one act at a time: a command run, a file written, edited, read or deleted, something fetched.

An act knows the step at which it happened and the step that wrote the script that holds it, so that a script written
at step 5 and run at step 9 is cited at both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["line", "run", "write", "edit", "delete", "read", "fetch", "call", "say", "think"]
"""`line` a whole command line as it was given; `run` one command of it; `write` a whole file or the end of one; `edit`
a part of a file; `fetch` from a network; `call` any other tool; `say` a message; `think` recorded reasoning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act."""

    step: int
    """Where it happened, from 1."""
    place: str
    """As a citation names it: `step 7 call 1`."""
    kind: Kind
    tool: str = ""
    """Name of the tool that was called; empty of what is said."""
    paths: tuple[str, ...] = ()
    """Files that it is about; of a fetch, its addresses."""
    text: str = ""
    """The command in words; the text written, or put in; what was said; the arguments of a call."""
    old: str = ""
    """Of an edit: the text that it took out, where that is known."""
    code: str = ""
    """Of a run: program text that it ran or was given."""
    words: tuple[str, ...] = ()
    """Of a run, and of what a command does: the words of the command, past `sudo`, `env` and the like."""
    sources: tuple[str, ...] = ()
    """Of a write: files or addresses that its text comes from."""
    output: str = ""
    """What came back of the call that it is part of."""
    status: int | None = None
    """Exit status of that call, where the harness recorded it."""
    origin: int = 0
    """The step that wrote the script that holds it; the same as `step` where there is none."""
    origin_place: str = ""
    is_latent: bool = False
    """It stands in a program that was written here, and happens where that is run."""
    is_certain: bool = True
    """False behind `||`, in a branch, or in a function of a program."""
    appends: bool = False
    number: int = 0
    """Its place among all acts."""

    @property
    def program(self) -> str:
        """Return the bare name of what a run starts.

        >>> Act(step=1, place="step 1 call 1", kind="run", words=("/usr/bin/git", "log")).program
        'git'
        """
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""

    @property
    def steps(self) -> tuple[int, ...]:
        """Return the steps that did it: where its script was written, and where it happened.

        >>> Act(step=9, place="step 9 call 1", kind="write", origin=5).steps
        (5, 9)
        """
        return tuple(sorted({self.origin or self.step, self.step}))
