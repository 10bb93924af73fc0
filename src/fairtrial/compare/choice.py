r"""Compare the option chosen among several: a letter, number or Roman numeral in any dress, or the option's own text.

`(B)`, `B.`, `**b**`, `Option B`, `\boxed{\text{B}}` and `B) because …` all choose B. Labels are of the kind that the
reference has. In running text a bare letter counts in upper case; the article A and the pronoun I do not. What is
denied, taken back, hedged or listed beside others is not chosen. A reference of several labels ("A, C") is a set.
`stated.choices` are the texts of A, B, C …; a letter beside the text of another option is refused. Not covered: labels
of two letters, options told apart by their place ("the second one").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairtrial.compare.final_answer import Found, settle
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.verdict import Equivalence
from fairtrial.compare.wording import same_words

Labels = frozenset[str]

_END = 50_000
"""Characters at the end of an answer in which the choice is looked for."""
_LONGEST_BARE = 200
_FEW = "ABCDEFGHIJ"
"""Letters that are taken for options where the task has not said how many there are."""
_ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")

_WRAPPER = re.compile(r"\\(?:text|textbf|textrm|mathrm|mathbf|mathsf|boxed|mbox)\s?(?=\{)")
_DRESS = " \t\r\n\"'“”‘’*_`$()[]{}<>.,:;!。、："
_NOUN = re.compile(
    r"(?:(?:the|both|option|choice|answer|letter|alternative|statement)s?\b\s{0,3}[:=#]?\s{0,3}){1,3}", re.I
)
_JOINT = re.compile(r"[\s)\]}*_`]{0,4}(?:,\s{0,3}(?:and\b|&)?|;|&|/|\+|\band\b)[\s(\[{*_`]{0,4}|\s+", re.IGNORECASE)
_SIDE_BY_SIDE = re.compile(r"[A-H]{2,8}")
_DENIED = re.compile(
    r"[\"')*_\]]{0,4}(?:\s{0,2}\(\s?(?:(?:this|that|it)\s)?(?:(?:is|was)\s)?|\s(?:is|was|seems)\s|"
    r"\s?[,–—-]\s?(?:this|that|it|which)\s(?:is|was)\s)(?:not\b|wrong|incorrect|false|a trap|a distractor|impossible)|"
    r"[\"')*_\]]{0,4}\s(?:(?:has|have|had|can|could|is|was|are|should|must|may)\s(?:\w+\s)?(?:been\s|be\s)?"
    r"(?:ruled out|eliminated|excluded|rejected|discarded|dismissed|crossed out|out\b)|fails\b|doesn't\b|does not\b|"
    r"(?:is|was)\s(?:my|the)\s(?:first|initial)\s(?:instinct|guess|thought|impression|idea)|would (?:be|have been) "
    r"(?:right|correct|true|the answer)\s(?:only\s)?if\b)",
    re.IGNORECASE,
)
_EXCLUDING = (
    r"(?i:\b(?:rul(?:e|es|ed|ing) out|(?:eliminat|exclud|reject|discard|dismiss)(?:e|es|ed|ing|s)?|"
    r"cross(?:ed|ing)? out|(?:first|initial|original) (?:instinct|guess|thought|impression|idea)(?: was| is)?|"
    r"opposite of|tempted by))"
)
_REASON = re.compile(
    r"(?<=[\w)\]*.,;:])\s+(?:because|since|"
    r"as(?=\s(?:option\s|choice\s)?[(\"'*]{0,2}[A-Z]\b))\b[^.\n]*",
    re.IGNORECASE,
)
_RESULT = re.compile(r"\b(?:answer|choose|chose|pick|select|so|therefore|thus|hence)\b", re.IGNORECASE)
_BULLET = re.compile(r"\s*[-*•>]\s+")
_EQUATED = re.compile(r"\s*(?:=+|≠|→)\s*")
_HEADED = re.compile(r"\W{0,6}[A-Za-z0-9]{1,4}[*_]{0,2}[).:]")
_BESIDE = re.compile(r"[\s).:*\]=\"'–—-]{0,8}")

_OTHER_NAME = re.compile(
    r"(?:\b(?:vitamin|hepatitis|influenza|type|group|point|figure|table|part|grade|section|step|set|matrix|angle|event|"
    r"plan|team|class|appendix|exhibit|node|side|variable|line|plane|player|person|box|system|model)|[+^<>≤≥∈-])\s{0,3}$",
    re.IGNORECASE,
)
_AFTER_A = re.compile(
    r"\s{0,3}(?:$|[^\w\s]|\n|(?:is|was|are|and|or|nor|as|because|since|but|seems|looks|appears|must|should|would|can|"
    r"could|will|cannot|has|gives|says|states|describes|to|through|for|if|being|instead|rather|not|correctly|only|"
    r"alone|both|fits|matches|follows|works|holds)\b)"
)
_AFTER_I = re.compile(r"\s{0,3}(?:$|[^\w\s'’]|\n|(?:is|and|or|nor|because|since|seems|looks|must|alone|only)\b)")


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the labels of one question look."""

    name: str
    label: re.Pattern[str]
    running: re.Pattern[str]
    """A label in running text: after a noun, in brackets, at the head of a line, or bare."""
    excluded: re.Pattern[str]
    """What is ruled out, with all the labels named there: `after eliminating A, C and D`."""


