"""Probe: the reference's shell with other comments and indentation, which must pass.

Certified by the Bash grammar: the same commands, words and strings. A lead where the task says something about the
text. Programs that look at themselves (`$0`, LINENO) are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.code.python_equivalents import ABOUT_TEXT
from fairtrial.attack.code.shell_code import meaning, parse, walk
from fairtrial.attack.code.sources import hand_in, sources
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target

_LOOKS_AT_ITSELF = re.compile(r"\$\{?0\b|\bBASH_SOURCE\b|\bLINENO\b|\bBASH_COMMAND\b|\bcaller\b")
_WHOLE = ("string", "raw_string", "heredoc_body", "heredoc_redirect", "ansi_c_string")


def commented(text: str) -> str | None:
    """Return the program with a comment and a blank line before each command of its top level.

    >>> print(commented("#!/bin/sh\\necho a\\necho b\\n"), end="")
    #!/bin/sh
    <BLANKLINE>
    # Next.
    echo a
    <BLANKLINE>
    # Next.
    echo b
    """
    root = parse(text)
    if root is None:
        return None
    starts = {node.start_point[0] for node in root.children if node.type != "comment" and node.start_point[1] == 0}
    lines = [f"\n# Next.\n{line}" if number in starts and number else line
             for number, line in enumerate(text.splitlines(keepends=True))]  # fmt: skip
    return _certified(text, "".join(lines))


def reindented(text: str) -> str | None:
    """Return the program with every indentation doubled, outside strings and here-documents.

    >>> reindented("if a; then\\n  echo b\\nfi\\n")
    'if a; then\\n    echo b\\nfi\\n'
    """
    root = parse(text)
    if root is None:
        return None
    within = {line for node in walk(root) if node.type in _WHOLE
              for line in range(node.start_point[0] + 1, node.end_point[0] + 1)}  # fmt: skip
    lines = [line if number in within else re.sub(r"^[ \t]+", lambda match: match[0] * 2, line)
             for number, line in enumerate(text.splitlines(keepends=True))]  # fmt: skip
    return _certified(text, "".join(lines))


def _certified(text: str, made: str) -> str | None:
    return made if made != text and meaning(made) == meaning(text) else None


_REWRITINGS: Mapping[str, tuple[Callable[[str], str | None], str]] = {
    "comments": (commented, "comments and blank lines added"),
    "indentation": (reindented, "its indentation doubled"),
}

_CARD = Card(
    id="shell_rewritten",
    family="equivalent",
    surface="workspace",
    submits="the reference's shell with other comments and indentation",
    sound="passes it",
    proof="A proof: it runs the same commands. A lead where the task speaks of the program's text.",
    classes=("BGW-120",),
)


@dataclass(frozen=True, slots=True)
class ShellEquivalents:
    """Say the same in other words."""

    card: Card = _CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one a rewriting, of all programs at once."""
        is_about_text = ABOUT_TEXT.search(target.task.instruction) is not None
        for name, (rewriting, what) in _REWRITINGS.items():
            texts = {source.inside: text for source in sources(target, "shell")
                     if not _LOOKS_AT_ITSELF.search(source.after)
                     and (text := rewriting(source.after)) is not None}  # fmt: skip
            if texts:
                yield Submission(name=name, agent=hand_in(target, name, texts), expects="passes",
                                 severity="lead" if is_about_text else "proof",
                                 what=f"{' and '.join(texts)} with {what}",
                                 why="It runs the same commands with the same words.")  # fmt: skip
