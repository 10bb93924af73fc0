"""Read a judge's verdict out of its reply: a number on its scale, one of its labels, or which response it prefers.

The last verdict in the reply counts, as a judge that thinks aloud ends with it. What cannot be read is no verdict:
it is never the lowest score. Not covered: mending a reply by asking again.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from fairtrial.grade.judges.definition import TIE, Judge


def read_verdict(judge: Judge, text: str) -> float | None:
    """Return the value of the verdict in `text`; None where there is none. Pairwise: 1 first, -1 second, 0 a tie.

    >>> from fairtrial.grade.judges import Judge
    >>> read_verdict(Judge(name="j", template="", high=10), 'Fine. {"score": 7}')
    7.0
    >>> read_verdict(Judge(name="j", template="", high=10), '{"score": 11}') is None
    True
    """
    stated = _by_pattern(judge.pattern, text) if judge.pattern else _by_field(judge.field, text)
    if stated is None:
        return None
    if judge.form == "pairwise":
        return _preference(judge, str(stated))
    if judge.labels:
        named = zip(judge.label_names(), (value for _, value in judge.labels), strict=True)
        return {name.casefold(): value for name, value in named}.get(str(stated).strip().casefold())
    return _number(judge, stated)


def _preference(judge: Judge, stated: str) -> float | None:
    word = stated.strip().casefold()
    return {judge.names[0].casefold(): 1.0, judge.names[1].casefold(): -1.0, TIE: 0.0}.get(word)


def _number(judge: Judge, stated: Any) -> float | None:
    if isinstance(stated, bool):
        return None
    try:
        value = float(stated)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) and judge.low <= value <= judge.high else None


def _by_pattern(pattern: str, text: str) -> str | None:
    matches = list(re.finditer(pattern, text))
    return matches[-1][1] if matches else None


def _by_field(field: str, text: str) -> Any:
    """Return the value of `field` in the last JSON object of `text` that has it, objects inside others left alone."""
    decoder, stated, at = json.JSONDecoder(), None, text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            stated = found.get(field, stated)
        at = text.find("{", end)
    return stated
