"""`fairtrial prove PATH…`: prove graders on candidates whose score is known."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from fairtrial import __version__
from fairtrial.cli.agents import ModelWords, spec_of_judge
from fairtrial.cli.engines import EngineWords
from fairtrial.cli.options import (
    ALL_RUNNERS,
    Address,
    BaseUrl,
    Concurrency,
    Effort,
    EngineName,
    JudgeMaxTokens,
    JudgeModel,
    JudgeUrl,
    KeyVariable,
    MaxUsd,
    Model,
    PassAt,
    PriceWords,
    Repeats,
    RunnerNames,
    SandboxName,
    Seed,
    Temperature,
    named_runners,
)
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.cli.prove_bohrin import BohrinFile
from fairtrial.cli.prove_files import (
    BaselineFile,
    CertificateFile,
    JunitFile,
    NewBaselineFile,
    SarifFile,
    SideFiles,
    document_of,
    is_refuted_anew,
)
from fairtrial.cli.prove_judge import JudgeWords, print_judge, prove_judge_of
from fairtrial.cli.prove_kinds import refuse_strange_options
from fairtrial.cli.prove_text import (
    MOST_CASES,
    CallSeconds,
    FrameworkName,
    GraderName,
    Install,
    PythonName,
    Sample,
    TextWords,
    print_text,
    prove_text_of,
)
from fairtrial.cli.sandboxes import choose
from fairtrial.grade import PASS_AT
from fairtrial.ledger import Ledger, Writer
from fairtrial.prove import ProvenTask, ProveOptions, case_of, held, is_known_label, keep, prove, trials_wanted
from fairtrial.prove.certificate import Baseline, circumstances
from fairtrial.prove.judges import JudgeOptions
from fairtrial.prove.text import TextOptions
from fairtrial.records import InputError
from fairtrial.run import Tried
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite, load_suite

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

MARKS = {"proven": "● proven", "refuted": "◆ refuted", "inconclusive": "▢ inconclusive"}


@app.command()
def prove_(
    context: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(help="Task folders, or folders of them.")] = None,
    repeats: Repeats = 3,
    concurrency: Concurrency = 4,
    sandbox: SandboxName = "",
    only: Annotated[str, typer.Option(help="One probe by its label, such as reference or defect:NAME.")] = "",
    pass_at: PassAt = PASS_AT,
    known_only: Annotated[
        bool, typer.Option("--known-only", help="Ask no probe; grade known candidates alone.")
    ] = False,
    mutants: Annotated[int, typer.Option("--mutants", min=1, help="Most submissions of one probe.")] = 24,
    runners: RunnerNames = ALL_RUNNERS,
    fresh: Annotated[bool, typer.Option("--fresh", help="Grade again what the cache knows.")] = False,
    ledger: Annotated[Path | None, typer.Option(help="Ledger that keeps the proofs and findings.")] = None,
    changed: Annotated[
        bool, typer.Option("--changed", help="Prove only what --ledger does not hold as it is now.")
    ] = False,
    certificate: CertificateFile = None,
    sarif: SarifFile = None,
    junit: JunitFile = None,
    baseline: BaselineFile = None,
    write_baseline: NewBaselineFile = None,
    bohrin: BohrinFile = None,
    seed: Seed = 0,
    engine: EngineName = "local",
    address: Address = "",
    judge: Annotated[Path | None, typer.Option("--judge", help="JUDGE.toml of a language model that grades.")] = None,
    cases: Annotated[Path | None, typer.Option("--cases", help="JSONL of cases for --judge or --grader.")] = None,
    grader: GraderName = "",
    framework: FrameworkName = "auto",
    python: PythonName = "",
    install: Install = None,
    sample: Sample = MOST_CASES,
    call_seconds: CallSeconds = 30.0,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeUrl = "",
    judge_max_tokens: JudgeMaxTokens = None,
    model: Model = "",
    base_url: BaseUrl = "",
    effort: Effort = "",
    temperature: Temperature = None,
    max_usd: MaxUsd = None,
    price: PriceWords = "",
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    as_json: JsonFlag = False,
) -> None:
    """Grade nothing, the reference and every declared candidate, repeatedly and at once, and say what that proves."""

    files = SideFiles(
        certificate=certificate, sarif=sarif, junit=junit, baseline=baseline, write_baseline=write_baseline,
        bohrin=bohrin,
    )  # fmt: skip

    def is_said(name: str) -> bool:
        source = context.get_parameter_source(name)
        return source is not None and source.name != "DEFAULT"

    if judge is not None or grader or paths:
        refuse_strange_options("judge" if judge is not None else "grader" if grader else "task", is_said)
    if judge is not None:
        asked = ModelWords(model=model, base_url=base_url, effort=effort, temperature=temperature, max_usd=max_usd,
                           price=price, api_key_variable=api_key_variable)  # fmt: skip
        # A judge is asked more often than a test suite is run, unless the user says how often.
        how = JudgeOptions(repeats=repeats if is_said("repeats") else JudgeOptions().repeats, only=only, seed=seed)
        frozen = JudgeWords(judge=judge, cases=cases, model=asked, options=how, ledger=ledger)
        raise typer.Exit(judged(frozen, files, as_json))
    if grader:
        tried = TextOptions(repeats=repeats, only=only, seed=seed, pass_at=pass_at if is_said("pass_at") else None)
        text = TextWords(
            grader=grader, cases=cases, framework=framework, python=python, install=tuple(install or ()),
            sandbox=sandbox, sample=sample, call_seconds=call_seconds, options=tried, ledger=ledger,
        )  # fmt: skip
        raise typer.Exit(graded(text, files, as_json))
    if not paths:
        raise InputError(
            "no task to prove", field="PATHS", hint="Give task folders, or --judge or --grader with --cases."
        )
    options = ProveOptions(
        repeats=repeats, concurrency=concurrency, only=only, pass_at=pass_at, seed=seed, known_only=known_only,
        mutants=mutants, runners=named_runners(runners), fresh=fresh or bool(only),
        judge=spec_of_judge(judge_model, judge_base_url, api_key_variable, judge_max_tokens),
    )  # fmt: skip
    if changed and ledger is None:
        raise InputError("needs a ledger that holds earlier proofs", field="--changed", hint="Name one by --ledger.")
    known = files.accepted()
    where = choose(sandbox)
    book = Ledger.open(ledger, create=True) if ledger is not None else None
    suites = [load_suite(path) for path in paths]
    files.refuse_twins(suites)
    files.refuse_strangers([task.name for suite in suites for task in suite.tasks])
    jobs = EngineWords(name=engine, address=address)
    proven = [one for s in suites for one in prove_suite(s, where, options, book, changed=changed, words=jobs)]
    entries = {one.proof.task: one.document() for one in proven}
    reckoned = files.conclude(known, proven, suites, is_whole=not (only or known_only), entries=entries)
    files.certify(proven, suites, circumstances(__version__, where, options), reckoned, book)
    if as_json:
        told = {"baseline": reckoned.document()} if baseline is not None else {}
        print_document({"schema": "fairtrial.proof/1", "sandbox": where.name, "isolated": where.capability().isolated,
                        "tasks": [document_of(task, reckoned.reasons) for task in proven], **told})  # fmt: skip
    else:
        print_proofs(proven, reckoned.reasons)
    raise typer.Exit(exit_code(proven, reckoned.reasons))


def judged(words: JudgeWords, files: SideFiles, as_json: bool) -> int:
    """Try a judge, print what it came to, and return the exit code."""
    files.refuse_certificate("a judge")
    files.refuse_strangers([str(words.judge)])
    known = files.accepted()
    found = prove_judge_of(words)
    print_judge(found, as_json=as_json)
    name = found.task.proof.task
    return _told(found.task, files, known, {name: found.document()}, words.options.only, as_json)


def graded(words: TextWords, files: SideFiles, as_json: bool) -> int:
    """Prove a text grader, print what it came to, and return the exit code."""
    files.refuse_certificate("a text grader")
    files.refuse_strangers([words.grader])
    known = files.accepted()
    found = prove_text_of(words)
    print_text(found, as_json=as_json)
    return _told(found.task, files, known, {words.grader: found.document()}, words.options.only, as_json)


def _told(
    task: ProvenTask, files: SideFiles, known: Baseline, entries: Mapping[str, Mapping[str, Any]], only: str,
    as_json: bool,
) -> int:  # fmt: skip
    """Write the files beside what was printed of one grader, print its findings, and return the exit code."""
    reckoned = files.conclude(known, [task], is_whole=not only, entries=entries)
    if not as_json:
        print_proofs([task], reckoned.reasons)
    return exit_code([task], reckoned.reasons)


def prove_suite(
    suite: Suite,
    sandbox: Sandbox,
    options: ProveOptions,
    ledger: Ledger | None,
    *,
    changed: bool = False,
    words: EngineWords | None = None,
) -> list[ProvenTask]:
    """Prove `suite` with progress on stderr, and keep proofs, findings and known rollouts in `ledger`.

    Where only what `changed` is wanted, tasks of which the ledger holds a proof as they are now are not tried.
    """
    settings = circumstances(__version__, sandbox, options).hash
    before = held(ledger, suite, settings) if ledger is not None and changed else {}
    wanted = replace(suite, tasks=tuple(task for task in suite.tasks if task.name not in before))
    cases = [case_of(task, suite.keys[task.name], sandbox, options) for task in wanted.tasks]
    if not before:
        _refuse_unknown_probe(options.only, {known.label for case in cases for known in case.known})
    # A crowd may be larger than the cores; a cluster says itself how many it has.
    workers = None if words is not None and words.name != "local" else max(options.concurrency, os.cpu_count() or 1)
    with (
        Writer(ledger) if ledger is not None else nullcontext() as writer,
        Ticker("prove", trials_wanted(cases, options)) as ticker,
        (words or EngineWords()).opened(workers) as engine,
    ):

        def on_tried(one: Tried) -> None:
            if writer is not None:
                one.keep(writer)
            ticker.tick()

        proven = prove(wanted, sandbox, engine, options, tool=__version__, on_tried=on_tried, on_more=ticker.expect)
    if ledger is not None:
        proven = keep(ledger, suite, proven, settings)
    found = before | {one.proof.task: one for one in proven}
    return [found[task.name] for task in suite.tasks]


def exit_code(proven: Sequence[ProvenTask], accepted: Collection[str] = ()) -> int:
    """Return 1 where any grader is refuted, else 3 where any could not be measured, else 0.

    A task all of whose proofs are `accepted` (ids of findings) counts for what could not be measured of it alone.
    """
    if any(is_refuted_anew(task, accepted) for task in proven):
        return DOES_NOT_HOLD
    return NOT_MEASURED if any(task.proof.status == "inconclusive" or _lacking(task) for task in proven) else HOLDS


def print_proofs(proven: Sequence[ProvenTask], accepted: Mapping[str, str] | None = None) -> None:
    """Print a line a task, then each finding with its command, then what was not measured."""
    reasons = accepted or {}
    table = Table("task", "status", "gradings", "proofs", "leads", box=None, padding=(0, 2, 0, 0))
    for task in proven:
        proofs = sum(finding.severity == "proof" for finding in task.findings)
        status = MARKS[task.proof.status] + (" (held)" if task.held else "")
        table.add_row(task.proof.task, status, str(task.proof.gradings), str(proofs),
                      str(len(task.findings) - proofs))  # fmt: skip
    stdout.print(table)
    for task in proven:
        for finding in task.findings:
            mark = "◆ proof" if finding.severity == "proof" else "△ lead"
            mark += " (accepted)" if finding.id in reasons else ""
            stdout.print(f"\n{mark}  {finding.task}: {finding.claim}", markup=False)
            if finding.id in reasons:
                stdout.print(f"  accepted: {reasons[finding.id]}", markup=False)
            stdout.print(f"  $ {finding.command}", markup=False, style="dim", soft_wrap=True)
        for why, probes in _lacking(task).items():
            stdout.print(f"\n▢ not measured  {task.proof.task}: {', '.join(probes)}", markup=False)
            stdout.print(f"  {why}", markup=False, style="dim")


def _lacking(task: ProvenTask) -> dict[str, list[str]]:
    """Return why -> the required probes that were not measured for it."""
    lacking: dict[str, list[str]] = {}
    for probe, why in task.proof.not_measured:
        if probe.split(":")[0] in task.proof.required:
            lacking.setdefault(why, []).append(probe)
    return lacking


def _refuse_unknown_probe(only: str, labels: set[str]) -> None:
    repeats = {f"wrong_repeat:{label.split(':', 1)[1]}" for label in labels if label.startswith(("defect:", "hack:"))}
    known = labels | repeats | {"reference_repeat", "reference_concurrent", "wrong_repeat:null"}
    if only and only not in known and not is_known_label(only):
        hint = f"It knows: {', '.join(sorted(known))}; and the probes that `fairtrial attack --list` names."
        raise InputError(f"there is no probe `{only}` here", field="--only", hint=hint)
