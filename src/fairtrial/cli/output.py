"""What every verb does alike: one JSON document on stdout or a readable page, all else on stderr, exit codes.

Exit codes: 0 holds, 1 does not hold, 2 bad input or usage, 3 could not be measured.
"""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console, RenderableType
from rich.measure import Measurement

HOLDS, DOES_NOT_HOLD, BAD_INPUT, NOT_MEASURED = 0, 1, 2, 3

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout; all else goes to stderr.")]

_WIDEST = 10_000

stdout = Console(highlight=False)
stderr = Console(stderr=True, highlight=False)


def print_document(document: dict[str, Any]) -> None:
    """Print `document` as the only thing on stdout.

    It may quote what an agent left: numbers beyond 64 bits and halves of surrogate pairs, which orjson refuses.
    """
    try:
        text = orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()
    except orjson.JSONEncodeError:
        text = json.dumps(document, indent=2, default=str)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def print_whole(part: RenderableType, needed: int = 0) -> None:
    """Print `part` at the width of the terminal, or at `needed` (0: all it can use) where that is more.

    A terminal wraps a line that is too long; a column that is cut would show another number than it holds.
    """
    needed = needed or Measurement.get(stdout, stdout.options.update(max_width=_WIDEST), part).maximum
    Console(file=stdout.file, highlight=False, width=max(stdout.width, needed)).print(part)


def note(message: str) -> None:
    """Print a line for the user on stderr, whole: a path that is broken in two can be neither copied nor found."""
    stderr.print(message, markup=False, soft_wrap=True)
