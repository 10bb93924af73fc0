"""The unit of what is screened: one command, program, page, text or output, with its place and what is known around it.

Of programs of a trajectory that were run, and of those that were only written, told apart by `state`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fairtrial.contamination.conduct.leads import MOST_QUOTE, Certainty, Lead
from fairtrial.contamination.conduct.masking import masked
from fairtrial.contamination.conduct.outcomes import failure
from fairtrial.contamination.conduct.python_reading import Around

MOST_MASKED = 2_000
Form = Literal["command", "line", "python", "code", "page", "search", "file", "words", "output", "settings", "log"]
"""`command` one simple command; `line` a whole shell line; `page` an address that a tool opened; `search` a query;
`file` a path that was read; `words` what was said or thought; `output` what came back; `settings` a file of them."""
State = Literal["ran", "written", "said", "shown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One piece."""

    path: str
    form: Form
    state: State
    text: str
    words: tuple[str, ...] = ()
    """Of a command; the first is its bare name."""
    step: int | None = None
    line: int | None = None
    """Of an artifact: where the piece starts, from 1."""
    place: str = ""
    output: str = ""
    """What came back of the call that ran it."""
    status: int | None = None
    tool: str = ""
    around: Around = field(default_factory=Around)
    is_own: bool = False
    """A file that the agent itself wrote before."""

    @property
    def program(self) -> str:
        """Return the bare name of what a command starts."""
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""

    @property
    def variables(self) -> Mapping[str, str]:
        """Return the environment variables that are in sight."""
        return self.around.variables

    def certainty(self) -> Certainty:
        """Return how sure it is that what stands here came about."""
        if self.state == "ran":
            return "attempt" if failure(self.output, self.status) else "call"
        return "written" if self.state == "written" else "mention"

    def lead(self, kind: str, claim: str, quote: str, *, host: str = "", certainty: Certainty | None = None,
             line: int | None = None) -> Lead:  # fmt: skip
        """Return a lead at this piece; `line` counts from the start of its text. The quote is masked and cut."""
        sure = certainty or self.certainty()
        if sure == "attempt" and (why := failure(self.output, self.status)):
            claim = f"{claim}; {why}"
        where: dict[str, Any] = {"step": self.step, "place": self.place}
        if self.step is None:
            where = {"line": (self.line or 1) + (line or 1) - 1}
        cut = " ".join(masked(quote[:MOST_MASKED]).replace("\0", "…").split())
        return Lead(kind=kind, certainty=sure, path=self.path, claim=claim, host=host,
                    quote=cut if len(cut) <= MOST_QUOTE else cut[: MOST_QUOTE - 1] + "…", **where)  # fmt: skip


def line_at(text: str, start: int) -> int:
    """Return the number of the line at a place of a text, from 1.

    >>> line_at("a\\nb", 2)
    2
    """
    return text.count("\n", 0, start) + 1


def line_with(text: str, start: int, end: int) -> str:
    """Return the line in which a passage stands, cut around it where it is long.

    >>> line_with("one\\ntwo three\\nfour", 4, 7)
    'two three'
    """
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    whole = text[first : len(text) if last < 0 else last]
    if len(whole) <= MOST_QUOTE:
        return whole.strip()
    at = max(0, start - first - 60)
    return whole[at : at + MOST_QUOTE].strip()
