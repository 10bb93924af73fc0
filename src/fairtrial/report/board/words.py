"""What a board says in words: ranks, scores, states, spend, locks, summaries. Every renderer prints these."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.board.changes import Changes, RowChange
from fairtrial.board.locking import FIELDS, Lock
from fairtrial.board.result import Board, Reference, Row
from fairtrial.board.spend import Spent
from fairtrial.records import Estimate
from fairtrial.report.data import Span, State
from fairtrial.report.numbers import NOT_MEASURED, count, dollars, percent, percent_interval, rounded
from fairtrial.report.words import listed, plural, verb, visible

NOT_RECORDED = "not in the records"
NOT_JUDGED = "not judged"


def rank(row: Row) -> str:
    """Return the rank, with the last one that it could have where it is tied; empty for a row without a score."""
    if row.rank is None:
        return ""
    return str(row.rank) if row.rank == row.last_rank else f"{row.rank}–{row.last_rank}"


def span(estimate: Estimate | None) -> Span:
    """Return a score as an interval on the shared scale."""
    return Span() if estimate is None else Span(estimate.value, estimate.low, estimate.high)


def score(row: Row) -> str:
    """Return the score in percent, or that there is none."""
    return NOT_MEASURED if row.score is None or row.score.value is None else percent(row.score.value)


def interval(row: Row) -> str:
    """Return the interval of the score; empty where there is none."""
    return "" if row.score is None else percent_interval(row.score.low, row.score.high)


def accuracy(estimate: Estimate | None) -> str:
    """Return a score and its interval in one line."""
    if estimate is None or estimate.value is None:
        return NOT_MEASURED
    return f"{percent(estimate.value)} {percent_interval(estimate.low, estimate.high)}"


def state_of(row: Row) -> tuple[State, str]:
    """Return the status as a state and its word. A row that nobody judged is not called clean."""
    if row.status == "removed":
        return "none", "removed"
    if row.status == "penalised":
        return "refuted", "penalised: base score"
    if row.status == "flagged":
        return "lead", "flagged, awaiting a ruling"
    return {"judged": ("holds", "clean"), "in part": ("none", "judged in part"), "not judged": ("none", NOT_JUDGED),
            "not asked": ("holds", "accepted")}[row.judged]  # type: ignore[return-value]  # fmt: skip


def tokens(spent: Spent) -> str:
    """Return the output tokens, and of how many rollouts where not all record them."""
    if spent.output_tokens is None:
        return NOT_RECORDED
    return count(spent.output_tokens) + _of(spent.tokens_recorded, spent.n)


def read_tokens(spent: Spent) -> str:
    """Return the input tokens."""
    return (
        NOT_RECORDED if spent.input_tokens is None else count(spent.input_tokens) + _of(spent.tokens_recorded, spent.n)
    )


def money(spent: Spent) -> str:
    """Return the money, and of how many rollouts where not all record it."""
    return NOT_RECORDED if spent.cost_usd is None else dollars(spent.cost_usd) + _of(spent.cost_recorded, spent.n)


def _of(recorded: int, n: int) -> str:
    return "" if recorded == n else f" (of {count(recorded)} of {count(n)})"


def summary(board: Board) -> str:
    """Return the board in one sentence: who leads, from whom it cannot be told apart, how many are refused."""
    ranked = [row for row in board.rows if row.rank is not None]
    if not ranked:
        return "No row has a score."
    first = [row for row in ranked if row.rank == 1]
    names = listed([visible(row.label) for row in first], most=3)
    best = max(ranked, key=lambda row: (row.score.value or 0.0) if row.score else 0.0)
    if len(ranked) == 1:
        told = f"{names} stands alone, at {score(best)}"
    elif len(first) == 1:
        told = f"{names} leads {plural(len(ranked), 'model')}, at {score(best)}"
    else:
        told = (
            f"{names} lead {plural(len(ranked), 'model')} and cannot be told apart; the highest score is {score(best)}"
        )
    open_ = [row for row in first if row.status == "flagged"]
    if open_:
        told += (
            f"; {listed([visible(row.label) for row in open_], most=3)} {verb(len(open_), 'awaits', 'await')} a ruling"
        )
    if board.refused:
        told += f"; {plural(len(board.refused), 'run')} {verb(len(board.refused), 'is', 'are')} refused"
    return f"{told}."


def counts(board: Board) -> str:
    """Return how many rows have which status, those that were not judged apart."""
    told = []
    for word in (
        "clean",
        "accepted",
        "judged in part",
        NOT_JUDGED,
        "flagged, awaiting a ruling",
        "penalised: base score",
        "removed",
    ):
        number = sum(state_of(row)[1] == word for row in board.rows)
        if number:
            told.append(f"{number} {word.split(',')[0].split(':')[0]}")
    return f"{plural(len(board.rows), 'row')}: {', '.join(told)}" if told else "no row"


def lock_lines(board: Board) -> list[str]:
    """Return what every track is locked to, a line each."""
    return [lock_line(lock, board.weights.get(lock.track), several=len(board.locks) > 1) for lock in board.locks]


def lock_line(lock: Lock, weight: float | None, *, several: bool) -> str:
    """Return what one track is locked to."""
    fields = ", ".join(f"{name} {visible(getattr(lock.where, name)) or 'not recorded'}" for name in FIELDS)
    told = f"{fields}; {plural(len(lock.tasks), 'task')}, {plural(lock.runs_per_task, 'run')} a task"
    if several:
        return f"{visible(lock.track)}, weight {NOT_MEASURED if weight is None else rounded(weight, 3)}: {told}"
    return f"locked to {told}"


def reference_line(reference: Reference) -> str:
    """Return where base models, or their instruct siblings, stand on the scale."""
    role = "base models" if reference.role == "base" else "instruct siblings"
    names = listed([visible(name) for name in reference.models], most=4)
    return f"{role} ({names}): {accuracy(reference.score)}" + (f", {visible(reference.why)}" if reference.why else "")


def rank_rule(board: Board) -> str:
    """Return how ranks are made, with the number of pairs."""
    confidence = f"{round(board.options.confidence * 100)}%"
    told = (f"Rank: 1 + the rows that are above it beyond the {confidence} interval of the difference, paired by task; "
            f"“2–5” ranks 2 and cannot be told apart from rows down to 5.")  # fmt: skip
    if board.pairs:
        separate = f"{plural(board.pairs, 'pair')} {verb(board.separated, 'separates', 'separate')}"
        alpha = f"{round((1 - board.options.confidence) * 100)}%"
        told += f" {count(board.separated)} of {separate}; each pair is tested by itself, so of pairs that are truly "
        told += f"alike {alpha} would."
    return told


def changes_summary(changed: Changes) -> str:
    """Return what changed in one sentence."""
    told = [f"{number} {word}" for word in ("moved", "entered", "left", "changed")
            if (number := sum(row.fate == word for row in changed.rows))]  # fmt: skip
    told += [f"{changed.same} the same"] if changed.same else []
    rules = "other rules" if changed.rules_before != changed.rules_after else "the same rules"
    if changed.rules_before == changed.rules_after and changed.rules_diff:
        rules = "rules worded otherwise that say the same"
    return f"{', '.join(told) or 'no row'}; {rules}"


def movement(row: RowChange) -> str:
    """Return the rank before and after."""
    before, after = (NOT_RANKED if one is None else str(one) for one in (row.rank_before, row.rank_after))
    if row.fate == "entered":
        return f"entered at {after}" if row.rank_after else "entered, without a rank"
    if row.fate == "left":
        return f"left from {before}" if row.rank_before else "left"
    return (
        f"{before} → {after}" if before != after else f"stays at {after}" if row.rank_after else "stays without a rank"
    )


NOT_RANKED = "no rank"


def moved_score(row: RowChange) -> str:
    """Return the score before and after."""
    before, after = (_percent(one) for one in (row.score_before, row.score_after))
    return after if before == after or not before else before if not after else f"{before} → {after}"


def _percent(scored: object) -> str:
    if not isinstance(scored, dict):
        return ""
    value = scored.get("value")
    return NOT_MEASURED if value is None else f"{percent(value)} {percent_interval(scored['low'], scored['high'])}"


def some(names: Sequence[str], most: int = 6) -> str:
    """Return some names made safe to print, and how many more there are."""
    return listed([visible(name) for name in names], most=most)
