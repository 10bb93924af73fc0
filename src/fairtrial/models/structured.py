"""Ask for an answer in a shape, and get it validated, or `unparsed`.

The shape is told in words and the JSON read from the reply: this works with any server, where tool forcing and
response formats do not. A reply that does not fit is told why and may be mended.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from fairtrial.models.conversation import Reply, Request, Said
from fairtrial.models.door import LanguageModel
from fairtrial.models.outcome import Answered, Infrastructure, OverBudget, Parsed, Refused, Truncated, Unparsed

Shape = TypeVar("Shape", bound=BaseModel)
_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)

_ASK = "Reply with one JSON object that fits this schema, and nothing else:\n{schema}"
_MEND = "That does not fit the schema: {why}\nReply with the corrected JSON object, and nothing else."


def structured(
    model: LanguageModel, request: Request, shape: type[Shape], *, mends: int = 1
) -> Parsed[Shape] | Unparsed | Refused | Truncated | Infrastructure | OverBudget:
    """Ask for one object of `shape`. A reply that does not fit is sent back with the reason at most `mends` times.

    `usage` is that of the last reply; the budget of `model` counts them all.
    """
    schema = json.dumps(shape.model_json_schema(), ensure_ascii=False)
    asking = replace(request, instructions=f"{request.instructions}\n\n{_ASK.format(schema=schema)}".strip())
    for attempt in range(mends + 1):
        outcome = model.ask(asking)
        if not isinstance(outcome, Answered):
            return outcome
        found = _fitted(outcome.reply.text, shape)
        if not isinstance(found, str):
            return Parsed(value=found, reply=outcome.reply, usage=outcome.usage, cached=outcome.cached)
        if attempt == mends:
            return Unparsed(reply=outcome.reply, why=found, usage=outcome.usage)
        said = Reply(text=outcome.reply.text)
        asking = replace(asking, messages=(*asking.messages, said, Said(text=_MEND.format(why=found))))
    raise ValueError(f"{mends} mends is below 0")


def _fitted(text: str, shape: type[Shape]) -> Shape | str:
    """Return the object that `text` holds, or why there is none."""
    try:
        return shape.model_validate_json(_json_in(text))
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, one['loc'])) or 'reply'}: {one['msg']}" for one in error.errors()[:5])
        return "; ".join(problems)


def _json_in(text: str) -> str:
    """Return the JSON object within `text`: fenced, or from the first brace to the last.

    >>> _json_in('Here it is: {"a": 1}.')
    '{"a": 1}'
    """
    fenced = _FENCED.search(text)
    inner = fenced.group(1) if fenced else text
    start, end = inner.find("{"), inner.rfind("}")
    return inner[start : end + 1] if 0 <= start < end else inner
