"""Say whether a text holds what it must and lacks what it must not; shared by all checks of texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.checks.limits import searched
from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import said

Texts = list[str] | str
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Wording:
    """What a text must hold, lack and match; each a text or a list of texts, all of which count."""

    contains: Texts = ""
    lacks: Texts = ""
    regex: Texts = ""
    lacks_regex: Texts = ""
    ignore_case: bool = False
    ignore_spacing: bool = False
    """Any run of white space counts as one space, as where a line happens to be broken."""

    def judged(self, text: str, what: str) -> Result:
        """Return whether `text`, called `what`, is so worded. Raise CheckError where nothing is asked of it."""
        if not any((self.contains, self.lacks, self.regex, self.lacks_regex)):
            raise CheckError("state what the text should hold: `contains`, `lacks`, `regex` or `lacks_regex`")
        text = line_ends(text)
        spread = self._evened(text)
        for one in listed(self.contains):
            if self._evened(one) not in spread:
                return Result(False, f"{what} does not contain {said(one)}; it begins {said(text)}")
        for one in listed(self.lacks):
            if self._evened(one) in spread:
                return Result(False, f"{what} contains {said(one)}, which it should not")
        case = "(?i)" if self.ignore_case else ""
        searched_in = _SPACE.sub(" ", text).strip() if self.ignore_spacing else text
        for one in listed(self.regex):
            if not searched(case + one, searched_in, what):
                return Result(False, f"{what} has no match of {said(one)}; it begins {said(text)}")
        for one in listed(self.lacks_regex):
            if searched(case + one, searched_in, what):
                return Result(False, f"{what} has a match of {said(one)}, which it should not")
        return Result(True, f"{what} is worded as it should be")

    def _evened(self, text: str) -> str:
        text = _SPACE.sub(" ", text).strip() if self.ignore_spacing else text
        return text.casefold() if self.ignore_case else text


def line_ends(text: str) -> str:
    r"""Return `text` with every line ended by one newline, whatever system wrote it.

    >>> line_ends("a\r\nb\rc")
    'a\nb\nc'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def listed(texts: Texts) -> Sequence[str]:
    """Return one or many texts as many; an empty text is none.

    >>> listed("a"), listed(["a", "b"]), listed("")
    (['a'], ['a', 'b'], [])
    """
    return [texts] if isinstance(texts, str) and texts else list(texts)
