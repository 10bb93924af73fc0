"""`fairtrial audit agreement LEDGER`: do people agree with each other, and a judge with people?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from fairtrial.audit.agreement import QUESTIONS, Compared, QuestionAgreement, agreement, document_of, rated
from fairtrial.audit.agreement.document import interval, sentence
from fairtrial.audit.sampling import Population, read_units, sample_named
from fairtrial.cli.output import HOLDS, NOT_MEASURED, JsonFlag, note, print_document, print_whole, stdout
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_reviews
from fairtrial.records import Estimate


def agreement_(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    sample: Annotated[str, typer.Option(help="Only rows of this sample: its id, its name, or `last`.")] = "",
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.", min=0)] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Say how far the reviews of LEDGER agree: people with people, judges with people, with intervals."""
    held = Ledger.open(ledger)
    groups = {unit.rollout: unit.group for unit in read_units(held, Population(ungraded=True)).units}
    chosen = sample_named(held, sample) if sample else None
    if chosen is not None:
        groups = {row.rollout: groups[row.rollout] for row in chosen.rows if row.rollout in groups}
    reviews = all_reviews(held)
    found = agreement({question: rated(reviews, groups, question) for question in QUESTIONS}, seed)
    if as_json:
        print_document(document_of(found, chosen.id if chosen else ""))
    else:
        for one in found.questions:
            _print(one)
    is_measured = any(one.is_measured for one in found.questions)
    if not is_measured:
        note("error: no two reviewers have answered on one rollout, so agreement was not measured")
    raise typer.Exit(HOLDS if is_measured else NOT_MEASURED)


def _print(one: QuestionAgreement) -> None:
    _line(f"{one.question}: {sentence(one)}")
    if one.disputed or one.adjudicated:
        _line(f"  disputed {one.disputed}, adjudicated {one.adjudicated}")
    if one.people and one.people.n:
        _line(f"  people together: alpha {figure(one.people.alpha)}, {one.people.n} rollouts")
    if one.judges_together and one.judges_together.n:
        _line(f"  judges together: alpha {figure(one.judges_together.alpha)}, {one.judges_together.n} rollouts")
    judges = [judge for judge in one.judges if judge.compared.n]
    pairs = [*(pair for pair in one.pairs if pair.n), *(judge.compared for judge in judges)]
    if not pairs:
        return
    table = Table(box=None, padding=(0, 2, 0, 2))
    for i, name in enumerate(("raters", "n", "yes/yes", "yes/no", "no/yes", "no/no", "cannot tell", "yes", "agree",
                              "kappa")):  # fmt: skip
        table.add_column(name, justify="left" if i == 0 else "right", no_wrap=True)
    for pair in pairs:
        table.add_row(*_cells(pair))
    print_whole(table)
    for judge in judges:
        _line(f"  {judge.judge} beside people: says yes to {figure(judge.sensitivity)} of what they say yes to "
              f"(n = {judge.sensitivity.n}), no to {figure(judge.specificity)} of what they say no to "
              f"(n = {judge.specificity.n})")  # fmt: skip


def _cells(pair: Compared) -> list[Text]:
    table = pair.table
    yes = "" if pair.first_yes is None or pair.second_yes is None else f"{pair.first_yes:.0%}, {pair.second_yes:.0%}"
    told = (f"{pair.first}, {pair.second}", pair.n, table.yes_yes, table.yes_no, table.no_yes, table.no_no,
            pair.cannot_tell, yes, figure(pair.agree), figure(pair.kappa))  # fmt: skip
    return [Text(str(value)) for value in told]


def figure(estimate: Estimate) -> str:
    """Return value and interval, or why there is none."""
    return interval(estimate) if estimate.value is None else f"{estimate.value:.2f} {interval(estimate)}"


def _line(text: str) -> None:
    stdout.print(text, markup=False, soft_wrap=True)
