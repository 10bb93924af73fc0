"""The words that say how a value stands in running text: as the result, an aside, a bound, denied, taken back.

English only. Each pattern is tried on a window of a few dozen characters, so none needs to be fast on a long text.
"""

from __future__ import annotations

import re


def _words(*alternatives: str) -> str:
    return "|".join(alternatives)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


CORRECTION = _pattern(
    r"\b(?:no,?\s+wait|wait|actually|correction|corrected|scratch that|i mean|i meant|make that|on second thoughts?|"
    r"oops|sorry|rather,|let me (?:correct|redo|fix|recheck|reconsider)|should (?:have been|be|actually)|my mistake|"
    r"that(?:'s| is| was) (?:wrong|incorrect|not right)|i was wrong)\b|(?:[-—–?.,;]\s{0,3}|\n)no\b\s{0,3}[,:;.—–-]"
)
"""What was said before is taken back."""

WITHDRAWN = _pattern(r"wrong|incorrect|not right|mistake|scratch")

UNSAID = _pattern(
    r"(?:(?:n't|\bnot|\bnever|\bcannot)\s(?:\w+ly\s)?(?:think|believe|say|claim|agree|mean|sure|certain|true|the case)|"
    r"\b(?:doubt|deny|denied|unlikely|unsure|uncertain|wonder|impossible|false|pretend))(?:\s[\w']+){0,3}\s*$"
)
"""At the end of what precedes "answer is", in its sentence: it is not said to be."""
SUPPOSED = _pattern(
    r"(?:\bif\b(?! i had to)[^.]{0,150}\b(?:were|was|had|did|didn't|meant|chose|took|went|gave|made|\w{2,20}ed)\b|"
    r"^\W{0,3}(?:had|were|suppose)\b)"
)
"""Before "answer would be", in its sentence: the case is another one."""

HEDGE = _pattern(
    r"\b(?:or|maybe|perhaps|possibly|alternatively|either|might|could|may|unless|if|otherwise|also|another|as well as)"
    r"\b"
)
"""Between two values: both are offered."""

_ADVERBS = _words("maybe", "perhaps", "possibly", "probably", "even", "also", "about", "around", "then", "just", "only")
_JOINTS = _words(",", ";", "/", "&", r"\|", r"\band\b", r"\bor\b", r"\bto\b", r"\bthrough\b", r"\bversus\b", r"\bvs\b")
LISTED = _pattern(
    r"^[^\w,;/&|]{0,6}(?:[\w'°%$-]+[ ]+){0,3}?(?:[\w'°%-]+)?[^\w,;/&|]{0,3}"
    rf"(?:{_JOINTS})[,\s]*(?:and\b|or\b)?\s*(?:(?:the|{_ADVERBS})\s+){{0,2}}[^\w\s]{{0,3}}$"
)
"""All that stands between two values: they are members of one list."""
ANOTHER_NAME = _pattern(r"^\s*(?:,|;|\band\b|,\s*and\b)?\s*\$?[a-z]\w{0,3}\s*=\s*\$?$")
"""All that stands between two values: x = 3, y = 4."""
RANGE = _pattern(r"^\s*(?:-|–|—|~|\.\.\.?|…|to|through|until)\s*$")
APART = _pattern(r"^[\s*_`|,;]*$")

_DENYING = _words(
    r"\bnot\b", r"n't\b", r"\bcannot\b", r"\bnever\b", r"\bneither\b", r"\bnor\b", r"\brather than\b",
    r"\binstead of\b", r"\bother than\b", r"\banything but\b", r"\bexcept\b", r"\bunlikely\b", r"\bimpossible\b",
    r"\bfalse\b", "≠", "!=", r"\\neq?\b", r"\bno\b(?=\s*$)",
    r"\b(?:wrong|incorrect)\s+(?:final\s+)?(?:answer|result|value|number|figure|option|choice|solution)s?\b",
)  # fmt: skip
DENIED_BEFORE = _pattern(rf"(?:{_DENYING})(?:[\s\"'(*$:]+(?!but\b)[\w'-]+){{0,4}}[\s\"'(*$:]*$")
"""At the end of what precedes a value, in its clause."""

