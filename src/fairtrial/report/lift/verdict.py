"""The answer of a lift in one sentence, one paragraph and one table: every arm's pass rate on a scale from 0 to 100%.

The sentence tells of the first model that was named, and says gain or loss only where the interval leaves out zero.
"""

from __future__ import annotations

from fairtrial.report.data import Fact, Span, State, VerdictPart, VerdictRow
from fairtrial.report.lift.data import LiftSubject
from fairtrial.report.lift.words import gain_interval, gain_words, seeds_words, signed, states
from fairtrial.report.numbers import NOT_MEASURED, count, percent, share, share_interval
from fairtrial.report.words import listed, plural, verb, visible
from fairtrial.train.lift import Lift


def verdict_of(subject: LiftSubject) -> VerdictPart:
    """Return the verdict."""
    comparisons = subject.lifted.comparisons
    rows = (*((_base_row(comparisons[0]),) if comparisons else ()), *(_arm_row(one) for one in comparisons))
    chosen = subject.chosen
    side = [
        Fact("Told of", f"{visible(chosen.trained)}, the first named" if chosen else "none: nothing was compared"),
        Fact("Interval", "95%, two-sided unless said; over tasks and training seeds"),
        Fact("Ungraded", "a grader, sandbox or harness that broke; never counted as failed"),
    ]
    return VerdictPart(sentence=sentence(subject), paragraph=_paragraph(subject), rows=rows, side=tuple(side))


def sentence(subject: LiftSubject) -> str:
    """Return what training was worth, in one sentence that claims no more than its interval."""
    one = subject.chosen
    if one is None:
        return "No model could be compared with its base on equal terms."
    if one.gain.value is None:
        return f"What {visible(one.trained)} gained was not measured."
    tasks = plural(one.held_out_tasks, "held-out task")
    rates = f"{visible(one.trained)} passes {share(one.trained_rate)} of {tasks}"
    rates += f", {visible(one.base)} {share(one.base_rate)}"
    size, over = f"{signed(one.gain.value)} points {gain_interval(one.gain)}", f"over {seeds_words(one.seeds)}"
    said = {
        "gain": f"{rates}: {size} {over}",
        "loss": f"{rates}: a loss, {size} {over}",
        "within_noise": f"{rates}: {size} {over}, within noise",
        "not_measured": f"{rates}: whether it gained was {NOT_MEASURED}",
    }[one.reading]
    doubt = "; a control gained too, so this is in doubt" if subject.lifted.controls_hold is False else ""
    return f"{said}{doubt}."


def _paragraph(subject: LiftSubject) -> str:
    one = subject.chosen
    if one is None:
        return "Why is said below, model by model."
    said = [_beneath(one)]
    others = [other for other in subject.arms if other is not one]
    if others:
        told = [f"{visible(other.trained)} {gain_words(other.gain)}{_noise(other)}" for other in others]
        said.append(f"Beside it: {listed(told, most=4)}.")
    said.append(_controls(subject))
    if one.exploratory:
        said.append("Its checkpoint was not fixed before training: what is found on it is exploratory.")
    if one.seeds == 1:
        said.append("One training seed: another training of the same recipe may say otherwise.")
    return " ".join(said)


def _beneath(one: Lift) -> str:
    fixed = ""
    if one.failures_fixed is not None and one.reading == "gain":
        fixed = f"That is {percent(one.failures_fixed)} of what {visible(one.base)} failed. "
    return (
        f"{fixed}Net of {percent(one.gross_fixes)} fixes and {percent(one.regressions)} regressions, a share of "
        "attempts, mean over tasks."
    )


def _noise(one: Lift) -> str:
    return {"within_noise": " (within noise)", "loss": " (a loss)"}.get(one.reading, "")


def _controls(subject: LiftSubject) -> str:
    controls = subject.controls
    if not controls:
        return "There was no control arm: whether this board shows gains where there are none was not measured."
    names = listed([visible(one.trained) for one in controls], most=3)
    if subject.lifted.controls_hold is False:
        return f"Controls must show no gain, and one does ({names}): every gain on this board is in doubt."
    bounds = [one.control_bound.high for one in controls if one.control_bound and one.control_bound.high is not None]
    most = ""
    if bounds:
        above = f"a gain above {signed(max(bounds)).removeprefix('+')} points" if max(bounds) > 0 else "any gain"
        most = f"; {above} is ruled out, one-sided"
    if any(one.reading == "not_measured" for one in controls):
        return f"Whether a control gains was not measured of every one ({names})."
    said = verb(len(controls), f"The control {names} shows", f"The controls {names} show")
    return f"{said} no gain{most}."


def _base_row(one: Lift) -> VerdictRow:
    rate = one.base_rate
    return VerdictRow(
        key="base",
        statement=visible(one.base),
        detail="Before training: the base of every comparison.",
        estimate=share(rate),
        interval=share_interval(rate),
        span=Span(rate.value, rate.low, rate.high),
        base=_base(one, one.ungraded[0]),
    )


def _arm_row(one: Lift) -> VerdictRow:
    rate = one.trained_rate
    shown: list[tuple[State, str]] = list(states(one))
    return VerdictRow(
        key=f"arm-{one.trained}",
        statement=visible(one.trained),
        detail=f"{gain_words(one.gain)} over {visible(one.base)}.",
        estimate=share(rate),
        interval=share_interval(rate),
        span=Span(rate.value, rate.low, rate.high),
        base=_base(one, one.ungraded[1]),
        states=tuple(shown),
    )


def _base(one: Lift, ungraded: int) -> tuple[str, ...]:
    least, most = one.runs_per_task
    runs = plural(least, "run") if least == most else f"{count(least)} to {count(most)} runs"
    return (
        f"n = {plural(one.held_out_tasks, 'task')}, {runs} each",
        seeds_words(one.seeds),
        f"{count(ungraded)} ungraded",
    )
