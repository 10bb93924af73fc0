"""`fairtrial attack SUITE --agent hack --model M`: let a language model try to pass a suite with wrong work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from fairtrial.attack.hacker.kept import FOLDER
from fairtrial.attack.hacker.options import Attacked, HackOptions
from fairtrial.attack.hacker.rounds import Attack, Purse
from fairtrial.attack.hacker.strength import Strength, listed, own_attempts, policies_in, rate
from fairtrial.attack.hacker.told import AS_STRONG, document, findings_of, found_share, shown_again
from fairtrial.cli.agents import ModelWords, ask_models, spec_of
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, note, print_document, stdout
from fairtrial.cli.progress import Ticker
from fairtrial.cli.sandboxes import choose
from fairtrial.ledger import Ledger, Writer
from fairtrial.records import Estimate, Finding, InputError
from fairtrial.run import LocalEngine, Plan, Tried
from fairtrial.run.agents.terminal import TerminalAgent
from fairtrial.sandbox import Sandbox, scratch_folder
from fairtrial.tasks import Suite, load_suite


@dataclass(frozen=True, slots=True, kw_only=True)
class HackWords:
    """What was said of an attack on the command line."""

    suite: Path
    model: ModelWords
    options: HackOptions = field(default_factory=HackOptions)
    tasks: tuple[str, ...] = ()
    sandbox: str = ""
    allow_unisolated: bool = False
    own_attempts: int = 0
    policy_results: Path | None = None
    out: Path | None = None
    ledger: Path | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ended:
    attacked: Attacked
    strength: Strength
    findings: list[Finding]


def attack_by_model(words: HackWords) -> int:
    """Attack the suite, print what it came to, and return the exit code: 1 proof, 0 none, 3 nothing was graded."""
    suite = _chosen(load_suite(words.suite), words.tasks)
    where = choose(words.sandbox)
    spec = spec_of(words.model, "the hack agent")
    if words.options.most_usd is not None and spec.price is None:
        raise InputError("a budget in USD needs the model's prices", field="--max-usd", hint="Give --price IN,OUT.")
    attacker = TerminalAgent(spec=spec, turns=words.model.max_turns)
    Plan(tasks=suite.tasks, agents=[attacker], attempts=1, sandbox=where,
         allow_unisolated=words.allow_unisolated).refuse_unisolated()  # fmt: skip
    policies = _policies(words, suite)
    book = Ledger.open(words.ledger, create=True) if words.ledger is not None else None
    ask_models([attacker])
    ended = _attacked(words, suite, where, attacker, policies, book)
    if book is not None:
        book.append("findings", ended.findings)
    said = {"model": spec.name, "effort": spec.effort, "agent": "hack", "turns": attacker.turns,
            "sandbox": where.name, "runners": list(words.options.runners), "impossible": words.options.impossible,
            "seed": words.options.seed}  # fmt: skip
    if words.as_json:
        print_document(document(ended.attacked, suite, ended.strength, said, ended.findings))
    else:
        _print(ended)
    graded = ended.attacked.graded or any(passes is not None for _, passes in ended.attacked.kept_before)
    return DOES_NOT_HOLD if ended.attacked.is_refuted else HOLDS if graded else NOT_MEASURED


def _chosen(suite: Suite, names: tuple[str, ...]) -> Suite:
    if missing := sorted(set(names) - {task.name for task in suite.tasks}):
        raise InputError(f"the suite has no task {missing[0]}", field="--task")
    return replace(suite, tasks=tuple(task for task in suite.tasks if not names or task.name in names))


def _policies(words: HackWords, suite: Suite) -> dict[str, Estimate]:
    """Return the policies' pass rates, before anything is spent. Raise InputError where the ledger has none."""
    if words.policy_results is None:
        return {}
    found = policies_in(Ledger.open(words.policy_results), suite)
    if not found:
        raise InputError("holds no rollout of these tasks as they are now", path=words.policy_results,
                         field="--policy-results", hint="`fairtrial run SUITE --to LEDGER` makes some.")  # fmt: skip
    return found