_WRONG = _words(
    r"not\b", r"n't\b", "clearly wrong", "definitely wrong", "wrong", "incorrect", "false", "impossible", "unlikely",
    r"too \w+", "mistaken", "ruled out",
)  # fmt: skip
_JUDGED = _words(
    "wrong", "incorrect", "false", "mistaken", "untrue", "not (?:right|correct|true|the (?:right |correct )?answer)",
    "an error", "a mistake", "a trap", "a distractor",
)  # fmt: skip
DENIED_AFTER = _pattern(
    rf"^[\s\"')*$]*(?:[\w%°]+\s+){{0,2}}?(?:(?:is|was|are|would be|seems?|looks?)\s*(?:{_WRONG})|"
    r"(?:isn|wasn|aren)'t\b|cannot be\b|can't be\b|\(?(?:wrong|incorrect)\b)|"
    r"^[\s\"')*$]*(?:\w+\s*){0,2}[,(;:–—-]\s*(?:but\s+)?(?:this|that|it|which)(?:\s+answer)?\s?"
    rf"(?:is|was|'s|would be)\s+(?:\w+ly\s+)?(?:{_JUDGED})\b(?!\s+(?:only|if|unless|by|to)\b)"
)
"""At the start of what follows a value."""

_LIMITS = _words(
    r"\bat least", r"\bat most", r"\bmore than", r"\bless than", r"\bfewer than", r"\bgreater than", r"\bover",
    r"\bunder", r"\babove", r"\bbelow", r"\bup to", r"\bno fewer than", r"\bexceeds", r"\bbefore", r"\bafter",
    r"\bsince", r"\buntil", r"\bnearly", r"\balmost", "(?<![-=])[<>≤≥±]=?", r"\\(?:leq?|geq?|lt|gt|pm)\b", r"\+/-",
)  # fmt: skip
BOUNDED = _pattern(rf"(?:{_LIMITS})[\s$]*$")
"""At the end of what precedes a value: it is a bound of the answer, not the answer."""

_OR_MORE = _words("more", "less", "fewer", "greater", "higher", "lower", "above", "below")
BOUNDED_AFTER = _pattern(
    rf"^\s*(?:\+(?!\s?[\d(])|[<>≤≥±]|\\(?:leq?|geq?|lt|gt|pm)\b|\+/-|or (?:{_OR_MORE})\b|"
    r"and (?:above|over|up|below|under)\b|at (?:least|most)\b)"
)
"""At the start of what follows a value: the same."""

_CIRCUMSTANCES = _words(
    "in", "for", "at", "with", "of", "from", r"(?<!\bso )by", "per", "after", "on", "out of", "within", "during",
    "every", "each", "since", "step", "part", "question", "problem", "case", "figure", "table", "equation", r"eq\.?",
    r"no\.?", "line", "page", "option", "item", "than", "method", "times?", "divided", "multiplied", "because", "using",
    "day", "week", "year",
)  # fmt: skip
ASIDE = _pattern(rf"(?:\b(?:{_CIRCUMSTANCES})|#)\s*[$(]{{0,2}}\s*$")
"""At the end of what precedes a value: it tells a circumstance, or is a label."""

_RESULT_VERBS = _words(
    "is", "are", "was", "were", "be", "equals?", "equal to", "makes?", "making", "gives?", "giving", "gets?", "got",
    "have", "has", "costs?", "totals?", "total of", "comes? (?:out )?to", "came to", "leaves?", "leaving", "left with",
    "so", "therefore", "thus", "hence", "yields?", "yielding", "obtain", "find", "found", "earns?", "earned", "pays?",
    "paid", "spends?", "spent", "needs?", "results? in", "amounts? to", "choose", "chose", "pick", "select", "go with",
)  # fmt: skip
CUE = _pattern(rf"(?<![<>!=≠])=(?!=)|≈|:|→|⇒|=>|\\implies\b|\b(?:{_RESULT_VERBS})\b")
"""Before a value: it is the result."""
CUE_AFTER = _pattern(r"^(?:[ ]+[\w'-]+){0,4}?[ ]+(?:remain\w*|left|in total|altogether|in all|total)\b")
"""After a value: it is the result."""

_BEFORE_VALUE = _words(
    "about", "approximately", r"approx\.?", "around", "roughly", "exactly", "precisely", "just", "only", "simply",
    "a total of", "equal to", "given by", "that", "the number", "the value", "x", "y", "n", "it is", "it's",
)  # fmt: skip
LEADING = _pattern(rf"(?:\W|\b(?:{_BEFORE_VALUE})\b){{0,12}}")
"""All that stands before a value: the text opens with it."""
_HEADINGS = _words("explan", "reason", "because", "since", "work", "note", "confidence")
EXPLAINED = _pattern(
    r"\s*(?:[(,;—–]|because\b|since\b|as\b(?!\s+(?:many|much|big|large|long|old|fast|far|high|tall)\b)|which\b|that\b|"
    rf"so\b|i\.e|\n+\W*(?:{_HEADINGS})|"
    r"is (?:the|my) (?:final |correct |right )?answer\b)"
)
"""At the start of what follows a value: it was the answer, and is now explained."""
