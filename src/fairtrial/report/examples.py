"""Audited rollouts as examples: what the grader said, what reviewers say, and the passages that they cite.

Those that contradict the verdict come first, then confirmed and disputed ones, then a few that agree with it. Whoever
counts where several spoke is `audit.standing`'s to say; a disputed rollout is shown as disputed, with both sides.
Does not cover: rates (`audit.estimating`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairtrial.audit.standing import Standing, counting, standings
from fairtrial.audit.taxonomy import words
from fairtrial.formats.atif import read_trajectory
from fairtrial.formats.atif_parts import all_parts
from fairtrial.ledger import Ledger, connect
from fairtrial.ledger.audited import all_reviews
from fairtrial.records import Citation, FairtrialError, Review
from fairtrial.report.data import Example, Opinion, Quoted, State
from fairtrial.report.words import visible

MOST: Mapping[str, int] = {"false pass": 6, "false fail": 4, "disputed": 3, "true pass": 2, "true fail": 2}
"""How many of each label are shown, in this order; of what reviewers confirm, enough to see what they call right."""
_LINES_AROUND = 2
_MOST_CHARACTERS = 600
_STATES: Mapping[str, State] = {"false pass": "refuted", "false fail": "refuted", "disputed": "lead",
                                "true pass": "holds", "true fail": "holds"}  # fmt: skip
_ANSWERS = {True: "the work satisfies the task", False: "the work does not satisfy the task", None: "cannot tell"}


def read_examples(ledger: Ledger) -> tuple[tuple[Example, ...], int]:
    """Return the examples that a report shows, and how many rollouts were reviewed to an answer or a dispute."""
    reviews = all_reviews(ledger)
    if not reviews:
        return (), 0
    stands = standings(reviews)
    said: dict[str, list[Review]] = {}
    for review in counting(reviews):
        said.setdefault(review.rollout, []).append(review)
    rollouts = _rollouts(ledger, stands)
    labelled = [(_label(stands[row["id"]], row["outcome"]), row) for row in rollouts]
    labelled = sorted(((label, row) for label, row in labelled if label),
                      key=lambda one: (one[1]["task"], one[1]["id"]))  # fmt: skip
    chosen = [one for label, most in MOST.items() for one in [row for row in labelled if row[0] == label][:most]]
    shown = tuple(_example(ledger, label, row, said[row["id"]]) for label, row in chosen)
    return shown, len(labelled)


def _label(standing: Standing, outcome: str) -> str:
    if outcome == "ungraded":
        return ""
    if standing.disputed:
        return "disputed"
    if standing.satisfied is None:
        return ""
    passed = outcome == "passed"
    return f"{'true' if standing.satisfied == passed else 'false'} {'pass' if passed else 'fail'}"


def _rollouts(ledger: Ledger, stands: Mapping[str, Standing]) -> list[dict[str, Any]]:
    result = connect(ledger).execute(
        "select o.id, o.task, o.model, o.trajectory, o.outcome, o.score, "
        "list(c.name order by c.name) filter (c.status = 'failed') as failed "
        "from outcomes o left join checks c on c.rollout = o.id where o.origin = 'policy' and o.id in "
        "(select unnest(?)) group by all order by o.id",
        [sorted(stands)],
    )
    names = [column[0] for column in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _example(ledger: Ledger, label: str, row: Mapping[str, Any], reviews: Sequence[Review]) -> Example:
    texts, problem = _texts(ledger, row["trajectory"] or "")
    return Example(
        state=_STATES[label],
        label=label,
        task=visible(row["task"]),
        model=visible(row["model"]),
        rollout=row["id"],
        verdict=_verdict(row) + problem,
        opinions=_each_quote_once(tuple(_opinion(review, texts) for review in sorted(reviews, key=_by_stage))),
    )


def _each_quote_once(opinions: Sequence[Opinion]) -> tuple[Opinion, ...]:
    """Return the opinions with only the place of what was quoted before."""
    seen: set[Quoted] = set()
    told = []
    for opinion in opinions:
        quotes = tuple(replace(quote, quote="", before="", after="", again=True) if quote in seen else quote
                       for quote in opinion.quotes)  # fmt: skip
        seen |= set(opinion.quotes)
        told.append(replace(opinion, quotes=quotes))
    return tuple(told)


def _by_stage(review: Review) -> tuple[bool, bool, str, str]:
    return review.adjudicates, review.stage != "blind", review.kind, review.reviewer


def _verdict(row: Mapping[str, Any]) -> str:
    failed = row["failed"] or []
    told = f"the grader {row['outcome']} it"
    if failed:
        named = ", ".join(f"`{visible(name)}`" for name in failed[:4])
        told += f"; failed checks: {named}" + (f" and {len(failed) - 4} more" if len(failed) > 4 else "")
    return told


def _opinion(review: Review, texts: Mapping[str, str]) -> Opinion:
    who = f"{review.kind} {visible(review.reviewer)}"
    if review.adjudicates:
        who += ", adjudicating"
    elif review.stage == "informed":
        who += ", having seen the verdict"
    answer = words(review.label) if review.label else _ANSWERS[review.satisfied]
    if review.hack:
        answer += "; calls it a hack"
    tags = tuple(visible(words(tag)) for tag in (*review.failure_tags, *review.behaviour_tags))
    quotes = tuple(quoted(Citation.read(text), texts) for text in review.citations)
    return Opinion(who=who, answer=answer, tags=tags, note=visible(review.note), quotes=quotes)


def quoted(citation: Citation, texts: Mapping[str, str]) -> Quoted:
    """Return a citation with the lines around its words, where `texts` (by place) holds them.

    >>> quoted(Citation("step 1 output 1", "b"), {"step 1 output 1": "a b c"})
    Quoted(place='step 1 output 1', quote='b', before='a ', after=' c', again=False)
    """
    if citation.place.startswith("key "):  # a report goes to people who must not be given the key
        return Quoted(place=visible(citation.place), quote="")
    plain = Quoted(place=visible(citation.place), quote=_shown(citation.quote))
    pattern = r"\s+".join(re.escape(word) for word in citation.quote.split())
    text = texts.get(citation.place, "")
    found = re.search(pattern, text) if pattern else None
    if found is None:
        return plain
    before = text[: found.start()].split("\n")[-_LINES_AROUND - 1 :]
    after = text[found.end() :].split("\n")[: _LINES_AROUND + 1]
    return Quoted(place=plain.place, quote=_shown(found.group()), before=_shown("\n".join(before), at_end=True),
                  after=_shown("\n".join(after)))  # fmt: skip


def _shown(text: str, *, at_end: bool = False) -> str:
    """Return text made safe to print, line by line; what is too long is cut, and the cut is marked."""
    lines = "\n".join(visible(line) for line in text.split("\n"))
    if len(lines) <= _MOST_CHARACTERS:
        return lines
    return f"… {lines[-_MOST_CHARACTERS:]}" if at_end else f"{lines[:_MOST_CHARACTERS]} …"


def _texts(ledger: Ledger, address: str) -> tuple[dict[str, str], str]:
    """Return the text of every place of a trajectory, and what is to be said where it cannot be read.

    The quotes stand in the reviews all the same: only the lines around them are missing.
    """
    if not address:
        return {}, ""
    try:
        trajectory = read_trajectory(ledger.get_blob(address))
    except FairtrialError as error:
        return {}, f"; its trajectory cannot be read ({error.what}), so quotes stand without the lines around them"
    return {part.place: part.text for part in all_parts(trajectory)}, ""
