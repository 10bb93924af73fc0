"""Read an answer as mathematics: out of its wrapper, its sentence or its phrase, into a tree of `tree`.

Which part of a text is the answer, and whether it is hedged or denied, says `final_answer`; this module tells it what a
formula is. What is no mathematics is read as a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fairtrial.compare.algebra.names import CONNECTORS, EMPTY, PROSE, REALS, UNDEFINED
from fairtrial.compare.algebra.parser import parse
from fairtrial.compare.algebra.tokens import UnreadableError, is_wordy, split_word
from fairtrial.compare.algebra.tree import Node, num, sym, walk
from fairtrial.compare.final_answer import Found, settle
from fairtrial.compare.number_words import in_words
from fairtrial.compare.stated import Stated

LONGEST = 20_000
_DOLLARS = re.compile(r"\$\$([^$]{1,2000})\$\$|(?<!\\)\$([^$]{1,2000}?)(?<!\\)\$|\\\(((?:[^\\]|\\[^)]){1,2000})\\\)|"
                      r"\\\[((?:[^\\]|\\[^\]]){1,2000})\\\]")  # fmt: skip
_FONTS = re.compile(r"\\(?:text\w{0,6}|mbox|mathrm|mathbf)\s?\{([^{}]{0,200})\}")
_PHRASE = re.compile(r"[^\W\d_](?:[^\W\d_]|['’ -])*")
_WORD = re.compile(r"[^\W\d_]+")
_CHUNK = re.compile(r"\S+")
_DISCARDED = re.compile(
    r"\s{1,3}(?:(?:is|are|was|does|do|must be|has to be|can be|cannot be)\s(?:\w+\s)?)(?:extraneous|rejected|not\b|"
    r"wrong|incorrect|excluded|discarded|invalid|impossible|outside)",
    re.IGNORECASE,
)
_PARTED = re.compile(r"[;,]\s+|\s(?:and|or|but)\s")
_EDGES = " \t\r\n.,;"


def read(text: str, kind: str, stated: Stated) -> Node | str:
    """Return the tree of the answer in `text`, or why there is none."""
    if len(text) > LONGEST:
        return f"{len(text)} characters are more than {LONGEST}"
    reader = _Reader(kind, stated)
    settled = settle(text, reader.whole, reader.within, "formula")
    if settled.value is not None:
        return settled.value
    return settled.reason


def as_text(text: str) -> Node:
    """Return what is no mathematics as a text."""
    return Node("text", (), " ".join(text.split()))


class _Reader:
    def __init__(self, kind: str, stated: Stated) -> None:
        self.kind, self.stated = kind, stated

    def parsed(self, text: str) -> Node:
        return parse(text, self.kind, self.stated.decimal_comma)

    def whole(self, text: str) -> Node | None:
        """Read a text that is nothing but an answer."""
        body = _bare(text)
        if not body:
            return None
        phrase = self._phrase(body)
        if phrase is not None:
            return phrase
        try:
            node = self.parsed(_of_program(body) if self.kind != "interval" else body)
        except UnreadableError:
            return None
        return None if _is_prose(node) else node

    def _phrase(self, body: str) -> Node | None:
        words = " ".join(_FONTS.sub(lambda m: m[1], body).replace("$", "").split()).strip(_EDGES + "!\"'").casefold()
        if words in EMPTY or words in ("\\emptyset", "\\varnothing"):
            return Node("list", (), "{}")
        if words in UNDEFINED:
            return Node("text", (), "undefined")
        if words in REALS:
            return sym("set R")
        if not _PHRASE.fullmatch(words):
            return None
        value = in_words(words)
        if value is not None:
            return num(value)
        pieces = _WORD.findall(_FONTS.sub(lambda m: m[1], body))
        if not any(is_wordy(piece) for piece in pieces) or any(piece.casefold() in CONNECTORS for piece in pieces):
            return None
        if len(pieces) > 4 or any(piece in _SENTENCE for piece in pieces):
            return None
        return Node("text", (), words)

    def within(self, text: str) -> list[Found[Node]]:
        """Find the formulas in running text: between dollars where there are any, else runs that hold no words."""
        found = []
        for match in _DOLLARS.finditer(text):
            found.append(self._found(match.start(), match.end(), match[match.lastindex or 0]))
        if found:
            return found
        for start, end in _runs(text):
            kept = _before_discarded(text, start, end)
            found.append(self._found(start, kept, text[start:kept]))
            if kept == end and len(found) > 1 and _DISCARDED.match(text, end) and "," in text[found[-2].start : start]:
                # "1, 2 and 3, but 3 is extraneous": which are left is not worked out.
                found[-2] = Found(found[-2].start, found[-2].end, None)
        return found

    def _found(self, start: int, end: int, text: str) -> Found[Node]:
        return Found(start, end, self.whole(text))


_NAMED = frozenset(("pi", "sqrt", "sin", "cos", "tan", "ln", "log"))
_SENTENCE = frozenset(("is", "the", "are", "of", "it", "this", "that", "was", "be", "answer"))


def _bare(text: str) -> str:
    r"""Return `text` without what wraps it: dollars, `\(` and `\[`, a full stop.

    >>> _bare("$x^2$."), _bare("\\(x\\)")
    ('x^2', 'x')
    """
    body = _without_edges(text)
    for opened, closed in (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")):
        if body.startswith(opened) and body.endswith(closed) and len(body) >= 2 * len(opened):
            inner = body[len(opened) : -len(closed)]
            if opened not in inner and not inner.endswith("\\"):
                body = _without_edges(inner)
    return body


def _of_program(body: str) -> str:
    """Return `set([1, 2])` without the name of the type, and the vector `<1, 2>` in brackets that are no relation."""
    found = re.fullmatch(r"(?:set|frozenset|tuple|list)\((.*)\)", body, re.DOTALL)
    return found[1] if found else re.sub(r"^<([^<>]+,[^<>]*)>$", r"\\langle \1 \\rangle", body)


def _without_edges(text: str) -> str:
    body = text.strip().lstrip(",;")
    return body if body.endswith("...") else body.rstrip(_EDGES)


def _is_prose(node: Node) -> bool:
    """Say whether words stand within a formula: then it is a sentence."""
    inside: Callable[[Node], bool] = lambda one: any(part.op == "text" for part in one.parts)  # noqa: E731
    for one in walk(node):
        if one.op in ("add", "neg", "mul", "div", "pow", "call") and inside(one):
            return True
        if one.op == "rel" and any(part.op == "text" for part in one.parts[1:]):
            return True
        if one.op == "unit" and (len(one.name.split()) > 3 or not _SENTENCE.isdisjoint(one.name.casefold().split())):
            return True
        if (
            one.op == "list"
            and one.name in ("", "and")
            and any(_is_sentence(part.name) for part in one.parts if part.op == "text")
        ):
            return True
    return False


def _is_sentence(words: str) -> bool:
    return len(words.split()) > 3 or any(word in PROSE for word in words.split())


def _runs(text: str) -> list[tuple[int, int]]:
    """Return the stretches of `text` that look like formulas."""
    runs: list[tuple[int, int]] = []
    start = end = -1
    for chunk in _CHUNK.finditer(text):
        is_joining = chunk[0].casefold().strip(",;") in CONNECTORS
        if _looks_like_formula(chunk[0]) or (is_joining and start >= 0):
            start = chunk.start() if start < 0 else start
            end = end if is_joining else chunk.end()
            if chunk[0][-1] not in ".:?!":
                continue
        if start >= 0:
            runs.append((start, end))
        start = end = -1
    if start >= 0:
        runs.append((start, end))
    return [_trimmed(text, start, end) for start, end in runs if re.search(r"[\w∞∅]", text[start:end])]


def _before_discarded(text: str, start: int, end: int) -> int:
    """Return where a run of formulas ends, without its last one where that is discarded: `3 is extraneous`."""
    if not _DISCARDED.match(text, end):
        return end
    parts = list(_PARTED.finditer(text, start, end))
    return parts[-1].start() if parts else end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in ".,;:?!":
        end -= 1
    return start, end


def _looks_like_formula(chunk: str) -> bool:
    words = _WORD.findall(chunk)
    if "\\" in chunk or "^" in chunk:
        return True
    if any(is_wordy(word) or word.casefold() in _SENTENCE for word in words):
        return False
    if len(words) == 1 and words[0] == chunk.strip(".,;:?!'\""):
        return (len(chunk) == 1 and chunk not in "aAI") or split_word(words[0])[0] in _NAMED
    return not words or bool(re.search(r"[\d=+*/()\[\]{}<>≤≥∞√π-]", chunk))
