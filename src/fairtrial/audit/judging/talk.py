"""Talk with a judge until it replies without calling a tool, or until it is clear why there will be no reply.

Every way in which asking ends is a value; only an answer goes on. A conversation that grows past its room, or past its
turns, is told to decide. Not covered: what the reply says.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from fairtrial.audit.judging.desk import Desk
from fairtrial.audit.judging.settings import JudgeSettings
from fairtrial.models import (
    Answered,
    Infrastructure,
    LanguageModel,
    Message,
    Outcome,
    OverBudget,
    Refused,
    Reply,
    Request,
    Returned,
    Said,
    Tool,
    Truncated,
    Unparsed,
)
from fairtrial.run.agents.terminal import CALL_AS_TEXT

STRIKES = 2
"""So many replies in a row that are empty, or calls after it was told to decide, end a conversation."""
_EMPTY = "Your reply was empty. Call a tool, or reply as you were asked to."
_DECIDE = "There is no room for more calls. Reply now, as you were asked to, by what you have seen."
_AS_TEXT = "Your reply holds a call written as text, so nothing was done. Use the tool interface, or reply."


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a judge gave no reply: `refused`, `truncated_reply`, `over_budget`, `model_unreachable`, ..."""

    reason: str
    detail: str = ""
    images: int = 0
    """How many the message had that was refused."""


@dataclass(slots=True, kw_only=True)
class Talk:
    """One conversation with one judge."""

    model: LanguageModel
    instructions: str
    settings: JudgeSettings
    stop: threading.Event
    """Set when the whole work is to stop: nothing more is asked."""
    desk: Desk | None = None
    """None: it is given no tools."""
    messages: list[Message] = field(default_factory=list)
    askings: int = 0
    calls: int = 0
    """Replies that called tools."""

    def say(self, message: Said) -> str | Broken:
        """Say something and return the text of the reply, after as many calls of tools as it makes."""
        self.messages.append(message)
        strikes = 0
        while strikes <= STRIKES:
            outcome = self._asked()
            if isinstance(outcome, Unparsed):
                strikes += 1
                self._told(outcome.reply, _EMPTY)
            elif not isinstance(outcome, Answered):
                return _why(outcome)
            elif not outcome.reply.calls and not self._is_unread(outcome.reply):
                self.messages.append(outcome.reply)
                return outcome.reply.text
            elif not outcome.reply.calls:
                strikes += 1
                self._told(outcome.reply, _AS_TEXT)
            elif self.desk is None or self._is_full():
                strikes += 1
                self._refuse_calls(outcome.reply)
            else:
                self._do_calls(outcome.reply, self.desk)
            if strikes > STRIKES and isinstance(outcome, Answered) and not outcome.reply.calls:
                return Broken("calls_unread", "the server hands on tool calls as text: set its tool call parser")
        return Broken("no_reply", "it went on without a reply after it was told to give one")

    def _asked(self) -> Outcome:
        if self.stop.is_set():
            return Infrastructure(reason="deadline", detail="the work was stopped")
        self.askings += 1
        tools: tuple[Tool, ...] = self.desk.tools if self.desk is not None else ()
        return self.model.ask(Request(instructions=self.instructions, messages=tuple(self.messages), tools=tools))

    def _is_unread(self, reply: Reply) -> bool:
        """Say whether a reply holds a call that its server handed on as text; a reply with the nonce is none."""
        if self.desk is None or f'"{self.desk.nonce}"' in reply.text:
            return False
        return CALL_AS_TEXT.search(reply.text) is not None

    def _is_full(self) -> bool:
        if self.calls >= self.settings.turns:
            return True
        whole = Request(instructions=self.instructions, messages=tuple(self.messages))
        return whole.characters() + self.settings.tool_characters > self.settings.most_characters

    def _do_calls(self, reply: Reply, desk: Desk) -> None:
        self.messages.append(reply)
        after: list[Message] = []
        for call in reply.calls:
            if self._is_full():  # each call of one reply takes room
                self.messages.append(Returned(call=call, text=_DECIDE))
                continue
            told = desk.answer(call)
            self.messages.append(Returned(call=call, text=told.text or "(nothing)"))
            if told.images:  # a tool's answer is text: its images are shown beside it
                after.append(Said(text=f"The images that `{call.name}` showed, in order:", images=told.images))
        self.messages += after
        self.calls += 1

    def _refuse_calls(self, reply: Reply) -> None:
        self.messages.append(reply)
        self.messages += [Returned(call=call, text=_DECIDE) for call in reply.calls]

    def _told(self, reply: Reply, why: str) -> None:
        # Some chat templates insist that user and model take turns: the useless reply keeps its place.
        self.messages += [Reply(text=reply.text or "(nothing)"), Said(text=why)]


def _why(outcome: Outcome) -> Broken:
    match outcome:
        case Refused():
            return Broken("refused", outcome.why)
        case Truncated():
            return Broken(f"truncated_{outcome.what}", _TRUNCATED[outcome.what])
        case Infrastructure():
            return Broken("stopped" if outcome.reason == "deadline" else f"model_{outcome.reason}", outcome.detail)
        case OverBudget():
            return Broken("over_budget", outcome.why)
        case _:
            raise TypeError(f"{outcome.kind} is an answer")


_TRUNCATED = {
    "reply": "its reply was cut at the token limit",
    "context": "the conversation no longer fits its context: set --context-tokens lower",
}
