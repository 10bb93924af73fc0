"""`fairtrial certify SUITE --out DIR`: prove the graders, run the policies, measure, and write the report."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.cli.agents import AgentKind, ModelWords, ask_models, chosen_agents, spec_of_judge
from fairtrial.cli.engines import EngineWords
from fairtrial.cli.options import (
    ALL_RUNNERS,
    Address,
    Attempts,
    BaseUrl,
    Concurrency,
    Effort,
    EngineName,
    JudgeMaxTokens,
    JudgeModel,
    JudgeUrl,
    KeyVariable,
    KnownOnly,
    MaxTurns,
    MaxUsd,
    Model,
    Mutants,
    PassAt,
    Policies,
    PriceWords,
    Repeats,
    RunnerNames,
    SandboxName,
    Seed,
    Temperature,
    Unisolated,
    Workers,
    named_runners,
)
from fairtrial.cli.output import JsonFlag, note, print_document, stdout
from fairtrial.cli.prove import exit_code, prove_suite
from fairtrial.cli.run import run_kept
from fairtrial.cli.sandboxes import choose
from fairtrial.grade import PASS_AT
from fairtrial.ledger import Ledger
from fairtrial.ledger.queries import Selection, observe
from fairtrial.measure import Options, measure
from fairtrial.prove import ProvenTask, ProveOptions
from fairtrial.report import Report, build, write
from fairtrial.report.audited import read_audited
from fairtrial.report.gather import has_rollouts, nothing_measured, read_context, read_findings, read_proofs
from fairtrial.report.terminal import WIDEST, terminal
from fairtrial.report.trained import read_trained
from fairtrial.run import Agent, Plan, Tally
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Suite, load_suite

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def certify(
    suite: Annotated[Path, typer.Argument(help="A task folder, or a folder of them.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for report.html, report.md and report.json.")],
    ledger: Annotated[Path | None, typer.Option(help="Ledger that keeps it all; OUT/ledger if not named.")] = None,
    policy: Policies = None,
    model: Model = "",
    base_url: BaseUrl = "",
    effort: Effort = "",
    max_turns: MaxTurns = 40,
    max_usd: MaxUsd = None,
    price: PriceWords = "",
    api_key_variable: KeyVariable = "OPENAI_API_KEY",
    temperature: Temperature = None,
    judge_model: JudgeModel = "",
    judge_base_url: JudgeUrl = "",
    judge_max_tokens: JudgeMaxTokens = None,
    attempts: Attempts = 8,
    task: Annotated[list[str] | None, typer.Option(help="Only this task is the suite; may be repeated.")] = None,
    repeats: Repeats = 3,
    concurrency: Concurrency = 4,
    known_only: KnownOnly = False,
    mutants: Mutants = 24,
    runners: RunnerNames = ALL_RUNNERS,
    sandbox: SandboxName = "",
    allow_unisolated: Unisolated = False,
    workers: Workers = 0,
    engine: EngineName = "local",
    address: Address = "",
    group_size: Annotated[int, typer.Option(min=2, max=4096, help="Rollouts in one GRPO group.")] = 16,
    pass_at: PassAt = PASS_AT,
    seed: Seed = 0,
    as_json: JsonFlag = False,
) -> None:
    """Prove every grader of SUITE, let the named policies attempt it, measure, and end with the report."""
    words = ModelWords(
        model=model,
        base_url=base_url,
        effort=effort,
        max_turns=max_turns,
        max_usd=max_usd,
        price=price,
        api_key_variable=api_key_variable,
        temperature=temperature,
    )
    tasks, where = load_suite(suite, task or ()), choose(sandbox)
    agents = _agents(policy or [], words)
    plan = Plan(
        tasks=tasks.tasks, agents=agents, attempts=attempts, sandbox=where, seed=seed, allow_unisolated=allow_unisolated
    )
    plan.refuse_unisolated()
    ask_models(agents)
    judge = spec_of_judge(judge_model, judge_base_url, api_key_variable, judge_max_tokens)
    book = Ledger.open(ledger if ledger is not None else out / "ledger", create=True)
    options = ProveOptions(
        repeats=repeats, concurrency=concurrency, pass_at=pass_at, seed=seed, known_only=known_only, mutants=mutants,
        runners=named_runners(runners), judge=judge,
    )  # fmt: skip
    jobs = EngineWords(name=engine, address=address)
    proven = prove_suite(tasks, where, options, book, words=jobs)
    tally = Tally()
    if agents:
        tally = run_kept(plan, tasks, book, pass_at=pass_at, resume=True, workers=workers, judge=judge,
                         words=jobs)  # fmt: skip
    if not agents:
        note("note: no policy was named (--policy or --model), so gradient is not measured")
    report = _report(book, tasks, where, Options(group_size=group_size, seed=seed))
    paths = write(report, out)
    if as_json:
        print_document(_document(tasks, proven, tally, report, paths))
    else:
        stdout.print(terminal(report), width=min(stdout.width, WIDEST))
        note(f"\nwritten: {', '.join(str(path) for path in paths.values())}")
    raise typer.Exit(exit_code(proven))


def _agents(policies: list[Path], words: ModelWords) -> list[Agent]:
    agents: list[Agent] = list(chosen_agents(AgentKind.SCRIPTED, policies, words)) if policies else []
    if words.model:
        agents += chosen_agents(AgentKind.TERMINAL, [], words)
    return agents


def _report(ledger: Ledger, suite: Suite, sandbox: Sandbox, options: Options) -> Report:
    """Measure what `ledger` holds of this very suite, and compose the report."""
    here = Selection(suite=suite.identity)
    proofs = [proof for proof in read_proofs(ledger) if proof.suite == suite.identity]
    findings = [finding for finding in read_findings(ledger, proofs) if finding.suite == suite.identity]
    measured = nothing_measured(options.group_size, options.seed)
    if has_rollouts(ledger):
        measured = measure(observe(ledger, here), options)
    context = read_context(ledger, proofs, title=suite.name, commands=[shlex.join(["fairtrial", *sys.argv[1:]])])
    context = replace(context, sandboxes=(sandbox.name,), isolated=sandbox.capability().isolated)
    trained = read_trained(ledger, options.seed, suite=suite.identity)
    return build(measured, proofs, findings, context, read_audited(ledger, proofs), trained)


def _document(
    suite: Suite, proven: list[ProvenTask], tally: Tally, report: Report, paths: dict[str, Path]
) -> dict[str, Any]:
    statuses = [task.proof.status for task in proven]
    return {
        "schema": "fairtrial.certify/1",
        "suite": suite.identity,
        "tasks": len(suite.tasks),
        "proofs": {status: statuses.count(status) for status in ("proven", "refuted", "inconclusive")},
        "rollouts": {
            "attempts": tally.wanted,
            "already_there": tally.already_there,
            "passed": tally.passed,
            "failed": tally.failed,
            "ungraded": tally.ungraded + tally.lost,
        },
        "verdict": report.verdict.sentence,
        "paths": {kind: str(path) for kind, path in paths.items()},
    }
