"""What is a letter: the table by which the kernel folds characters, and what it passes over.

A word is a run of letters, digits and marks of any script, in lower case, without the accents of Latin, Greek and
Cyrillic, full-width forms as their plain ones, and letters of Greek and Cyrillic as the Latin ones that they look like,
for so a row can be disguised (no two of Greek, or of Russian, become one). In scripts that set no spaces (Han, Kana,
Thai, Lao, Khmer, Burmese) each character is a word. Invisible characters (soft hyphens, joiners, direction marks) and
the vowel points of Arabic and Hebrew are passed over. All else ends a word: `snake_case` is two words, `camelCase` one.
Not covered: Hangul and Kana written in decomposed form, ligatures.
"""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

SIZE = 0x20000
"""Code points that the table covers. From 0x20000 to 0x3FFFF all are Han; beyond there is nothing to read."""
ALONE = 1 << 30
"""Set where the character is a word by itself."""
PASSED_OVER = 1 << 31
"""What stands inside a word and is not read."""

_NO_SPACES = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3040, 0x30FF),
    (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F), (0x1B000, 0x1B16F),
)  # fmt: skip
_THEMSELVES = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x17000, 0x187F7), (0x18800, 0x18CD5))
"""Han, Hangul, Tangut and Khitan: letters all, which have no case and no accents. Sixty thousand need no look-up."""
_ALIKE = dict(zip("авекмнорстухіјѕһԁԛԝӏαβεικμνορτυχζıɑɡ", "abekmhopctyxijshdqwlabeikmvoptuxziag", strict=True))
"""In lower case; where only the capitals are alike, the small ones go with them."""
_INVISIBLE = (
    (0x00AD, 0x00AD), (0x0300, 0x036F), (0x0591, 0x05BD), (0x0640, 0x0640), (0x064B, 0x0652), (0x0670, 0x0670),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2064), (0x2066, 0x2069),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
)  # fmt: skip


@cache
def letters() -> NDArray[np.uint32]:
    """Return the table, shape (SIZE,): 0 ends a word, else what the character is read as, with the flags above."""
    table = np.zeros(SIZE, np.uint32)
    category = unicodedata.category
    for first, last in _THEMSELVES:
        table[first : last + 1] = np.arange(first, last + 1)
    for point in np.flatnonzero(table == 0).tolist():
        if category(chr(point))[0] in "LNM":
            table[point] = _folded(point)
    for first, last in _NO_SPACES:
        part = table[first : last + 1]
        part[part != 0] |= ALONE
    for first, last in _INVISIBLE:
        table[first : last + 1] = PASSED_OVER
    return table


@cache
def quick() -> NDArray[np.uint64]:
    """Return what each byte of ASCII adds to a word's hash, shape (256,): 0 where it is no letter; A as a."""
    values = np.random.Generator(np.random.PCG64(5)).integers(1, 1 << 63, size=128, dtype=np.uint64)
    folded = letters()[:128]
    found = np.zeros(256, np.uint64)
    found[:128] = np.where(folded != 0, values[folded & 127], np.uint64(0))
    return found


def _folded(point: int) -> int:
    """Return the code point that a letter is read as.

    >>> "".join(chr(_folded(ord(letter))) for letter in "AÉñß７ΐЙ")
    'aenß7iи'
    """
    letter = chr(point)
    if point < 0x80:
        return ord(letter.lower())
    if 0xAC00 <= point <= 0xD7A3:
        return point
    plain = unicodedata.normalize("NFKD", letter.lower())
    rest = plain[1:]
    marked = all(0x0300 <= ord(mark) <= 0x036F for mark in rest)
    first = (plain if marked else letter.lower())[0].lower()
    return ord(_ALIKE.get(first, first))
