"""`fairtrial audit pairs LEDGER`: who is preferred to whom, with intervals, and how far reviewers agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table

from fairtrial.audit.pairs import Ranking, rank_pairs, read_pairs
from fairtrial.cli.output import HOLDS, NOT_MEASURED, JsonFlag, note, print_document, print_whole, stdout
from fairtrial.ledger import Ledger
from fairtrial.measure.bradley_terry import Fit, as_share
from fairtrial.records import Estimate


def pairs(
    ledger: Annotated[Path, typer.Argument(help="Ledger folder.")],
    by: Annotated[Literal["people", "judges"], typer.Option("--by", help="Whose comparisons.")] = "people",
    question: Annotated[
        str | None, typer.Option("--question", help="Which question, where several were asked.")
    ] = None,
    suite: Annotated[str, typer.Option("--suite", help="Only this suite, by its name, with or without hash.")] = "",
    task: Annotated[list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Rank models by what reviewers preferred, seen blind in pairs; ties count, the effect of the place is told."""
    found = read_pairs(Ledger.open(ledger), kind="person" if by == "people" else "judge", question=question,
                       suite=suite, tasks=task or ())  # fmt: skip
    ranking = rank_pairs(found)
    if as_json:
        print_document(ranking.document())
    else:
        _print(ranking)
    if found.of_other_kind:
        other = "judges" if by == "people" else "people"
        note(f"note: {found.of_other_kind} comparisons of {other} are not in it; --by {other} ranks by them")
    if ranking.fit is None:
        note("error: no two models were compared by a reviewer who could tell")
        raise typer.Exit(NOT_MEASURED)
    raise typer.Exit(HOLDS)


def _print(ranking: Ranking) -> None:
    compared, decided = ranking.pairs.compared, ranking.pairs.decided
    tasks = len({(one.suite, one.task) for one in compared})
    reviewers = len({one.preference.reviewer for one in compared})
    told = (f"{_counted(len(compared), 'comparison')} on {_counted(tasks, 'task')} by "
            f"{_counted(reviewers, 'reviewer')}; {len(compared) - len(decided):,} cannot tell")  # fmt: skip
    stdout.print(told, markup=False, soft_wrap=True)
    for why, count in ranking.pairs.left_out.items():
        stdout.print(f"  ▢ {count} left out: {why.replace('_', ' ')}", markup=False)
    if not decided:
        return
    if ranking.fit is not None:
        _print_models(ranking.fit)
    fitted = ranking.fit.position if ranking.fit is not None else None
    lines = {
        "ties": _told(ranking.ties),
        "first preferred, ties apart": _told(ranking.first_preferred),
        "first preferred of equal works": _told(fitted) if fitted else "not told apart from strength by these pairs",
        "two reviewers say the same": _told(ranking.consistency.alike),
        "the same when shown swapped": _told(ranking.consistency.swapped),
    }
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for name, text in lines.items():
        table.add_row(name, text)
    alpha = ranking.consistency.alpha
    table.add_row("Krippendorff's α", "undefined" if alpha is None else f"{alpha:.2f}")
    stdout.print()
    print_whole(table)
    if ranking.fit is not None:
        stdout.print(f"\n{ranking.fit.method}", markup=False, style="dim", soft_wrap=True)


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _print_models(found: Fit) -> None:
    strengths = found.strengths()
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("rank", "model", "strength", "wins", "losses", "ties", "preferred to the next"):
        table.add_column(name, justify="left" if name == "model" else "right", no_wrap=True)
    apart = len(set(found.components)) > 1
    for one, below in zip(strengths, (*strengths[1:], None), strict=True):
        rank = str(one.best_rank) if one.best_rank == one.worst_rank else f"{one.best_rank}–{one.worst_rank}"
        group = f" (group {one.component + 1})" if apart else ""
        gap = found.difference(one.name, below.name) if below is not None else None
        table.add_row(rank, one.name + group, _log_odds(one.strength), str(one.wins), str(one.losses), str(one.ties),
                      _told(as_share(gap), counted=False) if gap is not None else "")  # fmt: skip
    stdout.print()
    print_whole(table)
    if apart:
        stdout.print("△ models of different groups were never compared: their ranks say nothing of each other",
                     markup=False, soft_wrap=True)  # fmt: skip
    if found.position is None:
        stdout.print("△ by these pairs the place cannot be told from strength: ranks suppose that it has no effect",
                     markup=False, soft_wrap=True)  # fmt: skip
    if found.prior:
        stdout.print(f"△ without a prior some strength would be infinite, so this one is used: {found.prior}",
                     markup=False, soft_wrap=True)  # fmt: skip


def _told(share: Estimate, *, counted: bool = True) -> str:
    if share.value is None or share.low is None or share.high is None:
        return "nothing to compare"
    text = f"{share.value:.1%} [{share.low:.1%}, {share.high:.1%}]"
    return f"{text} of {share.n}" if counted else text


def _log_odds(strength: Estimate) -> str:
    value = 0.0 if strength.value is None else round(strength.value, 2) + 0.0  # no -0.00
    return f"{value:+.2f} [{strength.low:+.2f}, {strength.high:+.2f}]"
