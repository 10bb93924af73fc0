"""Files for somebody's viewer out of a ledger, and `export.json` beside them, which says what is in them.

The folder must be new or empty. Nothing is written where no rollout is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from hashlib import file_digest
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from fairtrial.audit.shown.gathering import Gathered, Meant, gathered
from fairtrial.formats.viewers import VIEWERS, Shown, Told
from fairtrial.formats.viewers.writing import written_lines
from fairtrial.ledger import Ledger
from fairtrial.records import FairtrialError, InputError

SCHEMA = "fairtrial.export_view/1"
DOCUMENT = "export.json"


def export_view(
    ledger: Ledger, format_: str, meant: Meant, out: Path, progress: Callable[[], object] = lambda: None
) -> dict[str, Any]:
    """Write the files to `out`, call `progress` after each rollout, and return the document.

    Raise InputError for a folder that is not empty, or a selection that the ledger does not hold; FairtrialError (exit
    3) where no rollout is left.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError("is there and not empty", path=out, field="--out", hint="Name another folder.")
    counts = Gathered()
    rollouts = gathered(ledger, meant, counts)
    first = next(rollouts, None)
    if first is None:
        raise _nothing(ledger, counts.left_out)
    written = VIEWERS[format_].write(_ticked(chain([first], rollouts), progress), out)
    if not written.written:
        raise _nothing(ledger, counts.left_out + written.left_out)
    document = _document(format_, meant, counts, written, out)
    written_lines(out / DOCUMENT, [orjson.dumps(document, option=orjson.OPT_INDENT_2)])
    return document


def _nothing(ledger: Ledger, left_out: Counter[str]) -> FairtrialError:
    told = ", ".join(f"{why} {count:,}" for why, count in left_out.items() if count)
    return FairtrialError(f"no rollout is left to show{': ' + told if told else ''}", path=ledger.path)


def _ticked(rollouts: Iterator[Shown], progress: Callable[[], object]) -> Iterator[Shown]:
    for shown in rollouts:
        yield shown
        progress()


def _document(format_: str, meant: Meant, counts: Gathered, written: Told, out: Path) -> dict[str, Any]:
    selected = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(meant).items()}
    return {
        "schema": SCHEMA, "format": format_, "selected": selected, "rollouts": counts.rollouts,
        "written": written.written, "left_out": _told(counts.left_out + written.left_out),
        "counts": _told(counts.counts + written.counts), "withheld": _told(counts.withheld),
        "files": [
            {"path": file.path.relative_to(out).as_posix(), "rows": file.rows, "what": file.what,
             "bytes": file.path.stat().st_size, "sha256": _hash(file.path)}
            for file in written.files
        ],
        "notes": [*written.notes, *_notes(meant, counts, written)],
    }  # fmt: skip


def _told(counts: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in sorted(counts.items()) if count}


def _hash(path: Path) -> str:
    with path.open("rb") as handle:
        return f"sha256:{file_digest(handle, 'sha256').hexdigest()}"


def _notes(meant: Meant, counts: Gathered, written: Told) -> Iterator[str]:
    if meant.known:
        yield "Known candidates are among them: a reference is the key itself, so these files are not for everybody."
    if counts.withheld:
        yield "What reviews and findings say of the key, or cite where it does not stand, was withheld from the files."
    if written.counts["pictures"]:
        yield "Pictures are named and not carried along."
