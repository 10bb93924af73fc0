"""Find which part of an answer in prose is the answer, for every kind: what is boxed, marked, corrected, denied.

`stated_part` cuts a text down to where the answer is said; `settle` chooses among what a kind finds there, and refuses
with a reason where the text says several things, none, or takes back what it said. Both look at a window of the text
only, so a megabyte costs no more than a page. Not here: how a value of a kind is read.
"""

from __future__ import annotations

import bisect
import collections
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from fairtrial.compare import cues
from fairtrial.compare.markup import visible, without_comments
from fairtrial.compare.typography import clean

T = TypeVar("T")

WINDOW = 4_000
"""Characters looked at: after the last marker, else at the end of the text."""
TAIL = 32_000
"""Characters at the end in which boxes and markers are looked for."""
_MOST_UNSAID = 5
MOST_BOXES = 20
MOST_FOUND = 200
_NEAR = 60

_TAG = re.compile(r"<(/?)(?:answer|final_answer|final)>", re.IGNORECASE)
_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s{0,3}\{")
_HASHES = re.compile(r"####[ \t]{0,9}")
_MARKER = re.compile(
    r"(?<!wrong\s)(?<!incorrect\s)(?<!false\s)\b(?:final\s++)?(?:answer|ans|solution|result)\b(?:'s\b)?(?:\s++(?:to|for|of)\s[^.:\n]{1,60}?)?"
    r"\s{0,3}(?:is\s{0,3}:|is\b|are\b|should be\b|would be\b|must be\b|[-=]>|→|=|(?<='s)|(?<!solution):)\s{0,9}",
    re.IGNORECASE,
)
"""`Solution:` is left out: it heads a working, not an answer."""
_REASONING_END = re.compile(r"</(?:think|thinking|reasoning|scratchpad)>", re.IGNORECASE)
_FIRST_SENTENCE = re.compile(r"[.;!?](?:\s|$)")
_SENTENCE_END = re.compile(r"(?<=[.!?;])[*_\"')\]]{0,4}\s+|\n+")


@dataclass(frozen=True, slots=True)
class Part:
    """Where in a text the answer is said."""

    text: str
    """Clean, without the wrapper."""
    how: str
    """`box`, `tag`, `marker`, or `whole` where nothing marks it."""


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A value that a kind found between `start` and `end`; `value` is None where it can be read in two ways."""

    start: int
    end: int
    value: T | None


@dataclass(frozen=True, slots=True)
class Settled(Generic[T]):
    """The value that a text gives as its answer, or None and why not."""

    value: T | None
    reason: str


Find = Callable[[str], Sequence[Found[T]]]
Read = Callable[[str], T | None]


def stated_part(text: str) -> Part:
    r"""Return the part of `text` where its answer is said: the last box, tag, `####` or "answer is", else all of it.

    Boxes that stand side by side are returned together, with what is between them, so that a hedge stays one.

    >>> stated_part("So \\boxed{18}."), stated_part("The answer is 3, of course.")
    (Part(text='18', how='box'), Part(text='3, of course.', how='marker'))
    """
    text = _after_reasoning(clean(text))
    text = _without_unsaid(text)
    box = _last_boxes(text)
    tag = _last_tag(text) if "</" in text else None
    hashes = _last(_HASHES, text) if "####" in text else None
    marker = _last(_MARKER, text)
    after = max((m.end() for m in (hashes, marker) if m is not None), default=-1)
    if tag is not None and tag[1] > max(after, box[1] if box else -1):
        return Part(stated_part(tag[2]).text, "tag")
    if box is not None and (box[1] > after):
        return Part(box[2], "box")
    if after >= 0:
        return Part(_with_twin(text, after, marker), "marker")
    return Part(text.strip(), "whole")


def _after_reasoning(text: str) -> str:
    """Return what follows the end of the reasoning, where it is marked as such and something follows."""
    end = _last(_REASONING_END, text) if "</" in text else None
    return text[end.end() :].strip() or text if end else text


def _without_unsaid(text: str) -> str:
    """Return `text` without the sentence of its last marker, where that only supposes or denies what it marks."""
    for _ in range(_MOST_UNSAID):
        marker = _last(_MARKER, text)
        if marker is None:
            return text
        begin = _unsaid_from(text, marker)
        if begin < 0:
            return text
        end = _SENTENCE_END.search(text, marker.end(), marker.end() + WINDOW)
        text = text[:begin] + (text[end.end() :] if end else "")
    return ""


def _unsaid_from(text: str, marker: re.Match[str]) -> int:
    """Return where the sentence of a marker begins if it only supposes or denies what follows; else -1."""
    head = _SENTENCE_END.split(text[max(0, marker.start() - 4 * _NEAR) : marker.start()])[-1]
    plain = head.replace("’", "'")
    is_supposed = "would" in marker[0].lower() and cues.SUPPOSED.search(plain)
    return marker.start() - len(head) if is_supposed or cues.UNSAID.search(plain) else -1


def _with_twin(text: str, after: int, marker: re.Match[str] | None) -> str:
    """Return what follows the last marker; what the same words give just before it is an alternative."""
    said = text[after : after + WINDOW].strip()
    if marker is None or marker.end() != after or marker[0].lower().startswith("final"):
        return said
    twins = list(_MARKER.finditer(text, max(0, marker.start() - 2 * _NEAR), marker.start()))
    between = text[twins[-1].end() : marker.start()] if twins else ""
    if not 0 < len(between) <= _NEAR or "\n" in between.strip() or cues.CORRECTION.search(between):
        return said
    if twins[-1][0].split()[0].lower() != marker[0].split()[0].lower() or _unsaid_from(text, twins[-1]) >= 0:
        return said
    return f"{_FIRST_SENTENCE.split(between.strip(), maxsplit=1)[0].rstrip('.')} or {said}"


def tail(text: str) -> str:
    """Return the end of `text`, where its answer is, if it is too long to be looked at whole."""
    return text if len(text) <= TAIL else without_comments(text)[-TAIL:]


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the last match of `pattern` in the tail of `text`, looking at the very end first."""
    for begin in (max(0, len(text) - 2 * WINDOW), max(0, len(text) - TAIL)):
        if found := collections.deque(pattern.finditer(text, begin), maxlen=1):
            return found[0]
        if len(text) <= 2 * WINDOW:
            break
    return None


def _last_tag(text: str) -> tuple[int, int, str] | None:
    """Return start, end and content of the last pair of answer tags."""
    tags = collections.deque(_TAG.finditer(text, max(0, len(text) - TAIL)), maxlen=MOST_BOXES)
    for opening, closing in reversed(list(itertools.pairwise(tags))):
        if closing[1] and not opening[1]:
            return opening.start(), closing.end(), text[opening.end() : closing.start()].strip()
    return None


def _last_boxes(text: str) -> tuple[int, int, str] | None:
    """Return start, end and content of the last boxes that stand within a few words of each other."""
    if "\\boxed" not in text and "\\fbox" not in text and "\\framebox" not in text:
        return None
    begun = collections.deque(_BOX.finditer(text, max(0, len(text) - TAIL)), maxlen=MOST_BOXES)
    boxes = [(start, end) for start, end in ((m.start(), _closing(text, m.end())) for m in begun) if end > 0]
    if not boxes:
        return None
    start, end = boxes[-1]
    content = _inside(text, start, end)
    for before, closing in reversed(boxes[:-1]):
        between = text[closing:start]
        inner = _inside(text, before, closing)
        if not 0 <= start - closing <= _NEAR or "\n\n" in between or cues.CORRECTION.search(between) or ". " in between:
            break
        if inner != content:
            content = f"{inner} {between.strip(' $')} {content}"
        start = before
    return start, end, content


def _inside(text: str, start: int, end: int) -> str:
    return text[text.index("{", start) + 1 : end - 1].strip()


def _closing(text: str, start: int) -> int:
    """Return the place after the brace that closes the one before `start`; -1 where none does within the window."""
    depth = 1
    for found in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, start, start + WINDOW):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return -1


