"""Bring a short text to the words that count, so that two ways of writing one name become the same.

What never counts: case (unless asked for), white space, quotes, commas and full stops between words, how dashes and
quotes are drawn, hyphens between letters, trademark signs, one leading article, `&` for and, points in U.S.A., commas
in 1,000, Markdown and LaTeX around it. What counts: signs that change the meaning (C++, C#, 50%, -5, 3.5, a/b, 10:30),
every other word and their order. Accents may be left off altogether, not changed. Not covered: synonyms, spelling,
number words, translation.
"""

from __future__ import annotations

import re
import unicodedata

from fairtrial.compare.typography import clean

_TRADE = str.maketrans(dict.fromkeys("™®©℠", ""))
_LATEX = re.compile(r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathsf|mbox)\s?\{([^{}]{0,500})\}")
_LETTER = r"[^\W\d_]"
_APOSTROPHE = re.compile(rf"(?<={_LETTER})['`](?={_LETTER})|(?<=s)'(?=\s|$)")
_INNER_POINT = re.compile(rf"(?<={_LETTER})\.(?={_LETTER})")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))", re.ASCII)
_HYPHEN = re.compile(r"(?<=\w)[-–—](?=[^\W\d_])|(?<=[^\W\d_])[-–—](?=\w)|(?<![\w])[-–—](?![\w$€£.])|(?<=\w)[-–—](?!\w)")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[.:](?=\d)|(?<!\w)\.(?=\d)")
_POINTED = str.maketrans({".": "\ue000", ":": "\ue001"})
_BACK = str.maketrans({"\ue000": ".", "\ue001": ":"})
_SILENT = re.compile(r"""[\s.,;:!?"'`()\[\]{}…¿¡‹›「」『』、。，；：！？·•]+""")
_DASHES = str.maketrans("–—", "--")
_ARTICLE = re.compile(r"^(?:the|an|a) (?=.)", re.IGNORECASE)
_INITIALS = re.compile(rf"(?<!\S)({_LETTER}(?: {_LETTER})+)(?!\S)")
_OTHER_LATIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
                              "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "Th", "Æ": "AE", "Œ": "OE"})  # fmt: skip


MOST_CHARACTERS = 20_000
"""Of a longer text, case and white space alone are put right: it is no name, and each rule costs a pass."""


def words_of(text: str, *, case_sensitive: bool = False) -> str:
    """Return the words of `text` that count, one space between them; its signs where it has no words.

    >>> words_of("The “Coca‑Cola” Company™."), words_of("U.S.A."), words_of("1,000 m"), words_of("C++")
    ('coca cola company', 'usa', '1000 m', 'c++')
    """
    if len(text) > MOST_CHARACTERS:
        return " ".join((text if case_sensitive else text.casefold()).split())
    text = clean(text.translate(_TRADE))
    if text[:1] == "$" == text[-1:] and len(text) > 2:
        text = text.strip("$")
    if "\\" in text:
        text = _LATEX.sub(r"\1", _LATEX.sub(r"\1", text))
    text = unicodedata.normalize("NFKC", text)
    if not case_sensitive:
        text = unicodedata.normalize("NFC", text.casefold())
    said = _INNER_POINT.sub("", _APOSTROPHE.sub("", _THOUSANDS.sub("", text.replace("&", " and "))))
    said = _BETWEEN_DIGITS.sub(lambda sign: sign[0].translate(_POINTED), said)
    said = _SILENT.sub(" ", _HYPHEN.sub(" ", said).translate(_DASHES)).strip().translate(_BACK)
    said = _INITIALS.sub(lambda letters: letters[0].replace(" ", ""), said)
    return _ARTICLE.sub("", said) if said else " ".join(text.split())


def same_words(one: str, other: str, *, case_sensitive: bool = False) -> bool:
    """Say whether two texts have the same words; see above.

    >>> same_words("São Paulo", "sao paulo"), same_words("São Paulo", "Sáo Paulo"), same_words("C", "C++")
    (True, False, False)
    """
    first, second = words_of(one, case_sensitive=case_sensitive), words_of(other, case_sensitive=case_sensitive)
    if first == second or len(first) > MOST_CHARACTERS:
        return first == second
    plain, other_plain = unaccented(first), unaccented(second)
    return plain == other_plain and (plain == first or other_plain == second)


def unaccented(text: str) -> str:
    """Return `text` without the accents of Latin letters; marks of other scripts are letters and stay.

    >>> unaccented("Zürich, Łódź"), unaccented("が")
    ('Zurich, Lodz', 'が')
    """
    if text.isascii():
        return text
    kept: list[str] = []
    for letter in unicodedata.normalize("NFD", text):
        if not (unicodedata.combining(letter) and kept and kept[-1].isascii() and kept[-1].isalpha()):
            kept.append(letter)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_OTHER_LATIN)
