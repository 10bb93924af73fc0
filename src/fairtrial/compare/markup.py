r"""Take wrappers off a text: LaTeX's `$…$`, `\(…\)`, `\text{…}`, `\$`, `\%`, spaces; HTML's bold and the like.

Not here: boxes, which say where the answer is (final_answer), and formulas (arithmetic, algebra).
"""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mbox|operatorname|emph|underline)\s?\{([^{}]*)\}"
)
_MATH = re.compile(r"(?<![\\$\w])\$\$?(?=[^\s$])([^$\n]{0,300}[^\s$])\$\$?(?![\d$])")
_TAGS = re.compile(r"</?(?:b|i|em|strong|u|span|p|code|mark|div|br)\s?/?>", re.IGNORECASE)
_BRACKETS = re.compile(r"\\[()\[\]]")
_SPACES = re.compile(r"\\(?:[,;: ]|(?:quad|qquad|space|thinspace)(?![a-zA-Z]))|(?<!\\)~")
_GROUP = re.compile(r"(?<=[0-9])(?:\\,|\\!|\\;|\{,\}|,\\!|\\ )(?=[0-9]{3}(?![0-9]))")


def unwrapped(text: str) -> str:
    r"""Return `text` without its wrappers; formulas stay as they are.

    >>> unwrapped("$x = \\text{18 cm}$"), unwrapped("\\$70{,}000"), unwrapped("$5 and $6")
    ('x = 18 cm', '$70,000', '$5 and $6')
    """
    if "<" in text:
        text = _TAGS.sub("", text)
    if "$" in text:
        text = _MATH.sub(r"\1", text)
    if "\\" not in text and "~" not in text and "{" not in text:
        return text
    text = _GROUP.sub(",", text)
    text = _WORDS.sub(r"\1", text)
    text = _BRACKETS.sub(" ", text)
    text = _SPACES.sub(lambda m: m[0] if m[0] == "~" else " ", text)
    return text.replace("\\!", "").replace("\\$", "$").replace("\\%", "%").replace("\\approx", "≈")
