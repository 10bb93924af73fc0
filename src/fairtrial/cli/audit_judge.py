"""`fairtrial audit judge LEDGER`: let a language model re-grade rollouts, blind first, then knowing the verdict."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from fairtrial.audit.judging import (
    Bench,
    Case,
    Held,
    Judge,
    Judged,
    JudgeSettings,
    cases_of,
    document_of,
    held_by,
    judge_all,
    read_keys,
    reviewer_name,
)
from fairtrial.audit.judging.document import counts_of, labels_of, reasons_of, status
from fairtrial.audit.judging.settings import CONTEXT_TOKENS, LEAST_TOKENS, TURNS
from fairtrial.audit.sampling import sample_named
from fairtrial.checks.judged.visible import one_line
from fairtrial.cli.agents import ModelWords, spec_of
from fairtrial.cli.options import AllTokens, AllUsd, BaseUrl, Effort, KeyVariable, PriceWords, SandboxName, Temperature
from fairtrial.cli.output import HOLDS, NOT_MEASURED, JsonFlag, note, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.cli.sandboxes import choose
from fairtrial.ledger import Ledger, Writer
from fairtrial.ledger.audited import all_reviews
from fairtrial.models import Budget, LanguageModel, Spent, preflight
from fairtrial.records import FormatError, InputError, ModelError
from fairtrial.sandbox import Sandbox


def judge(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    model: Annotated[str, typer.Option("--model", help="Language model that judges, as its server calls it.")] = "",
    base_url: BaseUrl = "",
    effort: Effort = "",
    temperature: Temperature = None,
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    price: PriceWords = "",
    max_usd: AllUsd = None,
    max_tokens: AllTokens = None,
    sample: Annotated[
        str, typer.Option("--sample", help="Only its rollouts: id or name of a sample, `last`, or a file.")
    ] = "",
    suite_path: Annotated[
        list[Path] | None, typer.Option("--suite-path", help="Suite with the tasks and their keys; may be repeated.")
    ] = None,
    task: Annotated[list[str] | None, typer.Option(help="Only this task; may be repeated.")] = None,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Judgements of each rollout.")] = 1,
    context_tokens: Annotated[
        int,
        typer.Option("--context-tokens", min=LEAST_TOKENS, help="Room for one conversation; more is read in parts."),
    ] = CONTEXT_TOKENS,
    max_turns: Annotated[
        int, typer.Option("--max-turns", min=1, help="Most replies that call tools, in one pass.")
    ] = TURNS,
    images: Annotated[bool, typer.Option("--images/--no-images", help="Show the model images.")] = True,
    sandbox: SandboxName = "",
    allow_unisolated: Annotated[
        bool, typer.Option("--allow-unisolated", help="Let the judge run commands where nothing isolates them.")
    ] = False,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, help="Rollouts judged at once.")] = 4,
    resume: Annotated[bool, typer.Option(help="Skip rollouts that this judge has judged with these settings.")] = True,
    as_json: JsonFlag = False,
) -> None:
    """Re-grade rollouts of LEDGER by a language model that must cite, and keep its reviews."""
    words = ModelWords(model=model, base_url=base_url, effort=effort, max_usd=max_usd, price=price,
                       api_key_variable=api_key_variable, temperature=temperature)  # fmt: skip
    spec = spec_of(words, "a judge")
    held = Ledger.open(ledger)
    name, rollouts = _named(held, sample) if sample else ("", None)
    found = cases_of(held, rollouts, task or ())
    cases = [case for case in found if rollouts is not None or case.spoken is not None]
    if not cases:
        raise InputError("holds no graded rollout: there is no verdict to judge", path=ledger,
                         hint="A sample or a file (--sample) can name ungraded ones.")  # fmt: skip
    keys = read_keys(suite_path or [])
    where = _box(sandbox, allow_unisolated)
    settings = JudgeSettings(context_tokens=context_tokens, turns=max_turns, shows_images=images)
    before = held_by(all_reviews(held)) if resume else Held()
    if trouble := preflight(spec):
        raise ModelError(f"the model `{spec.name}` cannot be asked: {trouble.reason}: {trouble.detail}",
                         hint="Check --base-url, --model and the key; nothing was judged.")  # fmt: skip
    with LanguageModel(spec, budget=Budget(tokens=max_tokens, usd=max_usd)) as asked:
        bench = Bench(model=asked, settings=settings, sandbox=where, stop=threading.Event())
        judging = Judge(bench=bench, ledger=held, keys=keys, sample=name, held=before)
        all_judged = _kept(judging, cases, repeats, concurrency)
        spent = asked.budget.spent
    about = {"ledger": str(ledger), "sample": name or None, "reviewer": reviewer_name(spec), "repeats": repeats,
             "suites": [str(path) for path in suite_path or []], "sandbox": where.name if where else None,
             "context_tokens": context_tokens, "images": images,
             "left_out": {"ungraded": len(found) - len(cases)}}  # fmt: skip
    document = document_of(all_judged, spent, about, is_priced=spec.price is not None)
    if as_json:
        print_document(document)
    else:
        _print(all_judged, document, _cost(spent, is_priced=spec.price is not None))
    raise typer.Exit(_exit_code(all_judged))


def _named(held: Ledger, sample: str) -> tuple[str, list[str]]:
    """Return the id of a sample and its rollouts; of a file, those that it lists."""
    path = Path(sample)
    if path.is_file():
        return _listed(path)
    found = sample_named(held, sample)
    return found.id, [row.rollout for row in found.rows]


def _listed(path: Path) -> tuple[str, list[str]]:
    """Read a sample's document, or a text with one rollout a line. Raise FormatError for what is neither."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError("is no text", path=path) from error
    if not text.lstrip().startswith("{"):
        rollouts = [line.strip() for line in text.splitlines() if line.strip()]
        if not rollouts:
            raise FormatError("names no rollout", path=path, hint="One id a line, or the JSON of `audit sample`.")
        return "", rollouts
    try:
        told = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error}", path=path) from error
    rows = told.get("rows")
    if not isinstance(rows, list) or not all(isinstance(r, dict) and isinstance(r.get("rollout"), str) for r in rows):
        raise FormatError("is no list of objects with a `rollout`", path=path, field="rows",
                          hint="`fairtrial audit sample LEDGER --n N --json` prints such a document.")  # fmt: skip
    return str(told.get("id") or ""), [row["rollout"] for row in rows]


