"""Watched runs in, their page out as data: verdict, alarms, and each run step by step. Renderers take it from there."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial import __version__
from fairtrial.measure.intervals import effective_wilson
from fairtrial.report.data import (
    Block,
    Cell,
    Column,
    Fact,
    Report,
    Row,
    Scope,
    Section,
    Span,
    State,
    Table,
    VerdictPart,
    VerdictRow,
)
from fairtrial.report.numbers import (
    count,
    part,
    percent,
    percent_interval,
    rounded,
    share_interval,
    share_with_interval,
)
from fairtrial.report.numbers import share as share_of
from fairtrial.report.watch.panels import figures_of, together
from fairtrial.report.watch.words import (
    KINDS,
    attempts_words,
    counted,
    done_of,
    hack_words,
    name_of,
    sampled,
    side_words,
    state_of,
    steps_words,
)
from fairtrial.report.words import capital, listed, plural, verb, visible
from fairtrial.train.watch import SCHEMA, Alarm, Watched, WatchedStep
from fairtrial.train.watch.trends import WINDOW

_LAST_STEPS = 12
_CHANCE = "1 run in 1,000"


def page_of(runs: Sequence[Watched], subtitle: str = "") -> Report:
    """Return the page of `runs`, which are the seeds of one recipe or the models of one ledger."""
    names = list(dict.fromkeys(visible(run.model) for run in runs))
    steps = sum(len(run.steps) for run in runs)
    return Report(
        title=listed(names, most=3) or "training run",
        subtitle=visible(subtitle) or "The training run, watched step by step",
        tool=f"fairtrial {__version__}",
        identity=(
            Fact("Runs", count(len(runs))), Fact("Steps", count(steps)),
            Fact("Attempts", attempts_words([step for run in runs for step in run.steps])),
            Fact("Steps left out", count(sum(len(run.left_out_steps) for run in runs))),
        ),
        notices=tuple(f"{visible(name_of(run))} is paused. {visible(run.paused)}" for run in runs if run.paused),
        measured=tuple(Scope(f"{visible(name_of(run))}: {plural(len(sampled(run)), 'step')} with attempts")
                       for run in runs if sampled(run)),
        not_measured=_not_measured(runs),
        verdict=_verdict(runs),
        sections=(_alarms(runs), *(_run(run, number) for number, run in enumerate(runs))),
        schema=SCHEMA,
    )  # fmt: skip


def sentence(runs: Sequence[Watched]) -> str:
    """Return the answer in one sentence."""
    if not any(sampled(run) for run in runs):
        return "No step sampled anything, so there is nothing to watch."
    grave = [alarm for run in runs for alarm in run.alarms if alarm.is_grave]
    steps = sum(len(sampled(run)) for run in runs)
    if not grave:
        told = [alarm for run in runs for alarm in run.alarms]
        more = f"; {counted(told)} told" if told else ""
        if above := sum(run.against_line == "above" for run in runs):
            more += f"; hacks lie above the line in {plural(above, 'run')}"
        return f"No {'grave ' if more else ''}alarm in {plural(steps, 'step')} of {plural(len(runs), 'run')}{more}."
    paused = sum(bool(run.paused) for run in runs)
    left = sum(len(run.left_out_steps) for run in runs)
    stopped = f"{plural(paused, 'run')} paused, " if paused else ""
    return (f"{capital(counted(grave))} in {plural(steps, 'step')}; {stopped}"
            f"{plural(left, 'step')} left out of every claim.")  # fmt: skip


def _not_measured(runs: Sequence[Watched]) -> tuple[Scope, ...]:
    found: dict[tuple[str, str], list[str]] = {}
    for run in runs:
        for words in run.not_measured:
            what, _, why = words.replace("`", "").partition(": ")
            found.setdefault((what, why or "not measured"), []).append(visible(name_of(run)))
    everywhere = len(runs)
    return tuple(Scope(what if len(names) == everywhere else f"{what} ({listed(names, most=3)})", why.rstrip("."))
                 for (what, why), names in found.items())  # fmt: skip


def _verdict(runs: Sequence[Watched]) -> VerdictPart:
    rows = tuple(row for run in runs if sampled(run) for row in _verdict_rows(run))
    paragraph = (
        "A step in which every attempt fails is an outage where its tasks passed before too often for that to be "
        "chance; hard tasks that never passed are none. A policy that collapses to nothing within a step or two fails "
        "alike, so the completions decide. Marked steps are left out of every claim. A collapse over more steps and "
        "hacks are part of what the run was, and stay in it."
    )
    side = (Fact("n", attempts_words([step for run in runs for step in run.steps])),
            Fact("False pauses",
                 f"at most {_CHANCE} each for outages and hacks, at rates that were learned rightly"))  # fmt: skip
    return VerdictPart(sentence=sentence(runs), paragraph=paragraph, rows=rows, side=side)


def _verdict_rows(run: Watched) -> tuple[VerdictRow, ...]:
    last = sampled(run)[-WINDOW:]
    graded, passed = sum(step.passed + step.failed for step in last), sum(step.passed for step in last)
    where = steps_words(last[0].step, last[-1].step)
    rate = None if graded == 0 else passed / graded
    low, high = (None, None) if rate is None else effective_wilson(rate, max(1, sum(step.groups for step in last)))
    name, share = visible(name_of(run)), run.hack_share
    known = share is not None and share.high is not None
    side: State = "refuted" if run.against_line == "above" else "holds" if run.against_line == "below" else "none"
    return (
        VerdictRow(key=f"rate-{name}", statement=f"{name} passes", detail=f"in {where}, so far",
                   estimate="not measured" if rate is None else percent(rate), interval=percent_interval(low, high),
                   base=(f"n = {count(graded)}", f"{count(sum(step.ungraded for step in last))} ungraded"),
                   span=Span(rate, low, high)),
        VerdictRow(key=f"hacks-{name}", statement=f"{name} hacks the grader",
                   detail="confirmed by people" if known else "nobody looked",
                   estimate=share_of(share) if share is not None else "not measured",
                   interval=share_interval(share) if share is not None else "",
                   base=(f"n = {count(share.n)} reviewed",) if share is not None else ("no review",),
                   span=Span(share.value, share.low, share.high) if share is not None else Span(),
                   states=((side, side_words(run)),) if known else ()),
    )  # fmt: skip


def _alarms(runs: Sequence[Watched]) -> Section:
    found = [(run, alarm) for run in runs for alarm in run.alarms]
    side = (Fact("Outage", f"every attempt fails, at a chance below .001 / (t (t + 1)), t the step: {_CHANCE}"),)
    if not found:
        empty = Scope("Alarms would be here with their steps and reasons", "none was raised")
        return Section(key="alarms", title="Alarms", side=side, blocks=(Block(claim="No alarm", empty=empty),))
    columns = (Column(key="kind", title="alarm", kind="state"), Column(key="run", title="run", kind="name"),
               Column(key="steps", title="steps", kind="number"), Column(key="done", title="done", kind="text"),
               Column(key="why", title="why", kind="claim"))  # fmt: skip
    rows = tuple(Row((
        Cell(text=KINDS[alarm.kind], state=state_of(alarm), value=alarm.kind),
        Cell(text=visible(name_of(run)), value=name_of(run)),
        Cell(text=_span(alarm), value=alarm.first_step),
        Cell(text=done_of(alarm)), Cell(text=visible(alarm.why)),
    )) for run, alarm in found)  # fmt: skip
    claim = f"{capital(counted([alarm for _, alarm in found]))} {verb(len(found), 'was', 'were')} raised"
    table = Table(key="alarms", caption="By run, then as they were raised.", columns=columns, rows=rows, layout="stack")
    return Section(key="alarms", title="Alarms", side=side, blocks=(Block(claim=claim, tables=(table,)),))


def _span(alarm: Alarm) -> str:
    if alarm.first_step == alarm.last_step:
        return count(alarm.first_step)
    return f"{count(alarm.first_step)}–{count(alarm.last_step)}"


def _run(run: Watched, number: int) -> Section:
    steps, key = sampled(run), f"run-{number}"
    title = visible(name_of(run))
    if not steps:
        empty = Scope("Steps with attempts would be here", "nothing was sampled so far")
        return Section(key=key, title=title, side=(), blocks=(Block(claim="Nothing to watch", empty=empty),))
    each = together(run)
    say = "Shaded steps are left out of every claim." if run.left_out_steps else ""
    if each > 1:
        say = f"A point stands for {count(each)} steps. {say}".strip()
    graded = sum(step.passed + step.failed for step in steps)
    passed = sum(step.passed for step in steps)
    claim = f"{part(passed, graded)} of graded attempts passed in {plural(len(steps), 'step')} so far"
    teach = part(sum(step.informative for step in steps), sum(step.groups for step in steps))
    side = (Fact("n", attempts_words(steps)), Fact("Hacks", hack_words(run)), Fact("Groups that teach", teach))
    return Section(key=key, title=title, side=side, blocks=(
        Block(claim=claim, say=say, figures=figures_of(run, key), tables=(_last_steps(steps, key),)),
    ))  # fmt: skip


def _last_steps(steps: Sequence[WatchedStep], key: str) -> Table:
    columns = (Column(key="step", title="step", kind="number"), Column(key="attempts", title="attempts", kind="number"),
               Column(key="ungraded", title="ungraded", kind="number"),
               Column(key="rate", title="passed [95%]", kind="number"),
               Column(key="teach", title="groups that teach", kind="number"),
               Column(key="fail", title="all fail", kind="number"),
               Column(key="tokens", title="tokens", kind="number"),
               Column(key="state", title="state", kind="state"))  # fmt: skip
    shown = steps[-_LAST_STEPS:][::-1]
    rows = tuple(Row((
        Cell(text=count(step.step), value=step.step), Cell(text=count(step.attempts), value=step.attempts),
        Cell(text=count(step.ungraded), value=step.ungraded),
        Cell(text="not measured" if step.pass_rate is None else share_with_interval(step.pass_rate)),
        Cell(text=f"{step.informative} of {step.groups}", value=step.informative),
        Cell(text=count(step.all_fail), value=step.all_fail),
        Cell(text="not measured" if step.mean_tokens is None else rounded(step.mean_tokens, 1), value=step.mean_tokens),
        Cell(text="left out", state="refuted") if step.marked else Cell(text="counts", state="holds"),
    )) for step in shown)  # fmt: skip
    caption = f"The last {count(len(shown))} of {plural(len(steps), 'step')}, latest first. watch.jsonl holds all."
    return Table(key=f"{key}-steps", caption=caption, columns=columns, rows=rows)
