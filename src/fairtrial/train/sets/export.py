"""An export as a whole: choose the rows, write them in a format, and a card beside them that says what they are.

The same ledger, options and seed give the same bytes: no time and no place of this machine is in them. The folder must
be new or empty, since a set is never mixed with what was there. Where a row is from stands in `origins.jsonl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from fairtrial.formats.exports import Exporter, Row, Written, find
from fairtrial.formats.exports.files import write_bytes, write_lines
from fairtrial.ledger import Ledger
from fairtrial.records import FairtrialError, InputError
from fairtrial.train.sets.card import card_document, card_page
from fairtrial.train.sets.choosing import choose
from fairtrial.train.sets.eligible import Source
from fairtrial.train.sets.options import Options
from fairtrial.train.sets.suspected import Progress

_EVALUATED = "What `train` evaluates is held out, but for tasks whose file says `split`: train."
ORIGINS, CARD, PAGE = "origins.jsonl", "card.json", "card.md"


def export(
    ledger: Ledger, format_: str, options: Options, out: Path, progress: Progress | None = None
) -> dict[str, Any]:
    """Write the set to `out` and return its card as a document.

    Raise InputError for a format that cannot say this kind of set, or a folder that is not empty; FairtrialError (exit
    3) where no row is left.
    """
    exporter = find(format_)
    _refuse(exporter, options, out)
    source = Source.of(ledger, options, progress)
    chosen = choose(source)
    if not chosen.rows:
        told = ", ".join(f"{why} {count:,}" for why, count in chosen.left_out.items()) or "nothing was there"
        hint = _EVALUATED if chosen.left_out.get("held_out") else None
        raise FairtrialError(f"no row is left of {len(chosen.pool):,} rollouts, so nothing was written: {told}",
                             path=ledger.path, hint=hint)  # fmt: skip
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror or error}", path=out, field="--out") from error
    written = exporter.write(chosen.rows, out)
    write_lines(out / ORIGINS, _origins(written, chosen.rows, out))
    card = card_document(exporter.name, source, chosen, written, out)
    write_bytes(out / CARD, orjson.dumps(card, option=orjson.OPT_INDENT_2) + b"\n")
    write_bytes(out / PAGE, card_page(card).encode())
    return card


def _refuse(exporter: Exporter, options: Options, out: Path) -> None:
    if options.kind not in exporter.kinds:
        raise InputError(f"`{exporter.name}` has no form for {options.kind}", field="--set",
                         hint=f"It has one for {', '.join(sorted(exporter.kinds))}.")  # fmt: skip
    low, high = options.band
    if not 0 <= low < high <= 1:
        raise InputError(f"{low:g},{high:g} is no band within 0 and 1", field="--band")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("is there and not empty; a set is not mixed with what was there", path=out, field="--out",
                         hint="Name another folder.")  # fmt: skip


def _origins(written: Written, rows: Sequence[Row], out: Path) -> list[dict[str, Any]]:
    return [
        {"file": file.path.relative_to(out).as_posix(), "row": at, **rows[number].origin.document()}
        for file in written.files
        for at, number in enumerate(file.of)
    ]
