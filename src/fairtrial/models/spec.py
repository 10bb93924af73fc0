"""Which language model is asked, where, how, and at what price: one frozen, picklable object without a secret in it.

Covers any server that speaks OpenAI's chat completions. The key itself is read from the environment at the moment of
asking and kept nowhere else; what is stored is the name of the variable.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from fairtrial.records import InputError

BASE_URL_VARIABLE = "OPENAI_BASE_URL"
OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "no-key"
"""Sent where a server needs no key: the client insists on a bearer token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one reply used. None means that the server did not say, which is not the same as nothing."""

    input_tokens: int | None = None
    """Tokens of the whole prompt, those read from the server's cache included."""
    output_tokens: int | None = None
    """Tokens of the reply, reasoning included."""
    cached_input_tokens: int = 0
    reasoning_tokens: int = 0
    cost_usd: float | None = None
    """None where tokens or prices are unknown."""

    @property
    def tokens(self) -> int:
        """Return input and output tokens together, unknown counted as nothing."""
        return (self.input_tokens or 0) + (self.output_tokens or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """USD per million tokens.

    >>> Price(input_usd=2.0, output_usd=10.0, cached_input_usd=0.5).cost(1_000_000, 100_000, 400_000)
    2.4
    """

    input_usd: float
    output_usd: float
    cached_input_usd: float | None = None
    """Price of prompt tokens that the server read from its cache; None charges them as others."""

    def __post_init__(self) -> None:
        for name in ("input_usd", "output_usd", "cached_input_usd"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise InputError(f"a price of {value} USD per million tokens is not one", field=name)

    def cost(self, input_tokens: int, output_tokens: int, cached_input_tokens: int = 0) -> float:
        """Return the cost in USD; cached tokens are part of the input tokens."""
        cached = min(cached_input_tokens, input_tokens)
        cached_price = self.input_usd if self.cached_input_usd is None else self.cached_input_usd
        total = (input_tokens - cached) * self.input_usd + cached * cached_price + output_tokens * self.output_usd
        return total / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """Name a language model, the server that has it, and the settings it is asked with."""

    name: str
    """As the server calls it."""
    base_url: str = ""
    """Root of the API (`http://127.0.0.1:8000/v1`); empty means the variable OPENAI_BASE_URL, then OpenAI itself."""
    api_key_variable: str = "OPENAI_API_KEY"
    """NAME of the environment variable that holds the key, never the key. A server of your own needs none."""
    effort: str = ""
    """Reasoning effort, sent as given (`minimal`, `low`, `medium`, `high`, ...); empty sends none."""
    temperature: float | None = None
    """None leaves it to the server."""
    max_tokens: int | None = None
    """Most tokens of one reply, reasoning included; None leaves it to the server."""
    most_tokens: int | None = None
    """Most tokens, in and out, that one opening of it may take where no other budget is given; None sets no limit."""
    seed: int | None = None
    price: Price | None = None
    request_seconds: float = 600.0
    """Longest wait for one reply."""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InputError("a language model needs a name", field="model")
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise InputError(f"{self.temperature} is outside [0, 2]", field="temperature")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise InputError(f"{self.max_tokens} is below 1", field="max_tokens")
        if self.most_tokens is not None and self.most_tokens < 1:
            raise InputError(f"{self.most_tokens} is below 1", field="most_tokens")
        if self.base_url and urlsplit(self.base_url).scheme not in ("http", "https"):
            raise InputError(f"`{self.base_url}` is not an http(s) address", field="base_url")

    def url(self, environment: Mapping[str, str] | None = None) -> str:
        """Return the address that is asked, looked up in `environment` (the process's own by default)."""
        variables = os.environ if environment is None else environment
        return (self.base_url or variables.get(BASE_URL_VARIABLE, "") or OPENAI_URL).rstrip("/")

    def key(self, environment: Mapping[str, str] | None = None) -> str:
        """Return the key. Raise InputError where OpenAI itself would be asked without one."""
        variables = os.environ if environment is None else environment
        found = variables.get(self.api_key_variable, "").strip()
        if not found and self.url(environment) == OPENAI_URL:
            raise InputError(
                f"no key in the environment variable {self.api_key_variable}",
                field="model",
                hint="Set it, or name a server of your own with --base-url or OPENAI_BASE_URL.",
            )
        return found or NO_KEY

    def usage(self, input_tokens: int, output_tokens: int, cached: int = 0, reasoning: int = 0) -> Usage:
        """Return the usage of one reply at this model's price."""
        cost = None if self.price is None else self.price.cost(input_tokens, output_tokens, cached)
        return Usage(
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            cached_input_tokens=cached,
            reasoning_tokens=reasoning,
            cost_usd=cost,
        )

    def identity(self) -> dict[str, Any]:
        """Return what shapes a reply: the model, its server and settings, but no price, patience or name of a key."""
        return {
            "model": self.name,
            "url": self.url(),
            "effort": self.effort,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
        }