def settle(text: str, read: Read[T], find: Find[T], noun: str = "answer") -> Settled[T]:
    """Return the value that `text` gives as its answer.

    `read` reads a text that is nothing but a value; `find` finds the values in running text, in order. `noun` is what
    a reason calls the value ("number").
    """
    part = stated_part(visible(text))
    if not part.text:
        return Settled(None, "the answer is empty")
    value = read(part.text)
    if value is not None:
        return Settled(value, "")
    window = part.text[:WINDOW] if part.how != "whole" else part.text[-WINDOW:]
    found = list(find(window))
    found = found[:MOST_FOUND] if part.how != "whole" else found[-MOST_FOUND:]
    if not found:
        return Settled(None, f"there is no {noun} in the answer")
    standing = _standing(window, found)
    if not standing:
        return Settled(None, f"the answer denies or takes back every {noun} in it")
    chosen = _leading(window, standing, part.how) or _chosen(window, standing)
    if chosen is None:
        return Settled(None, f"no {noun} in the answer is said to be the one")
    return _unhedged(window, standing, chosen, noun)


def _standing(text: str, found: list[Found[T]]) -> list[Found[T]]:
    """Return what is left of `found` without what the text denies, or takes back for what follows."""
    kept: list[Found[T]] = []
    previous = 0
    for index, one in enumerate(found):
        before, after = text[max(previous, one.start - _NEAR) : one.start], text[one.end : one.end + _NEAR]
        if index and cues.CORRECTION.search(text, previous, one.start):
            kept.clear()
        clause = re.split(r"[.!?;:\n]\s|,\s(?!not\b|nor\b)", before)[-1]
        previous = one.end
        if not cues.DENIED_BEFORE.search(clause) and not cues.DENIED_AFTER.search(after):
            kept.append(one)
    last = found[-1].end
    tail = cues.CORRECTION.search(text, last, last + 4 * _NEAR)
    return [] if tail and cues.WITHDRAWN.search(text, last, tail.end() + 20) else kept


