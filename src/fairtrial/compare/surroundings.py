"""What the prose around a JSON value or a table says of it: denied, supposed only, taken back, corrected.

Looks at the last sentence before a value and at the text after it, a few hundred characters of each, so a megabyte
costs no more than a page. English only. Not here: values inside a sentence (final_answer, cues).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

_NEAR = 300
_NOUNS = r"answers?|outputs?|tables?|results?|json|values?|versions?|objects?|arrays?|lists?|responses?|solutions?|one"
_WRONG = r"wrong|incorrect|mistaken|invalid|erroneous|not (?:right|correct|valid|so|it)|a mistake"
_BE = r"(?:is|are|was|were|be|been|looks?|seems?)"
_THIS = rf"(?:\s(?:this|that|it|the|any|following|something|like|{_NOUNS}))*"
_DENIED = re.compile(
    rf"\b(?:not|never|isn't|wasn't|aren't|hardly|instead of|rather than|other than|unlike)(?:\sbe)?{_THIS}\W*$|"
    rf"\b(?:isn't|wasn't|aren't)\s(?:\w+\s)?(?:right|correct|valid)\W*$|\b{_BE}\s(?:\w+\s)?(?:{_WRONG})\W*$|"
    rf"^\W*(?:wrong|incorrect|mistaken|invalid)\W*$|\b(?:possibly|perhaps|maybe)\W*$|"
    r"\b(?:an?|the|one|this|that|my)\s(?:\w+\s)?(?:wrong|incorrect|bad|invalid|naive|mistaken|erroneous)\s"
    r"(?:answer|output|table|result|json|value|version|object|array|list|response|solution|one)\b|"
    r"\b(?:don't|do not|never|must not|should not|shouldn't)\s(?:\w+\s)?"
    rf"(?:use|return|output|answer|give|write|print|say){_THIS}\W*$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if|had|suppose|supposing|assuming|unless|without|were)\b.*\b(?:would|might|could)\b|"
    r"\bwould have (?:been|given)\b",
    re.IGNORECASE | re.DOTALL,
)
_CORRECTED = re.compile(
    r"\b(?:final(?:ly)?|correct(?:ed|ion)|instead|actually|sorry|wait|should (?:be|have been)|fixed|revised|updated|"
    rf"better)\b|\bthe correct (?:{_NOUNS})\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    rf"(?:(?:^|[.!?,;\n]\W*|\b(?:but|and|because|as)\s)(?:that|it|which)|\b(?:this|above|{_NOUNS}))\b[^.\n]{{0,40}}?"
    rf"(?:\b{_BE}|'s)\s(?:\w+\s){{0,2}}?(?:{_WRONG})(?!\s(?:in|for|with|if)\b)|"
    rf"\b(?:isn't|wasn't|aren't)\s(?:\w+\s)?(?:right|correct|valid)\b|"
    r"\b(?:scratch that|ignore (?:that|this|the above)|disregard|i was wrong|my mistake|i made an? (?:mistake|error)|"
    r"no,? wait|wait,? no|correction|should have been|should (?:actually|instead) be)\b|"
    r"(?:^|[.!?\n]\s*)(?:actually|wait|oops|sorry|no)\b\s?[,:.!…—–-]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?]\s+|\n\s*\n")


def the_one_given(
    text: str, places: Sequence[tuple[int, int]], values: Sequence[T], same: Callable[[T, T], bool]
) -> int | str:
    """Return which of `values`, each between its two `places` in `text`, the text gives; else why it gives none.

    >>> the_one_given("It is not [4].", [(10, 13)], [[4]], list.__eq__)
    'the text around it denies it, only supposes it, or takes it back'
    >>> the_one_given("[1], no wait: [2]", [(0, 3), (14, 17)], [[1], [2]], list.__eq__)
    1
    """
    standing: list[int] = []
    for index, (start, end) in enumerate(places):
        before = text[max(start - _NEAR, places[index - 1][1] if index else 0) : start]
        after = text[end : min(end + _NEAR, places[index + 1][0] if index + 1 < len(places) else len(text))]
        if standing and not same(values[standing[-1]], values[index]) and _CORRECTED.search(before):
            standing.clear()
        if not _is_unsaid(before):
            standing.append(index)
        if _TAKEN_BACK.search(after):
            standing.clear()
    if not standing:
        return "the text around it denies it, only supposes it, or takes it back"
    if all(same(values[index], values[standing[-1]]) for index in standing[:-1]):
        return standing[-1]
    return f"it gives {len(standing)} that differ"


def _is_unsaid(before: str) -> bool:
    """Say whether the last sentence of `before` denies or only supposes what follows it."""
    sentences = [one for one in _SENTENCE.split(before.rstrip(" \t\n*_`>$:")) if one.strip()]
    sentence = " ".join(sentences[-1].replace("’", "'").split()) if sentences else ""
    return _DENIED.search(sentence) is not None or _SUPPOSED.search(sentence) is not None
