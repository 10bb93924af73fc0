"""Put a text into plain type: other scripts' digits, wide letters, dashes, spaces, quotes and what is not seen.

Superscripts, fractions of one character and signs of multiplication stay: they carry meaning (x² is not x2), so this
is not NFKC. En and em dashes stay too, as they part the ends of a range. Markdown's marks of emphasis go.
"""

from __future__ import annotations

import re
import unicodedata

_SPACES = "\u00a0\u2007\u2008\u2009\u202f"
"""Narrow and hard spaces: between groups of three digits they are thousands separators."""
_TABLE: dict[int, str | None] = {
    **dict.fromkeys(map(ord, "−‐‑‒﹣－"), "-"),
    **dict.fromkeys(map(ord, "’‘ʼ＇´"), "'"),
    **dict.fromkeys(map(ord, "“”„‟＂«»"[:5]), '"'),
    **dict.fromkeys(map(ord, _SPACES), "\u00a0"),
    **dict.fromkeys(map(ord, "٪﹪"), "%"),
    ord("٫"): ".",
    ord("٬"): ",",
    **dict.fromkeys(range(0x2000, 0x2007), " "),
    **dict.fromkeys((0x200A, 0x205F, 0x3000, 0x1680, 0x09, 0x0B, 0x0C), " "),
    **dict.fromkeys((0x2028, 0x2029, 0x85), "\n"),
    **dict.fromkeys(
        (
            0,
            0xAD,
            0x200B,
            0x200C,
            0x200D,
            0x200E,
            0x200F,
            *range(0x202A, 0x202F),
            0x2060,
            *range(0x2066, 0x206A),
            0xFEFF,
        ),
        None,
    ),
    **{wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)},
}
_GROUPS = re.compile(r"(?<![\d.,])(\d{1,3})((?:\u00a0\d{3})+)(?![\d\u00a0])", re.ASCII)
_EMPHASIS = re.compile(
    r"(?<![\w)\]}*])\*\*(?=[^\s*])([^*\n]++)\*\*|(?<![\w*])\*(?=[^\s*])([^*\n]++)(?<!\s)\*(?![\w*])|"
    r"(?<![\w_])_(?=[^\s_])([^_\n]++)(?<!\s)_(?![\w_])|(?<![\w_])__(?=[^\s_])([^_\n]++)__(?![\w_])|(?<![`\w])`([^`\n]++)`(?!`)"
)


class _Plain(dict[int, str | None]):
    """Adds the digits of other scripts to the table when they are first met."""

    def __missing__(self, code: int) -> str | None:
        letter = chr(code)
        digit = unicodedata.decimal(letter, None) if code > 127 else None
        found = letter if digit is None else str(int(digit))
        if digit is not None:
            self[code] = found
        return found


_PLAIN = _Plain(_TABLE)
_NOTABLE = re.compile(r"[^\n\x20-\x7e]")


def plain_type(text: str) -> str:
    r"""Return `text` in plain type, one character for one, spaces and lines kept.

    >>> plain_type("−３ “x²” 1\u2009234")
    '-3 "x²" 1_234'
    """
    if text.isascii() and not _NOTABLE.search(text):
        return text
    text = text.translate(_PLAIN).replace("\r\n", "\n").replace("\r", "\n")
    if "\u00a0" in text:
        text = _GROUPS.sub(lambda m: m[1] + m[2].replace("\u00a0", "_"), text).replace("\u00a0", " ")
    return text


def clean(text: str) -> str:
    """Return `text` in plain type, stripped, without Markdown's emphasis and code marks.

    >>> clean(" **18** "), clean("2**3"), clean("`x_1`")
    ('18', '2**3', 'x_1')
    """
    text = plain_type(text).strip()
    if "*" in text or "_" in text or "`" in text:
        text = _EMPHASIS.sub(lambda m: m[m.lastindex or 0], text).strip()
    return text