def _leading(text: str, found: list[Found[T]], how: str) -> Found[T] | None:
    """Return the value that the text opens with, where it is marked, or explained by what follows."""
    first = found[0]
    if first.start > _NEAR or not cues.LEADING.fullmatch(text, 0, first.start):
        return None
    if how == "marker":
        return _end_of_chain(text, found)
    return first if cues.EXPLAINED.match(text, first.end) else None


def _end_of_chain(text: str, found: list[Found[T]]) -> Found[T]:
    """Return the first value, or what it is set equal to: the 18 of 9 + 9 = 18."""
    place = 0
    while place + 1 < len(found) and text[found[place].end : found[place + 1].start].strip(" $") == "=":
        place += 1
    return found[place]


def _chosen(text: str, found: list[Found[T]]) -> Found[T] | None:
    """Return the value that the last sentence with one gives as a result: after `=` or a verb, else the only one."""
    ends = [0, *(m.end() for m in _SENTENCE_END.finditer(text)), len(text) + 1]
    sentences: dict[int, list[Found[T]]] = {}
    for one in found:
        sentences.setdefault(bisect.bisect_right(ends, one.start) - 1, []).append(one)
    for number, within in reversed(sentences.items()):
        begin, end = ends[number], ends[number + 1]
        if text[begin:end].rstrip().endswith("?"):
            continue
        main = [one for one in within if not _is_aside(text, one.start, begin)]
        if not main and found[0].start < begin:
            continue
        return _result(text, begin, main or within)
    return None


def _result(text: str, begin: int, found: list[Found[T]]) -> Found[T] | None:
    verbs = [m.end() for m in cues.CUE.finditer(text, begin, found[-1].start)]
    if verbs:
        return next(one for one in found if one.start >= verbs[-1])
    said = [one for one in found if cues.CUE_AFTER.search(text[one.end : one.end + _NEAR])]
    if said:
        return said[-1]
    return found[0] if all(one.value == found[0].value for one in found) else None


def _unhedged(text: str, found: list[Found[T]], chosen: Found[T], noun: str) -> Settled[T]:
    """Return the chosen value, unless another one stands beside it as a choice, a list or the end of a range."""
    place = found.index(chosen)
    said = text[chosen.start : chosen.end].strip()
    if chosen.value is None:
        return Settled(None, f"`{said[:40]}` can be read in more than one way, or in none")
    clause = text[max(0, chosen.start - _NEAR) : chosen.start]
    if cues.BOUNDED.search(clause):
        return Settled(None, f"the answer gives a bound, not a {noun}: `{(clause[-12:] + said).strip()[:40]}`")
    if cues.BOUNDED_AFTER.match(text[chosen.end : chosen.end + _NEAR]):
        return Settled(None, f"the answer gives a bound, not a {noun}: `{text[chosen.start : chosen.end + 8].strip()}`")
    for step in (1, -1):
        near = chosen
        index = place + step
        while 0 <= index < len(found):
            other = found[index]
            between = text[near.end : other.start] if step == 1 else text[other.end : near.start]
            if "," in between and not between.strip(" ,") and _is_aside(text, min(near.start, other.start)):
                break
            joined = (
                cues.LISTED.search(between)
                or cues.RANGE.search(between)
                or cues.APART.search(between)
                or cues.ANOTHER_NAME.search(between)
            )
            doubt = between if step == 1 else _SENTENCE_END.split(between)[-1]
            hedged = len(doubt) < 2 * _NEAR and cues.HEDGE.search(doubt) and "=" not in doubt
            if not joined and not hedged:
                break
            if other.value != chosen.value:
                return Settled(None, f"the answer gives more than one {noun}: `{_both(text, near, other)}`")
            near, index = other, index + step
    return Settled(chosen.value, "")


def _is_aside(text: str, start: int, begin: int = 0) -> bool:
    return cues.ASIDE.search(text, max(begin, start - _NEAR), start) is not None


def _both(text: str, one: Found[T], other: Found[T]) -> str:
    return " ".join(text[min(one.start, other.start) : max(one.end, other.end)].split())[:60]
