"""`fairtrial prove --bohrin FILE`: what was proven, as results that `bohrin conformance check` reads.

A fixture is found by its name: the task or grader is called SLUG-correct or SLUG-defect, as bohrin's files are. Results
of other fixtures that FILE holds stay, so that one grader at a time may be proven. Not covered: levels but the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from fairtrial import __version__
from fairtrial.prove.bohrin_results import SCHEMA, Fixture, bohrin_results
from fairtrial.records import FormatError, InputError

BohrinFile = Annotated[
    Path | None, typer.Option("--bohrin", help="Write bohrin's conformance results there, beside those it holds.")
]
LEVEL = "bcl-1"
_NAME = re.compile(r"([a-z0-9]+(?:-[a-z0-9]+)*)-(correct|defect)(?![a-z0-9-])")


def fixture_of(name: str) -> str:
    """Return the id of the fixture that a task or grader is named for. Raise InputError where it is none.

    >>> fixture_of("graders/equality-spoofing-defect.py:grade")
    'bcl-1/equality-spoofing/defect'
    """
    if found := _NAME.search(name):
        return f"{LEVEL}/{found[1]}/{found[2]}"
    raise InputError(f"`{name}` is named for no fixture", field="--bohrin",
                     hint="A fixture's grader is called SLUG-correct or SLUG-defect.")  # fmt: skip


def write_bohrin(path: Path, documents: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the results of `documents` (name of a task or grader -> its entry in the proof document) to `path`.

    Raise FormatError where `path` holds something else, InputError where it cannot be written.
    """
    before = _held(path)
    fixtures = [Fixture(id=fixture_of(name), document=document) for name, document in documents.items()]
    made = bohrin_results(fixtures, version=__version__)
    results = before | {row["fixture"]: row for row in made["results"]}
    made["results"] = [results[name] for name in sorted(results)]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(orjson.dumps(made, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path, field="--bohrin") from error


def _held(path: Path) -> dict[str, dict[str, Any]]:
    """Return fixture -> its result in the file; none where there is no file."""
    if not path.exists():
        return {}
    try:
        document = orjson.loads(path.read_bytes())
        if document["$schema"] != SCHEMA:
            raise KeyError("$schema")
        return {row["fixture"]: row for row in document["results"]}
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise FormatError("holds no conformance results of bohrin", path=path, field="--bohrin",
                          hint="Name another file.") from error  # fmt: skip
