"""Make visible what a reader of text would not see: control characters, escapes of terminals, zero width, direction.

Nothing is dropped: each becomes a sign that can be quoted. Not covered: letters that look like others.
"""

from __future__ import annotations

import unicodedata

_PICTURES = 0x2400
_DELETE = 0x7F
_UNSEEN = frozenset({"Cf", "Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
"""Letters and marks that are drawn as nothing."""


def visible(text: str) -> str:
    r"""Return `text` with every character that cannot be seen shown as a sign; line feeds and tabs stay.

    >>> visible("a\x1b[31mb\u200bc")
    'a␛[31mb⟨U+200B⟩c'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in "\n\t" or _is_seen(c) else _sign(c) for c in text)


def _is_seen(character: str) -> bool:
    if character in _FILLERS or 0xFE00 <= ord(character) <= 0xFE0F or 0xE0100 <= ord(character) <= 0xE01EF:
        return False
    return unicodedata.category(character) not in _UNSEEN


def _sign(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(_PICTURES + code)
    if code == _DELETE:
        return "␡"
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8, as `surrogateescape` reads it
        return f"⟨byte {code - 0xDC00:02X}⟩"
    return f"⟨U+{code:04X}⟩"


def visible_lines(text: str) -> tuple[str, ...]:
    r"""Return the lines of `text`, made visible. Lines end at a line feed alone.

    >>> visible_lines("a\r\nb\rc\n")
    ('a', 'b␍c')
    """
    lines = visible(text.replace("\r\n", "\n")).split("\n")
    return tuple(lines[:-1] if lines[-1] == "" else lines)


def one_line(text: str, most: int = 200) -> str:
    r"""Return `text` on one line of at most `most` characters, the middle left out: names of files are the agent's.

    >>> one_line("a\nb")
    'a␊b'
    """
    shown = visible(text).replace("\n", "␊").replace("\t", "␉")
    half = most // 2
    return shown if len(shown) <= most else f"{shown[:half]}…{shown[-half:]}"
