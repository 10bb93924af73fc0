"""Texts that hide others: base64, hexadecimal, escapes, turned around, rot13; found by what they decode to.

A caller looks for something in `hidden_texts`; that random text decodes to a name of a host is not to be feared.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Iterator
from urllib.parse import unquote

_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{12,4000}={0,2}(?![\w+/=-])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}){8,2000}(?![0-9A-Za-z])")
_ESCAPES = re.compile(r"(?:\\x[0-9a-fA-F]{2}|\\u00[0-9a-fA-F]{2}|\\0?[0-7]{3}){4,}")
_ESCAPED = re.compile(r"\\x([0-9a-fA-F]{2})|\\u00([0-9a-fA-F]{2})|\\0?([0-7]{3})")
_CODES = re.compile(r"(?<![\d.])(?:\d{2,3}\s*,\s*){7,500}\d{2,3}(?![\d.])")
_JOINED = re.compile(r"(['\"`])\s{0,9}(?:\+|\.\.|\.)?\s{0,9}\\?\n?\s{0,40}\1")
_MOST = 100_000
_MOST_TURNED = 20_000


def hidden_texts(text: str) -> Iterator[tuple[str, str]]:
    """Yield (what stands there, what it decodes to).

    >>> [plain for _, plain in hidden_texts("echo YXBpLm9wZW5haS5jb20vdjE= | base64 -d")][:1]
    ['api.openai.com/v1']
    >>> next(hidden_texts("'api.' + 'openai.com'"))[1]
    "'api.openai.com'"
    """
    text = text[:_MOST]
    for found in _BASE64.finditer(text):
        if plain := _of_base64(found[0]):
            yield found[0], plain
    for found in _HEX.finditer(text):
        yield found[0], bytes.fromhex(found[0]).decode("utf-8", "replace")
    for found in _ESCAPES.finditer(text):
        yield found[0], _ESCAPED.sub(_unescaped, found[0])
    for found in _CODES.finditer(text):
        yield found[0], "".join(chr(int(one)) for one in found[0].split(",") if int(one) < 256)
    together = _JOINED.sub("", text)
    if together != text:
        yield text, together
    if "%" in text and (plain := unquote(unquote(text))) != text:
        yield text, plain
    if len(text) <= _MOST_TURNED:
        yield text, text[::-1]
        yield text, codecs.encode(text, "rot13")


def _of_base64(code: str) -> str:
    tidy = code.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        plain = base64.b64decode(tidy + "=" * (-len(tidy) % 4))
    except (binascii.Error, ValueError):
        return ""
    return plain.decode("utf-8", "replace") if plain.isascii() else ""


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    number = int(code, 16) if code else int(found[3], 8)
    return chr(number) if number < 256 else ""
