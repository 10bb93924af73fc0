"""Read the one JSON object that a judge was asked for, out of its own last message and nowhere else.

The object repeats the word of its asking, so that one which stands in what was judged, and which the judge repeats,
is never taken for its reply. What does not fit is told in words, so that the judge can be asked again.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

MOST_CHARACTERS = 400_000
_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)

Shape = TypeVar("Shape", bound=BaseModel)


def stated(text: str, nonce: str, shape: type[Shape]) -> Shape | str:
    """Return the object of `shape` in `text` whose `asking` is `nonce`, or why there is none.

    Exactly one is wanted: of two, nobody could say which is meant.
    """
    found = [one for one in _objects(text) if one.get("asking") == nonce]
    if len(found) != 1:
        held = "no JSON object" if not found else f"{len(found)} JSON objects"
        return f'it holds {held} with "asking": "{nonce}", and exactly one was asked for'
    try:
        return shape.model_validate_json(json.dumps({key: value for key, value in found[0].items() if key != "asking"}))
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}" for one in error.errors()[:5])
        return "; ".join(problems)
    except (ValueError, RecursionError):
        return "it holds what is no JSON"


def _objects(text: str) -> list[dict[str, Any]]:
    """Return the outermost JSON objects of `text`, a leading thought left out."""
    said = _THOUGHT.sub("", text, count=1)[-MOST_CHARACTERS:]
    decoder = json.JSONDecoder()
    found: list[dict[str, Any]] = []
    at = said.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(said, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict):
                found.append(value)
        at = said.find("{", end)
    return found
