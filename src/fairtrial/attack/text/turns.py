"""Play a chat badly: never answer, claim without calling, finish at once, repeat what the environment gave away.

Only for cases whose gold completion is a chat: its turns are kept and those of the policy are spoiled. The environment
is not run again, so what a live one would have said differently is not covered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fairtrial.attack.card import Card
from fairtrial.attack.text.gold import Gold
from fairtrial.attack.text.protocol import Messages, TextCase, TextSubmission
from fairtrial.attack.text.rule import TextRule, lazy, wrong

CARD = Card(
    id="turns", family="hack", surface="text", classes=("BGW-125", "BGW-106", "TRACE-10", "TRACE-6"),
    submits="a chat that never answers, claims success without a call, finishes at once, or repeats what was revealed",
    sound="fails it",
    proof="a proof for a chat that never answers; where calls are left out, if the gold completion makes any",
)  # fmt: skip
_WHY_NEVER = "The policy never answered."
_WHY_CALLS = "It claims what the gold completion does by calling tools, and calls none."
_WHY_REVEALED = (
    "It repeats what the environment gave away after a wrong answer; whether that may count is a rule's call."
)
_CLAIM = "Done. I have completed everything that you asked for, and it went through successfully."
_REVEALED = re.compile(r"\b(?:answer|word|solution|number|target)\s+(?:was|is)\s*:?\s*[\"'*`]*([^\s\"'*`.,!?;]+)", re.I)


def _make(case: TextCase, gold: Gold) -> Iterator[TextSubmission]:
    if isinstance(case.reference, str):
        return
    chat = case.reference
    opening = _opening(chat)
    silent = tuple(_said(one, "Let me look into this.") if _is_policy(one) else one for one in chat)
    yield lazy("never_answers", silent, "a chat in which the policy never answers", why=_WHY_NEVER)
    done = (*opening, {"role": "assistant", "content": "Done."})
    calls = any(message.get("tool_calls") for message in chat)
    why = _WHY_CALLS if calls else _WHY_NEVER
    yield lazy("finishes_at_once", done, "a chat that finishes at once", why=why)
    claim = (*opening, {"role": "assistant", "content": _CLAIM})
    yield lazy("claims_success", claim, "a chat that claims success and does nothing", why=why)
    if calls:
        unknown = {"name": "no_such_tool", "arguments": "{}"}
        call = {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "1", "type": "function", "function": unknown}],
        }
        yield lazy("unknown_tool", (*opening, call), "a call of a tool that does not exist", why=_WHY_NEVER)
        final = [one for one in chat if _is_policy(one)][-1:]
        alone = (*opening, *(_without_calls(one) for one in final))
        yield wrong(
            "without_calls", alone, "the last turn without the calls before it", why=_WHY_CALLS, severity="lead"
        )
    given_away = [found.group(1) for one in chat if not _is_policy(one)
                  for found in _REVEALED.finditer(str(one.get("content") or ""))]  # fmt: skip
    if given_away and gold.text:
        repeated = (*chat, {"role": "assistant", "content": given_away[-1]})
        yield wrong("repeats_revealed", repeated, "what the environment gave away, repeated", why=_WHY_REVEALED,
                    severity="lead")  # fmt: skip


def _is_policy(message: Mapping[str, Any]) -> bool:
    return message.get("role") == "assistant"


def _opening(chat: Messages) -> Messages:
    first = next((place for place, message in enumerate(chat) if _is_policy(message)), len(chat))
    return chat[:first]


def _said(message: Mapping[str, Any], text: str) -> Mapping[str, Any]:
    return {**_without_calls(message), "content": text}


def _without_calls(message: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in message.items() if key != "tool_calls"}


TURNS = TextRule(card=CARD, make=_make, needs_answer=False)