def _attacked(
    words: HackWords, suite: Suite, where: Sandbox, attacker: TerminalAgent, policies: dict[str, Estimate],
    book: Ledger | None,
) -> _Ended:  # fmt: skip
    options = words.options
    purse = Purse(usd=options.most_usd, tokens=options.most_tokens)
    wanted = len(suite.tasks) * (options.attempts * options.rounds + words.own_attempts)
    with (
        scratch_folder() as scratch,
        Writer(book) if book is not None else nullcontext() as writer,
        Ticker("attack", wanted) as ticker,
        LocalEngine(options.at_once) as engine,
    ):
        attack = Attack(
            suite=suite, sandbox=where, engine=engine, options=options, attacker=attacker, scratch=scratch,
            out=words.out or words.suite, on_tried=_keeping(writer, ticker), purse=purse,
        )  # fmt: skip
        attacked = attack.run()
        own = policies.get(_name(attacker)) or rate({}, why="no honest attempt was asked for: --own-attempts")
        if words.own_attempts:
            own = own_attempts(attack, words.own_attempts)
    attacked = replace(attacked, tokens=purse.spent_tokens, cost_usd=purse.spent_usd if purse.is_priced else None)
    paths = {task.name: str(suite.keys[task.name].path) for task in suite.tasks}
    kept_at = str(words.out / FOLDER) if words.out is not None and words.out.resolve() != words.suite.resolve() else ""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    findings = findings_of(attacked, suite, lambda attack: shown_again(paths, kept_at, attack), now)
    return _Ended(attacked=attacked, strength=Strength(attacker=own, policies=policies), findings=findings)


def _keeping(writer: Writer | None, ticker: Ticker) -> Callable[[Tried], None]:
    def on_tried(tried: Tried) -> None:
        if writer is not None:
            tried.keep(writer)
        ticker.tick()

    return on_tried


def _name(attacker: TerminalAgent) -> str:
    return f"{attacker.model}@{attacker.effort}" if attacker.effort else attacker.model


def _print(ended: _Ended) -> None:
    """Print what was found, what that bounds, and how strong the attacker is."""
    attacked = ended.attacked
    for one in attacked.rounds:
        line = f"round {one.number}: {one.attempts} attempts, {one.passed} passed, {len(one.found)} new"
        reasons = ", ".join(f"{count} ungraded ({reason})" for reason, count in one.ungraded.items())
        stdout.print(f"{line}, {reasons}" if reasons else line, markup=False)
    for attack, passes in attacked.kept_before:
        state = {True: "still passes", False: "passes no more", None: "could not be tried"}[passes]
        stdout.print(f"kept before: {attack.name} {state}", markup=False)
    for finding in ended.findings:
        mark = "◆ proof" if finding.severity == "proof" else "△ lead"
        stdout.print(f"\n{mark}  {finding.task}: {finding.claim}", markup=False)
        stdout.print(f"  $ {finding.command}", markup=False, style="dim", soft_wrap=True)
    for tally in attacked.tasks:
        if tally.why_not:
            stdout.print(f"\n▢ not measured  {tally.task}: {tally.why_not}", markup=False)
    found = found_share(attacked.proofs, attacked.graded)
    if found.value is not None:
        stdout.print(f"\n{attacked.proofs} of {found.n} attempts got wrong work past a grader: "
                     f"{_worded(found)}; stopped: {attacked.stopped}", markup=False)  # fmt: skip
    stdout.print(f"attacker on these tasks by honest work: {_worded(ended.strength.attacker)}", markup=False)
    for name, policy in listed(ended.strength):
        stdout.print(f"policy {name}: {_worded(policy)}", markup=False)
    stdout.print(AS_STRONG, markup=False, soft_wrap=True)
    cost = f", {attacked.cost_usd:.4f} USD" if attacked.cost_usd is not None else ""
    note(f"{attacked.tokens} tokens{cost}")


def _worded(found: Estimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return f"not measured ({found.method})"
    if found.one_sided:
        return f"at most {found.high:.1%} at 95%, none in {found.n}"
    return f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%}) of {found.n}"
