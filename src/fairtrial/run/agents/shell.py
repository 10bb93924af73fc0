"""A shell in a box, command by command: the working directory carries over, nothing else of the shell does.

Every command is a fresh bash, not a login one, since a login shell would replace the PATH that the environment set.
Says in words what a model must know of how a command ended. Not a terminal: nothing can be typed into a command.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace

from fairtrial.records import Limits
from fairtrial.sandbox import Box, Command, Completed

START_IN = 'cd -- "$1" 2>/dev/null || cd /; shift; exec "$@"'
"""Starts the words after its first in the folder that the first names. A step before may have removed it, and that
must not pass for a fault of the sandbox."""
MOST_COMMAND_BYTES = 100_000
"""Linux takes at most 131,072 bytes in one argument."""
MOST_FOLDER_CHARACTERS = 4096
"""Linux takes no longer path."""

# $1 the command, $2 the folder to start in, $3 the mark. On one line, so that bash counts the command's own
# lines from 1; parameters are cleared before it runs. The trap also runs after `exit 3` and after a syntax error.
_SCRIPT = (
    """trap "printf '\\n%s%s\\n' '$3' \\"\\$PWD\\"" EXIT; """
    """cd -- "$2" 2>/dev/null || echo "[the folder $2 is gone; now in $PWD]"; """
    """eval "set --; $1\""""
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What came of one command."""

    output: str
    note: str = ""
    """How it ended, where that needs saying."""

    def shown(self, most: int) -> str:
        """Return what a model is shown: at most `most` characters of output, and the note."""
        body = shortened(self.output, most, "left out; print less, or look at a part")
        return "\n".join(part for part in (body.rstrip("\n"), self.note) if part) or "[no output]"


@dataclass(slots=True, kw_only=True)
class Shell:
    """Run commands in a box, each where the last one ended."""

    box: Box
    limits: Limits
    """Of the environment; `seconds` is set for each command."""
    command_seconds: float
    folder: str
    """Where the next command starts: the workdir, then where the last one ended."""
    _mark: str = field(default_factory=lambda: f"@{secrets.token_hex(8)}@")

    def run(self, command: str, seconds_left: float) -> Ran:
        """Run `command` for at most the time of a command, or what is left. Raise SandboxError as the box does."""
        if len(command.encode(errors="replace")) > MOST_COMMAND_BYTES:
            return Ran(output="", note=f"[not run: a command may have at most {MOST_COMMAND_BYTES} bytes]")
        if "\0" in command:
            return Ran(output="", note="[not run: a command cannot hold a NUL character]")
        text = command.encode(errors="replace").decode()
        seconds = max(min(self.command_seconds, seconds_left), 0.001)
        argv = ("bash", "-c", _SCRIPT, "bash", text, self.folder, self._mark)
        # Started in / and moved by the script: a box cannot enter a folder that the agent has removed, and an agent
        # must not be able to break its own trial.
        completed = self.box.run(Command(argv, cwd="/", limits=replace(self.limits, seconds=seconds)))
        return Ran(output=self._unmarked(completed.output), note=_note(completed, seconds))

    def _unmarked(self, output: str) -> str:
        """Take the mark off `output`, and remember the folder that it names."""
        before, found, after = output.rpartition(f"\n{self._mark}")
        if not found:
            return output
        folder, _, rest = after.partition("\n")
        # A command may set PWD to anything, or print the mark: what could not start the next command is no folder.
        if folder.startswith("/") and "\0" not in folder and len(folder) <= MOST_FOLDER_CHARACTERS:
            self.folder = folder
        return before + rest


def _note(completed: Completed, seconds: float) -> str:
    if completed.killed == "timeout":
        return f"[killed after {seconds:.3g} s, the most that a command may take; what it did before is kept]"
    if completed.killed == "memory":
        return "[killed: it used more memory than there is]"
    if completed.killed == "output":
        return "[killed: it printed too much; send output to a file and look at a part]"
    if completed.killed:
        return f"[killed by a signal, exit code {completed.exit_code}]"
    return f"[exit code {completed.exit_code}]" if completed.exit_code else ""


def shortened(text: str, most: int, why: str) -> str:
    """Return `text` with its middle left out where it is longer than `most` characters, and a line that says so.

    >>> shortened("abcdefghij", 4, "left out")
    'ab\\n[... 6 characters left out ...]\\nij'
    """
    if len(text) <= most:
        return text
    head, tail = text[: most - most // 2], text[len(text) - most // 2 :]
    return f"{head}\n[... {len(text) - most} characters {why} ...]\n{tail}"
