"""Try what the probes hand in, and see what the grader says of it.

Each submission is graded once under each of its runners; a wrong verdict is graded twice more, since a proof is
reproduced. Submissions of all tasks share the engine, so that no core waits for the last of a task. What races with the
grader is graded again with nothing of ours beside it, and where it does not win each time nothing is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fairtrial.attack import Submission, Target
from fairtrial.grade import Grading
from fairtrial.prove.asking import Answer, Asked, SurveyJob, ask
from fairtrial.prove.judge import Observed
from fairtrial.prove.options import ProveOptions
from fairtrial.prove.remembered import remembered
from fairtrial.prove.schedule import Case, OnTried
from fairtrial.records import Runner
from fairtrial.run import Assignment, Done, Engine, Lost, Trial, Tried, attempt_seed
from fairtrial.sandbox import Sandbox
from fairtrial.tasks import Key

AGAIN = 2
"""Further gradings of a submission that got a wrong verdict."""
PATIENCE, LEAST_PATIENCE = 15, 5.0
"""A submission's grading is ended after so many times the reference's longest, or so many seconds if that is more:
mutants loop for ever, and a grader that waits a minute for each would make an hour of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the gradings of one submission said, under each runner."""

    asked: Asked
    gradings: Mapping[Runner, tuple[Grading, ...]] = field(default_factory=dict)
    lost: Mapping[Runner, tuple[str, ...]] = field(default_factory=dict)
    """Why, of each trial that ended in an error of the harness."""
    candidate: str = ""
    """Content address of what was handed in."""
    is_hurried: bool = False
    """Gradings were ended sooner than the task would have."""

    def count(self, runner: Runner, outcome: str) -> int:
        """Return how many gradings under `runner` came to `outcome`."""
        return sum(grading.outcome == outcome for grading in self.gradings.get(runner, ()))

    def wrong(self, runner: Runner) -> int:
        """Return how many gradings under `runner` were wrong."""
        return self.count(runner, "passed" if self.asked.submission.expects == "fails" else "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked:
    """What all probes came to on one task."""

    answer: Answer = field(default_factory=Answer)
    seen: tuple[Seen, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    case: int
    number: int
    runner: Runner
    attempt: int


def attack_cases(
    cases: Sequence[Case], quiet: Sequence[Mapping[str, Observed]], engine: Engine, sandbox: Sandbox,
    options: ProveOptions, scratch: Path, on_tried: OnTried, on_more: Callable[[int], None],
) -> list[Attacked]:  # fmt: skip
    """Ask every probe about every case and try what they hand in; `on_more` is told how many trials that adds."""
    targets = _surveyed(cases, engine, sandbox, options, scratch)
    answers = [ask(case, targets[n], quiet[n], sandbox, options) for n, case in enumerate(cases)]
    keys = [case.key for case in cases]
    hurried = [_hurried(case.key, quiet[n].get("reference")) for n, case in enumerate(cases)]
    cases = [replace(case, key=key) for case, key in zip(cases, hurried, strict=True)]
    places = [
        _Place(n, number, runner, 0)
        for n, answer in enumerate(answers)
        for number, one in enumerate(answer.asked)
        for runner in one.submission.runners
    ]
    on_more(len(places))
    ended = dict(_tried(places, cases, answers, engine, sandbox, options, on_tried))
    again = [
        replace(place, attempt=attempt)
        for place, one in ended.items()
        if isinstance(one, Tried) and _is_wrong(one, answers[place.case].asked[place.number])
        for attempt in range(1, AGAIN + 1)
    ]
    on_more(len(again))
    racing = [place for place in again if answers[place.case].asked[place.number].submission.races]
    others = [place for place in again if place not in racing]
    ended |= dict(_tried(others, cases, answers, engine, sandbox, options, on_tried))
    ended |= dict(_tried(racing, cases, answers, engine, sandbox, options, on_tried, alone=True))
    return [
        Attacked(
            answer=answer,
            seen=tuple(
                _seen(n, number, one, ended, is_hurried=hurried[n] is not keys[n])
                for number, one in enumerate(answer.asked)
            ),
        )
        for n, answer in enumerate(answers)
    ]


def _hurried(key: Key, reference: Observed | None) -> Key:
    """Return the key with a time limit that suits how long its reference takes; the same where that saves nothing."""
    if reference is None or not reference.gradings:
        return key
    seconds = max(LEAST_PATIENCE, PATIENCE * max(grading.seconds for grading in reference.gradings))
    if all(step.verifier_seconds <= seconds for step in key.steps):
        return key
    steps = tuple(replace(s, verifier_seconds=min(s.verifier_seconds, seconds)) for s in key.steps)
    return replace(key, steps=steps)


def _surveyed(
    cases: Sequence[Case], engine: Engine, sandbox: Sandbox, options: ProveOptions, scratch: Path
) -> dict[int, Target | str]:
    """Survey every case that can be laid out; say of the others why not."""
    seen: dict[int, Target | str] = {n: case.cannot for n, case in enumerate(cases) if case.cannot}
    places = [n for n in range(len(cases)) if n not in seen]
    jobs = [SurveyJob(case=cases[n], sandbox=sandbox, scratch=scratch / str(n), options=options) for n in places]
    for ended in engine.map(jobs, here=True):  # they write below `scratch`, where probes read
        found = ended.value if isinstance(ended, Done) else f"the reference could not be acted out: {ended.why}"
        seen[places[ended.index]] = found
    return seen


def _tried(
    places: Sequence[_Place], cases: Sequence[Case], answers: Sequence[Answer], engine: Engine, sandbox: Sandbox,
    options: ProveOptions, on_tried: OnTried, *, alone: bool = False,
) -> Iterator[tuple[_Place, Tried | Lost]]:  # fmt: skip
    jobs = [
        remembered(_trial(place, cases[place.case], answers[place.case].asked[place.number], sandbox, options),
                   is_fresh=options.fresh)
        for place in places
    ]  # fmt: skip
    for ended in engine.map(jobs, at_once=1 if alone else None, cores_each=1):
        if isinstance(ended, Done):
            on_tried(ended.value)
            yield places[ended.index], ended.value
        else:
            yield places[ended.index], ended


def _trial(place: _Place, case: Case, asked: Asked, sandbox: Sandbox, options: ProveOptions) -> Trial:
    submission = asked.submission
    assignment = Assignment(
        task=case.task, agent=submission.agent, attempt=place.attempt, sandbox=sandbox, origin="known",
        seed=attempt_seed(options.seed, case.task.name, place.attempt), shared=place.runner != "ours",
    )  # fmt: skip
    grader = replace(case.grader, runner=place.runner, key=submission.grader or case.key, stands_in=True)
    return Trial(assignment=assignment, grader=grader, keep=False)


def _is_wrong(tried: Tried, asked: Asked) -> bool:
    wrong = "passed" if asked.submission.expects == "fails" else "failed"
    return any(grading.outcome == wrong for grading in tried.gradings)


def _seen(case: int, number: int, asked: Asked, ended: Mapping[_Place, Tried | Lost], *, is_hurried: bool) -> Seen:
    gradings: dict[Runner, tuple[Grading, ...]] = {}
    lost: dict[Runner, tuple[str, ...]] = {}
    candidate = ""
    for runner in asked.submission.runners:
        ones = [ended[place] for n in range(AGAIN + 1) if (place := _Place(case, number, runner, n)) in ended]
        gradings[runner] = tuple(grading for one in ones if isinstance(one, Tried) for grading in one.gradings)
        lost[runner] = tuple(one.why for one in ones if isinstance(one, Lost))
        if why := undecided(asked.submission, gradings[runner]):
            gradings[runner], lost[runner] = (), (why, *lost[runner])
        candidate = next((one.rollout.settings for one in ones if isinstance(one, Tried)), candidate)
    return Seen(asked=asked, gradings=gradings, lost=lost, candidate=candidate, is_hurried=is_hurried)


def undecided(submission: Submission, gradings: Sequence[Grading]) -> str:
    """Return why the gradings of a submission that races tell nothing; empty where it does not race, or one side won.

    A sound grader loses such a race now and then on a busy machine, and an unsound one wins it.
    """
    graded = [grading.outcome for grading in gradings if grading.outcome != "ungraded"]
    if not submission.races or len(set(graded)) < 2:
        return ""
    return (f"its race with the grader went either way (passed in {graded.count('passed')} of {len(graded)} gradings): "
            "a busy machine may have decided it; prove again on an idle one")  # fmt: skip
