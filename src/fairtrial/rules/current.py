"""Which screenings speak of a submission as it is now, and their content as something that a ruling can name.

A submission that is handed in with other artifacts is another hand-in: what was found of the earlier one says nothing
of it. Of one check, subject and comparison, the last word counts; what could not be run at all, the last check says. A
check that is run again and finds the same changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import orjson

from fairtrial.records import Rule, Screening, Submission, canonical_json, digest
from fairtrial.records.screening import ScreeningKind

KINDS: dict[Rule, ScreeningKind] = {
    "contamination": "scan", "usage": "usage", "lookup": "lookup", "identity": "identity",
    "edits": "edits",
}  # fmt: skip
"""The check behind each rule."""
_SECONDS = len("2026-01-31T12:00:00")
"""Times are compared to the second: not every record has more."""
_RULES = re.compile(r"([^\s@#]+)@[^\s@#]+#[0-9a-f]+")
NOTHING = "nothing"
"""Kind of artifact of a submission that says why there is no model."""
EXHIBITS = "exhibits"
"""Kind of artifact of a submission that a check makes: what a judge is shown beside the findings."""


def current_screenings(
    screenings: Iterable[Screening], submissions: Iterable[Submission], rule: Rule, model: str
) -> tuple[Screening, ...]:
    """Return the screenings by which `rule` is ruled for `model`, in the order in which they were recorded."""
    handed_in = [one for one in submissions if one.model == model]
    since, last = _handed_in(handed_in), max((one.recorded_at for one in handed_in), default="")
    mine = (one for one in screenings if one.kind == KINDS[rule] and one.model == model)
    found = [one for one in mine if one.recorded_at[:_SECONDS] >= since[:_SECONDS]]
    found = [one for one in found if one.document or one.recorded_at >= last]  # gaps are the last check's to name
    return tuple(one for at, one in enumerate(found) if not any(_replaces(later, one) for later in found[at + 1 :]))


def _replaces(later: Screening, one: Screening) -> bool:
    """Say whether two screenings speak of the same: by content, or under the same name."""
    same_subject = later.subject == one.subject or (later.subject_hash == one.subject_hash and bool(one.subject_hash))
    same_against = later.against == one.against or (later.against_hash == one.against_hash and bool(one.against_hash))
    same_against = same_against or _benchmark(later.against) == _benchmark(one.against) != ""
    return same_subject and same_against and later.suite == one.suite


def _benchmark(against: str) -> str:
    """Return the benchmark of `name@version#hash`: what was found by its earlier rules is not found by its later ones.

    >>> _benchmark("ledgers@1.0#0a1b"), _benchmark("eval.jsonl")
    ('ledgers', '')
    """
    named = _RULES.fullmatch(against)
    return named[1] if named else ""


def last_submission(submissions: Iterable[Submission], model: str) -> Submission | None:
    """Return the submission of `model` that counts: the last one recorded."""
    found = [one for one in submissions if one.model == model]
    return found[-1] if found else None


def _handed_in(submissions: Sequence[Submission]) -> str:
    """Return when the artifacts that count now were first handed in; empty where nothing was."""
    since, held = "", None
    for one in submissions:
        hashes = _hashes(one)
        if hashes != held:
            since, held = one.recorded_at, hashes
    return since


def _hashes(submission: Submission) -> str:
    """Return what was handed in, without the paths at which it lay."""
    artifacts = orjson.loads(submission.artifacts or b"{}")
    named = {kind: sorted(str(one.get("hash")) for one in each) for kind, each in artifacts.items() if kind != EXHIBITS}
    return canonical_json([submission.base, named]).decode()


def seen_in(screenings: Iterable[Screening]) -> str:
    """Return the content address of what these screenings say of which content: times, paths and settings left out."""
    said = sorted(
        canonical_json([
            one.kind, one.subject_hash or one.subject, one.against_hash or one.against, one.suite, one.holds,
            one.summary, sorted(one.not_measured), bool(one.document),
        ]).decode()
        for one in screenings
    )  # fmt: skip
    return digest(canonical_json(said))


def found_by(screenings: Sequence[Screening]) -> bool | None:
    """Say what they found together: something (True), nothing (False), or that one could not be measured (None)."""
    if any(one.holds is False for one in screenings):
        return True
    return False if screenings and all(one.holds for one in screenings) else None
