"""`fairtrial contamination scan TRAIN --against EVAL`: does the training set hold or reword the items?"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from fairtrial.cli.contamination_scan_page import print_scan
from fairtrial.cli.engines import EngineWords
from fairtrial.cli.options import Address, EngineName, Seed
from fairtrial.cli.output import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, JsonFlag, note, print_document
from fairtrial.cli.phases import Phases
from fairtrial.contamination.cleaned import Cleaned, clean, flagged_lines, targets
from fairtrial.contamination.document import Scan
from fairtrial.contamination.inputs import files_of
from fairtrial.contamination.keeping import keep, summary_of
from fairtrial.contamination.reranking import load_reranker
from fairtrial.contamination.result import LEVEL
from fairtrial.contamination.rows import Unreadable, read_rows
from fairtrial.contamination.scan import ScanOptions, scan
from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.report.contamination import page_of, write


def scan_(
    train: Annotated[list[Path], typer.Argument(help="Files or folders of training rows.")],
    against: Annotated[list[Path], typer.Option("--against", help="Evaluation set; may be repeated.")],
    control: Annotated[
        list[Path] | None, typer.Option("--control", help="Rows known to be clean, which set the thresholds.")
    ] = None,
    decoys: Annotated[
        list[Path] | None, typer.Option("--decoys", help="Held-out items of the same source, for the distribution.")
    ] = None,
    fpr: Annotated[
        float, typer.Option("--fpr", min=0.00001, max=0.5, help="Share of clean rows that may be flagged.")
    ] = 0.01,
    level: Annotated[
        float, typer.Option("--level", min=0.00001, max=0.5, help="How often each question may call a clean set.")
    ] = LEVEL,
    no_variants: Annotated[
        bool, typer.Option("--no-variants", help="Look only for what stands there word for word.")
    ] = False,
    rerank: Annotated[
        str, typer.Option("--rerank", help="MODULE:FUNCTION that scores the nearest pairs anew; needs --control.")
    ] = "",
    keys: Annotated[bool, typer.Option("--keys", help="Of task folders, compare solutions and tests too.")] = False,
    cleaned: Annotated[
        Path | None, typer.Option("--cleaned", help="Write TRAIN without flagged rows; a folder for several files.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the page, the document and the pairs.")] = None,
    kept: Annotated[Path | None, typer.Option("--keep", help="Ledger in which to keep the result.")] = None,
    model: Annotated[str, typer.Option("--model", help="Submission that it belongs to, with --keep.")] = "",
    workers: Annotated[int, typer.Option("--workers", min=0, help="Processes; 0 for one a core.")] = 0,
    engine: EngineName = "local",
    address: Address = "",
    seed: Seed = 0,
    show: Annotated[int, typer.Option("--show", min=0, help="Pairs shown on the terminal.")] = 10,
    as_json: JsonFlag = False,
) -> None:
    """Find rows of TRAIN that hold, reword or are built around items of an evaluation set."""
    if model and kept is None:
        raise InputError("names a submission, and nothing is kept", field="--model", hint="Add --keep LEDGER.")
    if rerank and (no_variants or not control):
        raise InputError("looks again at reworded rows, and sets its threshold on a control", field="--rerank",
                         hint="Add --control CONTROL, and leave --no-variants out.")  # fmt: skip
    others = [*against, *(control or ()), *(decoys or ())]
    places = {} if cleaned is None else targets(files_of(train, "TRAIN").paths, train, cleaned, others)
    for folder in [target.parent for target in places.values()] + ([] if out is None else [out]):
        _make_folder(folder)  # before the work, which may take an hour, not after it
    book = None if kept is None else Ledger.open(kept, create=True)
    options = ScanOptions(fpr=fpr, level=level, variants=not no_variants, keys=keys, workers=workers, seed=seed,
                          rerank=load_reranker(rerank) if rerank else None, reranker=rerank)  # fmt: skip
    jobs = EngineWords(name=engine, address=address)
    with Phases("contamination scan") as phases, jobs.opened(workers or None) as engine_:
        far = options if engine == "local" else replace(options, engine=engine_)
        found = scan(train, against, control or (), decoys or (), far, phases)
    written = [clean(source, target, flagged_lines(found, source)) for source, target in places.items()]
    document = found.document()
    if cleaned is not None:
        document["cleaned"] = [one.document() for one in written]
    if out is not None:
        _write(out, found, document, _command(train, against, control, decoys, options), train)
    if book is not None:
        keep(found, book, model=model)
    if as_json:
        print_document(document)
    else:
        print_scan(found, show)
    _say(found, written, out)
    raise typer.Exit(_exit_code(found))


def _make_folder(folder: Path) -> None:
    """Make the folder of a result. Raise InputError where it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"no folder can be made here: {error.strerror or error}", path=folder) from error


def _command(
    train: Sequence[Path],
    against: Sequence[Path],
    control: Sequence[Path] | None,
    decoys: Sequence[Path] | None,
    options: ScanOptions,
) -> str:
    """Return the command that makes the result again."""
    words = ["fairtrial", "contamination", "scan", *map(str, train)]
    for option, paths in (("--against", against), ("--control", control or ()), ("--decoys", decoys or ())):
        for path in paths:
            words += [option, str(path)]
    words += ["--fpr", f"{options.fpr:g}", "--seed", str(options.seed)]
    words += [] if options.level == LEVEL else ["--level", f"{options.level:g}"]
    words += ["--rerank", options.reranker] if options.reranker else []
    words += [name for name, asked in (("--no-variants", not options.variants), ("--keys", options.keys)) if asked]
    return shlex.join(words)


def _write(out: Path, found: Scan, document: dict[str, Any], command: str, train: Sequence[Path]) -> None:
    """Write the page, the document, and the pairs and unreadable rows a line each. Raise InputError where it fails."""
    files: dict[str, Iterable[bytes]] = {
        "scan.json": [orjson.dumps(document, option=orjson.OPT_INDENT_2)],
        "flagged.jsonl": (orjson.dumps(pair.document()) for pair in found.flagged),
        "unreadable.jsonl": (
            orjson.dumps({"path": one.path, "line": one.line, "why": one.why}) for one in _unreadable(found, train)
        ),
    }
    for name, lines in files.items():
        try:
            with (out / name).open("wb") as stream:
                stream.writelines(line + b"\n" for line in lines)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror or error}", path=out, field="--out") from error
    write(page_of(found, (command,)), out)


def _unreadable(found: Scan, train: Sequence[Path]) -> Iterable[Unreadable]:
    """Return every unreadable row: the result lists the first, and where there are more they are read for again."""
    if len(found.unreadable) == found.unreadable_rows:
        return found.unreadable
    return (row for row in read_rows(files_of(train, "TRAIN").paths) if isinstance(row, Unreadable))


def _say(found: Scan, written: list[Cleaned], out: Path | None) -> None:
    for one in written:
        apart = f", {one.unreadable:,} unreadable to {one.unreadable_path}" if one.unreadable else ""
        note(f"wrote {one.path}: {one.kept:,} rows kept, {one.flagged:,} flagged rows left out{apart}")
    if out is not None:
        note(f"wrote {out}: scan.html, scan.md, scan.json, flagged.jsonl, unreadable.jsonl")
    if not found.measured:
        note(f"error: {summary_of(found)}")


def _exit_code(found: Scan) -> int:
    if found.found:
        return DOES_NOT_HOLD
    return HOLDS if found.measured else NOT_MEASURED
