"""`fairtrial contamination identity SUBMITTED --base BASE`: is the submitted model the given base, trained?"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli.contamination_identity_page import print_identity
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document
from fairtrial.cli.phases import Phases
from fairtrial.contamination.identity import Identity, compare_models
from fairtrial.ledger import Ledger
from fairtrial.records import InputError, Screening, canonical_json

_CODES = {True: HOLDS, False: DOES_NOT_HOLD, None: NOT_MEASURED}


def identity(
    submitted: Annotated[Path, typer.Argument(help="Folder of the submitted model, or its safetensors file.")],
    base: Annotated[Path, typer.Option("--base", help="Folder of the base model it is said to come from.")],
    known: Annotated[
        list[Path] | None,
        typer.Option("--known", help="Another model, as the base's instruct sibling; may be repeated."),
    ] = None,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="LEDGER", help="Ledger in which to keep the result.")
    ] = None,
    model: Annotated[str, typer.Option("--model", help="Submission that it belongs to, with --keep.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Say whether SUBMITTED is the base model, trained: by tensors, tokenizer, template and config."""
    if model and keep is None:
        raise InputError("names a submission, and nothing is kept", field="--model", hint="Add --keep LEDGER.")
    held = Ledger.open(keep, create=True) if keep is not None else None
    with Phases("contamination identity") as phases:
        found = compare_models(submitted, base, known or (), phases)
    if held is not None:
        _keep(held, found, model)
    if as_json:
        print_document(found.document())
    else:
        print_identity(found)
    raise typer.Exit(_CODES[found.holds])


def _keep(ledger: Ledger, found: Identity, model: str) -> None:
    """Record the result as a screening, the whole document beside it."""
    document = found.document()
    screening = Screening(
        kind="identity", subject=found.submitted["name"], subject_hash=found.submitted["hash"], holds=found.holds,
        summary=f"{found.verdict}: {found.why}", against=found.base["name"], against_hash=found.base["hash"],
        model=model,
        not_measured=found.not_measured, document=ledger.put_blob(canonical_json(document)),
        settings=canonical_json({"thresholds": document["thresholds"],
                                 "known": [one["hash"] for one in found.known]}).decode(),
        recorded_at=datetime.now(UTC).isoformat(),
    )  # fmt: skip
    ledger.append("screenings", [screening])
    note(f"recorded as screening {screening.id}")
