"""What graders, detectors and reviewers wrote, made fit to be read: evidence laid out, steps that it names as links."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson
from markupsafe import Markup

from fairtrial.serve.steps.hostile import shown

_STEP = re.compile(r"\bstep (\d{1,6})\b")


def evidence_of(text: str | None) -> Any:
    """Return evidence as JSON; as it stands where it is none; None where there is none."""
    try:
        return orjson.loads(text) if text else None
    except orjson.JSONDecodeError:
        return text


def pretty(text: str | None) -> str:
    """Return evidence laid out: JSON over several lines, texts in it with their own line ends.

    >>> print(pretty('{"exit": 1, "tail": "a\\\\nb"}'))
    exit: 1
    tail:
      a
      b
    """
    content = evidence_of(text)
    if isinstance(content, dict):
        return "\n".join(_entry(str(name), value) for name, value in content.items())
    return content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False) * bool(text)


def _entry(name: str, value: Any) -> str:
    if not isinstance(value, str):
        value = json.dumps(value, indent=2, ensure_ascii=False)
    return f"{name}:\n  " + value.strip("\n").replace("\n", "\n  ") if "\n" in value else f"{name}: {value}"


def linked(text: str | None) -> Markup:
    """Return text of unknown origin as HTML in which `step 7` leads to that step.

    >>> str(linked("see step 7 <b>"))
    'see <a href="#s7">step 7</a> &lt;b&gt;'
    """
    parts, last = [], 0
    for found in _STEP.finditer(text or ""):
        parts += [shown((text or "")[last : found.start()]), Markup('<a href="#s{0}">step {0}</a>').format(found[1])]
        last = found.end()
    return Markup("").join([*parts, shown((text or "")[last:])])


def seconds_words(seconds: float | None) -> str:
    """Return a duration in words; empty where there is none.

    >>> seconds_words(216.4), seconds_words(3.21), seconds_words(7325), seconds_words(None)
    ('3 min 36 s', '3.2 s', '2 h 2 min', '')
    """
    if seconds is None:
        return ""
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
