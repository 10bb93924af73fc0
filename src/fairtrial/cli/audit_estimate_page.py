"""The readable page of `fairtrial audit estimate`: one sentence first, then who looked, rates, hacks, faults, the rest.

Text is never markup. Not covered: pictures; those are the report's.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from fairtrial.audit import taxonomy
from fairtrial.audit.estimating import Agreement, ErrorRates, FailureShares, Rates, Shapes, StratumCount
from fairtrial.audit.estimating.result import counted
from fairtrial.cli.measure_page import percent
from fairtrial.cli.output import stdout
from fairtrial.records import Estimate

_MOST_STRATA = 20
_WIDEST = 10_000


def page(rates: ErrorRates) -> RenderableType:
    """Return the whole page."""
    parts = [_head(rates), _rates(rates), _hacks(rates), _by_model(rates), _failures(rates.failures)]
    parts += [_shapes(rates.shapes), _agreement(rates.agreement), _strata(rates.strata), _not_measured(rates)]
    return Group(*(part for part in parts if part is not None))


def least_width(part: RenderableType) -> int:
    """Return the width at which no table of `part` is cut; sentences fold instead."""
    if isinstance(part, Group):
        return max((least_width(inner) for inner in part.renderables), default=0)
    if isinstance(part, Table):
        return Measurement.get(stdout, stdout.options.update(max_width=_WIDEST), part).maximum
    return 0


def interval(one: Estimate) -> str:
    """Return an estimate as `19.0% [9.4, 34.8]`, a bound as `at most 5.8%`.

    >>> interval(Estimate(value=16 / 84, low=0.0941, high=0.3478, n=84, method="", unit="rollouts"))
    '19.0% [9.4, 34.8]'
    """
    if one.value is None or one.low is None or one.high is None:
        return "not measured"
    if one.one_sided:
        return f"{percent(one.value)}%, at most {percent(one.high)}%"
    return f"{percent(one.value)}% [{percent(one.low)}, {percent(one.high)}]"


def _head(rates: ErrorRates) -> RenderableType:
    suites = ", ".join(name for name in rates.suites if name)
    fails = rates.false_fail_rate
    of_failures = f"The false-fail rate is not measured: {fails.method}."
    if fails.value is not None:
        of_failures = f"Of failures {interval(fails)} are false, by {fails.n:,} reviewed of {rates.counts.failed:,}."
    first = [rates.sentence, of_failures, rates.looked.sentence]
    if suites:
        first.append(f"suite: {suites}")
    first += [f"▢ {part} alone; of others this says nothing" for part in rates.parts]
    return Text("\n".join(first) + "\n")


def _percent(share: float | None) -> str:
    return "" if share is None else f"{percent(share)}%"


def _table(title: str, first: str, *others: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), title=Text(title, style="bold"), title_justify="left")
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _rates(rates: ErrorRates) -> RenderableType:
    table = _table("Error rates", "", "share", "n", "could not be told", "all right", "all wrong")
    named = (("false passes", "false_pass_rate", rates.false_pass_rate),
             ("false failures", "false_fail_rate", rates.false_fail_rate))  # fmt: skip
    for label, name, one in named:
        bounds = rates.ungraded_bounds[name]
        table.add_row(label, interval(one), f"{one.n:,}", f"{one.ungraded:,}", _percent(bounds.all_right),
                      _percent(bounds.all_wrong))  # fmt: skip
        if rates.uncorrected is not None:
            table.add_row("  by judges alone", interval(getattr(rates.uncorrected, name)), "", "", "", "")
    methods = [f"{label}: {one.method}" for label, _, one in named]
    return Group(table, Text("\n".join(methods) + "\n", style="dim"))


def _hacks(rates: ErrorRates) -> RenderableType:
    hacks = rates.hacks
    if hacks.bound is None:
        return Text(f"Hacks: not measured: {hacks.method}.\n")
    passes = hacks.among_passes
    told = f"Hacks: {hacks.seen} of {hacks.n} reviewed; at most {percent(hacks.bound)}% of all rollouts"
    among = f", {percent(passes.high)}% of passes" if passes.value is not None else ""
    return Group(Text(f"{told}{among} (one-sided, 95%)."), Text(hacks.method + "\n", style="dim"))


def _by_model(rates: ErrorRates) -> RenderableType | None:
    if len(rates.by_model) < 2:
        return None
    table = _table("By model", "model", "false passes", "n", "false failures", "n")
    for model, one in rates.by_model.items():
        table.add_row(Text(model), *_pair(one))
    return Group(table, Text(""))


def _pair(one: Rates) -> tuple[str, str, str, str]:
    first, second = one.false_pass_rate, one.false_fail_rate
    return interval(first), f"{first.n:,}", interval(second), f"{second.n:,}"


def _failures(failures: FailureShares) -> RenderableType | None:
    if failures.reviewed == 0:
        return None
    if failures.untagged.value == 1:
        return Text(f"Whose fault: not measured: none of {failures.reviewed} reviewed failures has a failure tag.\n")
    table = _table(f"Whose fault, of {failures.reviewed} reviewed failures", "", "share")
    named = (("the task's alone", failures.environment), ("the agent's alone", failures.capability),
             ("both", failures.both), ("no tag of either", failures.untagged))  # fmt: skip
    for name, one in named:
        table.add_row(name, interval(one))
    return Group(table, Text(""))


def _shapes(shapes: Shapes) -> RenderableType | None:
    if not shapes.rows:
        return None
    models = list(shapes.rows[0].by_model)
    compared = bool(shapes.strong)
    title = "Failure tags of reviewed failures, behaviours of all that was reviewed"
    table = _table(title, "tag", "", *models, *(["strong - weak"] if compared else []))
    for row in shapes.rows:
        told = [interval(row.by_model[model]) for model in models]
        apart = [_difference(row.difference)] if compared else []
        table.add_row(Text(taxonomy.words(row.tag)), row.group, *told, *apart)
    pair = f"strong: {shapes.strong}, weak: {shapes.weak}; failures of both reviewed in {shapes.shared_tasks} tasks\n"
    return Group(table, Text(pair if compared else "", style="dim"))


def _difference(one: Estimate | None) -> str:
    if one is None or one.value is None or one.low is None or one.high is None:
        return "not measured"
    return f"{100 * one.value:+.1f} [{100 * one.low:+.1f}, {100 * one.high:+.1f}]"


def _agreement(agreement: Agreement) -> RenderableType | None:
    lines = []
    if agreement.people_rollouts:
        agree = "" if agreement.people_agree is None else f"{percent(agreement.people_agree)}% of pairs agree, "
        lines.append(f"People: {agree}alpha {_number(agreement.people_alpha)}, on {agreement.people_rollouts} rollouts "
                     "that two or more told")  # fmt: skip
    for judge in agreement.judges:
        lines.append(f"{judge.judge} against people, on {judge.n}: sensitivity {interval(judge.sensitivity)}, "
                     f"specificity {interval(judge.specificity)}, kappa {_number(judge.kappa)}")  # fmt: skip
    return Text("\n".join(lines) + "\n") if lines else None


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _strata(strata: Sequence[StratumCount]) -> RenderableType | None:
    if not strata:
        return None
    table = _table("Strata", "stratum", "rollouts", "drawn", "reviewed", "not told", "not reviewed")
    for one in strata[:_MOST_STRATA]:
        table.add_row(Text(one.name), *(f"{n:,}" for n in (one.population, one.sampled, one.reviewed, one.ungraded,
                                                           one.missing)))  # fmt: skip
    if len(strata) > _MOST_STRATA:
        table.add_row(f"and {len(strata) - _MOST_STRATA} more, in --json", "", "", "", "", "")
    return Group(table, Text(""))


def _not_measured(rates: ErrorRates) -> RenderableType | None:
    counts = rates.counts
    lines = list(rates.not_measured)
    left_out = (
        (counts.void, "review is void", "reviews are void"),
        (counts.outside_sample, "reviewed rollout is outside the plan", "reviewed rollouts are outside the plan"),
        (counts.duplicates, "review was replaced by a later one of the same reviewer",
         "reviews were replaced by later ones of the same reviewer"),
    )  # fmt: skip
    lines += [f"{counted(count, one, several)}, and left out." for count, one, several in left_out if count]
    return Text("\n".join(f"▢ {line}" for line in lines)) if lines else None
