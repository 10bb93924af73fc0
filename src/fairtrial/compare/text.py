"""Compare short texts (names, titles, phrases): the same words, and nothing but them given as the answer.

A sentence gives its answer behind "the answer is", in a box or tag, as its first words, or at the end of its last
sentence, behind a verb ("The highest is Ben Nevis."). A text that merely holds the reference does not give it: what is
denied, taken back, hedged, listed beside others or called a guess is refused. In `X (Y)`, Y is a remark, or another
name where one is the other's initials. What counts as the same words stands in wording. Not covered: synonyms,
spelling, long texts that say the same in other words: that is a judge's work.
"""

from __future__ import annotations

import itertools
import re

from fairtrial.compare.final_answer import WINDOW, stated_part
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.verdict import Equivalence
from fairtrial.compare.wording import same_words, words_of

_REMARK = re.compile(r"([^()]{1,300}?)\s{0,3}\(([^()]{1,300})\)\W{0,3}")
_CORRECTION = re.compile(
    r"(?:[-—–,.;!?…]\s{0,3}|\n|^)(?:oh,?\s)?(?:no|nope|wait|actually|correction|sorry|scratch that|i mean|make that|"
    r"rather|on second thoughts?|my mistake)\b[\s,:;.!—–-]{0,5}(?:(?:no|wait|actually|i mean|it is|it's|sorry|"
    r"that should be|the answer is)\b[\s,:;—–-]{0,5}){0,3}",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:(?:so|thus|therefore|hence|well|ok|okay|yes|sure|certainly|definitely|surely|of course|then|"
    r"and|here you go|i think|i believe|"
    r"i'd say|i would say|i'm (?:fairly |quite |pretty )?(?:sure|confident|certain)|in my opinion|probably|"
    r"clearly|my (?:best )?guess is|"
    r"obviously|"
    r"it is|it's|it was|it must be|it should be|this is|this was|that is|that's|that was|that would be|they are|that|"
    r"these are|he is|she is|he was|she was|answer|final answer|name|called|known as)\b[\s,:;–—-]{0,5})",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"(?:\b(?:is|are|was|were|be|called|named|equals|remains|chose|choose|pick|select|say)\b|:)[\s:]{0,5}", re.I
)
_DOUBT = re.compile(
    r"\b(?:not|never|no|nor|neither|cannot|none|or|either|maybe|perhaps|possibly|might|may|could|unless|if|whether|"
    r"alternatively|wrong|incorrect|incorrectly|false|falsely|mistake\w*|mistook|misconception|guess\w*|candidates?|"
    r"one of|some|example|such as|like|tempting|trap|distractor|decoy|unlike|besides|instead|rather|second|third|next|"
    r"other|another|also|formerly|previously|once|ruled|rejected|people|many|commonly|often|would|unsure|uncertain|"
    r"wrongly|errors?|than|but|however|refus\w+|declin\w+|avoid\w*|hesitat\w+|hardly|scarcely|barely|nobody|without|"
    r"(?:first|initial|original) (?:instinct|guess|thought|impression|idea|answer))\b|n't\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:wrong|incorrect|mistaken?|scratch|wait|actually|correction|i mean|sorry|rather|instead|but|however|although|"
    r"alternatively|maybe|perhaps|possibly|either|or|unsure|uncertain|not sure|no|nope|on second thoughts?)\b|"
    r"\b(?:is|was|are|were)(?: not|n't)\b",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"\W{0,6}(?:$|(?:[.!;:\n(—–-]|,)?\W{0,4}(?:because|since|as|which|who|whose|where|located|situated|being|found in|"
    r"with|in|at|on|of|by|from|for|due|given|standing|home to|it|its|it's|this|that|he|she|they|the|a|an|based|"
    r"according|i)\b)",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(
    r"[.!?;:]+(?=\s|$)|,|\n|\s[—–-]|\s\(|\s(?=(?:because|since|as|which|who|that|where|with|in|at|on|by|from|for|due|is|was|"
    r"and|or|but|located|not)\b)|$",
    re.IGNORECASE,
)
_IS_IT = re.compile(
    r"\s{0,3}(?:is|was)\s{1,3}(?:the\s{1,3})?(?:(?:final|only|right|correct)\s{1,3}){0,2}(?:answer|one|choice|correct|right)\W{0,4}",
    re.IGNORECASE,
)
_SUBJECT_OF = re.compile(r"\s{0,3}(?:is|was|are|were)\s{1,3}(?:the|its|their|our)\b", re.IGNORECASE)
_NOT_BUT = re.compile(
    r"\bnot\s[^.;\n]{1,80}?(?:[,;—–-]\s{0,2}(?:but\s|rather\s)?(?:it is|it's|it was)|[,;]?\s(?:but|rather))\s{1,3}",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\sa-z])|\n+")
_SHOWN = 60
_END = 50_000
"""Characters at the end of an answer in which it is looked for."""
_MOST_BOUNDARIES, _MOST_WORDS_OF_A_NAME = 40, 6


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether `answer` gives the text `reference`; case counts where `stated.case_sensitive`.

    >>> compare("Ben Nevis", "It is Ben Nevis.").equivalent, compare("Ben Nevis", "Snowdon or Ben Nevis").equivalent
    (True, False)
    """
    if reference.strip() == answer.strip():
        return Equivalence(True, "the same text")
    if not answer.strip():
        return Equivalence(False, "the answer is empty")
    names = _Names(reference, stated.case_sensitive)
    if names.hold(answer):
        return Equivalence(True, "the same words")
    if len(reference) > WINDOW:
        return Equivalence(False, "it does not have the same words")
    part = stated_part(answer[-_END:])
    is_marked = part.how != "whole"
    text = part.text[:WINDOW] if is_marked else part.text[-WINDOW:]
    text = text if _CORRECTION.match(reference) else _settled_text(text)
    why = _given(text, names, is_marked=is_marked)
    return Equivalence(not why, why or "the answer gives it")


class _Names:
    """The reference, and what else may be said for it."""

    def __init__(self, reference: str, case_sensitive: bool) -> None:
        self.case_sensitive = case_sensitive
        self.longest = 2 * len(reference) + 100
        self.reference = reference
        self.remark = _REMARK.fullmatch(reference.strip()) if len(reference) <= WINDOW else None

    def hold(self, text: str) -> bool:
        """Say whether `text` is the reference in other dress, with or without a remark in parentheses."""
        ours = self._forms(self.remark, self.reference)
        theirs = self._forms(_REMARK.fullmatch(text.strip()) if len(text) <= WINDOW else None, text)
        both = len(ours) > 1 and len(theirs) > 1
        return any(
            self._same(one, other)
            for n, one in enumerate(ours)
            for m, other in enumerate(theirs)
            if not (both and n == m == 1)
        )

    def _forms(self, remark: re.Match[str] | None, text: str) -> list[str]:
        """Return the text, then without its remark unless that hedges, then the remark where it is another name."""
        if remark is None or _DOUBT.search(remark[2]):
            return [text]
        is_name = _is_short_for(remark[1], remark[2]) or _is_short_for(remark[2], remark[1])
        return [text, remark[1], *([remark[2]] if is_name else [])]

    def _same(self, one: str, other: str) -> bool:
        return same_words(one, other, case_sensitive=self.case_sensitive)


def _is_short_for(short: str, long: str) -> bool:
    """Say whether `short` is the initials of `long`, small words counted or not."""
    letters = "".join(letter for letter in short.casefold() if letter.isalpha())
    words = [word for word in re.split(r"[\s-]+", long.casefold()) if word]
    initials = "".join(word[0] for word in words)
    main = "".join(word[0] for word in words if word not in ("of", "the", "and", "for", "de", "in", "on"))
    return len(letters) > 1 and letters in (initials, main)


def _settled_text(text: str) -> str:
    """Return what follows the last correction in a text, at its end; all of it where nothing is corrected."""
    corrected = [found.end() for found in _CORRECTION.finditer(text) if found.end() < len(text.rstrip(" .!"))]
    return text[corrected[-1] :] if corrected else text


def _given(text: str, names: _Names, *, is_marked: bool) -> str:
    """Say why `text` does not give the reference as its answer; empty where it does."""
    bare = _without_lead(text)
    if _begins(bare, names):
        return ""
    if is_marked:
        return f"the answer is `{_short(text)}`, expected `{_short(names.reference)}`"
    last = next((one for one in reversed(_SENTENCE.split(text)) if one.strip()), "")
    if last.rstrip().endswith("?"):
        return "the answer ends in a question"
    verbs = list(_VERB.finditer(last))[-1:]
    for verb in verbs:
        if _DOUBT.search(last, 0, verb.start()) is None and _begins(_without_lead(last[verb.end() :]), names):
            return ""
    contrast = _NOT_BUT.search(last)
    if contrast and _begins(_without_lead(last[contrast.end() :]), names):
        return ""
    before = text[: text.rindex(last)].rstrip()
    if _begins(_without_lead(last), names) and not _is_list(before.rpartition("\n")[2]):
        return ""
    if words_of(names.reference) in words_of(text):
        return "the answer names it, and does not give it alone as its answer"
    return f"the answer is `{_short(text)}`, expected `{_short(names.reference)}`"


def _is_list(line: str) -> bool:
    """Say whether the line before a bare name is another bare name, so that neither is said to be the answer."""
    return 0 < len(line.split()) <= _MOST_WORDS_OF_A_NAME and line[-1] not in ".:!?"


def _without_lead(text: str) -> str:
    text = text.lstrip(" \t\r\n\"'“*_`(:–—-")
    for _ in range(6):
        lead = _LEAD.match(text)
        if lead is None:
            break
        text = text[lead.end() :].lstrip(" \t\"'“*_`(")
    return text


def _begins(text: str, names: _Names) -> bool:
    """Say whether `text` begins with the reference, ends there or goes on to explain, and takes nothing back."""
    is_all = len([one for one in _SENTENCE.split(text) if one.strip()]) == 1
    ends = itertools.islice(_BOUNDARY.finditer(text, 0, min(len(text), names.longest)), _MOST_BOUNDARIES)
    for found in ends:
        said, rest = text[: found.start()], text[found.start() :]
        if said and names.hold(said):
            if _IS_IT.fullmatch(rest) or (_SUBJECT_OF.match(rest) and not _DOUBT.search(rest) and is_all):
                return True
            if not _TAKEN_BACK.search(rest[:WINDOW]) and _EXPLAINS.match(rest):
                return True
    return False


def _short(text: str) -> str:
    shown = " ".join(text[: 2 * _SHOWN].split())
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
