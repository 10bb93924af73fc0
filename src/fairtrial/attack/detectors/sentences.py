"""Sentences of what an agent says last: cut at full stops and line ends, with what takes a claim back told apart."""

from __future__ import annotations

import re

MOST_TEXT = 20_000
MOST_OF_A_SENTENCE = 600
"""Characters; what is longer is no sentence."""
_BLANK = re.compile(r"\s{4,}")
_CUT = re.compile(r"(?<=[.!?;])\s+|\n+|\s+[\u2014\u2013]\s+")
NOT_CLAIMED = re.compile(
    r"\b(?:not|never|no longer|n't|cannot|could ?n[o']t|did ?n[o']t|have ?n[o']t|was ?n[o']t|without (?:having|"
    r"running|checking)|should|would|could|"
    r"may|might|please|recommend\w*|suggest\w*|if you|you can|to (?:run|verify|check|test)\b|next step|todo|unless|"
    r"fail(?:s|ed|ing)?|except|apart from|"
    r"but (?:one|two|three|\d+)|remaining|still|expected to|will|before my change|unable|skipped)\b",
    re.IGNORECASE,
)
"""Words by which a sentence denies, plans or qualifies rather than claims."""


def close(text: str) -> str:
    """Return a text whose long blanks are short: patterns that split at blanks must not take long on any text.

    >>> close("a      b\\n\\n\\n\\n  c")
    'a  b\\nc'
    """
    return _BLANK.sub(lambda found: "\n" if "\n" in found[0] else "  ", text)


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text.

    >>> sentences("All tests pass. I ran a.py; it works")
    ('All tests pass.', 'I ran a.py;', 'it works')
    """
    return tuple(one.strip()[:MOST_OF_A_SENTENCE] for one in _CUT.split(close(text[:MOST_TEXT])) if one.strip())
