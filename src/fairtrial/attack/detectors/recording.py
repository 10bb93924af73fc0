"""The memory of shells that also tells what was written, in order, and by which step.

A fresh allowance of work for each call, so that a long trajectory is read to its end, and one call that unfolds
without end is told apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fairtrial.checks.process.shell_session import Session
from fairtrial.checks.reading import WorkError

MOST_OF_A_SCRIPT = 32_000
"""Characters of shell, here-documents left out: the grammar takes quadratic time for text that is no shell."""
_DOCUMENT = re.compile(r"<<-?\s*[\"']?(\w+)[\"']?")
_SHEBANG = re.compile(r"#!\S*(?:/|\s)(?:env +)?(?:ba|z|k|da)?sh\b")
_SHELL_FILE = re.compile(r"\.(?:sh|bash|zsh|ksh)$")


def bounded(script: str) -> str:
    """Return a script as it is. Raise WorkError for one that is longer than is read.

    >>> bounded("ls")
    'ls'
    """
    if len(script) > MOST_OF_A_SCRIPT and len(without_documents(script)) > MOST_OF_A_SCRIPT:
        raise WorkError(f"a script of more than {MOST_OF_A_SCRIPT:,} characters is not read")
    return script


def without_documents(script: str) -> str:
    """Return a script without the bodies of its here-documents; one that never ends keeps its text.

    >>> without_documents("cat > a <<'P'\\nx\\ny\\nP\\nls")
    "cat > a <<'P'\\nls"
    """
    kept, ends = list[str](), list[str]()
    lines = script.split("\n")
    marks = {line.strip() for line in lines}
    for line in lines:
        if ends:
            ends = ends[1:] if line.strip() == ends[0] else ends
            continue
        kept.append(line)
        ends += [end for end in _DOCUMENT.findall(line) if end in marks]
    return "\n".join(kept)


@dataclass(frozen=True, slots=True)
class Put:
    """One file written."""

    path: str
    text: str
    appends: bool


@dataclass(slots=True)
class Recording(Session):
    """A session that keeps what is written until it is taken."""

    puts: list[Put] = field(default_factory=list)
    authors: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Text of a file -> the step and the place that wrote it last."""
    here: tuple[int, str] = (0, "")

    def put(self, path: str, text: str, *, appends: bool = False) -> None:
        """Remember what a file holds, and who wrote it."""
        Session.put(self, path, text, appends=appends)
        self.puts.append(Put(path, text, appends))
        held = Session.get(self, path)
        if held:
            self.authors[held] = self.here

    def get(self, path: str) -> str | None:
        """Return what a file holds. Raise WorkError for a shell script that is longer than is read."""
        held = Session.get(self, path)
        is_shell = held is not None and (bool(_SHELL_FILE.search(path)) or bool(_SHEBANG.match(held)))
        return bounded(held) if held is not None and is_shell else held

    def begin(self, step: int, place: str) -> None:
        """Start reading a call."""
        self.here, self.read, self.puts = (step, place), 0, []

    def author(self, text: str) -> tuple[int, str]:
        """Return the step and place that wrote a program text; the present call where it is unknown."""
        return self.authors.get(text, self.here)
