"""Yes and no: true, correct, "Yes, it is", "that is not the case". English words, and 1 and 0 standing alone.

An answer that opens with yes or no gives that; what it says later may take it back. Both at once, and "maybe", is none.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from fairtrial.compare import cues
from fairtrial.compare.by_value import by_value
from fairtrial.compare.final_answer import TAIL, Settled, stated_part, tail
from fairtrial.compare.markup import unwrapped
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.typography import clean
from fairtrial.compare.verdict import Equivalence

WINDOW = 2_000
_YES = "yes yeah yep yup true correct right affirmative agreed indeed absolutely certainly definitely valid holds"
_NO = "no nope nah false incorrect wrong negative untrue invalid"
_WORDS = dict.fromkeys(_YES.split(), True) | dict.fromkeys(_NO.split(), False)
_ALONE = _WORDS | {
    "y": True, "n": False, "t": True, "f": False, "1": True, "0": False, "on": True, "off": False, "✓": True, "✔": True,
    "✗": False, "✘": False, "✅": True, "❌": False, "👍": True, "👎": False, "of course": True, "of course not": False,
    "it is": True, "it is not": False, "it isn't": False, "it does": True, "it does not": False, "it doesn't": False,
    "yes it is": True, "no it is not": False, "no it isn't": False, "not at all": False, "certainly not": False,
    "definitely not": False, "absolutely not": False, "i don't think so": False, "i do not think so": False,
    "that is correct": True, "that's right": True, "that's correct": True, "not": False, "never": False, "sure": True,
    "#t": True, "#f": False, ".true.": True, ".false.": False,
}  # fmt: skip
"""What the whole of an answer may be."""
_OPENING = re.compile(
    r"\W{0,3}(?P<word>yes|no|true|false|yeah|yep|nope|correct|incorrect|affirmative|negative)\b(?P<doubt>[\s,]+and[\s,]+(?:yes|no)\b|\s*/\s*(?:yes|no)\b)?"
    r"(?=\W*$|\s*[.,;:!()—–-]|\s*\n|\s+(?:it|this|that|they|he|she|the|there|because|since|as|i|you|we)\b)",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\s*+(?:(?:yes|no|true|false)(?:\s++|\Z)){1,50}", re.IGNORECASE)
_SAID = re.compile(rf"\b({'|'.join(_WORDS)})\b", re.IGNORECASE)
_AS_STATEMENT = "yes yeah yep true correct false incorrect wrong untrue affirmative negative nope valid invalid right"
_NEGATION = re.compile(
    r"(?:\bnot|n't|\bnever|\bcannot|\bneither|\bhardly|\bfar from|\bisnt)"
    r"(?:\s+(?:really|entirely|quite|at all|be|the|a|an|strictly|exactly))*\s*\W?$",
    re.I,
)
_DISMISSED = re.compile(
    r"^\W*(?:is|was|would be|are)?\s*(?:\bnot\b|n't\b)?\s*"
    r"(?:wrong|incorrect|false|not (?:right|correct|true|the answer))\b",
    re.I,
)
_YES_DISMISSED = re.compile(
    r"\W{0,3}(?:\(|[,–—-]\s)\s?(?:(?:this|that|which)\s?(?:answer\s)?(?:is|was|'s)\s)?(?:wrong|incorrect)\b(?!\s+\w)",
    re.IGNORECASE,
)
"""What follows a yes, and takes it back. After a no it would say the same."""
_ASKED = re.compile(r"\W{0,3}(?:yes\s?(?:/|or)\s?no|true\s?(?:/|or)\s?false)\W{0,3}:\W{0,3}(?=\w)", re.IGNORECASE)
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably not sure|not sure|unsure|unclear|unknown|uncertain|depends|either|could be|"
    r"might be|may be|can't (?:say|tell)|cannot (?:say|tell|be determined)|yes and no|yes or no|no and yes|"
    r"true or false|neither yes nor no|neither true nor false|don't know|do not know|both)\b",
    re.IGNORECASE,
)


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether both are yes, or both no."""
    del stated
    return by_value(reference, answer, read, lambda a, b: a == b, lambda value: "yes" if value else "no")


