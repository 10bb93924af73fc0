"""A budget of tokens and money, shared by the threads of one process.

A call in flight is held at an estimate until its usage is known, so that threads cannot all spend the same last
cent. The estimate of a prompt is one token for `CHARACTERS_PER_TOKEN` characters; of a reply, the most it may be,
where the spec says so. Where it does not, each call in flight may go over by its own reply. Not shared between
processes: give each its share.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from fairtrial.models.spec import ModelSpec, Usage
from fairtrial.records import InputError

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Spent:
    """What a budget has paid for so far."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unmeasured: int = 0
    """Calls whose usage the server did not say; they are charged at their estimate."""

    @property
    def tokens(self) -> int:
        """Return input and output tokens together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Hold:
    """The estimate at which one call in flight is held."""

    input_tokens: int
    output_tokens: int
    cost_usd: float

    @property
    def tokens(self) -> int:
        """Return input and output tokens together."""
        return self.input_tokens + self.output_tokens


class Budget:
    """Say whether another call may be made, and count what was spent. Safe to share between threads."""

    def __init__(self, *, tokens: int | None = None, usd: float | None = None) -> None:
        if tokens is not None and tokens < 0:
            raise InputError(f"{tokens} tokens is not a budget", field="tokens")
        if usd is not None and not usd >= 0:
            raise InputError(f"{usd} USD is not a budget", field="usd")
        self.tokens = tokens
        self.usd = usd
        self._spent = Spent()
        self._held: list[Hold] = []
        self._lock = threading.Lock()

    @property
    def spent(self) -> Spent:
        """Return what has been spent so far."""
        with self._lock:
            return self._spent

    def hold(self, spec: ModelSpec, characters: int) -> Hold | str:
        """Hold the estimate of one call, or say why it may not be made. Raise InputError for money without a price."""
        if self.usd is not None and spec.price is None:
            raise InputError(
                "a budget in USD needs the model's prices", field="usd", hint="Give USD per million tokens, in and out."
            )
        hold = _estimate(spec, characters)
        with self._lock:
            tokens = self._spent.tokens + sum(held.tokens for held in self._held)
            usd = self._spent.cost_usd + sum(held.cost_usd for held in self._held)
            if self.tokens is not None and tokens + hold.tokens > self.tokens:
                return f"{tokens} of {self.tokens} tokens are spent or held, and the next call may take {hold.tokens}"
            if self.usd is not None and usd + hold.cost_usd > self.usd:
                return f"{usd:.4f} of {self.usd:.4f} USD are spent or held, the next call may take {hold.cost_usd:.4f}"
            self._held.append(hold)
        return hold

    def settle(self, hold: Hold, usage: Usage | None, reply_characters: int = 0) -> None:
        """Release `hold` and charge what was used; None means that nothing was asked.

        Where the server did not count, the prompt is charged at its estimate and the reply by its characters.
        """
        with self._lock:
            self._held.remove(hold)
            if usage is None:
                return
            unmeasured = usage.input_tokens is None or usage.output_tokens is None
            self._spent = Spent(
                calls=self._spent.calls + 1,
                input_tokens=self._spent.input_tokens + _or(usage.input_tokens, hold.input_tokens),
                output_tokens=self._spent.output_tokens + _or(usage.output_tokens, _tokens(reply_characters)),
                cost_usd=self._spent.cost_usd + (hold.cost_usd if usage.cost_usd is None else usage.cost_usd),
                unmeasured=self._spent.unmeasured + unmeasured,
            )


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def _or(known: int | None, estimate: int) -> int:
    return estimate if known is None else known


def _estimate(spec: ModelSpec, characters: int) -> Hold:
    input_tokens = _tokens(characters)
    output_tokens = spec.max_tokens or 0
    cost = 0.0 if spec.price is None else spec.price.cost(input_tokens, output_tokens)
    return Hold(input_tokens, output_tokens, cost)
