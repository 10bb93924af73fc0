"""`fairtrial rules judge LEDGER`: a language model judges a submission by each rule, several runs, majority."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from fairtrial.audit.judging.settings import CONTEXT_TOKENS, LEAST_TOKENS, JudgeSettings
from fairtrial.cli.agents import ModelWords, spec_of
from fairtrial.cli.options import AllTokens, AllUsd, BaseUrl, Effort, KeyVariable, PriceWords, Temperature
from fairtrial.cli.output import JsonFlag, note, print_document
from fairtrial.cli.progress import Ticker
from fairtrial.cli.rules_judge_page import print_judged
from fairtrial.cli.rules_text import RuleName
from fairtrial.ledger import Ledger
from fairtrial.ledger.screened import all_rulings, all_screenings, all_submissions
from fairtrial.models import Budget, ModelSpec, preflight
from fairtrial.records import InputError, ModelError, Rule, Ruling, Screening, Submission
from fairtrial.rules import BenchmarkRules, read_rules, standing
from fairtrial.rules.current import current_screenings, last_submission
from fairtrial.rules.judging import Evidence, Judging, Run, document_of, evidence_of, exit_status, judge_all

EVIDENCE_SHARE = 0.6
"""Share of a conversation that the evidence may take; rules, replies and mending need the rest."""


def judge(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    rules: Annotated[Path, typer.Option("--rules", help="Rules file.")],
    submission: Annotated[str, typer.Option("--submission", help="Model that is judged, as its rollouts name it.")],
    rule: Annotated[list[RuleName] | None, typer.Option("--rule", help="Only this rule; may be repeated.")] = None,
    model: Annotated[
        str, typer.Option("--model", help="Language model that judges; the rules file's if not named.")
    ] = "",
    base_url: BaseUrl = "",
    effort: Effort = "",
    temperature: Temperature = None,
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    price: PriceWords = "",
    max_usd: AllUsd = None,
    max_tokens: AllTokens = None,
    context_tokens: Annotated[
        int, typer.Option("--context-tokens", min=LEAST_TOKENS, help="Room for one conversation.")
    ] = CONTEXT_TOKENS,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, help="Runs at once.")] = 4,
    as_json: JsonFlag = False,
) -> None:
    """Let a language model judge a submission by RULES, several runs a rule, and keep its rulings."""
    read = read_rules(rules)
    words = ModelWords(model=_model(read, model), base_url=base_url, effort=effort, max_usd=max_usd, price=price,
                       api_key_variable=api_key_variable, temperature=temperature)  # fmt: skip
    spec = spec_of(words, "a judge")
    held = Ledger.open(ledger)
    wanted = _wanted(read, rule or ())
    settings = JudgeSettings(context_tokens=context_tokens, shows_images=False)
    checks = _Checks(held, all_screenings(held), all_submissions(held))
    evidences, not_asked = _evidences(checks, submission, wanted, int(settings.characters * EVIDENCE_SHARE))
    budget = Budget(tokens=max_tokens, usd=max_usd)
    judging = Judging(rules=read, submission=submission, spec=spec, settings=settings, budget=budget, ledger=held,
                      held=all_rulings(held), keep=_keeping(held))  # fmt: skip
    runs = _judged(judging, evidences, concurrency) if evidences else []
    stands = standing(all_rulings(held), read, submission, checks.screenings, checks.submissions)
    asked = {name: stands[name] for name in wanted}
    document = document_of(read, submission, runs, asked, not_asked, budget.spent)
    if as_json:
        print_document(document)
    else:
        print_judged(document, is_priced=spec.price is not None)
    raise typer.Exit(exit_status(asked.values()))


def _model(read: BenchmarkRules, named: str) -> str:
    """Return the model that judges. Raise InputError where the rules name another one."""
    stated = read.toml.judges.model
    if stated and named and named != stated:
        raise InputError(f"the rules name `{stated}` as their judge, not `{named}`", field="--model",
                         hint="Leave it out, or change the rules.")  # fmt: skip
    return named or stated


def _wanted(read: BenchmarkRules, named: Sequence[RuleName]) -> list[Rule]:
    """Return the rules that are judged. Raise InputError for one that the benchmark does not check."""
    checked = read.toml.benchmark.checked
    chosen: list[Rule] = [name.value for name in dict.fromkeys(named)] or list(checked)
    for rule in chosen:
        if rule not in checked:
            raise InputError(f"`{rule}` is not checked by these rules", path=read.path, field="--rule")
    if not chosen:
        raise InputError("check nothing, so there is nothing to judge", path=read.path, field="benchmark.checked")
    return chosen


class _Checks(NamedTuple):
    """What a ledger holds of checks."""

    ledger: Ledger
    screenings: tuple[Screening, ...]
    submissions: tuple[Submission, ...]


def _evidences(
    checks: _Checks, submission: str, wanted: Sequence[Rule], most: int
) -> tuple[list[Evidence], dict[Rule, str]]:
    """Return the evidence of every rule that can be judged, and why the others cannot."""
    held, screenings, submissions = checks
    known = sorted({one.model for one in screenings if one.model} | {one.model for one in submissions})
    if submission not in known:
        raise InputError(f"holds no submission `{submission}`", path=held.path, field="--submission",
                         hint=f"It holds: {', '.join(known[:9])}" if known else
                         "`fairtrial rules check RULES SUBMISSION --keep LEDGER` puts one there.")  # fmt: skip
    found: list[Evidence] = []
    not_asked: dict[Rule, str] = {}
    for rule in wanted:
        current = current_screenings(screenings, submissions, rule, submission)
        if not any(one.document for one in current):
            why = "; ".join(why for one in current for why in one.not_measured) or "no check of it is in the ledger"
            not_asked[rule] = f"not measured: {why}"
            continue
        found.append(evidence_of(held, rule, submission, current, last_submission(submissions, submission), most))
    return found, not_asked


def _keeping(held: Ledger) -> Callable[[Ruling], None]:
    """Return what keeps a ruling, from any thread."""
    lock = threading.Lock()

    def keep(ruling: Ruling) -> None:
        with lock:
            held.append("rulings", [ruling])

    return keep


def _judged(judging: Judging, evidences: Sequence[Evidence], at_once: int) -> list[Run]:
    """Judge with progress on stderr. Raise ModelError where the model cannot be asked at all."""
    runs = judging.rules.toml.judges.runs
    if any(judging.kept_run(one, number) is None for one in evidences for number in range(runs)):
        _ask_first(judging.spec)
    found: list[Run] = []
    total = len(evidences) * runs
    try:
        with Ticker("rules judge", total) as ticker:
            for run in judge_all(judging, evidences, at_once):
                found.append(run)
                ticker.tick()
    except KeyboardInterrupt:
        note(f"{len(found)} of {total} runs were through; they are kept, and so is what was answered meanwhile")
        raise
    return found


def _ask_first(spec: ModelSpec) -> None:
    if trouble := preflight(spec):
        raise ModelError(f"the model `{spec.name}` cannot be asked: {trouble.reason}: {trouble.detail}",
                         hint="Check --base-url, --model and the key; nothing was judged.")  # fmt: skip
