"""Find the code blocks of a Markdown page and run them, so that no page shows what is not so.

    ```console    lines `$ command`, each with what it prints on stdout; `...` stands for any text. `# exit 1` after a
                  command says that it ends with that code. A command with nothing below it is run, not compared.
    ```bash       one script, stopped at the first command that fails
    ```python     a doctest where it holds `>>>`, else statements

All blocks of a page share one scratch folder (which holds `examples`), one after another. A block after a comment
`<!-- not run: reason -->` is skipped. Blocks of other languages are text.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RUN_LANGUAGES = ("console", "bash", "python")
SECONDS = 240

_FENCE = re.compile(r"^```(\w*)\s*$")
_NOT_RUN = re.compile(r"^<!-- not run:\s*(.*?)\s*-->$")
_EXIT = re.compile(r"#\s*exit (\d+)\s*$")


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    language: str
    text: str
    line: int
    not_run: str | None
    """Reason why it is not run; None where it is."""


@dataclass(frozen=True)
class Command:
    """One command of a console block, with what the page says of it."""

    text: str
    shown: str
    exit_code: int


class BlockError(AssertionError):
    """A block does not do what its page says."""


def blocks(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of a Markdown text."""
    lines = page.splitlines()
    reason: str | None = None
    number = 0
    while number < len(lines):
        line = lines[number]
        fence = _FENCE.match(line)
        if fence is None:
            marker = _NOT_RUN.match(line)
            reason = marker.group(1) if marker else (reason if not line.strip() else None)
            number += 1
            continue
        end = next((n for n in range(number + 1, len(lines)) if lines[n].rstrip() == "```"), None)
        if end is None:
            raise BlockError(f"line {number + 1}: the block is not closed")
        yield Block(fence.group(1), "\n".join(lines[number + 1 : end]), number + 1, reason)
        reason = None
        number = end + 1


def commands(text: str) -> list[Command]:
    """Return the commands of a console block."""
    found: list[tuple[str, list[str]]] = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(lines)
            found.append((command, []))
        elif found:
            found[-1][1].append(line)
        else:
            raise BlockError(f"output before the first command: {line!r}")
    return [
        Command(command, "\n".join(shown).strip("\n"), int(code.group(1)) if (code := _EXIT.search(command)) else 0)
        for command, shown in found
    ]


def matches(shown: str, printed: str) -> bool:
    """Say whether `printed` is what is shown, where `...` stands for any text and trailing spaces do not count."""
    pattern = re.escape(_trimmed(shown)).replace(re.escape("..."), ".*?")
    return re.fullmatch(pattern, _trimmed(printed), re.DOTALL) is not None


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


class Page:
    """Run the blocks of one page in a scratch folder."""

    def __init__(self, scratch: Path, examples: Path) -> None:
        self.folder = scratch
        if examples.is_dir():
            shutil.copytree(examples, scratch / "examples", symlinks=True)
        self.names: dict[str, Any] = {"__name__": "__docs__"}
        home = scratch / ".home"
        home.mkdir()
        kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = kept | {"PATH": path, "HOME": str(home), "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100"}

    def run(self, block: Block) -> None:
        """Run `block`. Raise BlockError where it does not do what the page says."""
        if block.language == "console":
            for command in commands(block.text):
                self._console(command)
        elif block.language == "bash":
            self._shell(f"set -euo pipefail\n{block.text}", expected=0)
        elif block.language == "python":
            self._python(block.text)

    def _console(self, command: Command) -> None:
        printed = self._shell(command.text, expected=command.exit_code)
        if command.shown and not matches(command.shown, printed):
            raise BlockError(f"$ {command.text}\n--- the page shows\n{command.shown}\n--- it prints\n{printed}")

    def _shell(self, script: str, *, expected: int) -> str:
        ended = subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if ended.returncode != expected:
            raise BlockError(f"{script}\nends with {ended.returncode}, not {expected}\n{ended.stdout}\n{ended.stderr}")
        return ended.stdout

    def _python(self, text: str) -> None:
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            if ">>>" not in text:
                exec(compile(text, "<docs>", "exec"), self.names)
                return
            example = doctest.DocTestParser().get_doctest(text, self.names, "docs", None, 0)
            said: list[str] = []
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            if runner.run(example, out=said.append, clear_globs=False).failed:
                raise BlockError("".join(said))
            self.names.update(example.globs)
        finally:
            os.chdir(before)
