"""Ask a judge one question once: a verdict with citations that hold, or why there is none.

    short: one asking                long: notes on each part, then one asking over what the notes cite

A reply that does not fit, or cites what is not there, is void: the judge is told and asked once more. Every asking is
sampled anew: its word makes it a request that no cache of replies has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from fairtrial.checks.judged.citations import faults
from fairtrial.checks.judged.judges import Judges
from fairtrial.checks.judged.prompt import Question, combining, finding, mending, noting, single
from fairtrial.checks.judged.quoting import Piece, nonce_for, parts, whole
from fairtrial.checks.judged.reply import Citation, Notes, Opinion, Reason, read_reply
from fairtrial.models import (
    Answered,
    Infrastructure,
    OverBudget,
    Refused,
    Reply,
    Request,
    Said,
    Truncated,
    Unparsed,
)

Broken = Literal["", "unparsed", "refused", "infrastructure", "over_budget"]
MENDS = 1
ROUNDS = 3
"""Most times that what was noted is itself read in parts."""
AROUND = 2
"""Lines shown before and after those that a note cites."""
SAID = 300
NOTHING = "(nothing)"
"""What was to be found is not there, or stands there with different values."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one asking came to. `verdict` is empty exactly where `broken` says why."""

    verdict: str = ""
    broken: Broken = ""
    why: str = ""
    reasons: tuple[Reason, ...] = ()
    citations: tuple[Citation, ...] = ()
    askings: int = 0
    """Requests that were made for it."""


def ask_vote(judges: Judges, question: Question) -> Vote:
    """Return one verdict on `question`, read in parts where it is too long for one asking."""
    question = question if judges.shows_images else question.without_images()
    split = parts([whole(source) for source in (*question.reference, *question.sources)], judges.part_characters)
    if len(split) == 1:
        return _asked(judges, question, lambda nonce: single(question, split[0], nonce), question.verdicts)
    askings = 0
    for _ in range(ROUNDS):
        noted: list[Notes] = []
        for number, part in enumerate(split, 1):
            vote = _asked(judges, question, partial(_noting, question, part, number, len(split)))
            askings += vote.askings
            if vote.broken:
                return replace(vote, askings=askings)
            noted.append(Notes(asking="", reasons=vote.reasons, citations=vote.citations))
        split = parts(cited(question, noted), judges.part_characters)
        if len(split) == 1:
            make = partial(_combining, question, split[0], noted)
            vote = _asked(judges, question, make, question.verdicts)
            return replace(vote, askings=askings + vote.askings)
    return Vote(broken="unparsed", why="what was noted does not fit in one asking", askings=askings)


def ask_value(judges: Judges, question: Question) -> Vote:
    """Return a value found in the sources, as the verdict: the words that are quoted, or NOTHING."""
    split = parts([whole(source) for source in question.sources], judges.part_characters)
    found: list[Vote] = []
    for part in split:
        vote = _asked(judges, question, partial(finding, question, part))
        if vote.broken:
            return vote
        found.append(vote)
    quotes = {citation.quote: vote for vote in found for citation in vote.citations}
    askings = sum(vote.askings for vote in found)
    if len(quotes) != 1:
        return Vote(NOTHING, askings=askings)
    (quote, vote), *_ = quotes.items()
    return replace(vote, verdict=quote.strip() or NOTHING, askings=askings)


def _noting(question: Question, part: Sequence[Piece], number: int, count: int, nonce: str) -> Request:
    return noting(question, part, nonce, number, count)


def _combining(question: Question, part: Sequence[Piece], noted: Sequence[Notes], nonce: str) -> Request:
    return combining(question, part, noted, nonce)


def cited(question: Question, noted: Sequence[Notes]) -> list[Piece]:
    """Return the lines that a note cites, and some around them; many sources that none cites would fill the part."""
    wanted: dict[str, set[int]] = {}
    for citation in (one for notes in noted for one in notes.citations):
        around = range(citation.first_line - AROUND, citation.last_line + AROUND + 1)
        wanted.setdefault(citation.source, set()).update(around)
    sources = (*question.reference, *question.sources)
    return [
        Piece(source, tuple((n, line) for n, line in whole(source).lines if n in wanted.get(source.name, ())))
        for source in sources
        if source.name in wanted or not source.lines
    ]


def _asked(judges: Judges, question: Question, make: Callable[[str], Request], verdicts: tuple[str, ...] = ()) -> Vote:
    """Ask once, and once more where the reply is void; without `verdicts` for notes."""
    sources = (*question.reference, *question.sources)
    nonce = nonce_for(sources)
    asking, why = make(nonce), ["it was never asked"]
    for attempt in range(1, MENDS + 2):
        outcome = judges.model.ask(asking)
        if not isinstance(outcome, Answered | Unparsed):
            return _unanswered(outcome, attempt)
        read = read_reply(outcome.reply.text, nonce, verdicts)
        why = [read] if isinstance(read, str) else faults(read, sources)
        if not isinstance(read, str) and not why:
            verdict = read.verdict if isinstance(read, Opinion) else ""
            return Vote(verdict, reasons=read.reasons, citations=read.citations, askings=attempt)
        said = (Reply(text=outcome.reply.text),) if outcome.reply.text.strip() else ()
        asking = replace(asking, messages=(*asking.messages, *said, Said(text=mending(why, nonce))))
    return Vote(broken="unparsed", why="; ".join(why)[:SAID], askings=MENDS + 1)


def _unanswered(outcome: Refused | Truncated | Infrastructure | OverBudget, askings: int) -> Vote:
    match outcome:
        case Refused():
            return Vote(broken="refused", why=outcome.why[:SAID], askings=askings)
        case Truncated(what="reply"):
            return Vote(broken="unparsed", why="the reply was cut at the model's token limit", askings=askings)
        case Truncated():
            return Vote(broken="infrastructure", why="the part does not fit the model's context", askings=askings)
        case Infrastructure():
            return Vote(broken="infrastructure", why=f"{outcome.reason}: {outcome.detail}"[:SAID], askings=askings)
        case OverBudget():
            return Vote(broken="over_budget", why=outcome.why[:SAID], askings=askings - 1)
