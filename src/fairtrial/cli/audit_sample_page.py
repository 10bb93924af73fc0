"""What `fairtrial audit sample` prints for people: the strata, what the draws buy, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from fairtrial.audit.sampling import Bought, Frame, Read
from fairtrial.cli.output import print_whole, stdout
from fairtrial.records import Sample

_SHOWN = 0.1
"""The rate for which the table of sizes shows the interval."""


def print_sample(sample: Sample, frame: Frame, buys: Sequence[Bought], is_recorded: bool) -> None:
    """Print the sample: one line of what it is, its strata, what it buys."""
    where = "recorded" if is_recorded else "not recorded"
    _line(f"sample {sample.id}: {len(sample.rows):,} of {frame.population:,} rollouts, seed {sample.seed}, {where}")
    if sample.parent:
        _line(f"grew from {sample.parent}, all of whose rows it holds")
    table = _table("stratum", "rollouts", "drawn", "probability")
    for stratum in sample.strata:
        table.add_row(Text(stratum.name), f"{stratum.population:,}", f"{stratum.sampled:,}",
                      f"{stratum.sampled / stratum.population:.4g}")  # fmt: skip
    print_whole(table)
    read = sum(row.readers > 0 for row in sample.rows)
    _line(f"to be read by a person: {read}, of which by two: {sum(row.readers > 1 for row in sample.rows)}")
    for one in buys:
        _line(sentence(one))
    lacking = {"passed", "failed"} - {one.verdict for one in buys} if "verdict" in sample.by else set()
    for verdict in sorted(lacking):
        _line(f"no rollout {verdict}, so that error rate cannot be measured")


def sentence(one: Bought) -> str:
    """Return what the draws of one verdict buy, in words."""
    told = ", ".join(f"±{width.half:.1%} if {width.rate:.0%} are seen ({width.low:.1%} to {width.high:.1%})"
                     for width in one.widths[1:4])  # fmt: skip
    return (f"{_rate(one)}: n = {one.n} of {one.population:,} in {one.tasks} tasks (design effect "
            f"{one.design_effect:.2f}) bounds it to {told}; if none is seen, to at most {one.bound:.1%}, one-sided, "
            f"or {one.worst_bound:.1%} where all rollouts of a task are alike")  # fmt: skip


def print_sizes(table: Sequence[tuple[int, Sequence[Bought]]], population: int, rho: float) -> None:
    """Print what each n buys."""
    _line(f"{population:,} rollouts; within a task, verdicts correlate {rho:.2f}, which stands in for errors")
    shown = _table("n", "of which", "in tasks", "design effect", f"if {_SHOWN:.0%} seen", "±", "none seen: at most")
    for n, buys in table:
        for i, one in enumerate(buys):
            width = one.at(_SHOWN)
            shown.add_row(f"{n:,}" if i == 0 else "", f"{one.n:,} {one.verdict}".strip(), f"{one.tasks:,}",
                          f"{one.design_effect:.2f}", f"{width.low:.1%} to {width.high:.1%}", f"{width.half:.1%}",
                          f"{one.bound:.1%}")  # fmt: skip
    print_whole(shown)


def left_out(read: Read) -> list[str]:
    """Return a line that says how many ungraded rollouts are not sampled, where there are some."""
    if not read.ungraded:
        return []
    why = ", ".join(f"{reason} {count:,}" for reason, count in read.reasons.items())
    return [f"{read.ungraded:,} ungraded rollouts are left out ({why}); --ungraded samples them"]


def _rate(one: Bought) -> str:
    return {"passed": "false-pass rate", "failed": "false-fail rate"}.get(one.verdict, "error rate")


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 2))
    for i, name in enumerate(names):
        table.add_column(name, justify="left" if i == 0 else "right", no_wrap=True)
    return table


def _line(text: str) -> None:
    stdout.print(text, markup=False, soft_wrap=True)
