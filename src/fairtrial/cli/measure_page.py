"""The readable page of `fairtrial measure`: every figure with its interval, n and ungraded. Text is never markup.

Not covered: pictures and claims in words; those are the report's.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fairtrial.measure import Bins, Comparison, Curve, Measurement, ModelFigures, Suspect
from fairtrial.records import Estimate

NOT_MEASURED = "not measured"
_KS = (1, 2, 3, 4, 5, 8, 10, 16, 32, 64)
_MOST_KS = 6
_MOST_ROWS = 10
_WORTH_A_LOOK = 0.5
_NARROWEST_NAME = 10


def page(measured: Measurement, ledger: str) -> RenderableType:
    """Return the whole page."""
    models = measured.models
    parts: list[RenderableType] = [_head(measured, ledger), _rates(models), _gradient(measured), _curves(models)]
    parts += [_limits(models), _bins(measured.bins), _comparisons(measured.comparisons), _spend(measured)]
    parts += [_suspects(measured), _notes(measured), _methods(models)]
    return Group(*parts)


def least_width(part: RenderableType) -> int:
    """Return the width at which no figure of `part` is cut; names fold instead."""
    if isinstance(part, Group):
        return max((least_width(inner) for inner in part.renderables), default=0)
    if isinstance(part, Padding):
        return least_width(part.renderable)
    if isinstance(part, Table):
        return _NARROWEST_NAME + sum(2 + (column.min_width or 0) for column in part.columns[1:])
    return 0


def percent(share: float | None) -> str:
    """Return a share in percent with one decimal, halves up.

    >>> percent(0.1285), percent(None)
    ('12.9', 'not measured')
    """
    if share is None:
        return NOT_MEASURED
    exact = Decimal(repr(round(float(share) * 100, 10) + 0.0))
    return str(exact.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP))


def interval(low: float | None, high: float | None) -> str:
    """Return `[low, high]` in percent, nothing where there is none."""
    return "" if low is None or high is None else f"[{percent(low)}, {percent(high)}]"


def _estimate(estimate: Estimate) -> str:
    return f"{percent(estimate.value)} {interval(estimate.low, estimate.high)}".strip()


def _table(title: str, columns: Iterable[str], note: str = "") -> Table:
    """Return an empty table: first column names, the others right-aligned figures."""
    table = Table(box=None, title=title, title_justify="left", title_style="bold", caption=note or None,
                  caption_justify="left", pad_edge=False, padding=(0, 2, 0, 0))  # fmt: skip
    for i, name in enumerate(columns):
        table.add_column(name, justify="left" if i == 0 else "right", overflow="fold", no_wrap=i > 0)
    return table


def _row(table: Table, *cells: str) -> None:
    table.add_row(*(Text(cell) for cell in cells))
    for column, cell in zip(table.columns, cells, strict=True):
        wide = [cell_len(line) for line in (str(column.header), *cell.split("\n"))]
        column.min_width = max(column.min_width or 0, *wide) if column.no_wrap else None


def _spaced(part: RenderableType) -> RenderableType:
    return Padding(part, (1, 0, 0, 0))


def _head(measured: Measurement, ledger: str) -> RenderableType:
    suites = ", ".join(suite for suite in measured.suites if suite)
    text = Text(ledger, style="bold")
    text.append(f"\n{measured.rollouts:,} rollouts of {measured.tasks:,} tasks by {len(measured.models)} models, "
                f"{measured.ungraded:,} ungraded", style="default")  # fmt: skip
    if suites:
        text.append(f"\nsuite {suites}", style="dim")
    return text


def _rates(models: Iterable[ModelFigures]) -> RenderableType:
    table = _table("Pass rate, % of attempts, mean over tasks",
                   ("model", "rate [95%]", "tasks", "graded", "ungraded", "ungraded as fail–pass"))  # fmt: skip
    for model in models:
        low, high = model.ungraded_bounds
        _row(table, model.model, _estimate(model.pass_rate), f"{model.tasks:,}", f"{model.graded:,}",
             f"{model.ungraded:,}", f"{percent(low)}–{percent(high)}" if model.ungraded else "")  # fmt: skip
    return _spaced(table)


def _gradient(measured: Measurement) -> RenderableType:
    band = measured.models[0].band if measured.models else None
    named = f"{percent(band.low)}–{percent(band.high)}" if band else ""
    table = _table(
        f"Gradient: % of groups of {measured.group_size} with a pass and a fail",
        ("model", "posterior [95%]", "plug-in", "n a task", "never", f"in band {named}", "always"),
        "plug-in is biased where n is below the group; never, in band, always count tasks by observed rate",
    )
    for model in measured.models:
        least, most = model.attempts
        plug_in = model.gradient.plug_in if model.graded else None
        inside = NOT_MEASURED if model.band.share.value is None else f"{model.band.inside:,}"
        _row(table, model.model, _estimate(model.gradient.posterior), percent(plug_in),
             str(least) if least == most else f"{least}–{most}", f"{model.band.never:,}",
             inside, f"{model.band.always:,}")  # fmt: skip
    return _spaced(table)


def _curves(models: tuple[ModelFigures, ...]) -> RenderableType:
    """Return pass@k and pass^k at the k that all have, or most."""
    most = max((model.pass_at_k.k[-1] for model in models if model.pass_at_k.k), default=0)
    if most < 2:
        return _spaced(Text("pass@k and pass^k beyond k = 1: not measured, one graded attempt a task", style="dim"))
    ks = [k for k in _KS if k <= most][-_MOST_KS:]
    parts: list[RenderableType] = []
    for title, name in (("pass@k, %: at least one of k passes", "pass_at_k"), ("pass^k, %: all k pass", "pass_hat_k")):
        table = _table(title, ("model", *(f"k {k}" for k in ks)))
        for model in models:
            curve: Curve = getattr(model, name)
            _row(table, model.model, *(_point(curve, k, model.tasks) for k in ks))
        parts.append(_spaced(table))
    return Group(*parts, Text("simultaneous bands; (n) tasks where fewer than all have k attempts", style="dim"))


def _point(curve: Curve, k: int, tasks: int) -> str:
    if k not in curve.k:
        return "n < k"
    i = curve.k.index(k)
    fewer = f" ({curve.tasks[i]:,})" if curve.tasks[i] < tasks else ""
    return f"{percent(curve.value[i])}{fewer}\n{interval(curve.low[i], curve.high[i])}"


def _limits(models: Iterable[ModelFigures]) -> RenderableType:
    told = [model for model in models if model.turn_limit is not None]
    if not told:
        return _spaced(Text("limits: not measured, no rollout says why it stopped", style="dim"))
    table = _table("Passes that came at a limit of turns, time or tokens",
                   ("model", "of passes", "rate if they are fails, % [95%]", "n tasks", "ungraded"))  # fmt: skip
    for model in told:
        if model.turn_limit is not None:
            _row(table, model.model, f"{model.limit_passes:,} of {model.passes:,}", _estimate(model.turn_limit),
                 f"{model.turn_limit.n:,}", f"{model.turn_limit.ungraded:,}")  # fmt: skip
    return _spaced(table)


def _bins(bins: Bins | None) -> RenderableType:
    if bins is None:
        return _spaced(Text("strong against weak: not measured, it takes two models", style="dim"))
    table = _table(f"Strong against weak: {bins.strong} against {bins.weak}",
                   ("items", "both pass", "discriminates", "too hard", "reversed", "compared"))  # fmt: skip
    for name, counts, compared in (
        ("tasks", bins.tasks, bins.compared_tasks),
        ("checks", bins.checks, bins.compared_checks),
    ):
        if compared:
            _row(table, name, *(f"{counts[key]:,}" for key in ("both_pass", "discriminates", "too_hard", "reversed")),
                 f"{compared:,}")  # fmt: skip
    lines = [
        Text(f"  reversed {row.task}{'' if row.name == row.task else ' ' + row.name}: strong {row.strong_passes} of "
             f"{row.strong_n}, weak {row.weak_passes} of {row.weak_n}, p {row.p_value:.3f}, q {row.q_value:.2f}")
        for row in (*bins.reversed_tasks, *bins.reversed_checks)[:_MOST_ROWS]
    ]  # fmt: skip
    return _spaced(Group(table, *lines))


def _comparisons(comparisons: tuple[Comparison, ...]) -> RenderableType:
    if not comparisons:
        return Text("")
    table = _table(
        "Paired by task, points of pass rate",
        ("first → second", "gain [95%]", "fixes", "regressions", "tasks", "ungraded", "McNemar p"),
    )
    for row in comparisons[-_MOST_ROWS:]:
        p_value = "" if row.mcnemar_p is None else f"{row.mcnemar_p:.3g}"
        _row(table, f"{row.a} → {row.b}", _estimate(row.difference), percent(row.fixes), percent(row.regressions),
             f"{row.tasks:,}", f"{row.difference.ungraded:,}", p_value)  # fmt: skip
    return _spaced(table)


def _spend(measured: Measurement) -> RenderableType:
    told = [model for model in measured.models if model.spend is not None]
    if not told:
        return _spaced(Text("tokens and cost: not measured, no rollout records them", style="dim"))
    on_front = [{p.model for p in points if p.on_front} for points in (measured.front_cost, measured.front_tokens)]
    table = _table("Spend a rollout, mean [95%]; * on the front of score and spend",
                   ("model", "output tokens", "USD", "total USD", "n"))  # fmt: skip
    for model in told:
        spend = model.spend
        if spend is not None:
            cost = _amount(spend.cost_usd, 4) + (" *" if model.model in on_front[0] else "")
            tokens = _amount(spend.output_tokens, 0) + (" *" if model.model in on_front[1] else "")
            total = "" if spend.total_cost_usd is None else f"{spend.total_cost_usd:,.2f}"
            _row(table, model.model, tokens, cost, total, f"{spend.rollouts:,}")
    return _spaced(table)


def _amount(estimate: Estimate | None, decimals: int) -> str:
    if estimate is None or estimate.value is None:
        return NOT_MEASURED
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:,.{decimals}f}"
    return f"{estimate.value:,.{decimals}f} [{estimate.low:,.{decimals}f}, {estimate.high:,.{decimals}f}]"


def _suspects(measured: Measurement) -> RenderableType:
    if measured.suspects_method == "not asked for":
        return Text("")
    if not measured.suspects_measured:
        return _spaced(Text("suspects: not measured, it takes answers with keys, checks, or two models", style="dim"))
    shown: list[Suspect] = [s for s in measured.suspects if s.score >= _WORTH_A_LOOK]
    lines = [Text(f"Suspects: {len(shown):,} tasks scored {_WORTH_A_LOOK} or more; leads, not proof", style="bold"),
             Text(measured.suspects_method, style="dim")]  # fmt: skip
    for suspect in shown[:_MOST_ROWS]:
        lines.append(Text(f"{suspect.score:.2f}  {suspect.task}: {'; '.join(suspect.reasons)}"))
    if len(shown) > _MOST_ROWS:
        lines.append(Text(f"and {len(shown) - _MOST_ROWS:,} more: --json lists all", style="dim"))
    return _spaced(Group(*lines))


def _notes(measured: Measurement) -> RenderableType:
    """Return outages, tasks never passed, and what does not agree with itself."""
    lines = [Text("Consistency and coverage", style="bold")]
    if not measured.order_recorded:
        lines.append(Text("outages: not measured, no rollout says when it was recorded", style="dim"))
    for model in measured.models:
        for outage in model.outages[:3]:
            lines.append(Text(f"△ outage? {model.model}: {outage.length} attempts from number {outage.first} fail "
                              f"across {outage.tasks} tasks, chance {outage.probability:.2g}"))  # fmt: skip
    lines.append(Text(f"{len(measured.never_passed):,} of {measured.tasks:,} tasks were never passed"
                      + _some(measured.never_passed)))  # fmt: skip
    if measured.never_graded:
        lines.append(
            Text(f"{len(measured.never_graded):,} tasks have no graded attempt" + _some(measured.never_graded))
        )
    for row in measured.consistency:
        state = "● holds" if row.holds else f"△ {row.count:,} of {row.of:,} do not"
        lines.append(Text(f"{state}: {row.claim}" + (f" ({row.detail})" if row.detail else "")))
    return _spaced(Group(*lines))


def _some(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    return f": {', '.join(names[:5])}" + (" …" if len(names) > 5 else "")


def _methods(models: tuple[ModelFigures, ...]) -> RenderableType:
    lines = dict.fromkeys(
        f"{name}: {method}" for model in models
        for name, method in (("pass rate", model.pass_rate.method), ("curves", model.pass_at_k.method),
                             ("posterior", model.gradient.posterior.method))
    )  # fmt: skip
    return _spaced(Group(*(Text(line, style="dim") for line in lines)))