def _kind(name: str, label: str, bare: str) -> _Kind:
    after = r"(?![\w'’])(?![.,]\w)"
    running = (
        r"\b(?i:options?|choices?|letters?|alternatives?|statements?)\s{0,3}[:=#]?\s{0,3}[(\"'*_`\[]{0,3}"
        rf"(?P<named>{label}){after}|[(\[](?P<bracketed>{label})[)\]]|"
        rf"(?m:^[ \t>*_-]{{0,6}})(?P<heading>{label})[*_]{{0,2}}[).:](?=[\s*_]|$)|"
        rf"(?<![\w'’.,$\\])(?P<bare>{bare}){after}"
    )
    one = rf"(?i:(?:both|the|options?|choices?|answers?)\s){{0,2}}[(\"'*_]{{0,3}}{label}{after}[)\"'*_]{{0,3}}"
    more = rf"{one}(?!\s(?:remains?|is|must|stays?|stands?)\b)"
    excluded = rf"{_EXCLUDING}[\s:]{{1,3}}{one}(?:,\s{more}){{0,12}}(?:,?\s(?:and|or|&)\s{more})?"
    return _Kind(name, re.compile(label), re.compile(running), re.compile(excluded))


_ROMAN = r"x?(?:ix|iv|v?i{1,3}|v)|x"
_LETTER = _kind("letter", "[A-Za-z]", "[A-Z]")
_DIGIT = _kind("digit", "[1-9][0-9]?", "[1-9][0-9]?")
_NUMERAL = _kind("roman", f"(?:{_ROMAN}|{_ROMAN.upper()})", f"(?:{_ROMAN.upper()})")


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether `answer` chooses the option, or all the options, that `reference` names.

    >>> compare("B", "The answer is (B).").equivalent, compare("B", "Between A and B, I choose A").equivalent
    (True, False)
    """
    if reference.strip() == answer.strip():
        return Equivalence(True, "the same text")
    kind, expected = _reference(reference, stated.choices)
    if kind is None:
        return Equivalence(False, f"the reference names no option: `{reference.strip()[:40]}`")
    reader = _Reader(kind, expected, stated.choices)
    answer = _REASON.sub(
        lambda reason: reason[0] if _RESULT.search(reason[0]) else "", answer[:_END] + answer[_END:][-_END:]
    )
    settled = settle(answer[-_END:], reader.read, reader.find, "option")
    if settled.value is None and settled.reason.startswith("there is no option"):
        settled = settle(answer.strip()[:_END].partition("\n")[0], reader.read, reader.find, "option")
    if settled.value is None:
        return Equivalence(False, settled.reason)
    if settled.value == expected:
        return Equivalence(True, f"it chooses {_shown(expected)}")
    return Equivalence(False, f"it chooses {_shown(settled.value)}, expected {_shown(expected)}")


def _reference(reference: str, choices: Sequence[str]) -> tuple[_Kind | None, Labels]:
    """Return the kind of label that the reference has, and its labels; no kind where it has none."""
    for kind in (_LETTER, _DIGIT, _NUMERAL):
        if labels := labels_of(reference, kind):
            return kind, labels
    for place, choice in enumerate(choices):
        if same_words(choice, reference):
            return _LETTER, frozenset({chr(ord("A") + place)})
    return None, frozenset()


def labels_of(text: str, kind: _Kind = _LETTER) -> Labels:
    r"""Return the labels of a text that is nothing but labels in their dress; none where it is anything else.

    >>> sorted(labels_of("**(b)**")), sorted(labels_of("Options A and C")), labels_of("Bad")
    (['B'], ['A', 'C'], frozenset())
    """
    if len(text) > _LONGEST_BARE:
        return frozenset()
    core = _WRAPPER.sub("", text)
    bullet = _BULLET.match(core)
    core = core[bullet.end() if bullet else 0 :].strip(_DRESS)
    noun = _NOUN.match(core)
    core = core[noun.end() :].strip(_DRESS) if noun and noun.end() < len(core) else core
    if kind is _LETTER and _SIDE_BY_SIDE.fullmatch(core) and list(core) == sorted(set(core)):
        return frozenset(core)
    pieces = [piece.strip(_DRESS) for piece in _JOINT.split(core)]
    if not all(kind.label.fullmatch(piece) for piece in pieces):
        return frozenset()
    return frozenset(piece.upper() for piece in pieces)


class _Reader:
    """Reads options of one kind out of texts, as settle asks for it."""

    def __init__(self, kind: _Kind, expected: Labels, choices: Sequence[str]) -> None:
        self.kind = kind
        self.takes_several = len(expected) > 1
        self.choices = choices
        self.known = {self._label_at(place) for place in range(len(choices))} or {*_FEW, *expected}
        self.is_any_known = not choices and kind is not _LETTER

    def read(self, text: str) -> Labels | None:
        """Return the labels of a text that is nothing but them, or that is the text of an option."""
        labels = labels_of(text, self.kind)
        if labels:
            return labels if len(labels) == 1 or self.takes_several else None
        for place, choice in enumerate(self.choices if not _HEADED.match(text) else ()):
            if len(text) <= 2 * len(choice) + _LONGEST_BARE and same_words(choice, text):
                return frozenset({self._label_at(place)})
        return None

    def find(self, text: str) -> list[Found[Labels]]:
        """Return the options that a running text names, in order; a label beside another one's text has no value."""
        named = list(self._labels(text))
        quoted = [one for one in self._quoted(text) if not any(o.start < one.end and one.start < o.end for o in named)]
        found: list[Found[Labels]] = []
        for one in sorted([*named, *quoted], key=lambda each: each.start):
            last = found[-1] if found else None
            between = text[last.end : one.start] if last else ""
            if last and one in quoted and last in named and _BESIDE.fullmatch(between):
                found[-1] = Found(last.start, one.end, last.value if last.value == one.value else None)
            elif last and _EQUATED.fullmatch(between) and last.value != one.value:
                found[-1] = Found(last.start, one.end, None)
            elif last and last.value and one.value and self.takes_several and _JOINT.fullmatch(between):
                found[-1] = Found(last.start, one.end, last.value | one.value)
            else:
                found.append(one)
        return found

    def _labels(self, text: str) -> Iterator[Found[Labels]]:
        excluded = [match.span() for match in self.kind.excluded.finditer(text)]
        for match in self.kind.running.finditer(text):
            if any(start <= match.start() < end for start, end in excluded):
                continue
            how = str(match.lastgroup)
            start, end = match.span(how)
            label = match[how].upper()
            is_known = how != "bare" or self.is_any_known or label in self.known
            if is_known and (how != "bare" or self._counts(label, text, start, end)) and not _DENIED.match(text, end):
                yield Found(start, end, frozenset({label}))

    def _counts(self, label: str, text: str, start: int, end: int) -> bool:
        """Say whether a bare label in running text is one: no article, no pronoun, no other thing's name."""
        if _OTHER_NAME.search(text, max(0, start - 20), start):
            return False
        if label == "A":
            return _AFTER_A.match(text, end) is not None
        return label != "I" or _AFTER_I.match(text, end) is not None

    def _quoted(self, text: str) -> Iterator[Found[Labels]]:
        """Yield where the text of an option stands as a whole; of two at one place the longer."""
        taken: list[Found[Labels]] = []
        for place, choice in sorted(enumerate(self.choices), key=lambda each: -len(each[1])):
            words = choice.strip(" .")
            pattern = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)
            for match in pattern.finditer(text) if len(words) > 1 else ():
                if not any(match.start() < one.end and one.start < match.end() for one in taken):
                    taken.append(Found(match.start(), match.end(), frozenset({self._label_at(place)})))
        yield from taken

    def _label_at(self, place: int) -> str:
        if self.kind is _DIGIT:
            return str(place + 1)
        if self.kind is _NUMERAL:
            return _ROMANS[place] if place < len(_ROMANS) else str(place + 1)
        return chr(ord("A") + place)


def _shown(labels: Labels) -> str:
    return ", ".join(sorted(labels))
