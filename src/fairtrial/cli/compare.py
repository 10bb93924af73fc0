"""`fairtrial compare REFERENCE ANSWER --kind KIND`: say whether two answers are the same, of one pair or of a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, JsonFlag, print_document, stdout
from fairtrial.compare import KINDS, Equivalence, Stated, equivalent
from fairtrial.compare.stating import stated_from
from fairtrial.records import FormatError, InputError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

_KINDS = ", ".join(KINDS)


@app.command("compare", context_settings={"ignore_unknown_options": True})  # so that -3 is an answer, not an option
def compare_(
    reference: Annotated[str | None, typer.Argument(help="The right answer.")] = None,
    answer: Annotated[str | None, typer.Argument(help="The answer to compare with it, bare or in prose.")] = None,
    kind: Annotated[str, typer.Option("--kind", help=f"One of {_KINDS}.")] = "",
    pairs: Annotated[
        Path | None, typer.Option("--pairs", help="JSONL of pairs: reference, answer, kind, and stated, id if wanted.")
    ] = None,
    absolute: Annotated[float, typer.Option("--absolute", help="Largest difference that is tolerated.")] = 0.0,
    relative: Annotated[float, typer.Option("--relative", help="The same, as a share of the reference.")] = 0.0,
    decimal_comma: Annotated[bool, typer.Option("--decimal-comma", help="1.234,5 means 1234.5.")] = False,
    percent_as_number: Annotated[bool, typer.Option("--percent-as-number", help="50 answers 50%.")] = False,
    day_first: Annotated[
        bool | None, typer.Option("--day-first/--month-first", help="How 04/03/2026 is read; else it is refused.")
    ] = None,
    case_sensitive: Annotated[bool, typer.Option("--case-sensitive", help="Text differs by case.")] = False,
    ordered: Annotated[
        bool | None, typer.Option("--ordered/--unordered", help="Whether order counts: JSON arrays, rows of a table.")
    ] = None,
    choice: Annotated[
        list[str] | None, typer.Option("--choice", help="Text of the option A, then B, and so on; repeat it.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Say whether ANSWER says the same as REFERENCE, and why."""
    stated = stated_from({
        "absolute": absolute, "relative": relative, "decimal_comma": decimal_comma, "day_first": day_first,
        "percent_as_number": percent_as_number, "case_sensitive": case_sensitive, "ordered": ordered,
        "choices": choice or [],
    })  # fmt: skip
    if pairs is not None:
        if reference is not None:
            raise InputError("takes pairs from --pairs or from the command line, not both", field="--pairs")
        found = list(_of_file(pairs, kind, stated))
    elif reference is None or answer is None:
        raise InputError("needs two answers, or --pairs", hint='fairtrial compare "0.25" "1/4" --kind number')
    else:
        found = [_compared({"reference": reference, "answer": answer, "kind": kind}, stated, None)]
    if as_json:
        print_document({"schema": "fairtrial.compare/1", "equal": sum(one["equivalent"] for one in found),
                        "pairs": found})  # fmt: skip
    else:
        _print(found)
    raise typer.Exit(HOLDS if all(one["equivalent"] for one in found) else DOES_NOT_HOLD)


def _of_file(path: Path, kind: str, stated: Stated) -> Iterator[dict[str, Any]]:
    """Yield the outcome of each line. Raise FormatError with the line for one that is no pair."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from error
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise FormatError("holds no pair", path=path, hint='{"reference": …, "answer": …, "kind": …}, one a line.')
    for number, line in lines:
        try:
            row = json.loads(line, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"is no JSON: {error}", path=path, line=number) from error
        if not isinstance(row, dict):
            raise FormatError("is no JSON object", path=path, line=number)
        try:
            if not isinstance(row.get("stated", {}), dict):
                raise InputError("should be an object", field="stated")
            own = stated_from(row["stated"]) if "stated" in row else stated
            yield _compared({"kind": kind} | row, own, number)
        except InputError as error:
            raise FormatError(error.what, path=path, line=number, field=error.field, hint=error.hint) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Raise ValueError where a key stands twice, as one of its values would go unseen."""
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"`{next(name for name in names if names.count(name) > 1)}` stands twice in one object")
    return made


def _compared(row: dict[str, Any], stated: Stated, line: int | None) -> dict[str, Any]:
    for name in ("reference", "answer"):
        if not isinstance(row.get(name), str):
            raise InputError("should be a text", field=name)
    if row["kind"] not in KINDS:
        raise InputError(f"no kind `{row['kind']}`" if row["kind"] else "a pair needs a kind", field="kind",
                         hint=f"Known: {_KINDS}.")  # fmt: skip
    found: Equivalence = equivalent(row["reference"], row["answer"], row["kind"], stated)
    named = {"line": line} if line is not None else {}
    named |= {"id": row["id"]} if isinstance(row.get("id"), str | int) else {}
    return {**named, "kind": row["kind"], "equivalent": found.equivalent, "reason": _writable(found.reason)}


def _writable(text: str) -> str:
    """Return `text` with halves of surrogate pairs written out: they cannot be printed."""
    return text.encode("utf-8", "backslashreplace").decode()


def _print(found: list[dict[str, Any]]) -> None:
    if len(found) == 1 and "line" not in found[0]:
        one = found[0]
        stdout.print(f"{'the same' if one['equivalent'] else 'not the same'}: {one['reason']}", markup=False)
        return
    for one in found:
        if not one["equivalent"]:
            stdout.print(f"◆ line {one['line']}, {one['kind']}: {one['reason']}", markup=False)
    stdout.print(f"{sum(one['equivalent'] for one in found)} of {len(found)} pairs are the same", markup=False)
