"""Which trials prove a task, in which circumstance, and running them.

Quiet: each known candidate, `repeats` times. Where the grader minds the clock or draws at random, one trial at a time
for every two cores, so that one which minds company is told apart from one which is flaky alone; the others use every
core, and a reference that wavers there is tried again alone. Crowd: references of one task, many at once; then the
references of all tasks mixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fairtrial.grade import HarborGrader, read_rules
from fairtrial.prove.judge import Observed
from fairtrial.prove.known import Known, known_candidates
from fairtrial.prove.options import ProveOptions
from fairtrial.prove.remembered import remembered
from fairtrial.prove.steadiness import UNSTEADY_REPEATS, is_unsteady
from fairtrial.records import SandboxError
from fairtrial.run import Assignment, Done, Engine, Lost, Trial, Tried, attempt_seed
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Key, Task

CROWD_ROUNDS = 2
SOLVES = 2
"""How often a candidate is made anew; its deliverables share the repeats."""
OnTried = Callable[[Tried], None]


@dataclass(frozen=True, slots=True)
class Company:
    """An engine, and beside what a trial is made."""

    engine: Engine
    at_once: int | None = None
    cores_each: int | None = None
    here: bool = False
    """On this one machine: trials in a crowd share its disk, ports and clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One task to be proven."""

    task: Task
    key: Key
    known: tuple[Known, ...]
    grader: HarborGrader
    repeats: int
    unsteady: bool
    """Its grader reads a clock or draws at random."""
    cannot: str = ""
    """Why its environment cannot be laid out in this sandbox, so that nothing is tried; empty where it can."""
    stand_in: str = ""
    """What of the environment this host stands in for."""

    @property
    def reference(self) -> Known | None:
        """Return the reference, where the task has one."""
        return next((known for known in self.known if known.kind == "reference"), None)


def case_of(task: Task, key: Key, sandbox: Sandbox, options: ProveOptions) -> Case:
    """Gather what proving `task` needs. Raise InputError for a grading.toml that cannot be used."""
    rules = read_rules(key.grading) if key.grading is not None else None
    unsteady = any(is_unsteady(step.tests) for step in key.steps)
    repeats = max(options.repeats, UNSTEADY_REPEATS) if unsteady else options.repeats
    cannot, stand_in = _laid_out(task, sandbox)
    return Case(
        cannot=cannot, stand_in=stand_in, unsteady=unsteady, repeats=repeats,
        task=task, key=key, known=known_candidates(key),
        grader=HarborGrader(key=key, sandbox=sandbox, rules=rules, pass_at=options.pass_at,
                            judge=options.judge),
    )  # fmt: skip


def _laid_out(task: Task, sandbox: Sandbox) -> tuple[str, str]:
    """Lay the environment out; return why that cannot be done, and what stands in for what."""
    if problems := sandbox.unsupported(task.environment):
        return f"the sandbox `{sandbox.name}` cannot honour {'; '.join(problems)}", ""
    try:
        return "", "; ".join(sandbox.prepare(task.environment).notes)
    except SandboxError as error:
        return f"the environment cannot be laid out: {error.what}", ""


Place = tuple[int, str]
"""Position of a case, and label of a candidate."""


def in_quiet(
    cases: Sequence[Case], engine: Engine, sandbox: Sandbox, options: ProveOptions, on_tried: OnTried
) -> tuple[dict[Place, Observed], dict[Place, Observed]]:
    """Grade every known candidate of every case, repeatedly.

    Return what was seen of each; and of references that waver in company and pass alone, what was seen in company.
    """
    wanted = _wanted(cases, options)
    seen: dict[Place, Observed] = {}
    for unsteady, cores_each in ((False, 1), (True, 2)):
        chosen = [one for one in wanted if cases[one[0]].unsteady == unsteady]
        seen |= _seen(cases, chosen, Company(engine, cores_each=cores_each), on_tried, sandbox, options)
    wavering = [
        (index, known, SOLVES + options.concurrency + 1 + attempt)
        for index, known, attempt in wanted
        if known.kind == "reference" and not cases[index].unsteady and _wavers(seen[index, known.label])
    ]
    alone = _seen(cases, wavering, Company(engine, at_once=1), on_tried, sandbox, options)
    company = {place: seen[place] for place, observed in alone.items() if not observed.failed}
    return seen | {place: alone[place] for place in company}, company


def _wavers(observed: Observed) -> bool:
    return observed.passed > 0 and observed.failed > 0


def _wanted(cases: Sequence[Case], options: ProveOptions) -> list[tuple[int, Known, int]]:
    return [
        (index, known, attempt)
        for index, case in enumerate(cases)
        if not case.cannot
        for known in case.known
        if options.only in ("", known.label, f"wrong_repeat:{known.name}", _repeat_label(known))
        or (options.only == "reference_concurrent" and known.kind == "reference")
        for attempt, _ in enumerate(_shares(case))
    ]


def _seen(
    cases: Sequence[Case], wanted: Sequence[tuple[int, Known, int]], company: Company, on_tried: OnTried,
    sandbox: Sandbox, options: ProveOptions,
) -> dict[Place, Observed]:  # fmt: skip
    """Run the wanted trials, and return what was seen of each candidate."""
    trials = []
    for index, known, attempt in wanted:
        shares = _shares(cases[index])
        trials.append(_trial(cases[index], known, attempt, sandbox, options, shares[attempt % len(shares)]))
    tried: dict[Place, list[Tried | Lost]] = {}
    jobs = [remembered(trial, is_fresh=options.fresh) for trial in trials]
    for position, one in _run(jobs, company, on_tried):
        index, known, _ = wanted[position]
        tried.setdefault((index, known.label), []).append(one)
    candidates = {(index, known.label): known for index, known, _ in wanted}
    return {place: _observed(candidates[place], ones, cases[place[0]]) for place, ones in tried.items()}


def in_crowd(case: Case, engine: Engine, sandbox: Sandbox, options: ProveOptions, on_tried: OnTried) -> Observed | None:
    """Grade the reference of `case` many times at once."""
    if case.reference is None or case.cannot or options.concurrency < 2:
        return None
    trials = [
        _trial(case, case.reference, SOLVES + n, sandbox, options, CROWD_ROUNDS) for n in range(options.concurrency)
    ]
    company = Company(engine, at_once=options.concurrency, here=True)
    return _observed(case.reference, [t for _, t in _run(trials, company, on_tried)], case)


def among_neighbours(
    cases: Sequence[Case], engine: Engine, sandbox: Sandbox, options: ProveOptions, on_tried: OnTried
) -> dict[int, Observed]:
    """Grade the references of all cases mixed, many at once; return what was seen of each."""
    places = [index for index, case in enumerate(cases) if case.reference is not None and not case.cannot]
    if len(places) < 2 or options.concurrency < 2:
        return {}
    attempt = SOLVES + options.concurrency
    references = {place: reference for place in places if (reference := cases[place].reference) is not None}
    trials = [
        _trial(cases[place], known, attempt, sandbox, options, CROWD_ROUNDS) for place, known in references.items()
    ]
    company = Company(engine, at_once=options.concurrency, here=True)
    return {
        places[position]: _observed(references[places[position]], [tried], cases[places[position]])
        for position, tried in _run(trials, company, on_tried)
    }


def trials_wanted(cases: Sequence[Case], options: ProveOptions) -> int:
    """Return how many trials a full proof of `cases` makes, for progress."""
    possible = [case for case in cases if not case.cannot]
    quiet = sum(len(_shares(case)) * len(case.known) for case in possible)
    references = sum(case.reference is not None for case in possible)
    crowd = options.concurrency * references if options.concurrency > 1 else 0
    return quiet + crowd + (references if references > 1 and options.concurrency > 1 else 0)


def _shares(case: Case) -> list[int]:
    """Return how often each of a candidate's deliverables is graded; where services must be alive, once each."""
    if case.task.live:
        return [1] * case.repeats
    solves = min(SOLVES, case.repeats)
    return [case.repeats // solves + (n < case.repeats % solves) for n in range(solves)]


def _repeat_label(known: Known) -> str:
    return "reference_repeat" if known.kind == "reference" else known.label


def _trial(case: Case, known: Known, attempt: int, sandbox: Sandbox, options: ProveOptions, times: int) -> Trial:
    assignment = Assignment(
        task=case.task, agent=known.agent, attempt=attempt, sandbox=sandbox, origin="known",
        seed=attempt_seed(options.seed, case.task.name, attempt),
    )  # fmt: skip
    return Trial(assignment=assignment, grader=case.grader, times=1 if case.task.live else times, keep=False)


def _run(
    trials: Sequence[Callable[[], Tried]], company: Company, on_tried: OnTried
) -> Iterator[tuple[int, Tried | Lost]]:
    for ended in company.engine.map(trials, at_once=company.at_once, cores_each=company.cores_each, here=company.here):
        if isinstance(ended, Done):
            on_tried(ended.value)
            yield ended.index, ended.value
        else:
            yield ended.index, ended


def _observed(known: Known, tried: Sequence[Tried | Lost], case: Case) -> Observed:
    gradings = tuple(grading for one in tried if isinstance(one, Tried) for grading in one.gradings)
    return Observed(
        known=known, gradings=gradings, stand_in=case.stand_in,
        lost=tuple(one.why for one in tried if isinstance(one, Lost)),
        said=tuple(one.said for one in tried if isinstance(one, Tried)),
    )  # fmt: skip
