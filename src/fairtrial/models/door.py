"""The door itself: ask a language model and get a typed outcome. Cache, then budget, then retries, then the wire.

Nothing about the model, its server or its reply is raised; only what the user handed in wrong is (InputError: no
key, a budget in USD without prices). Covers text and tool calls of one turn; who loops over turns is an agent.
"""

from __future__ import annotations

import math
import random
import threading
import time
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from fairtrial.models.budget import Budget
from fairtrial.models.cache import Cache
from fairtrial.models.conversation import Request, request
from fairtrial.models.outcome import (
    Answered,
    Infrastructure,
    Outcome,
    OverBudget,
    Refused,
    Truncated,
    Unparsed,
)
from fairtrial.models.spec import ModelSpec
from fairtrial.models.wire import Failure, Received, Wire

PREFLIGHT_TOKENS = 16
"""Some servers accept no fewer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often a server that fails in passing (429, 5xx, no connection, a garbled reply) is asked again."""

    attempts: int = 8
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0

    def wait(self, attempt: int, asked: float | None = None) -> float:
        """Return the seconds to wait after failed `attempt` (1, 2, ...): doubling, with jitter, or as `asked`."""
        if asked is not None:
            return min(max(asked, 0.0), self.longest_wait_seconds)
        longest = min(self.first_wait_seconds * 2.0 ** (attempt - 1), self.longest_wait_seconds)
        return random.uniform(0.5, 1.0) * longest


class LanguageModel:
    """A language model to ask. Threads may share one, and share a budget and a cache; processes may not."""

    def __init__(
        self,
        spec: ModelSpec,
        *,
        budget: Budget | None = None,
        cache: Cache | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.spec = spec
        self.budget = Budget(tokens=spec.most_tokens) if budget is None else budget
        self.cache = cache
        self._stopped = threading.Event()
        self.patience = Patience() if patience is None else patience
        self._lost_seconds = 0.0
        self._lock = threading.Lock()
        self._wire = Wire(spec)

    def ask(self, request: Request, *, seconds: float | None = None) -> Outcome:
        """Ask for one turn. `seconds` is the time that the model has; None sets no limit.

        Time lost to a server that fails in passing is given back, up to what patience allows: it is not the model's.
        """
        if self.cache is None:
            return self._ask_within_budget(request, seconds)
        key = self.cache.key(self.spec, request)
        kept = self.cache.get(key)
        if kept is not None:
            return kept
        outcome = self._ask_within_budget(request, seconds)
        if isinstance(outcome, Answered):
            self.cache.put(key, outcome)
        return outcome

    def _ask_within_budget(self, request: Request, seconds: float | None) -> Outcome:
        hold = self.budget.hold(self.spec, request.characters())
        if isinstance(hold, str):
            return OverBudget(why=hold)
        usage, characters = None, 0
        try:
            outcome = self._ask_with_retries(request, seconds)
            if not isinstance(outcome, Infrastructure | OverBudget | Refused):
                usage, characters = outcome.usage, outcome.reply.characters()
            elif isinstance(outcome, Refused):
                usage = outcome.usage
        finally:
            self.budget.settle(hold, usage, characters)
        return outcome

    def _ask_with_retries(self, request: Request, seconds: float | None) -> Outcome:
        """Ask until something came, as often as patience allows; each try has what is left of the caller's time."""
        began, lost = time.monotonic(), 0.0
        failure = Failure(reason="deadline", detail="the caller's time ran out", is_passing=False)
        for attempt in range(1, self.patience.attempts + 1):
            tried = time.monotonic()
            left = math.inf if seconds is None else seconds + lost - (tried - began)
            received = self._wire.ask(request, max(min(left, self.spec.request_seconds), 0.0))
            if isinstance(received, Received):
                return _outcome(received, attempt)
            if received.reason == "timeout" and left <= self.spec.request_seconds:
                return Infrastructure(reason="deadline", detail="the caller's time ran out", attempts=attempt)
            failure = received
            if attempt == self.patience.attempts or not failure.is_passing:
                break
            if self._stopped.wait(self.patience.wait(attempt, failure.wait_seconds)):
                return Infrastructure(reason="deadline", detail="the work was stopped", attempts=attempt)
            lost += time.monotonic() - tried
            self._lose(time.monotonic() - tried)
        return Infrastructure(reason=failure.reason, detail=failure.detail, attempts=attempt)

    def _lose(self, seconds: float) -> None:
        with self._lock:
            self._lost_seconds += seconds

    @property
    def lost_seconds(self) -> float:
        """Return the time lost so far to tries that failed and the waits after them: the server's, not the model's."""
        with self._lock:
            return self._lost_seconds

    def stop(self) -> None:
        """Ask no server again that has failed: whoever waits for one is told at once. Replies under way are waited for.

        It cannot be undone, and may be called from any thread.
        """
        self._stopped.set()

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def preflight(spec: ModelSpec, *, seconds: float = 60.0) -> Infrastructure | None:
    """Ask for one word, to know before a long run; return why the model cannot be asked, None where it can.

    Takes a few tokens. A server that is still loading its model is given three tries.
    """
    brief = replace(spec, max_tokens=PREFLIGHT_TOKENS, most_tokens=None)
    with LanguageModel(brief, patience=Patience(attempts=3)) as model:
        outcome = model.ask(request("", "Reply with the word: ready"), seconds=seconds)
    return outcome if isinstance(outcome, Infrastructure) else None


def _outcome(received: Received, attempts: int) -> Outcome:
    reply, usage = received.reply, received.usage
    if received.finish == "context":
        return Truncated(what="context", reply=reply, usage=usage)
    if received.refusal or received.finish == "filter":
        return Refused(why=received.refusal or "the server's filter stopped the reply", usage=usage)
    if received.finish == "length":
        return Truncated(what="reply", reply=reply, usage=usage)
    if not reply.calls and not reply.text.strip():
        return Unparsed(reply=reply, why="the reply is empty", usage=usage)
    return Answered(reply=reply, usage=usage, attempts=attempts)