def read(text: str) -> Settled[bool]:
    """Return what `text` answers, or why it answers neither.

    >>> read("Yes.").value, read("No, yes is wrong").value, read("Yes and no").value, read("That is not true").value
    (True, False, None, False)
    """
    known = _ALONE.get(text.strip(" .!").lower())
    if known is not None:
        return Settled(known, "")
    if len(text) > TAIL and (opened := _opened(clean(text[:WINDOW]))):
        return opened
    part = stated_part(unwrapped(clean(tail(text))))
    if asked := _ASKED.match(part.text):
        part = replace(part, text=part.text[asked.end() :])
    if not part.text:
        return Settled(None, "the answer is empty")
    known = _ALONE.get(" ".join(part.text.strip(" .!,;:\"'()[]{}").lower().replace(",", "").split()))
    if known is not None:
        return Settled(known, "")
    if part.how == "whole" and len(part.text) > WINDOW:
        return _opened(part.text[:WINDOW]) or _said(part.text[-WINDOW:])
    window = part.text[:WINDOW]
    bare = {_WORDS[word] for word in window.lower().split()} if _ONLY.fullmatch(window) else set()
    if len(bare) > 1:
        return Settled(None, "the answer says both yes and no")
    return _opened(window) or _said(window)


def _opened(text: str) -> Settled[bool] | None:
    """Return the yes or no that the text opens with, None where it opens with neither."""
    found = _OPENING.match(text)
    if found is None:
        return None
    if found["doubt"]:
        return Settled(None, "the answer says both yes and no")
    value, rest = _WORDS[found["word"].lower()], text[found.end() :]
    if value and _YES_DISMISSED.match(rest):
        return Settled(None, "the answer takes back what it says")
    for correction in deque(cues.CORRECTION.finditer(rest), maxlen=3):
        later = _statements(rest[correction.end() - 3 :])
        if later and later[-1] != value:
            return Settled(None if _DOUBT.search(rest) else later[-1], "the answer takes back what it says")
    if (doubt := _DOUBT.search(rest[:200])) and "," not in rest[: doubt.start()].strip(", ") and doubt.start() < 30:
        return Settled(None, f"the answer is in doubt: `{text[: found.end() + doubt.end()][:60]}`")
    if (next_one := re.match(r"\W*(yes|no)\W*$", rest, re.IGNORECASE)) and _WORDS[next_one[1].lower()] != value:
        return Settled(None, "the answer says both yes and no")
    other = re.search(r"\b(?:or|but|and)\s+(?:\w+\s+)?(?:also\s+)?(yes|no)\b(?!\s+\w)", rest[:200], re.IGNORECASE)
    if other and _WORDS[other[1].lower()] != value:
        return Settled(None, "the answer says both yes and no")
    return Settled(value, "")


def _said(text: str) -> Settled[bool]:
    """Return what the text states with yes, true, correct and the like, where it states one thing."""
    if doubt := _DOUBT.search(text):
        return Settled(None, f"the answer is in doubt: `{doubt[0]}`")
    statements = _statements(text)
    if not statements:
        return Settled(None, "the answer says neither yes nor no")
    if len(set(statements)) > 1:
        if cues.CORRECTION.search(text):
            return Settled(statements[-1], "")
        return Settled(None, "the answer says both yes and no")
    return Settled(statements[-1], "")


def _statements(text: str) -> Sequence[bool]:
    """Return what each yes, no, true, false … in `text` states, turned round where it is denied."""
    said: list[bool] = []
    for found in _SAID.finditer(text):
        word, before, after = found[1].lower(), text[max(0, found.start() - 40) : found.start()], text[found.end() :]
        value = _WORDS[word]
        if word not in _AS_STATEMENT.split() and not (word == "no" and re.match(r"\W*(?:$|[.,;!\n])", after)):
            continue
        if word == "right" and not re.search(r"\b(?:is|are|that's|it's|was)\s+$", before, re.IGNORECASE):
            continue
        if word in ("yes", "true") and re.match(r"\s+(?:or|and|/)\s+(?:no|false)\b", after, re.IGNORECASE):
            continue
        denied = _NEGATION.search(before) is not None
        dismissed = word in ("yes", "no", "true", "false") and _DISMISSED.match(after[:40]) is not None
        said.append(value != (denied or dismissed))
    return said
