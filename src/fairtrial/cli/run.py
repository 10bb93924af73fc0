"""`fairtrial run SUITE`: let agents attempt the tasks of a suite, and grade what they hand in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.cli.agents import AgentKind, ModelWords, ask_models, chosen_agents, spec_of_judge
from fairtrial.cli.engines import EngineWords
from fairtrial.cli.options import (
    Address,
    Attempts,
    BaseUrl,
    Effort,
    EngineName,
    JudgeMaxTokens,
    JudgeModel,
    JudgeUrl,
    KeyVariable,
    MaxTurns,
    MaxUsd,
    Model,
    PassAt,
    PassEnv,
    Policies,
    PriceWords,
    SandboxName,
    Seed,
    Temperature,
    Unisolated,
    Workers,
)
from fairtrial.cli.output import HOLDS, NOT_MEASURED, JsonFlag, note, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.cli.sandboxes import choose
from fairtrial.grade import PASS_AT, HarborGrader, read_rules
from fairtrial.ledger import Ledger, Writer
from fairtrial.models import ModelSpec
from fairtrial.records import InputError
from fairtrial.run import Plan, Tally, Tried, held_attempts, run_plan
from fairtrial.sandbox import Sandbox, credential_names, passed_variables
from fairtrial.tasks import Suite, load_suite

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

FAR_SECONDS = 10.0
"""Time after which records of a cluster's run are written: what a kill may lose, and --resume makes again."""


@app.command()
def run(
    suite: Annotated[Path, typer.Argument(help="A task folder, or a folder of them.")],
    to: Annotated[Path, typer.Option("--to", help="Ledger that keeps the rollouts and verdicts.")],
    agent: Annotated[AgentKind, typer.Option(help="null, scripted or terminal.")] = AgentKind.NULL,
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
    task: Annotated[list[str] | None, typer.Option(help="Only this task; may be repeated.")] = None,
    sandbox: SandboxName = "",
    allow_unisolated: Unisolated = False,
    resume: Annotated[bool, typer.Option(help="Skip attempts that the ledger holds a grade of.")] = True,
    workers: Workers = 0,
    engine: EngineName = "local",
    address: Address = "",
    seed: Seed = 0,
    pass_at: PassAt = PASS_AT,
    pass_env: PassEnv = None,
    as_json: JsonFlag = False,
) -> None:
    """Attempt every task of SUITE --attempts times, grade what is handed in, and keep it all in a ledger."""
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
    passed = passed_variables(pass_env or [])
    tasks = load_suite(suite)
    where = choose(sandbox)
    chosen = [one for one in tasks.tasks if not task or one.name in task]
    if missing := sorted(set(task or ()) - {one.name for one in chosen}):
        raise InputError(f"the suite has no task {missing[0]}", field="--task")
    plan = Plan(tasks=chosen, agents=chosen_agents(agent, policy or [], words), attempts=attempts, sandbox=where,
                seed=seed, allow_unisolated=allow_unisolated, passed=passed)  # fmt: skip
    plan.refuse_unisolated()
    if not where.capability().isolated and (keys := credential_names()):
        note(f"warning: nothing keeps commands from reading the variables of this process: {', '.join(keys)}")
    ask_models(plan.agents)
    judge = spec_of_judge(judge_model, judge_base_url, api_key_variable, judge_max_tokens)
    tally = run_kept(plan, tasks, Ledger.open(to, create=True), pass_at=pass_at, resume=resume, workers=workers,
                     judge=judge, words=EngineWords(name=engine, address=address))  # fmt: skip
    if as_json:
        print_document(_document(tasks, plan, tally))
    else:
        stdout.print(f"{tally.passed} passed, {tally.failed} failed, {tally.ungraded + tally.lost} ungraded of "
                     f"{tally.wanted} attempts ({tally.already_there} were there already); ledger {to}")  # fmt: skip
    if tally.lost:
        note(f"warning: {tally.lost} attempts were lost to an error of the harness, the first to: {tally.lost_why}")
    if tally.rewards_differ:
        note(f"lead: of {tally.rewards_differ} attempts the grader wrote another reward than its grading.toml makes")
    graded = tally.passed + tally.failed + tally.already_there
    raise typer.Exit(HOLDS if graded else NOT_MEASURED)


def run_kept(
    plan: Plan, suite: Suite, ledger: Ledger, *, pass_at: float, resume: bool, workers: int,
    judge: ModelSpec | None = None, words: EngineWords | None = None,
) -> Tally:  # fmt: skip
    """Run `plan` with progress on stderr, keeping each trial in `ledger` as it ends."""
    graders = {task.name: _grader(suite, task.name, plan.sandbox, pass_at, judge) for task in plan.tasks}
    held = held_attempts(ledger) if resume else None
    wanted = sum(1 for one in plan.assignments() if not held or one.identity not in held)
    where = words or EngineWords()
    # A cluster's run is long, and a part a second would be tens of thousands of files.
    with (
        Writer(ledger, seconds=1.0 if where.name == "local" else FAR_SECONDS) as writer,
        Ticker("run", wanted) as ticker,
        where.opened(workers or None) as engine,
    ):

        def keep(tried: Tried) -> None:
            tried.keep(writer)
            ticker.tick()

        return run_plan(plan, graders, engine, keep, held)


def _grader(suite: Suite, task: str, sandbox: Sandbox, pass_at: float, judge: ModelSpec | None) -> HarborGrader:
    key = suite.keys[task]
    rules = read_rules(key.grading) if key.grading is not None else None
    return HarborGrader(key=key, sandbox=sandbox, rules=rules, pass_at=pass_at, judge=judge)


def _document(suite: Suite, plan: Plan, tally: Tally) -> dict[str, Any]:
    sandbox = plan.sandbox
    return {
        "schema": "fairtrial.run/1",
        "suite": suite.identity,
        "sandbox": sandbox.name,
        "isolated": sandbox.capability().isolated,
        "pass_env": sorted(plan.passed),
        "attempts": tally.wanted,
        "already_there": tally.already_there,
        "passed": tally.passed,
        "failed": tally.failed,
        "ungraded": tally.ungraded,
        "lost": tally.lost,
        "rewards_differ": tally.rewards_differ,
    }
