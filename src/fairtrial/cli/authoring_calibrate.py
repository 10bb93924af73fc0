"""`fairtrial authoring calibrate FAMILY`: find the difficulty at which a model passes as often as training wants."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.authoring.calibrate import (
    BAND_HIGH,
    BAND_LOW,
    AgentTaker,
    Bench,
    Calibration,
    Family,
    ModelTaker,
    Options,
    Taker,
    held_attempts,
    named_family,
    program_family,
    suite_of,
    write_all,
)  # fmt: skip
from fairtrial.authoring.calibrate import (
    calibrate as tune,
)
from fairtrial.cli.agents import AgentKind, ModelWords, ask_models, chosen_agents, spec_of
from fairtrial.cli.authoring_calibrate_page import page
from fairtrial.cli.engines import EngineWords
from fairtrial.cli.options import (
    BaseUrl,
    Effort,
    KeyVariable,
    MaxTurns,
    Model,
    PassAt,
    Policies,
    PriceWords,
    SandboxName,
    Seed,
    Temperature,
    Unisolated,
    Workers,
)
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document, print_whole
from fairtrial.cli.progress import Ticker
from fairtrial.cli.sandboxes import choose
from fairtrial.grade import PASS_AT
from fairtrial.ledger import Ledger, Writer
from fairtrial.models import Budget, LanguageModel, preflight
from fairtrial.records import InputError, ModelError
from fairtrial.run import Plan
from fairtrial.sandbox import Sandbox

_MOST_DIFFICULTIES = 1_000


def calibrate(
    family: Annotated[str, typer.Argument(help="A generator program, or MODULE:FUNCTION of your own.")],
    difficulties: Annotated[str, typer.Option("--difficulties", help="Easiest first: 1,2,4,8 or 1..12.")],
    to: Annotated[Path, typer.Option("--to", help="Ledger that keeps the attempts; what it holds is not made again.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for both sides, split.json, calibration.json.")
    ] = None,
    agent: Annotated[AgentKind | None, typer.Option(help="Of task folders: null, scripted or terminal.")] = None,
    policy: Policies = None,
    model: Model = "",
    base_url: BaseUrl = "",
    effort: Effort = "",
    max_turns: MaxTurns = 40,
    price: PriceWords = "",
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    temperature: Temperature = None,
    reply_tokens: Annotated[int | None, typer.Option("--reply-tokens", min=1, help="Most tokens of one reply.")] = None,
    band: Annotated[str, typer.Option("--band", help="Pass rates to train in, LOW,HIGH.")] = f"{BAND_LOW},{BAND_HIGH}",
    error: Annotated[
        float, typer.Option("--error", help="Chance at most that a difficulty outside is said to be in the band.")
    ] = 0.05,
    pilot: Annotated[int, typer.Option("--pilot", min=1, help="Attempts before an extreme is left at first.")] = 16,
    most_each: Annotated[int, typer.Option("--most-each", min=1, help="Most graded attempts at one difficulty.")] = 400,
    max_attempts: Annotated[int, typer.Option("--max-attempts", min=1, help="Most attempts in all.")] = 2_000,
    max_usd: Annotated[float | None, typer.Option("--max-usd", min=0, help="Most money this run may cost.")] = None,
    most_ungraded: Annotated[
        float, typer.Option("--most-ungraded", min=0, max=1, help="Share of attempts that may be ungraded.")
    ] = 0.2,
    edges: Annotated[bool, typer.Option("--edges", help="Find the easiest and the hardest in the band.")] = False,
    groups: Annotated[int, typer.Option("--groups", min=0, help="Tasks found that are attempted again.")] = 8,
    group_size: Annotated[int, typer.Option("--group-size", min=2, help="Attempts of each of those.")] = 8,
    tasks: Annotated[int, typer.Option("--tasks", min=0, help="Tasks to write of the difficulties found.")] = 40,
    held_out: Annotated[float, typer.Option("--held-out", help="Share of them that is held out.")] = 0.3,
    at_once: Annotated[int, typer.Option("--at-once", min=1, help="Replies asked for at once.")] = 8,
    sandbox: SandboxName = "",
    allow_unisolated: Unisolated = False,
    workers: Workers = 0,
    pass_at: PassAt = PASS_AT,
    seed: Seed = 0,
    as_json: JsonFlag = False,
) -> None:
    """Tune the difficulty of FAMILY to a model's training band, and write its tasks on two sides."""
    words = ModelWords(model=model, base_url=base_url, effort=effort, max_turns=max_turns, max_usd=max_usd, price=price,
                       api_key_variable=api_key_variable, temperature=temperature)  # fmt: skip
    options = Options(
        difficulties=_difficulties(difficulties), band=_band(band), error=_error(error), pilot=pilot,
        most_each=most_each, most_attempts=max_attempts, most_ungraded=most_ungraded, edges=edges, groups=groups,
        group_size=group_size, tasks=tasks, held_out=held_out, seed=seed,
    )  # fmt: skip
    isolating = choose(sandbox) if agent is not None or ":" not in family else None
    made_by: Family = named_family(family) if isolating is None or ":" in family else program_family(
        Path(family), isolating)  # fmt: skip
    book = Ledger.open(to, create=True)
    with ExitStack() as stack:
        if agent is None:
            taker: Taker = stack.enter_context(_model(words, reply_tokens, max_usd, at_once))
        else:
            assert isolating is not None
            taker = stack.enter_context(
                _agent(agent, policy or [], words, isolating, allow_unisolated, workers, seed, pass_at))  # fmt: skip
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fairtrial-")))
        ticker = stack.enter_context(Ticker("calibrate", 0))
        writer = stack.enter_context(Writer(book))
        bench = Bench(family=made_by, taker=taker, writer=writer, options=options, work=work, most_usd=max_usd,
                      held=held_attempts(book, suite_of(made_by), taker.model), on_attempt=ticker.tick)  # fmt: skip
        found = tune(bench)
        document = found.document()
        written = write_all(found.sides, document, out) if out is not None else []
    if as_json:
        print_document(document | {"written": [str(path) for path in written]})
    else:
        print_whole(page(found, out))
    for line in (*found.notes, *(f"not measured: {why}" for why in found.not_measured)):
        note(f"note: {line}")
    raise typer.Exit(_exit_code(found))


