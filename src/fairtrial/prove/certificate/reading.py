"""Read a certificate, and a baseline, from a file; errors name file and field.

Fields that a later version adds are passed over, but count in the content hash. Not covered: whether what it says is
true; that is `fairtrial verify`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import orjson
from pydantic import TypeAdapter, ValidationError

from fairtrial.prove.certificate.model import SCHEMA, Certificate, content_address
from fairtrial.records import FormatError

T = TypeVar("T")
_ADAPTER = TypeAdapter(Certificate)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCertificate:
    """A certificate as it lay in a file."""

    certificate: Certificate
    hash: str
    """The address that it names."""
    is_edited: bool
    """Its content no longer has that address."""


def read_certificate(path: Path) -> ReadCertificate:
    """Read the certificate at `path`. Raise FormatError where it is none."""
    document = read_document(path, SCHEMA, "`fairtrial prove --certificate FILE` writes one.")
    try:
        found = content_address(document)
    except TypeError as error:  # a number that no certificate holds: beyond 64 bits
        raise FormatError(f"holds a value that no certificate holds: {error}", path=path) from error
    named = document.get("hash")
    if not isinstance(named, str):
        raise FormatError("is missing", path=path, field="hash")
    return ReadCertificate(certificate=fitted(_ADAPTER, document, path), hash=named, is_edited=named != found)


def read_document(path: Path, schema: str, hint: str) -> dict[str, Any]:
    """Read a JSON object of `schema`. Raise FormatError where the file holds something else."""
    try:
        document = orjson.loads(path.read_bytes())
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", path=path, hint=hint) from error
    except orjson.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error.msg}", path=path, line=error.lineno, hint=hint) from error
    found = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(document, dict) or found != schema:
        raise FormatError(f"is not `{schema}`" + (f" but `{found}`" if found else ""), path=path, field="schema",
                          hint=hint)  # fmt: skip
    return document


def fitted(adapter: TypeAdapter[T], document: dict[str, Any], path: Path) -> T:
    """Return `document` as the adapter's type. Raise FormatError that names the first field that does not fit."""
    try:
        return adapter.validate_json(orjson.dumps(document), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        message = "is missing" if first["type"] == "missing" else first["msg"].replace("Input should be", "should be")
        raise FormatError(message, path=path, field=_field(first["loc"])) from error


def _field(place: tuple[str | int, ...]) -> str:
    """Write a place the way a reader of JSON would.

    >>> _field(("tasks", 0, "hashes", "task"))
    'tasks[0].hashes.task'
    """
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
