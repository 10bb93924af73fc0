"""`fairtrial contamination split PATH --held-out SHARE`: whole groups of near copies on one side; splits checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.table import Table
from rich.text import Text

from fairtrial.cli.options import Seed
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, JsonFlag, note, print_document, print_whole, stdout
from fairtrial.contamination.cleaned import copy_without
from fairtrial.contamination.keeping import keep_split
from fairtrial.contamination.sides import HELD_OUT, TRAIN
from fairtrial.contamination.split import Split, check, sides_in, split
from fairtrial.contamination.split_rows import Units, read_units
from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.report.words import plural

SHOWN = 10
"""Groups, chains and families listed on the terminal."""


def split_(
    path: Annotated[list[Path] | None, typer.Argument(help="Rows (JSONL, Parquet) or a folder of tasks.")] = None,
    held_out: Annotated[str, typer.Option("--held-out", help="Share to hold out; to check, a file held out.")] = "",
    train: Annotated[Path | None, typer.Option("--train", help="Training file of a split to check.")] = None,
    checked: Annotated[
        str, typer.Option("--check", help="A split made elsewhere: its JSON document, or the rows' field of sides.")
    ] = "",
    seed: Seed = 0,
    threshold: Annotated[
        float | None, typer.Option("--threshold", help="Likeness that makes near copies; the measured one if not set.")
    ] = None,
    no_vectors: Annotated[bool, typer.Option("--no-vectors", help="Compare wording alone, not meaning.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the two sides and the document.")] = None,
    kept: Annotated[Path | None, typer.Option("--keep", help="Ledger in which to keep the result.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Split rows or tasks with near copies kept on one side, or check a split made elsewhere."""
    book = None if kept is None else Ledger.open(kept, create=True)
    vectors = not no_vectors
    if train is not None or checked:
        read, sides, notes = _made_elsewhere(path or [], train, held_out, checked)
        if out is not None:
            raise InputError("a split that is checked is not written again", field="--out")
        found = check(read, sides, notes, threshold, vectors)
    else:
        if not path:
            raise InputError("names nothing to split", field="PATH")
        read = read_units(path)
        found = split(read, _share(held_out), seed, threshold, vectors)
    document = found.document()
    if out is not None and found.is_split:
        document["written"] = _write(out, read, found, document)
    if book is not None:
        keep_split(found, document, book)
    if as_json:
        print_document(document)
    else:
        _print(found)
    for line in (*found.notes, *(f"not measured: {why}" for why in found.near.not_measured)):
        note(f"note: {line}")
    raise typer.Exit(_exit_code(found))


def _share(text: str) -> float:
    """Return the share to hold out. Raise InputError for anything but a number between 0 and 1."""
    try:
        share = float(text)
    except ValueError:
        what = f"`{text}` is not a share" if text else "says how much to hold out, and is missing"
        raise InputError(what, field="--held-out", hint="A share is above 0 and below 1, as 0.3.") from None
    if not 0 < share < 1:
        raise InputError(f"{text} is not above 0 and below 1", field="--held-out")
    return share


def _made_elsewhere(
    path: list[Path], train: Path | None, held_out: str, checked: str
) -> tuple[Units, list[str], list[str]]:
    """Return the rows of a split made elsewhere, the side of each, and what does not fit."""
    if train is not None:
        if path or checked or not held_out:
            raise InputError("two files are checked by --train FILE --held-out FILE alone", field="--train")
        if Path(held_out).resolve() == train.resolve():
            raise InputError("is the training file too", path=held_out, field="--held-out")
        read = read_units([train, Path(held_out)])
        ours = {str(file) for file in read_units([train]).files}
        return read, [TRAIN if unit.path in ours else HELD_OUT for unit in read.units], []
    if not path:
        raise InputError("names no rows", field="PATH", hint="`split ROWS --check SPLIT`")
    if held_out:
        raise InputError("a split is made or checked, not both", field="--held-out", hint="Leave out --check.")
    if Path(checked).is_file():
        read = read_units(path)
        return read, *sides_in(read, Path(checked))
    read = read_units(path, checked)
    sides = [unit.side for unit in read.units]
    if not any(sides):
        raise InputError(f"no row has a field `{checked}`, and there is no such file", field="--check",
                         hint="Name a document of `split --json`, or the field that says train or test.")  # fmt: skip
    missing = sides.count("")
    return read, sides, [f"rows without `{checked}`, which were not checked: {missing:,}"] if missing else []


