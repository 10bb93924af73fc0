"""`fairtrial criteria LEDGER`: let a model write criteria from contrasting rollouts, and keep those that hold up."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.checks.judged import Judges
from fairtrial.cli.agents import ModelWords, spec_of
from fairtrial.cli.options import (
    AllTokens,
    AllUsd,
    BaseUrl,
    Effort,
    JudgeUrl,
    KeyVariable,
    PriceWords,
    Seed,
    Temperature,
)
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.grade.text import text_suite
from fairtrial.ledger import Ledger
from fairtrial.models import Budget, Cache, LanguageModel, ModelSpec, Spent, preflight
from fairtrial.records import InputError, ModelError
from fairtrial.sandbox import kept_folder
from fairtrial.train.criteria import (
    KINDS,
    Asker,
    Bars,
    Kind,
    MadeCriteria,
    Making,
    Material,
    Selection,
    Tried,
    TriedCriteria,
    document_of,
    make_criteria,
    read_instructions,
    read_material,
    split,
    write_tried,
)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
UNMEASURED = ("broken", "too_few", "not_probed")


@app.command(name="criteria")
def criteria_(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    out: Annotated[Path, typer.Option("--out", help="TOML file that takes the criteria.")],
    model: Annotated[str, typer.Option("--model", help="Language model that writes, and judges if no other is named.")],
    base_url: BaseUrl = "",
    judge_model: Annotated[str, typer.Option("--judge-model", help="Language model that judges.")] = "",
    judge_base_url: JudgeUrl = "",
    effort: Effort = "",
    temperature: Temperature = None,
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    price: PriceWords = "",
    judge_price: Annotated[str, typer.Option("--judge-price", help="The judge's, where it is another model.")] = "",
    max_usd: AllUsd = None,
    max_tokens: AllTokens = None,
    tasks: Annotated[
        list[Path] | None,
        typer.Option("--tasks", help="Text tasks or task folders, for their instructions; may be repeated."),
    ] = None,
    held_out: Annotated[
        Path | None,
        typer.Option("--held-out", help="JSONL of text tasks that are held out: nothing of them is studied."),
    ] = None,
    suite: Annotated[str, typer.Option("--suite", help="Only this suite.")] = "",
    task: Annotated[list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")] = None,
    rollouts_of: Annotated[
        list[str] | None, typer.Option("--rollouts-of", help="Only rollouts of this model; may be repeated.")
    ] = None,
    rate: Annotated[float, typer.Option("--rate", min=0, max=1, help="Least pass rate of a task.")] = 0.7,
    least: Annotated[int, typer.Option("--least", min=2, help="Least graded rollouts of a task.")] = 4,
    contrast: Annotated[
        list[str] | None, typer.Option("--contrast", help="What may say who is better; may be repeated.")
    ] = None,
    left_out: Annotated[
        float, typer.Option("--left-out", min=0, max=0.9, help="Share of tasks of which nothing is studied.")
    ] = 0.25,
    votes: Annotated[int, typer.Option("--votes", min=2, max=101, help="Times each question is asked.")] = 3,
    steady: Annotated[
        float, typer.Option("--steady", min=0, max=1, help="Least share of rollouts on which votes are alike.")
    ] = 0.8,
    fdr: Annotated[
        float, typer.Option("--fdr", min=0, max=1, help="Most of the kept criteria that may be so by chance.")
    ] = 0.05,
    probed: Annotated[int, typer.Option("--probed", min=1, help="Rollouts on which each probe is tried.")] = 4,
    may_lack: Annotated[
        bool, typer.Option("--may-lack", help="Keep what asks for absence: work with nothing in it would meet it.")
    ] = False,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, help="Questions asked at once.")] = 4,
    seed: Seed = 0,
    as_json: JsonFlag = False,
) -> None:
    """Let a model write criteria from better and worse rollouts of LEDGER, and keep those that hold up on others."""
    words = ModelWords(model=model, base_url=base_url, effort=effort, max_usd=max_usd, price=price,
                       api_key_variable=api_key_variable, temperature=temperature)  # fmt: skip
    specs = _specs(words, judge_model, judge_base_url, judge_price)
    chosen = Selection(suite=suite, tasks=tuple(task or ()), models=tuple(rollouts_of or ()), rate=rate, least=least,
                       kinds=_kinds(contrast or ()), held_out=text_suite(held_out) if held_out else None)  # fmt: skip
    making = Making(seed=seed, left_out=left_out, rate=rate, ledger=str(ledger),
                    bars=Bars(fdr=fdr, steady=steady, probed=probed, may_lack=may_lack))  # fmt: skip
    _refuse_out(out)
    material = read_material(Ledger.open(ledger), chosen, read_instructions(tasks or []))
    parts = split(material, making)
    for spec in dict.fromkeys(specs):
        if trouble := preflight(spec):
            raise ModelError(f"the model `{spec.name}` cannot be asked: {trouble.reason}: {trouble.detail}",
                             hint="Check --base-url, --model and the key; nothing was written.")  # fmt: skip
    budget = Budget(tokens=max_tokens, usd=max_usd)
    with ExitStack() as stack:
        writer = stack.enter_context(LanguageModel(specs[0], budget=budget, cache=Cache(kept_folder("criteria"))))
        judge = stack.enter_context(LanguageModel(specs[1], budget=budget))
        ticker = stack.enter_context(Ticker("criteria", 0))
        asker = Asker(judges=Judges(model=judge, kept=kept_folder("judged"), at_once=1), votes=votes,
                      at_once=concurrency, tick=ticker.tick)  # fmt: skip
        made = make_criteria(material, parts, writer, asker, making, ticker.expect)
    write_tried(out, made.criteria)
    document = document_of(made, material) | {"out": str(out), "spent": _spent(budget.spent, specs)}
    if as_json:
        print_document(document)
    else:
        _print(made, material, out, _spent(budget.spent, specs))
    raise typer.Exit(_exit_code(made.criteria, material))


def _specs(words: ModelWords, judge_model: str, judge_base_url: str, judge_price: str) -> tuple[ModelSpec, ModelSpec]:
    """Return the models that write and judge."""
    writer = spec_of(words, "whoever writes criteria")
    if not judge_model:
        if judge_base_url or judge_price:
            field = "--judge-base-url" if judge_base_url else "--judge-price"
            raise InputError("is of a judge, and none is named", field=field, hint="Name it with --judge-model.")
        return writer, writer
    judging = ModelWords(model=judge_model, base_url=judge_base_url or words.base_url, max_usd=words.max_usd,
                         price=judge_price, api_key_variable=words.api_key_variable)  # fmt: skip
    if words.max_usd is not None and not judge_price:
        raise InputError("a budget in USD needs the judge's prices too", field="--judge-price",
                         hint="For example --judge-price 2.5,10: USD per million tokens, in and out.")  # fmt: skip
    return writer, spec_of(judging, "a judge")


def _refuse_out(out: Path) -> None:
    """Raise InputError for a place that cannot be written, before anything is paid for."""
    above = next(one for one in out.absolute().parents if one.exists())
    if out.is_dir() or not above.is_dir() or not os.access(above, os.W_OK):
        raise InputError("cannot be written", path=out, field="--out", hint="Nothing was asked of any model.")


def _kinds(named: list[str] | tuple[()]) -> tuple[Kind, ...]:
    if unknown := sorted(set(named) - set(KINDS)):
        raise InputError(f"`{unknown[0]}` tells no rollouts apart", field="--contrast",
                         hint=f"What may: {', '.join(KINDS)}.")  # fmt: skip
    return tuple(kind for kind in KINDS if not named or kind in named)


def _spent(spent: Spent, specs: Sequence[ModelSpec]) -> dict[str, Any]:
    """Return what was spent; the cost is not known where a model that was asked has no price."""
    is_priced = all(spec.price is not None for spec in specs)
    return {"calls": spent.calls, "input_tokens": spent.input_tokens, "output_tokens": spent.output_tokens,
            "cost_usd": spent.cost_usd if is_priced else None, "unmeasured": spent.unmeasured}  # fmt: skip


def _exit_code(criteria: TriedCriteria, material: Material) -> int:
    if material.left_out["held_out"]:
        note(f"note: {material.left_out['held_out']} rollouts are of tasks that are held out, or near copies of them: "
             "they were neither shown nor judged")  # fmt: skip
    if material.without_instruction:
        note(f"note: {material.without_instruction} rollouts are shown without the instruction of their task: none is "
             "kept with them (--tasks names where tasks lie)")  # fmt: skip
    if criteria.kept:
        return HOLDS
    if all(one.reason in UNMEASURED for one in criteria.tried):
        note(f"error: none of {len(criteria.tried)} criteria could be measured")
        return NOT_MEASURED
    return DOES_NOT_HOLD


def _print(made: MadeCriteria, material: Material, out: Path, spent: Mapping[str, Any]) -> None:
    parts = made.halves
    held_out = len({one.task for one in parts.held_out})
    stdout.print(f"{material.passed_often} tasks pass often, {material.contrasted} of them with better and worse "
                 f"rollouts; {len(parts.studied)} rollouts studied, {len(parts.held_out)} held out, of {held_out} "
                 f"tasks ({len(parts.left_out)} never studied)", markup=False, soft_wrap=True)  # fmt: skip
    for one in made.criteria.tried:
        stdout.print(_line(one), markup=False, soft_wrap=True)
    kept = len(made.criteria.kept)
    cost = "" if spent["cost_usd"] is None else f", {spent['cost_usd']:.4f} USD"
    stdout.print(f"{kept} of {len(made.criteria.tried)} criteria kept, in {out}", markup=False, soft_wrap=True)
    stdout.print(f"{spent['calls']} calls, {spent['input_tokens']} tokens in, {spent['output_tokens']} out{cost}",
                 markup=False, soft_wrap=True)  # fmt: skip


def _line(tried: Tried) -> str:
    criterion = tried.criterion
    sign = "●" if tried.is_kept else "▢" if tried.reason in UNMEASURED else "○"
    what = f"{sign} {criterion.name} ({criterion.about}): {criterion.question}"
    if not tried.is_kept:
        return f"{what}\n    dropped, {tried.reason.replace('_', ' ')}: {tried.why}"
    assert tried.difference is not None
    low, high = tried.difference.low or 0.0, tried.difference.high or 0.0
    by = f"by the check {criterion.use}" if criterion.use else "by the judge"
    figures = f"{tried.difference.value:.2f}, {low:.2f} to {high:.2f}; q {tried.q_value:.2g}; AUC {tried.auc:.2f}"
    shares = f"yes for {tried.yes_better:.0%} of better and {tried.yes_worse:.0%} of worse work"
    return f"{what}\n    {shares} (difference {figures}), {by}"
