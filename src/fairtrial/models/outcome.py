"""How asking a language model can end. Typed values instead of exceptions: a caller must say what it does with each.

Answered        the model replied
Unparsed        it replied with nothing, or with what does not fit the shape asked for
Refused         it, or its server's filter, declined
Truncated       its reply was cut at the token limit, or the conversation no longer fits its context
Infrastructure  the server could not be asked, after retries: says nothing about the model
OverBudget      the budget is used up; nothing was asked
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Generic, Literal, TypeVar

from fairtrial.models.conversation import Reply
from fairtrial.models.spec import Usage

Value = TypeVar("Value")

Reason = Literal[
    "unreachable", "rate_limited", "server_error", "timeout", "deadline", "rejected", "unauthorized", "bad_response"
]
"""`timeout`: one reply took longer than the spec allows. `deadline`: the caller's own time ran out first.
`rejected`: the server says that the request itself is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The model replied."""

    kind: ClassVar[str] = "answered"
    reply: Reply
    usage: Usage = field(default_factory=Usage)
    cached: bool = False
    """Read from the cache on disk: nothing was asked and nothing charged; `usage` is what it once took."""
    attempts: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed(Generic[Value]):
    """The model replied in the shape asked for."""

    kind: ClassVar[str] = "answered"
    value: Value
    reply: Reply
    usage: Usage = field(default_factory=Usage)
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unparsed:
    """The model replied with nothing, or with what does not fit the shape asked for."""

    kind: ClassVar[str] = "unparsed"
    reply: Reply
    why: str
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The model, or its server's filter, declined."""

    kind: ClassVar[str] = "refused"
    why: str
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truncated:
    """The reply was cut at the token limit (`reply`), or the conversation no longer fits (`context`)."""

    kind: ClassVar[str] = "truncated"
    what: Literal["reply", "context"]
    reply: Reply = field(default_factory=Reply)
    """What came before the cut; a call in it may be incomplete and must not be carried out."""
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Infrastructure:
    """The server could not be asked."""

    kind: ClassVar[str] = "infrastructure"
    reason: Reason
    detail: str = ""
    attempts: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OverBudget:
    """The budget is used up."""

    kind: ClassVar[str] = "over_budget"
    why: str


Outcome = Answered | Unparsed | Refused | Truncated | Infrastructure | OverBudget
