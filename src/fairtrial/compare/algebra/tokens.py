r"""Cut an answer in LaTeX, plain text or Unicode into tokens of one notation.

`\frac`, `²`, `½`, `sqrt`, `√`, `≤`, `<=` and `\le` come out alike; spacing, `\left`, `$` and fonts go. A number is read
exactly (Fraction). Not here: grammar (`parser`), and which part of a text is the answer (`final_answer`).
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from fairtrial.compare.algebra.names import (
    COMMANDS,
    CONNECTORS,
    FUNCTIONS,
    GREEK,
    LETTER_NAMES,
    PROSE,
    SIGNS,
    UNITS,
    WORDS,
)

MOST_CHARACTERS = 20_000
MOST_TOKENS = 3_000


class UnreadableError(ValueError):
    """The text is no mathematics that is read here; says why."""


class Token(NamedTuple):
    """kind: num, sym, fn, op, open, close, rel, sep, text, unit, cmd, end; `spaced`: white space stands before it."""

    kind: str
    text: str
    spaced: bool = False
    number: Fraction | None = None


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ⁽⁾ˣʸ", "0123456789+-ni()xy")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₙₓᵢⱼₖₘ", "0123456789+-nxijkm")
_SUPER = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ⁽⁾ˣʸ]+")
_SUB = re.compile("[₀₁₂₃₄₅₆₇₈₉₊₋ₙₓᵢⱼₖₘ]+")
_VULGAR = re.compile("[¼½¾⅐-⅞↉]")
_BEFORE_NFKC = str.maketrans({
    "ℝ": r"\mathbb{R}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}", "ℕ": r"\mathbb{N}", "ℂ": r"\mathbb{C}", "…": "...",
    "′": "'", "″": "''", "‖": "|", "º": "°", "˚": "°", "∛": r"\sqrt[3]", "∜": r"\sqrt[4]", "℮": "e", "∣": "|",
})  # fmt: skip
_SIZES = re.compile(r"\\(?:left|right|middle|[bB]igg?[lrm]?)(?![A-Za-z])\s{0,9}(?:\.(?!\d))?")
_DIFFERENTIALS = re.compile(r"\\int|∫|frac\{d|\bd[A-Za-z]?/d[A-Za-z]")
_DECIMAL_POINT = re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))")
_STYLE = r"text\w{0,6}|mbox|hbox|operatorname\*?|math(?:rm|bf|it|sf|tt|bb|cal|scr|frak|ds)|boldsymbol|bm|emph|pmb|rm|bf"
_NUMBER = r"""\d*\.\d*\\overline\s?\{\d{1,99}\} | \d+\.\d*\(\d{1,99}\) | \d+\.\d{3,99}(?:\.\.\.|\\l?dots\b|\\cdots\b)
    | \d{1,3}(?:(?:\{,\}|\\!,|,\\!|\\!,\\!|\\[,:;]|_(?=\d{3}(?!\d))|%s)\d{3})+(?!\d|,\d)(?:\.\d+)?
    | \d+(?:\.\d+)? | \.\d+"""
_SCAN = r"""(?P<space>(?:[\s~\u200b\u00ad]|\\[ ,;:!>\n]|\\q?quad(?![A-Za-z])
    |\\(?:displaystyle|textstyle|limits|nolimits|phantom\{\}|hspace\{[^{}]{0,9}\})(?![A-Za-z]))+)
    | (?P<number>%s)
    | (?P<environment>\\(?P<edge>begin|end)\s?\{(?P<called>[A-Za-z]{1,20}\*?)\})
    | (?P<quoted>"(?P<said>[^"\\]{1,100})"|(?<![\w)\]}'])'(?P<told>[^'\\]{1,100})'(?!\w))
    | (?P<styled>\\(?:%s)\s?\{(?P<inner>[^{}]{0,200})\})
    | (?P<command>\\(?:[A-Za-z]+\*?|.))
    | (?P<word>[^\W\d_]+)
    | (?P<sign><=>|<==>|\.\.\.|\*\*|<=|>=|=>|!=|==|/=|\+/-|\+-|->|.)"""
_SCAN_COMMAS = re.compile(_SCAN % (_NUMBER % ",", _STYLE), re.VERBOSE | re.DOTALL)
_SCAN_LISTS = re.compile(_SCAN % (_NUMBER % r",(?=0\d\d)", _STYLE), re.VERBOSE | re.DOTALL)
_LETTER = re.compile(r"\(?([^\W\d_])\)?")
_RATE = re.compile(r"[a-zA-Z]{0,2}/(?:s|h|hr|min|sec)(?:\^?2)?(?!\w)")
_SCIENTIFIC = re.compile(r"[eE][+-]?\d{1,7}(?![\d.\w])")


def tokens(text: str, lists: bool = False, decimal_comma: bool = False) -> list[Token]:
    r"""Return the tokens of `text`, an `end` last. `lists`: a comma parts items even where it could group thousands.

    Raise UnreadableError where there is too much.

    >>> [t.text for t in tokens("\\frac{x}{2} \\le 3")]
    ['\\frac', '{', 'x', '}', '{', '2', '}', '<=', '3', '']
    """
    if len(text) > MOST_CHARACTERS:
        raise UnreadableError(f"{len(text)} characters are more than {MOST_CHARACTERS}")
    if not text.isascii():
        text = _plain_signs(text)
    if decimal_comma:
        text = re.sub(r"(?<=\d),(?=\d)", ".", _DECIMAL_POINT.sub("", text))
    markup = "\\" in text
    if markup:
        text = _SIZES.sub(" ", text)
    return _Cutting(text, lists, markup).run()


def _plain_signs(text: str) -> str:
    text = _VULGAR.sub(_vulgar, text)
    text = _SUPER.sub(lambda m: "^{" + m[0].translate(_SUPERSCRIPTS) + "}", text)
    text = _SUB.sub(lambda m: "_{" + m[0].translate(_SUBSCRIPTS) + "}", text)
    return unicodedata.normalize("NFKC", text.translate(_BEFORE_NFKC))


def _vulgar(found: re.Match[str]) -> str:
    value = Fraction(unicodedata.numeric(found[0])).limit_denominator(10)
    return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


class _Cutting:
    """One pass over a text."""

    def __init__(self, text: str, lists: bool, markup: bool) -> None:
        self.text, self.lists, self.markup = text, lists, markup
        self.found: list[Token] = []
        self.differentials = _DIFFERENTIALS.search(text) is not None
        self.at, self.depth, self.spaced = 0, 0, False

    def run(self) -> list[Token]:
        # The text grows shorter on the way: a font around digits is taken off.
        while self.at < len(self.text):
            scan = _SCAN_LISTS if self.lists or self.depth else _SCAN_COMMAS
            match = scan.match(self.text, self.at)
            if match is None:
                raise UnreadableError("a sign could not be read")
            self.at = match.end()
            kind = match.lastgroup
            if kind == "space":
                self.spaced = True
                continue
            if kind == "number":
                self._number(match[0])
            elif kind == "word":
                self._word(match[0])
            elif kind == "environment":
                self._put("begin" if match["edge"] == "begin" else "finish", match["called"])
            elif kind == "quoted":
                self._styled("\\text", match["said"] or match["told"])
            elif kind == "styled":
                self._styled(match[0], match["inner"])
            else:
                self._sign(match[0])
            self.spaced = False
            if len(self.found) > MOST_TOKENS:
                raise UnreadableError(f"more than {MOST_TOKENS} signs")
        self.found.append(Token("end", "", self.spaced))
        return self.found

    def _put(self, kind: str, text: str, number: Fraction | None = None) -> None:
        self.found.append(Token(kind, text, self.spaced, number))
        self.spaced = False

    def _number(self, written: str) -> None:
        value = exact(written)
        power = None if self.markup else _SCIENTIFIC.match(self.text, self.at)
        if power is not None:
            self.at = power.end()
            exponent = int(power[0][1:])
            if abs(exponent) > 4_000:
                raise UnreadableError(f"10^{exponent} is beyond what is read")
            value *= Fraction(10) ** exponent
            written += power[0]
        self._put("num", written, value)

    def _sign(self, sign: str) -> None:
        if sign == "$":
            return
        kind, text = SIGNS.get(sign) or COMMANDS.get(sign) or ("cmd" if sign[0] == "\\" else "op", sign)
        if kind == "skip":
            return
        if text in ("(", "[", "\\{"):
            self.depth += 1
        elif text in (")", "]", "\\}"):
            self.depth = max(0, self.depth - 1)
        self._put(kind, text)

    def _styled(self, whole: str, inner: str) -> None:
        style = re.match(r"\\(\w+)", whole)
        name = style[1] if style else ""
        inner = inner.strip()
        if name == "mathbb" or name == "mathds":
            self._put("sym", f"set {inner}")
        elif not re.search(r"[^\W\d_]", inner) or (name == "text" and "\\" in inner):
            # Digits and signs inside a font are no text.
            self.text = f"{inner} {self.text[self.at :]}"
            self.at = 0
        elif letter := _LETTER.fullmatch(inner):
            inner = letter[1]
            vector = name in ("mathbf", "boldsymbol", "bm", "pmb") and inner in "ijk"
            self._letter(f"vec {inner}" if vector else inner)
        elif inner.lower() in CONNECTORS:
            self._put(*CONNECTORS[inner.lower()])
        elif inner in FUNCTIONS:
            self._put("fn", FUNCTIONS[inner])
        elif name.startswith("operatorname"):
            self._put("fn", inner)
        else:
            self._put("text", inner)

    def _letter(self, letter: str) -> None:
        kind, text = LETTER_NAMES.get(letter, ("sym", letter))
        if self.differentials and self.found and not self.spaced and self.found[-1].text == "d" and kind == "sym":
            self.found[-1] = self.found[-1]._replace(text=f"d{text}")
            return
        self._put(kind, text)

    def _word(self, word: str) -> None:
        rate = _RATE.match(self.text, self.at) if self.spaced and self.found and self.found[-1].kind == "num" else None
        if rate is not None and len(word) <= 3 and word.islower():
            self.at = rate.end()
            self._put("unit", word + rate[0].replace("^", ""))
            return
        if len(word) == 1:
            self._letter(word)
            return
        lowered = word.lower()
        after_number = bool(self.found) and self.found[-1].kind in ("num", "brace", "close")
        if lowered in CONNECTORS:
            self._put(*CONNECTORS[lowered])
        elif word in UNITS and after_number and (len(word) > 2 or self.spaced):
            self._put("unit", word)
        elif lowered == "in" and self.spaced and self.text[self.at : self.at + 1] == " ":
            self._put("rel", "in")
        elif lowered in PROSE and not self.markup:
            self._put("text", lowered)
        else:
            self._split(word)

    def _split(self, word: str) -> None:
        pieces = split_word(word)
        if not self.markup and is_wordy(word):
            self._put("text", word)
            return
        for piece in pieces:
            if piece in FUNCTIONS:
                self._put("fn", FUNCTIONS[piece])
            elif piece in GREEK:
                self._put(*GREEK[piece])
            else:
                self._letter(piece)


@cache
def split_word(word: str) -> tuple[str, ...]:
    """Cut a run of letters into names of functions, Greek letters and single letters.

    >>> split_word("xsin"), split_word("pir")
    (('x', 'sin'), ('pi', 'r'))
    """
    pieces = []
    at = 0
    while at < len(word):
        length = next((n for n in range(min(8, len(word) - at), 1, -1) if _is_name(word[at : at + n])), 1)
        pieces.append(word[at : at + length])
        at += length
    return tuple(pieces)


@cache
def is_wordy(word: str) -> bool:
    """Say whether a run of letters is a word, not a product of letters and names.

    >>> is_wordy("Paris"), is_wordy("xyz"), is_wordy("yes"), is_wordy("sinx")
    (True, False, True, False)
    """
    letters = sum(len(piece) == 1 for piece in split_word(word))
    is_capitalised = len(word) >= 3 and word[0].isupper() and word[1:].islower()
    return word.lower() in WORDS or (letters >= 3 and (len(word) >= 4 or is_capitalised))


def _is_name(word: str) -> bool:
    return word in FUNCTIONS or word in GREEK


def exact(written: str) -> Fraction:
    r"""Return the value of a decimal as written; repeating ones too.

    >>> exact("1{,}234.5"), exact("0.1\\overline{6}"), exact("0.333..."), exact(".5")
    (Fraction(2469, 2), Fraction(1, 6), Fraction(1, 3), Fraction(1, 2))
    """
    dots = re.search(r"(?:\.\.\.|\\l?dots|\\cdots)$", written)
    repeated = re.search(r"\\overline\s?\{(\d+)\}$|\((\d+)\)$", written)
    if repeated:
        return _repeating(written[: repeated.start()], repeated[1] or repeated[2])
    if dots:
        digits = written[: dots.start()]
        block = re.search(r"(\d{1,9}?)\1\1+$|(\d{2,9}?)\2$", digits)
        if block and block.start() >= digits.index(".") + 1:
            return _repeating(digits[: block.start()], block[1] or block[2])
        raise UnreadableError(f"`{written}` does not say how it goes on")
    whole, _, rest = re.sub(r"[^\d.]", "", written).partition(".")
    return Fraction(big_int(whole + rest), 10 ** len(rest)) if rest else Fraction(big_int(whole))


def _repeating(before: str, block: str) -> Fraction:
    whole, _, rest = before.partition(".")
    first = Fraction(big_int((whole or "0") + rest), 10 ** len(rest))
    return first + Fraction(int(block), (10 ** len(block) - 1) * 10 ** len(rest))


def big_int(digits: str) -> int:
    """Return a whole number of any length that is read here; int() alone stops at 4,300 digits."""
    if len(digits) <= 4_000:
        return int(digits or "0")
    half = len(digits) // 2
    ten: int = 10**half
    return big_int(digits[:-half]) * ten + big_int(digits[-half:])
