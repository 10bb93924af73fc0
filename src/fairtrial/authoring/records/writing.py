"""Write the report beside the tasks: report.md, and the document as report.json."""

from __future__ import annotations

import orjson

from fairtrial.authoring.records.making import Made
from fairtrial.authoring.records.page import markdown
from fairtrial.records import InputError


def write_report(made: Made) -> None:
    """Write both. Raise InputError where they cannot be written."""
    out = made.options.out
    try:
        (out / "report.md").write_text(markdown(made), encoding="utf-8")
        (out / "report.json").write_bytes(
            orjson.dumps(made.document(), option=orjson.OPT_INDENT_2, default=str) + b"\n"
        )
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=out, field="--out") from error
