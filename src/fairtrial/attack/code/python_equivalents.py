"""Probe: the reference's Python in other words, which must pass.

Comments, layout, indentation and local names are certified to change nothing that runs, so a failure proves that the
grader reads the text. A lead where the task says something about the text, and for an added import, which is no more
than harmless.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from fairtrial.attack.card import Card
from fairtrial.attack.code.python_code import parse
from fairtrial.attack.code.rewritings import commented, looks_at_itself, reformatted, reindented, renamed
from fairtrial.attack.code.sources import hand_in, sources
from fairtrial.attack.protocol import Submission
from fairtrial.attack.target import Target
from fairtrial.records import Severity

Rewriting = Callable[[str], str | None]

ABOUT_TEXT = re.compile(
    r"(?i)\b(?:at most|no more than|under|within|fewer than|exactly)\s+\d+\s+(?:lines?|characters?|bytes)"
    r"|\b(?:don't|do not|must not|never|without)\s+(?:chang|modif|touch|edit|reformat|renam)\w*|\bchange nothing\b"
    r"|\b(?:pep ?8|black|ruff|flake8|lint\w*|comments?|indent\w*|formatt\w*|whitespace|byte for byte|verbatim)\b"
)
"""Words by which a task says how the text of a program should look."""
_REWRITINGS: Mapping[str, tuple[Rewriting, str]] = {
    "comments": (commented, "comments and blank lines added"),
    "layout": (reformatted, "its comments dropped and its lines laid out afresh"),
    "indentation": (reindented, "an indentation of two spaces"),
    "local-names": (renamed, "its local variables renamed"),
}

_CARD = Card(
    id="python_rewritten",
    family="equivalent",
    surface="workspace",
    submits="the reference's Python with other comments, layout, indentation and local names; with an unused import",
    sound="passes it",
    proof="A proof: it compiles to the same. A lead where the task speaks of the program's text, and for the import.",
    classes=("BGW-120", "BGW-106"),
)


@dataclass(frozen=True, slots=True)
class PythonEquivalents:
    """Say the same in other words."""

    card: Card = _CARD

    def submissions(self, target: Target) -> Iterator[Submission]:
        """Yield one a rewriting, of all programs at once."""
        severity: Severity = "lead" if ABOUT_TEXT.search(target.task.instruction) else "proof"
        for name, (rewriting, what) in _REWRITINGS.items():
            yield from _rewritten(target, name, rewriting, what, severity)
        yield from _rewritten(target, "unused-import", _with_import, "an import that it does not use", "lead")


def _rewritten(target: Target, name: str, rewriting: Rewriting, what: str, severity: Severity) -> Iterator[Submission]:
    texts = {source.inside: text for source in sources(target, "python")
             if not looks_at_itself(source.after) and (text := rewriting(source.after)) is not None}  # fmt: skip
    if texts:
        why = "It compiles to what the reference compiles to." if name != "unused-import" else "It runs as before."
        if severity == "lead" and name != "unused-import":
            why += " But the task says something of how the text should look."
        yield Submission(name=name, agent=hand_in(target, name, texts), expects="passes", severity=severity,
                         what=f"{' and '.join(texts)} with {what}", why=why)  # fmt: skip


def _with_import(text: str) -> str | None:
    """Return the program with an import at its end, where it can shadow nothing."""
    made = f"{text}{'' if text.endswith(chr(10)) else chr(10)}\n\nimport itertools as _itertools_\n"
    return made if parse(text) is not None and parse(made) is not None else None
