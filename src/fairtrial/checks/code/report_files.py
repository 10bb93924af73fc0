"""Read what a test runner of any language reports: JUnit XML, CTRF, or `go test -json`; told apart by content.

A report lies where code under test could write, so it is read as a stranger's: bounded, without entities, not deep.
"""

from __future__ import annotations

import json
import xml.parsers.expat
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fairtrial.checks.code.outcomes import Outcome

MOST_BYTES = 50_000_000
MOST_DEEP = 50
_CTRF = {"passed": "passed", "failed": "failed", "skipped": "skipped", "pending": "skipped"}
_GO = {"pass": "passed", "fail": "failed", "skip": "skipped"}
_ENDS = {"failure": "failed", "error": "error", "skipped": "skipped"}


class UnreadableError(ValueError):
    """It is no report that is known here."""


def outcomes(data: bytes) -> dict[str, Outcome]:
    """Return the outcomes in a report; of a name that comes twice, the worse. Raise UnreadableError."""
    if len(data) > MOST_BYTES:
        raise UnreadableError(f"the report is larger than {MOST_BYTES} bytes")
    text = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    found: dict[str, Outcome] = {}
    try:
        for name, outcome in (
            _junit(text) if text.startswith(b"<") else _ctrf(text) if _is_document(text) else _go(text)
        ):
            if name not in found or found[name].passed:
                found[name] = outcome
    except UnreadableError:
        raise
    except (xml.parsers.expat.ExpatError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableError(f"the report cannot be read: {error}") from error
    return found


def _is_document(text: bytes) -> bool:
    return (text.startswith(b"{") and not text.split(b"\n", 1)[0].rstrip().endswith(b"}")) or b'"results"' in text[
        :10_000
    ]


def _ctrf(text: bytes) -> Iterator[tuple[str, Outcome]]:
    for test in json.loads(text)["results"]["tests"]:
        suite = test.get("suite") or ""
        above = " > ".join(suite) if isinstance(suite, list) else str(suite)
        name = f"{above}::{test['name']}" if above else str(test["name"])
        yield name, Outcome(_CTRF.get(test.get("status"), "error"), str(test.get("message") or "")[:300])


def _go(text: bytes) -> Iterator[tuple[str, Outcome]]:
    for line in text.splitlines():
        if line.startswith(b"{"):
            event: Mapping[str, Any] = json.loads(line)
            if event.get("Test") and event.get("Action") in _GO:
                yield f"{event.get('Package', '')}::{event['Test']}", Outcome(_GO[event["Action"]])
            elif event.get("Action") == "fail":
                yield f"{event.get('Package', '')}", Outcome("failed", "the package failed")


def _junit(text: bytes) -> Iterable[tuple[str, Outcome]]:
    """Return the test cases, read as they stream by; a case is passed unless it holds another end."""
    rows: list[tuple[str, Outcome]] = []
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MOST_DEEP:
            raise UnreadableError("the report is nested too deep")
        tag = tag.rpartition(":")[2]
        if tag == "testcase":
            above, name = attributes.get("classname", ""), attributes.get("name", "")
            said = attributes.get("status", "").lower()
            ran = said not in ("notrun", "disabled", "skipped")
            rows.append((f"{above}::{name}" if above else name, Outcome("passed" if ran else "skipped")))
        elif tag in _ENDS and rows and (rows[-1][1].passed or tag != "skipped"):
            rows[-1] = (rows[-1][0], Outcome(_ENDS[tag], attributes.get("message", "")[:300]))

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_: object) -> None:
        raise UnreadableError("the report declares a document type")

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler, parser.StartDoctypeDeclHandler = start, end, refuse
    parser.Parse(text, True)
    return rows
