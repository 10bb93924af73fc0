"""A citation: the place in a rollout on which a statement rests, and the words that stand there.

Places: `instruction`, `step 7`, `step 7 message`, `step 7 reasoning`, `step 7 call 1`, `step 7 output 1` (steps, calls
and outputs counted from 1), `artifact PATH`, `artifact PATH line 3`, `key PATH`, `key PATH line 3`, `answer`,
`verifier`, `check NAME`; empty: anywhere. Whether the words do stand there is asked by `audit.citations`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TEXT = re.compile(r"\[(?P<place>[^\n]*?)\] ?(?P<quote>.*)", re.DOTALL)
_CHARACTER = r"[^][\\\n]|\\(?![][])|\\[][]"
_PAIR = rf"\[(?:{_CHARACTER}|\[(?:{_CHARACTER})*\])*\]"
_NESTED = re.compile(rf"\[(?P<place>(?:{_CHARACTER}|{_PAIR})*)\] ?(?P<quote>.*)", re.DOTALL)
"""Names of files and of checks hold brackets, `[id].tsx` and `test_sum[1-2]`: pairs belong to the place, to a depth of
two; one without its other half is written with a backslash."""
_STEP = re.compile(r"step (\d{1,9})\b")
_BARE, _ESCAPED = re.compile(r"\\([][])"), r"\\\1"


@dataclass(frozen=True, slots=True)
class Citation:
    """Name a place and quote it."""

    place: str
    quote: str

    @property
    def text(self) -> str:
        """Return both as one text.

        >>> Citation("step 7 output 1", "name too long").text
        '[step 7 output 1] name too long'
        """
        if not self.place:
            return self.quote
        plain = f"[{self.place}] {self.quote}"
        if self.read(plain) == self:
            return plain
        return f"[{re.sub(r'([][])', _ESCAPED, self.place)}] {self.quote}"

    @property
    def step(self) -> int | None:
        """Return the number of the step it points into, None for another place.

        >>> Citation("step 7 output 1", "x").step
        7
        """
        found = _STEP.match(self.place)
        return int(found.group(1)) if found else None

    @classmethod
    def read(cls, text: str) -> Citation:
        """Return the citation that `text` states; a text without a place may stand anywhere.

        >>> Citation.read("[step 7 output 1] name too long")
        Citation(place='step 7 output 1', quote='name too long')
        >>> Citation.read("name too long")
        Citation(place='', quote='name too long')
        >>> Citation.read("[check test_sum[1-2]] 4 is not 3").place
        'check test_sum[1-2]'
        """
        found = _NESTED.fullmatch(text)
        if found is not None:
            return cls(_BARE.sub(r"\1", found["place"]), found["quote"])
        found = _TEXT.fullmatch(text)
        return cls(found["place"], found["quote"]) if found else cls("", text)
