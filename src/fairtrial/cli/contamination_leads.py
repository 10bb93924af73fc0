"""What `contamination usage` and `contamination lookup` share: their document, their page, and what they keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import orjson

from fairtrial import __version__
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, note, print_document, stdout
from fairtrial.contamination.conduct.leads import BREAKING, CERTAINTIES, Lead, Leads
from fairtrial.ledger import Ledger
from fairtrial.records import Screening, canonical_json

Kind = Literal["usage", "lookup"]
MOST_SHOWN = 40
_SIGNS = {"call": "■", "attempt": "□", "written": "▤", "unnamed": "?", "unresolved": "?"}


def document_of(kind: Kind, leads: Leads, rules: str) -> dict[str, Any]:
    """Return what was found as the verb's document."""
    return {
        "schema": f"fairtrial.{kind}/1",
        "rules": rules,
        "holds": leads.holds,
        "findings": [one.row() for one in leads.findings],
        "read": list(leads.read),
        "unreadable": [{"path": one.path, "why": one.why} for one in leads.unreadable],
        "not_measured": list(leads.not_measured),
        "left_out": leads.left_out,
    }


def summary_of(kind: Kind, leads: Leads) -> str:
    """Return what was found in one sentence."""
    counts = {name: leads.count(name) for name in CERTAINTIES}
    what = "usage of external models and reads of credentials" if kind == "usage" else "look-ups of the benchmark"
    found = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    files = "1 file" if len(leads.read) == 1 else f"{len(leads.read):,} files"
    return f"{what}: {found or 'none'}; {files} read"


def keep(ledger: Path, kind: Kind, leads: Leads, document: dict[str, Any], *, subject: str, model: str,
         settings: Mapping[str, Any]) -> str:  # fmt: skip
    """Add a screening to a ledger, with its document, and return its id."""
    held = Ledger.open(ledger, create=True)
    screening = Screening(
        kind=kind, subject=subject, subject_hash=leads.subject_hash, holds=leads.holds,
        summary=summary_of(kind, leads), against=str(document["rules"]), model=model,
        not_measured=(*leads.not_measured, *(f"{one.path}: {one.why}" for one in leads.unreadable)),
        document=held.put_blob(orjson.dumps(document, option=orjson.OPT_INDENT_2)),
        settings=canonical_json({**settings, "version": __version__}).decode(),
        recorded_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )  # fmt: skip
    held.append("screenings", [screening])
    return screening.id


def show(kind: Kind, leads: Leads, document: dict[str, Any], as_json: bool) -> int:
    """Print what was found, and return the exit code."""
    if as_json:
        print_document(document)
    else:
        _print(kind, leads)
    for one in leads.unreadable:
        note(f"not measured: {one.path}: {one.why}")
    for why in leads.not_measured:
        note(f"not measured: {why}")
    if leads.unreadable and not leads.read:
        note("error: nothing that was given could be read")
    return {True: HOLDS, False: DOES_NOT_HOLD, None: NOT_MEASURED}[leads.holds]


def _print(kind: Kind, leads: Leads) -> None:
    stdout.print(summary_of(kind, leads), markup=False, soft_wrap=True)
    shown = leads.findings[:MOST_SHOWN]
    for one in shown:
        times = f" ({one.times} times)" if one.times > 1 else ""
        stdout.print(f"{_SIGNS.get(one.certainty, '·')} {one.certainty:<10}  {place_of(one)}: {one.claim}{times}",
                     markup=False, soft_wrap=True)  # fmt: skip
        stdout.print(f"{'':14}{one.quote}", markup=False, soft_wrap=True, style="dim")
    if len(leads.findings) > len(shown):
        stdout.print(f"and {len(leads.findings) - len(shown)} more; --json prints all", markup=False)
    if any(one.certainty in BREAKING for one in leads.findings):
        stdout.print("Each line is a lead: only a ruling says that rules were broken.", markup=False)


def place_of(lead: Lead) -> str:
    """Return where a lead stands, as a person finds it.

    >>> place_of(Lead(kind="key", certainty="call", path="a.py", claim="", quote="", line=3))
    'a.py:3'
    """
    return f"{lead.path}:{lead.line}" if lead.step is None else f"{lead.path} {lead.place or f'step {lead.step}'}"


def subject_of(paths: Sequence[Path]) -> str:
    """Return what was looked at, by the names that were given."""
    return ", ".join(str(one) for one in paths)
