"""Options that more than one verb takes, each documented once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from fairtrial.records import InputError, Runner

SandboxName = Annotated[
    str, typer.Option("--sandbox", help="bwrap, container or local; the best that works here if not named.")
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of all that samples.")]
PassAt = Annotated[
    float, typer.Option("--pass-at", min=0, max=1, help="Least reward that is a pass, where there is no grading.toml.")
]
PassEnv = Annotated[
    list[str] | None,
    typer.Option("--pass-env", help="Variable that the agent's commands are given; may be repeated. No credentials."),
]
Policies = Annotated[
    list[Path] | None, typer.Option("--policy", help="Policy program of a scripted agent; may be repeated.")
]
Model = Annotated[str, typer.Option("--model", help="Language model of a terminal agent, as its server calls it.")]
BaseUrl = Annotated[str, typer.Option("--base-url", help="Server of the model; OPENAI_BASE_URL if not named.")]
JudgeModel = Annotated[str, typer.Option("--judge-model", help="Language model of the task's judged checks.")]
JudgeMaxTokens = Annotated[
    int | None, typer.Option("--judge-max-tokens", min=1, help="Most tokens that it may take for one grading.")
]
JudgeUrl = Annotated[str, typer.Option("--judge-base-url", help="Server of that model; OPENAI_BASE_URL if not named.")]
Effort = Annotated[str, typer.Option("--effort", help="Reasoning effort sent to the model.")]
MaxTurns = Annotated[int, typer.Option("--max-turns", min=1, help="Most replies of the model in one step.")]
MaxUsd = Annotated[float | None, typer.Option("--max-usd", min=0, help="Most money one attempt may cost.")]
AllUsd = Annotated[float | None, typer.Option("--max-usd", min=0, help="Most money all of it may cost.")]
AllTokens = Annotated[int | None, typer.Option("--max-tokens", min=1, help="Most tokens all of it may take.")]
PriceWords = Annotated[str, typer.Option("--price", help="USD per million tokens, INPUT,OUTPUT[,CACHED].")]
KeyVariable = Annotated[
    str, typer.Option("--api-key-variable", help="Name of the environment variable that holds the model's key.")
]
Temperature = Annotated[
    float | None,
    typer.Option("--temperature", min=0, max=2, help="Sampling temperature; the server's own if not named."),
]
Attempts = Annotated[int, typer.Option("--attempts", min=1, help="Attempts of each agent at each task.")]
Unisolated = Annotated[bool, typer.Option("--allow-unisolated", help="Let a model act where nothing isolates it.")]
EngineName = Annotated[str, typer.Option("--engine", help="Where jobs are done: local or ray.")]
Address = Annotated[
    str, typer.Option("--address", help="Ray cluster; RAY_ADDRESS if not named, else one is started here.")
]
Workers = Annotated[int, typer.Option("--workers", min=0, help="Attempts at once; 0 for one a core.")]
Repeats = Annotated[int, typer.Option("--repeats", min=1, help="Gradings of each candidate, wrong ones too.")]
Concurrency = Annotated[int, typer.Option("--concurrency", min=1, help="References graded at once.")]
KnownOnly = Annotated[bool, typer.Option("--known-only", help="Ask no probe; grade known candidates alone.")]
Mutants = Annotated[int, typer.Option("--mutants", min=1, help="Most submissions of one probe.")]
ALL_RUNNERS = ",".join(get_args(Runner))
RunnerNames = Annotated[
    str, typer.Option("--runners", help="Runners that users of the suite may have, by name, with commas between.")
]


def named_runners(words: str) -> tuple[Runner, ...]:
    """Return the runners that `words` names, strictest first. Raise InputError for a name that is none."""
    names = {word.strip() for word in words.split(",") if word.strip()}
    known: tuple[Runner, ...] = get_args(Runner)
    if unknown := sorted(names - set(known)):
        raise InputError(f"there is no runner `{unknown[0]}`", field="--runners", hint=f"Runners: {', '.join(known)}.")
    if not names:
        raise InputError("names no runner", field="--runners", hint=f"Runners: {', '.join(known)}.")
    return tuple(runner for runner in known if runner in names)
