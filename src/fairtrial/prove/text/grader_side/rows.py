"""A case and a completion as a grader's call needs them. What every adapter shares.

A completion arrives as text or as a list of messages; a grader wants one or the other.
"""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]


class Row:
    """One case with one completion of it."""

    def __init__(self, case: dict[str, Any], completion: str | list[Message], form: str) -> None:
        self.case = case
        self.completion = completion
        self.form = form
        """`text` or `chat`: how a grader that could take either is given the completion."""

    @property
    def answer(self) -> Any:
        """Return the ground truth."""
        return self.case.get("answer")

    @property
    def prompt(self) -> Any:
        """Return the prompt as the case file has it: text or messages."""
        return self.case.get("prompt", "")

    @property
    def info(self) -> dict[str, Any]:
        """Return the other columns of the case."""
        return self.case.get("info") or {}

    def text(self) -> str:
        """Return the completion as text: its last assistant message where it is a chat."""
        if isinstance(self.completion, str):
            return self.completion
        said = [content_of(one) for one in self.completion if one.get("role") == "assistant"]
        return said[-1] if said else ""

    def messages(self) -> list[Message]:
        """Return the completion as messages."""
        if isinstance(self.completion, str):
            return [{"role": "assistant", "content": self.completion}]
        return [dict(one) for one in self.completion]

    def asked(self) -> list[Message]:
        """Return the prompt as messages."""
        if isinstance(self.prompt, str):
            return [{"role": "user", "content": self.prompt}]
        return [dict(one) for one in self.prompt]

    def question(self) -> str:
        """Return the prompt as text: its last user message where it is a chat."""
        if isinstance(self.prompt, str):
            return self.prompt
        asked = [content_of(one) for one in self.prompt if one.get("role") == "user"]
        return asked[-1] if asked else ""

    def handed_in(self) -> str | list[Message]:
        """Return the completion in the form that is tried now."""
        return self.messages() if self.form == "chat" else self.text()

    def turns(self) -> int:
        """Return how often the policy spoke."""
        return sum(one.get("role") == "assistant" for one in self.messages())


class State(dict):  # type: ignore[type-arg]
    """A rollout's state as graders read it: by key or by attribute."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def state_of(row: Row) -> State:
    """Return the state that a finished rollout with this completion would have."""
    messages = row.messages()
    return State({
        **row.info, "prompt": row.asked(), "completion": messages, "answer": row.answer, "info": row.info,
        "messages": [*row.asked(), *messages], "trajectory": messages, "turn": row.turns(), "responses": [],
        "is_completed": True, "is_truncated": False, "error": None, "reward": None, "metrics": {},
    })  # fmt: skip


def content_of(message: Message) -> str:
    """Return what a message says as text: parts of a multi-part content are joined."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in content)
    return "" if content is None else str(content)
