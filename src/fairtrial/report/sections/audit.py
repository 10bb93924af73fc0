"""The audit: how often verdicts are wrong, by whom it was found, whose fault failures are, and how far reviewers agree.

All figures come from `audit.estimating`; nothing is counted here. Does not cover: the rollouts themselves (`examples`).
"""

from __future__ import annotations

from fairtrial.audit.estimating.result import Agreement, ErrorRates, FailureShares, ShapeRow
from fairtrial.audit.taxonomy import words
from fairtrial.records import Estimate
from fairtrial.report.data import Block, Cell, Column, Fact, Row, Scope, Section, Table
from fairtrial.report.numbers import NOT_MEASURED, count, of, percent, rounded, share, share_interval
from fairtrial.report.subject import Subject, estimate_cells, estimate_columns, number_cell
from fairtrial.report.words import capital, plural, visible

_MOST_MODELS = 4


def audit_section(subject: Subject) -> Section:
    """Return the section on the error rates of verdicts."""
    rates = subject.audited.rates
    if rates is None:
        empty = Scope("The share of passes that are false, and of failures, would be here", "no rollout was reviewed",
                      subject.review_command)  # fmt: skip
        claim = "How often the verdict is wrong was not measured"
        return Section(key="audit", title="Audit", side=(), blocks=(Block(claim=claim, empty=empty),))
    blocks = [_rates_block(rates, subject), _hacks_block(rates)]
    if rates.failures.reviewed:
        blocks.append(_failures_block(rates))
    blocks.append(_agreement_block(rates.agreement))
    return Section(key="audit", title="Audit", side=_side(rates), blocks=tuple(blocks))


def _side(rates: ErrorRates) -> tuple[Fact, ...]:
    counts = rates.counts
    facts = [
        Fact("n", plural(counts.reviewed, "reviewed rollout")),
        Fact("Could not be told", f"{count(counts.ungraded)}, {count(counts.disputed)} of them disputed"),
        Fact("Void reviews", count(counts.void)),
        Fact("Who looked", rates.looked.sentence),
        Fact("Population", _population(rates)),
        Fact("Method", rates.false_pass_rate.method),
    ]
    if rates.sample:
        facts.append(Fact("Sample", rates.sample, code=True))
    return tuple(facts)


def _population(rates: ErrorRates) -> str:
    if rates.population == "finite":
        return "the rollouts at hand"
    return "such tasks (superpopulation), clustered by task"


def _rates_block(rates: ErrorRates, subject: Subject) -> Block:
    columns = (
        Column(key="model", title="model", kind="name"),
        *estimate_columns("false among passes", "false_pass"),
        Column(key="false_pass_n", title="n", kind="number"),
        *estimate_columns("false among failures", "false_fail"),
        Column(key="false_fail_n", title="n", kind="number"),
    )
    rows = [Row(_rate_cells(Cell(text="all"), rates.false_pass_rate, rates.false_fail_rate), chosen=True)]
    rows += [
        Row(_rate_cells(subject.model_cell(model), one.false_pass_rate, one.false_fail_rate))
        for model, one in sorted(rates.by_model.items())
    ]
    if len(rates.by_model) < 2:
        rows = rows[:1]
    table = Table(key="error_rates", columns=columns, rows=tuple(rows),
                  caption=f"n: reviewed rollouts with an answer; {count(rates.counts.ungraded)} could not be told. "
                  "By name.")  # fmt: skip
    say = " ".join([rates.looked.sentence, *rates.not_measured])
    return Block(claim=rates.sentence.rstrip("."), say=say, tables=(table,))


def _rate_cells(name: Cell, passes: Estimate, failures: Estimate) -> tuple[Cell, ...]:
    return (name, *estimate_cells(passes), number_cell(passes.n), *estimate_cells(failures), number_cell(failures.n))


def _hacks_block(rates: ErrorRates) -> Block:
    hacks = rates.hacks
    if hacks.value is None or hacks.bound is None:
        empty = Scope("The share of hacks, with its bound, would be here", "no review says whether it is a hack")
        return Block(claim="Whether passes are hacks was not measured", empty=empty)
    seen = of(hacks.seen, hacks.n)
    claim = f"Reviewers call {seen} reviewed rollouts hacks: at most {percent(hacks.bound)} of all, one-sided"
    among = hacks.among_passes
    told = f"Among passes {share(among)}, {share_interval(among)}. " if among.high is not None else ""
    return Block(
        claim=claim, say=f"{told}A detector's hit is a lead; only a review counts here. {capital(hacks.method)}."
    )