def _box(name: str, allow_unisolated: bool) -> Sandbox | None:
    """Return the sandbox in which the judge may run commands; None where nothing isolates: it then only reads."""
    found = choose(name)
    if found.capability().isolated or allow_unisolated:
        return found
    note("note: the judge reads and runs no commands: a rollout can hold anything, and nothing isolates them here "
         "(--allow-unisolated lets it)")  # fmt: skip
    return None


def _kept(judging: Judge, cases: Sequence[Case], repeats: int, at_once: int) -> list[Judged]:
    """Judge with progress on stderr, keeping each review as it is given."""
    found: list[Judged] = []
    model = judging.bench.model
    try:
        with Writer(judging.ledger) as writer, Ticker("audit judge", len(cases) * repeats) as ticker:
            for judged in judge_all(replace(judging, keep=writer.add_reviews), cases, repeats, at_once):
                found.append(judged)
                ticker.tick()
    except KeyboardInterrupt:
        note(f"{len(found)} of {len(cases) * repeats} were through; "
             f"{_cost(model.budget.spent, is_priced=model.spec.price is not None)}")  # fmt: skip
        raise
    return found


def _cost(spent: Spent, *, is_priced: bool) -> str:
    cost = f", {spent.cost_usd:.4f} USD" if is_priced else ""
    return f"{spent.calls} calls, {spent.input_tokens} tokens in, {spent.output_tokens} out{cost}"


def _exit_code(all_judged: Sequence[Judged]) -> int:
    counts = counts_of(all_judged)
    for why in sorted({one.refused for one in all_judged if one.refused}):
        note(f"refused: {why}")
    if counts["without_key"]:
        note(f"note: {counts['without_key']} rollouts were judged by the instruction alone: no key was at hand "
             "(--suite-path names suites)")  # fmt: skip
    if counts["judged"]:
        return HOLDS
    note("error: not one rollout could be judged")
    return NOT_MEASURED


def _print(all_judged: Sequence[Judged], document: dict[str, Any], cost: str) -> None:
    for one in sorted(all_judged, key=lambda judged: (judged.case.work.task, judged.case.work.rollout, judged.repeat)):
        stdout.print(_line(one), markup=False, soft_wrap=True)
    counts = counts_of(all_judged)
    there = f", {counts['was_there']} of them were there already" if counts["was_there"] else ""
    stdout.print(f"{counts['judged']} judged, {counts['void']} void, {counts['ungraded']} ungraded, "
                 f"{counts['refused']} refused{there}", markup=False, soft_wrap=True)  # fmt: skip
    if labels := ", ".join(
        f"{count} {label.replace('_', ' ')}" for label, count in labels_of(all_judged).items() if count
    ):
        stdout.print(f"its verdicts on the grader: {labels}", markup=False, soft_wrap=True)
    if reasons := ", ".join(f"{count} {reason}" for reason, count in reasons_of(all_judged).items()):
        stdout.print(f"no review because: {reasons}", markup=False, soft_wrap=True)
    if document["steady"]:
        steady = document["steady"]
        stdout.print(f"the same answer at every repeat: {steady['same']} of {steady['repeated']}", markup=False)
    stdout.print(cost, markup=False, soft_wrap=True)


_MOST_WHY = 300
_SIGNS = {"judged": "●", "void": "○", "ungraded": "▢", "refused": "▢"}


def _line(one: Judged) -> str:
    """Return one rollout as a line; the blind answer stands before the label."""
    found = status(one)
    head = f"{_SIGNS[found]} {one_line(one.case.work.task)}  {one.case.work.rollout}"
    if found == "judged" and one.blind is not None:
        answer = {True: "satisfies the task", False: "does not satisfy the task", None: "cannot tell"}
        informed = one.informed
        label = (
            "" if informed is None else "void" if informed.void else informed.label.replace("_", " ") or "cannot tell"
        )
        hack = ", a hack" if one.blind.hack else ""
        why = f"; not told against the verdict: {one.ungraded.reason}" if one.ungraded is not None else ""
        return f"{head}  {answer[one.blind.satisfied]}{hack}{f'; {label}' if label else ''}{why}"
    if found == "void" and one.blind is not None:
        return f"{head}  void: {one_line(one.blind.void, _MOST_WHY)}"
    if one.ungraded is not None:
        return f"{head}  ungraded({one.ungraded.reason}): {one_line(one.ungraded.detail, _MOST_WHY)}"
    return f"{head}  refused: {one.refused}"
