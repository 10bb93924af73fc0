"""Verdicts kept on disk by content: model and settings, words of the prompt, question, what was shown, number of votes.

So grading the same again costs nothing and says the same. A disagreement is kept too, or asking again until the votes
agree would pass for a verdict; votes that broke and left the question open are not, as they say nothing.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from fairtrial.checks.judged.asking import Vote
from fairtrial.checks.judged.judges import Judges
from fairtrial.checks.judged.prompt import VERSION, WORDS, Question
from fairtrial.checks.judged.reply import Citation, Reason
from fairtrial.records import canonical_json, record_id


def key_of(judges: Judges, question: Question, votes: int) -> str:
    """Return the content address of what is asked."""
    return record_id(VERSION, {
        "words": WORDS,
        "model": judges.model.spec.identity(),
        "asks": question.asks,
        "verdicts": list(question.verdicts),
        "sources": [source.hash for source in question.sources],
        "reference": [source.hash for source in question.reference],
        "votes": votes,
        "shows_images": judges.shows_images,
        "part_characters": judges.part_characters,
    })  # fmt: skip


def kept_votes(judges: Judges, question: Question, votes: int) -> tuple[Vote, ...] | None:
    """Return the votes kept for `question`; None where there are none that can be read."""
    if judges.kept is None:
        return None
    try:
        found = json.loads(_file(judges.kept, key_of(judges, question, votes)).read_bytes())
        read = tuple(_vote(one) for one in found["votes"])
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return None
    return read if len(read) == votes and all(_holds(vote, question) for vote in read) else None


def keep_votes(judges: Judges, question: Question, votes: tuple[Vote, ...]) -> None:
    """Keep `votes`, written aside and renamed."""
    if judges.kept is None:
        return
    file = _file(judges.kept, key_of(judges, question, len(votes)))
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=file.parent, prefix=".part-")
    with os.fdopen(handle, "wb") as part:
        part.write(canonical_json({"asks": question.asks, "votes": [_row(vote) for vote in votes]}))
    Path(beside).replace(file)


def _holds(vote: Vote, question: Question) -> bool:
    return (vote.verdict in question.verdicts if question.verdicts else bool(vote.verdict)) or (
        vote.verdict == "" and vote.broken != ""
    )


def _file(folder: Path, key: str) -> Path:
    return folder / key[:2] / f"{key}.json"


def _row(vote: Vote) -> dict[str, Any]:
    return {
        "verdict": vote.verdict,
        "broken": vote.broken,
        "why": vote.why,
        "askings": vote.askings,
        "reasons": [reason.model_dump(mode="json") for reason in vote.reasons],
        "citations": [citation.model_dump(mode="json") for citation in vote.citations],
    }


def _vote(row: dict[str, Any]) -> Vote:
    return Vote(
        verdict=row["verdict"],
        broken=row["broken"],
        why=row["why"],
        askings=row["askings"],
        reasons=tuple(Reason.model_validate_json(json.dumps(one)) for one in row["reasons"]),
        citations=tuple(Citation.model_validate_json(json.dumps(one)) for one in row["citations"]),
    )