def _write(out: Path, read: Units, found: Split, document: dict[str, Any]) -> list[str]:
    """Write both sides and the document, and return what was written."""
    written = []
    if not read.files:
        for side in (TRAIN, HELD_OUT):
            written.append(_text(out / f"{side}.txt", "".join(f"{one}\n" for one in found.ids(side))))
    for file in read.files:
        for side in (TRAIN, HELD_OUT):
            name = side + "".join(file.suffixes) if len(read.files) == 1 else f"{side}/{file.name}"
            target = out / name
            if str(target) in written:
                raise InputError("two files have this name", path=target, field="--out", hint="Split them one by one.")
            mine = {u.line for u, where in zip(found.units, found.sides, strict=True)
                    if where == side and u.path == str(file)}  # fmt: skip
            copy_without(file, target, keep=frozenset(mine))
            written.append(str(target))
    whole = orjson.dumps(document | {"written": written}, option=orjson.OPT_INDENT_2).decode()
    return [*written, _text(out / "split.json", whole + "\n")]


def _text(path: Path, text: str) -> str:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path, field="--out") from error
    return str(path)


def _exit_code(found: Split) -> int:
    if found.straddling:
        return DOES_NOT_HOLD
    if not found.checked and not found.is_split:
        note("error: all rows of a side would be near copies of the other's; nothing was split")
        return DOES_NOT_HOLD
    return HOLDS


def _print(found: Split) -> None:
    near = [group for group in found.near.groups if len(group) > 1]
    copies = sum(map(len, near))
    _say(f"{plural(len(found.units), 'row')}: {copies:,} in {plural(len(near), 'group')} of near copies (likeness from "
         f"{found.near.threshold:g} on), {len(found.units) - copies:,} alone.")  # fmt: skip
    if found.checked:
        _print_straddling(found)
    else:
        held = len(found.ids(HELD_OUT))
        _say(f"train {len(found.ids(TRAIN)):,}, held out {held:,} ({held / len(found.units):.1%}; "
             f"wanted {found.share:.1%}), no group on both sides.")  # fmt: skip
        _print_families(found)
    for chain in found.near.chains[:SHOWN]:
        _say(f"  △ chain  {len(chain.members):,} rows around {found.units[chain.centre].id}: {chain.distinct} of them "
             f"only linked through others (likeness to the centre {chain.weakest:.2f})")  # fmt: skip
    for cut in found.near.cut[:SHOWN]:
        _say(f"  △ cut    {len(cut.members):,} rows that only a chain held together, into {cut.parts:,} groups of "
             f"likeness {cut.threshold:.2f}; {cut.links:,} pairs of near copies may now straddle")  # fmt: skip


def _print_straddling(found: Split) -> None:
    if not found.straddling:
        _say("No group of near copies lies on two sides.")
        return
    rows = sum(len(one.ids) for one in found.straddling)
    groups = plural(len(found.straddling), "group of near copies", "groups of near copies")
    _say(f"On two sides: {groups}, {plural(rows, 'row')}.")
    for one in found.straddling[:SHOWN]:
        sides = ", ".join(f"{side} {count:,}" for side, count in one.sides.items())
        _say(f"  {one.pair[0]}  ~  {one.pair[1]}  ({one.likeness:.2f}; {sides})")
    if len(found.straddling) > SHOWN:
        _say(f"  {len(found.straddling) - SHOWN:,} more; --json has them.")


def _print_families(found: Split) -> None:
    short = [one for one in found.strata if one.wanted != one.held_out]
    if len(found.strata) < 2 and not short:
        return
    table = Table(box=None, padding=(0, 2, 0, 2))
    for name in ("family", "rows", "wanted", "held out", "largest group"):
        table.add_column(name, justify="left" if name == "family" else "right", no_wrap=True)
    for one in (short or list(found.strata))[:SHOWN]:
        table.add_row(Text(one.family or "(none)"), f"{one.rows:,}", f"{one.wanted:,}", f"{one.held_out:,}",
                      f"{one.largest:,}")  # fmt: skip
    print_whole(table)
    if short:
        families = plural(len(found.strata), "family", "families")
        _say(f"Groups are whole, so {len(short):,} of {families} missed the share.")


def _say(line: str) -> None:
    clean = "".join(letter if letter.isprintable() else "\ufffd" for letter in line)
    stdout.print(clean, markup=False, soft_wrap=True)
