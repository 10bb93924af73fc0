r"""Take wrappers off a text: LaTeX's `$…$`, `\(…\)`, `\text{…}`, `\$`, `\%`, spaces; HTML's bold and the like.

What a reader does not see, or sees struck out, is no part of an answer: `visible` drops it. Not here: boxes, which say
where the answer is (final_answer), and formulas (arithmetic, algebra).
"""

from __future__ import annotations

import re

_CONTROL = re.compile(r"<\|[a-z_]{1,30}\|>|</s>|<(?:eos|bos|pad)>", re.IGNORECASE)
"""Marks of models for the end of a text."""
_WORDS = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mbox|operatorname|emph|underline)\s?\{([^{}]*)\}"
)
_MATH = re.compile(r"(?<![\\$\w])\$\$?(?=[^\s$])([^$\n]{0,300}[^\s$])\$\$?(?![\d$])")
_TAGS = re.compile(
    r"</?(?:b|i|em|strong|u|span|p|code|mark|div|br|font|small|big|center|h[1-6])(?:\s[^<>]{0,300})?/?>", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|template)\b[^<>]{0,300}>.*?(?:</\1>|\Z)", re.I | re.S)
_STRUCK = re.compile(
    r"~~(?=[^\s~])[^~\n]{1,300}~~|<(del|s|strike)>[^<]{0,300}</\1>|"
    r"<([a-z]{1,10})\s[^<>]{0,200}(?:display:\s?none|visibility:\s?hidden|\bhidden\b)[^<>]{0,200}>[^<]{0,300}</\2>|"
    r"\\(?:[bx]?cancel|sout|st|[hv]?phantom)\s?\{[^{}]{0,300}\}",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\\[()\[\]]")
_SPACES = re.compile(r"\\(?:[,;: ]|(?:quad|qquad|space|thinspace)(?![a-zA-Z]))|(?<!\\)~")
_HALF_BRACED = (
    (re.compile(r"(\\[dtc]?frac)\s?(\{[^{}]{1,40}\})\s?([0-9])"), r"\1\2{\3}"),
    (re.compile(r"(\\[dtc]?frac)\s?([0-9])\s?(\{[^{}]{1,40}\})"), r"\1{\2}\3"),
)
_TIE = re.compile(r"(?<=[0-9}])~(?=[A-Za-z\\])")
_GROUP = re.compile(r"(?<=[0-9])(?:\\,|\\!|\\;|\{,\}|,\\!|\\ )(?=[0-9]{3}(?![0-9]))")


def without_comments(text: str) -> str:
    """Return `text` without HTML's comments, scripts and styles; one that is not closed hides all that follows.

    >>> without_comments("20 <!-- not 21 -->")
    '20 '
    """
    return _COMMENT.sub("", text) if "<" in text else text


def visible(text: str) -> str:
    r"""Return `text` without what a reader of the page does not see, or sees struck out.

    >>> visible("~~21~~ 20"), visible("<del>21</del> 20 <!-- 22 -->"), visible("\\cancel{21} 20")
    (' 20', ' 20 ', ' 20')
    """
    text = without_comments(text)
    return _CONTROL.sub("", _STRUCK.sub("", text)) if "~~" in text or "<" in text or "\\" in text else text


def unwrapped(text: str) -> str:
    r"""Return `text` without its wrappers; formulas stay as they are.

    >>> unwrapped("$x = \\text{18 cm}$"), unwrapped("\\$70{,}000"), unwrapped("$5 and $6")
    ('x = 18 cm', '$70,000', '$5 and $6')
    """
    text = visible(text)
    if "<" in text:
        text = _TAGS.sub("", text)
    if "$" in text:
        text = _MATH.sub(r"\1", text)
    if "\\" not in text and "~" not in text and "{" not in text:
        return text
    text = _GROUP.sub(",", text)
    text = _WORDS.sub(r"\1", text)
    text = _BRACKETS.sub(" ", text)
    text = _TIE.sub(" ", text)
    for pattern, braced in _HALF_BRACED:
        text = pattern.sub(braced, text)
    text = _SPACES.sub(lambda m: m[0] if m[0] == "~" else " ", text)
    return text.replace("\\!", "").replace("\\$", "$").replace("\\%", "%").replace("\\approx", "≈")
