"""Cells of a notebook: their code, what came back, and whether they were run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of code."""

    code: str
    output: str
    has_run: bool
    line: int
    """Where it begins in the file, from 1; 1 where that cannot be told."""


def cells_of(text: str) -> Iterator[Cell]:
    """Yield the cells of code of a notebook; none where the text is no notebook."""
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError:
        return
    at = 0
    cells = document.get("cells") if isinstance(document, dict) else None
    for cell in cells if isinstance(cells, list) else ():
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            code = _text(cell.get("source"))
            shown = "\n".join(_shown(one) for one in cell.get("outputs") or () if isinstance(one, dict))
            first = orjson.dumps(code.partition("\n")[0]).decode()[1:-1]
            at = max(text.find(first, at), at) if first else at
            yield Cell(code, shown, bool(cell.get("execution_count")) or bool(shown), text.count("\n", 0, at) + 1)


def _shown(output: dict[str, Any]) -> str:
    data = output.get("data")
    parts = [_text(output.get("text")), _text(data.get("text/plain")) if isinstance(data, dict) else ""]
    return "\n".join([*parts, str(output.get("evalue") or "")])


def _text(value: Any) -> str:
    return "".join(one for one in value if isinstance(one, str)) if isinstance(value, list) else str(value or "")