def _exit_code(found: Calibration) -> int:
    if found.stop == "found":
        return HOLDS
    return DOES_NOT_HOLD if found.stop == "none" else NOT_MEASURED


def _difficulties(words: str) -> tuple[str, ...]:
    """Return the difficulties that were named, or counted."""
    first, dots, last = words.partition("..")
    if not dots:
        return tuple(word.strip() for word in words.split(",") if word.strip())
    try:
        numbers = range(int(first), int(last) + 1)
    except ValueError:
        raise InputError(f"`{words}` counts no numbers", field="--difficulties", hint="As 1..12.") from None
    if not 0 < len(numbers) <= _MOST_DIFFICULTIES:
        raise InputError(f"`{words}` is {len(numbers):,} difficulties", field="--difficulties",
                         hint="Easiest first; name those to look at where they are many.")  # fmt: skip
    return tuple(map(str, numbers))


def _band(words: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in words.split(","))
    except ValueError:
        raise InputError(f"`{words}` is not LOW,HIGH", field="--band", hint="As --band 0.02,0.70.") from None
    return low, high


def _error(value: float) -> float:
    if not 0 < value < 1:
        raise InputError(f"{value:g} is not above 0 and below 1", field="--error", hint="As --error 0.05.")
    return value


@contextmanager
def _model(words: ModelWords, reply_tokens: int | None, max_usd: float | None, at_once: int) -> Iterator[ModelTaker]:
    """Lend the language model that answers text tasks, asked one word first."""
    spec = spec_of(words, "a calibration on text tasks")
    spec = type(spec)(
        **{name: getattr(spec, name) for name in spec.__dataclass_fields__} | {"max_tokens": reply_tokens}
    )
    if trouble := preflight(spec):
        raise ModelError(f"the model `{spec.name}` cannot be asked: {trouble.reason}: {trouble.detail}",
                         hint="Check --base-url, --model and the key; nothing was attempted.")  # fmt: skip
    with LanguageModel(spec, budget=Budget(usd=max_usd)) as model:
        yield ModelTaker(language_model=model, at_once=at_once)


@contextmanager
def _agent(
    kind: AgentKind, programs: list[Path], words: ModelWords, sandbox: Sandbox, unisolated: bool, workers: int,
    seed: int, pass_at: float,
) -> Iterator[AgentTaker]:  # fmt: skip
    """Lend the agent that acts in boxes."""
    agents = chosen_agents(kind, programs, words)
    if len(agents) != 1:
        raise InputError("one policy is tuned to at a time", field="--policy")
    Plan(tasks=(), agents=agents, attempts=1, sandbox=sandbox, allow_unisolated=unisolated).refuse_unisolated()
    ask_models(agents)
    with EngineWords().opened(workers or None) as engine:
        yield AgentTaker(agent=agents[0], sandbox=sandbox, engine=engine, seed=seed, pass_at=pass_at)
