"""`fairtrial prove --judge JUDGE.toml --cases FILE --model M`: prove a language model in the part of a judge."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fairtrial import __version__
from fairtrial.attack.judges import read_cases
from fairtrial.cli.agents import ModelWords, spec_of
from fairtrial.cli.output import note, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.grade.judges import read_judge
from fairtrial.ledger import Ledger
from fairtrial.models import Budget, LanguageModel, preflight
from fairtrial.prove.judges import Brought, JudgeOptions, ProvenJudge, prove_judge, questions_wanted, refuse_unknown
from fairtrial.records import InputError, ModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeWords:
    """What was said of a judge on the command line."""

    judge: Path
    cases: Path | None
    model: ModelWords
    options: JudgeOptions = field(default_factory=JudgeOptions)
    ledger: Path | None = None


def prove_judge_of(words: JudgeWords) -> ProvenJudge:
    """Try the judge that the words name, with progress on stderr. Raise ModelError where it cannot be asked."""
    if words.cases is None:
        raise InputError("a judge needs frozen rollouts", field="--cases", hint="JSONL, as docs/judges.md says.")
    judge = read_judge(words.judge)
    brought = Brought(judge=judge, cases=read_cases(words.cases, judge), path=words.judge, command=_command(words))
    refuse_unknown(words.options.only, judge, brought.cases.cases)
    spec = spec_of(words.model, "a judge")
    spec = replace(spec, max_tokens=judge.max_tokens,
                   temperature=judge.temperature if spec.temperature is None else spec.temperature)  # fmt: skip
    book = Ledger.open(words.ledger, create=True) if words.ledger is not None else None
    if trouble := preflight(spec):
        raise ModelError(f"the model `{spec.name}` cannot be asked: {trouble.reason}: {trouble.detail}",
                         hint="Check --base-url, --model and the key; nothing was measured.")  # fmt: skip
    budget = Budget(usd=words.model.max_usd)
    with (
        Ticker("prove", questions_wanted(brought, words.options)) as ticker,
        LanguageModel(spec, budget=budget) as model,
    ):
        proven = prove_judge(brought, model, words.options, tool=__version__, on_asked=ticker.tick)
    if book is not None:
        book.append("findings", list(proven.task.findings))
        book.append("proofs", [proven.task.proof])
    return proven


def print_judge(proven: ProvenJudge, *, as_json: bool) -> None:
    """Print the document, or the figures that matter; findings are printed as for every grader."""
    if as_json:
        print_document({"schema": "fairtrial.proof/1", "tasks": [proven.document()]})
        return
    figures = proven.figures
    for line in _lines(figures):
        stdout.print(line, markup=False)
    for probe, why in proven.task.proof.not_measured:
        stdout.print(f"▢ not measured  {probe}: {why}", markup=False)
    if proven.ungraded:
        reasons = ", ".join(f"{count} {reason}" for reason, count in proven.ungraded.items())
        note(f"note: {sum(proven.ungraded.values())} of {proven.asked} verdicts are ungraded: {reasons}")


def _lines(figures: Any) -> list[str]:
    sigma, seen = figures["sigma"], figures["gap_it_can_see"]
    lines = []
    if sigma["value"] is not None:
        lines.append(f"σ {sigma['value']:.3g} ({sigma['low']:.3g} to {sigma['high']:.3g}) over {sigma['n']} rollouts; "
                     f"sees {seen['value']:.3g} ({seen['low']:.3g} to {seen['high']:.3g}), "
                     f"must see {figures['gap']:g}")  # fmt: skip
    for name, text in (("flip_rate_order", "order"), ("flip_rate_names", "names"),
                       ("flip_rate_rewording", "rewording"), ("flip_rate_rubric", "rubric rearranged")):  # fmt: skip
        if (rate := figures[name]) is not None and rate["value"] is not None:
            lines.append(f"flips {rate['value']:.0%} ({rate['low']:.0%} to {rate['high']:.0%}) of {rate['n']}: {text}")
    return lines


def _command(words: JudgeWords) -> tuple[str, ...]:
    """Return the command that tries this judge again, without `--only`."""
    said = ["fairtrial", "prove", "--judge", str(words.judge), "--cases", str(words.cases), "--model",
            words.model.model]  # fmt: skip
    said += ["--base-url", words.model.base_url] if words.model.base_url else []
    said += ["--effort", words.model.effort] if words.model.effort else []
    said += ["--temperature", f"{words.model.temperature:g}"] if words.model.temperature is not None else []
    said += ["--repeats", str(words.options.repeats)] if words.options.repeats != JudgeOptions().repeats else []
    said += ["--seed", str(words.options.seed)] if words.options.seed else []
    return tuple(said)