def _failures_block(rates: ErrorRates) -> Block:
    failures = rates.failures
    environment = failures.environment
    if failures.untagged.value == 1.0:
        empty = Scope("Whose fault failures are would be here", "no review of a failure says why it fails")
        return Block(claim="Whose fault failures are was not measured", empty=empty)
    claim = f"Of {plural(failures.reviewed, 'reviewed failure')}, {share(environment)} were the task’s fault alone"
    if environment.value is None:
        claim = "Whose fault failures are was not measured"
    tables = (_fault_table(failures), *((_shapes_table(rates),) if rates.shapes.rows else ()))
    say = (
        "By the tags of the reviews that count. The task’s: a grader too narrow, an ambiguous instruction, an unfair "
        "inference, infrastructure. The agent’s: wrong logic, an upstream error, a missed inference, a claim unchecked."
    )
    return Block(claim=claim, say=say, tables=tables)


def _fault_table(failures: FailureShares) -> Table:
    columns = (Column(key="fault", title="tags of"), *estimate_columns("share", "share"))
    told = (("the task alone", failures.environment), ("the agent alone", failures.capability),
            ("both", failures.both), ("neither", failures.untagged))  # fmt: skip
    rows = tuple(Row((Cell(text=name), *estimate_cells(estimate))) for name, estimate in told)
    return Table(key="fault", caption=f"n = {count(failures.reviewed)} reviewed failures, weighted back.",
                 columns=columns, rows=rows)  # fmt: skip


def _shapes_table(rates: ErrorRates) -> Table:
    shapes = rates.shapes
    models = sorted({model for row in shapes.rows for model in row.by_model})
    named = [model for model in (shapes.strong, shapes.weak) if model]
    models = (named + [model for model in models if model not in named])[:_MOST_MODELS]
    pair = bool(shapes.strong and shapes.weak)
    columns = (
        Column(key="tag", title="tag"),
        *(Column(key=f"model_{number}", title=visible(model), kind="number") for number, model in enumerate(models)),
        *((Column(key="difference", title="strong − weak, points", kind="number"),) if pair else ()),
    )
    rows = tuple(Row(_shape_cells(row, models, pair=pair)) for row in shapes.rows)
    caption = "Share of each model’s reviewed failures (behaviours: of its reviewed rollouts) that carries the tag."
    if pair:
        caption += f" Strong: {visible(shapes.strong)}; weak: {visible(shapes.weak)}."
    return Table(key="shapes", caption=caption, columns=columns, rows=rows)


def _shape_cells(row: ShapeRow, models: list[str], *, pair: bool) -> tuple[Cell, ...]:
    cells = [Cell(text=visible(words(row.tag)), value=row.tag)]
    for model in models:
        estimate = row.by_model.get(model)
        told = f"{share(estimate)} {share_interval(estimate)}".strip() if estimate else NOT_MEASURED
        cells.append(Cell(text=told, value=estimate.value if estimate else None))
    if pair:
        cells.append(_difference_cell(row.difference))
    return tuple(cells)


def _difference_cell(estimate: Estimate | None) -> Cell:
    if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
        return Cell(text=NOT_MEASURED)
    low, high = rounded(100 * estimate.low, 1), rounded(100 * estimate.high, 1)
    return Cell(text=f"{rounded(100 * estimate.value, 1)} [{low}, {high}]", value=estimate.value)


def _agreement_block(agreement: Agreement) -> Block:
    if not agreement.people_rollouts:
        claim = "How far people agree was not measured"
        empty = Scope("Agreement of reviewers would be here", "no rollout was read by two people",
                      "fairtrial audit sample LEDGER --overlap 0.2")  # fmt: skip
        return Block(claim=claim, empty=empty, tables=_judge_tables(agreement))
    agreed = percent(agreement.people_agree) if agreement.people_agree is not None else NOT_MEASURED
    alpha = "undefined" if agreement.people_alpha is None else rounded(agreement.people_alpha, 2)
    claim = f"People agree on {agreed} of {plural(agreement.people_rollouts, 'rollout')} that two of them read"
    return Block(claim=claim, say=f"Krippendorff’s α {alpha}. `fairtrial audit agreement` gives intervals and pairs.",
                 tables=_judge_tables(agreement))  # fmt: skip


def _judge_tables(agreement: Agreement) -> tuple[Table, ...]:
    if not agreement.judges:
        return ()
    columns = (
        Column(key="judge", title="judge", kind="name"),
        Column(key="n", title="n", kind="number"),
        *estimate_columns("says yes to good work", "sensitivity"),
        *estimate_columns("says no to bad work", "specificity"),
    )
    rows = tuple(
        Row((Cell(text=visible(one.judge)), number_cell(one.n), *estimate_cells(one.sensitivity),
             *estimate_cells(one.specificity)))
        for one in agreement.judges
    )  # fmt: skip
    return (
        Table(key="judges", caption="Judges against people, on rollouts that both told.", columns=columns, rows=rows),
    )
