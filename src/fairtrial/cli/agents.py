"""From command-line words to agents: what `run` and `certify` both offer."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from fairtrial.models import ModelSpec, Price, preflight
from fairtrial.records import InputError, ModelError
from fairtrial.run import Agent, NullAgent, ScriptedAgent
from fairtrial.run.agents.terminal import TerminalAgent
from fairtrial.sandbox import credentials_beside


class AgentKind(StrEnum):
    """The agents that come with fairtrial."""

    NULL = "null"
    SCRIPTED = "scripted"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWords:
    """What was said of the language model."""

    model: str = ""
    base_url: str = ""
    effort: str = ""
    max_turns: int = 40
    max_usd: float | None = None
    price: str = ""
    api_key_variable: str = "OPENAI_API_KEY"
    temperature: float | None = None


def chosen_agents(kind: AgentKind, programs: Sequence[Path], words: ModelWords) -> list[Agent]:
    """Return the agents that the words name. Raise InputError for what is missing or does not fit."""
    if kind is AgentKind.NULL:
        if programs or words.model:
            field, asked = ("--policy", "scripted") if programs else ("--model", "terminal")
            raise InputError("is of no use to the agent `null`, which does nothing", field=field,
                             hint=f"Add --agent {asked}.")  # fmt: skip
        return [NullAgent()]
    if kind is AgentKind.SCRIPTED:
        if not programs:
            raise InputError("a scripted agent needs its program", field="--policy", hint="Name a Python file.")
        return [scripted(program) for program in programs]
    spec = spec_of(words, "a terminal agent")
    return [TerminalAgent(spec=spec, turns=words.max_turns, most_usd=words.max_usd)]


def spec_of(words: ModelWords, who: str) -> ModelSpec:
    """Return the language model that the words name, for `who` needs it. Raise InputError where they name none."""
    if not words.model:
        raise InputError(f"{who} needs a language model", field="--model")
    if words.max_usd is not None and not words.price:
        raise InputError("a budget in USD needs the model's prices", field="--max-usd",
                         hint="For example --price 2.5,10: USD per million tokens, in and out.")  # fmt: skip
    return ModelSpec(
        name=words.model,
        base_url=words.base_url,
        effort=words.effort,
        price=_price(words.price),
        api_key_variable=words.api_key_variable,
        temperature=words.temperature,
    )


def spec_of_judge(model: str, base_url: str, key_variable: str, most_tokens: int | None) -> ModelSpec | None:
    """Return the language model of judged checks, asked one word first; None where none is named."""
    if not model:
        return None
    spec = ModelSpec(name=model, base_url=base_url, api_key_variable=key_variable, most_tokens=most_tokens)
    if trouble := preflight(spec):
        raise ModelError(f"the model `{model}` cannot be asked: {trouble.reason}: {trouble.detail}",
                         hint="Check --judge-base-url, --judge-model and the key; nothing was run.")  # fmt: skip
    return spec


def ask_models(agents: Sequence[Agent]) -> None:
    """Ask each language model one word before anything is run. Raise ModelError where one cannot be asked."""
    for agent in agents:
        if isinstance(agent, TerminalAgent) and (trouble := preflight(agent.spec)):
            raise ModelError(
                f"the model `{agent.model}` cannot be asked: {trouble.reason}: {trouble.detail}",
                hint="Check --base-url, --model and the key; nothing was run.",
            )


def scripted(program: Path) -> ScriptedAgent:
    """Return the scripted agent of one policy program. Raise InputError where there is none."""
    if not program.is_file():
        raise InputError("is not a policy program", path=program, hint="Name a Python file, as docs/run.md says.")
    program = program.resolve()
    if held := credentials_beside(program.parent):
        raise InputError(f"its folder would be shown to the box, and holds `{held[0]}`", path=program,
                         hint="Lay the policy in a folder of its own.")  # fmt: skip
    return ScriptedAgent(program=program, program_hash=_folder_hash(program.parent))


def _folder_hash(folder: Path) -> str:
    """Return a hash of every Python file beside a policy: a changed policy is another policy."""
    total = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:32]


def _price(words: str) -> Price | None:
    if not words:
        return None
    try:
        input_usd, output_usd, *cached = (float(word) for word in words.split(","))
        if len(cached) > 1:
            raise ValueError(words)
    except ValueError as error:
        hint = "For example --price 2.5,10 or --price 2.5,10,0.25"
        raise InputError(f"`{words}` is not INPUT,OUTPUT[,CACHED]", field="--price", hint=hint) from error
    return Price(input_usd=input_usd, output_usd=output_usd, cached_input_usd=cached[0] if cached else None)
