"""Read a report in whichever shape it has: each number is known by the words around it, its row's, its column's, its keys'.

A number counts for the pool, the quarter and the measure that these words name; with one of the three missing (a total) it counts
for nothing. Where the report gives two numbers for one thing, they must both be right; that it gives each once, and nothing that nobody asked for,
is a check of its own.
"""

import csv
import io
import json
import re
from functools import cache
from pathlib import Path

from fairtrial.checks import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, of_the_work, plain_text
from fairtrial.compare import equivalent

POOLS = ("Crossbank Baths", "Northgate Pool", "Riverside Lido", "Tanner Street")
QUARTERS = ("Q1", "Q2", "Q3", "Q4")
MEASURES = ("visits", "takings")
FILLERS = ("2024", "of", "in", "by", "and", "pounds", "gbp", "number", "total", "totals", "all", "year", "full")
NAMES = ("pool", "pools", "quarter", "quarters", "measure", "value", "figure", "figures", "rows", "data", "report")
MOST_LETTERS, MOST_WORDS = 60_000, 10_000


@of_the_work
def figures(folder: Inside, truth: Inside, pool: str, measure: str) -> Result:
    """Check the four quarters of one pool and measure in the only report in `folder`."""
    expected = _truth(truth, pool, measure)
    given = [(words, value) for words, value in _cells(_only_file(folder)) if _names(words) == {pool, measure}]
    for quarter, right in expected.items():
        found = [value for words, value in given if quarter in _quarters(words)]
        if not found:
            raise WorkError(f"{pool}, {quarter}: the report gives no {measure}")
        wrong = [value for value in found if not equivalent(right, value, "number").equivalent]
        if wrong:
            raise WorkError(f"{pool}, {quarter}: {measure} {wrong[0][:40]!r}, not {right}")
    return Result(True, f"{measure} of {pool} are right in all four quarters")


@of_the_work
def nothing_besides(folder: Inside) -> Result:
    """Check that the report's numbers are each figure once, and totals: no figure twice, no pool or measure of another name."""
    seen = set()
    for words, value in _cells(_only_file(folder)):
        if not _is_number(value):
            continue
        strange = [said for said in words if said.strip() and not _label(said)]
        if strange:
            raise WorkError(f"the report gives a number for {strange[0][:40]!r}, which nobody asked for")
        figure = (*sorted(_names(words)), *sorted(_quarters(words)))
        if len(figure) == 3 and figure in seen:
            raise WorkError(f"the report gives {', '.join(figure)} more than once")
        seen.add(figure)
    if not any(len(figure) == 3 for figure in seen):
        raise WorkError("the report gives no figure")
    return Result(True, "the report gives each figure once, and nothing that nobody asked for")


def _truth(path, pool, measure):
    with Path(path).open(newline="") as file:
        rows = {row["quarter"]: row[measure] for row in csv.DictReader(file) if row["pool"] == pool}
    if set(rows) != set(QUARTERS):
        raise CheckError(f"the key has no {measure} of {pool}")
    return rows


def _only_file(folder):
    files = sorted(p for p in Path(folder).rglob("*") if not p.is_dir()) if Path(folder).is_dir() else []
    if len(files) != 1:
        raise WorkError(f"there are {len(files)} files in the report's folder, not one")
    return plain_text(str(files[0]))


def _cells(text):
    """Yield (words around it, value as text) of every value of a report."""
    text, read = text.removeprefix("\ufeff"), 0
    if len(text) > MOST_LETTERS:
        raise WorkError("the report is too long for 32 figures")
    for words, value in _values(text):
        read += len(words)
        if read > MOST_WORDS:
            raise WorkError("the report has too many cells for 32 figures")
        yield words, value


def _values(text):
    try:
        yield from _leaves(json.loads(text, parse_float=str, parse_int=str), ())
        return
    except (ValueError, RecursionError):
        pass
    rows = _markdown(text) if re.search(r"^\s*\|", text, re.MULTILINE) else _separated(text)
    head = rows[0] if rows else []
    for row in rows[1:]:
        for number, value in enumerate(row):
            column = head[number : number + 1]
            beside = [cell for place, cell in enumerate(row) if place != number and not _is_number(cell)]
            yield [*column, *beside], value


def _leaves(value, words):
    """Yield the leaves of JSON with the keys above them, and the texts beside them or beside what they lie in."""
    if isinstance(value, dict):
        beside = tuple(held for held in value.values() if isinstance(held, str) and not _is_number(held))
        for key, held in value.items():
            yield from _leaves(held, (*words, *beside, key))
    elif isinstance(value, list):
        for held in value:
            yield from _leaves(held, words)
    elif value is not None:
        yield list(words), str(value)


def _markdown(text):
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if "|" in line]
    return [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]


def _separated(text):
    first = text.partition("\n")[0]
    sign = max("\t;,", key=first.count)
    try:
        return [row for row in csv.reader(io.StringIO(text), delimiter=sign) if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise WorkError(f"the report cannot be read as a table: {error}") from error


def _is_number(text):
    return len(text) < 60 and bool(
        re.fullmatch(r"[(+\-−]?\s*£?\s*[\d,]*\.?\d+\s*\)?(\s*(gbp|pounds|visits))?", text.strip().casefold())
    )


def _names(words):
    """Return the pools and measures that the words name."""
    return {name for name in (*POOLS, *MEASURES) if any(re.search(_word(name), said) for said in map(_label, words))}


def _quarters(words):
    """Return the quarter that the words name, if it is one."""
    named = {quarter for quarter in QUARTERS if any(re.search(_word(quarter), said) for said in map(_label, words))}
    return named if len(named) == 1 else set()


@cache
def _label(text):
    """Return a label in small letters; nothing where it says more than pool, quarter, measure, year, unit and total."""
    said = rest = " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
    for name in (*POOLS, *QUARTERS, *MEASURES, *FILLERS, *NAMES):
        rest = re.sub(_word(name), " ", rest)
    return said if not re.search(r"\w", rest) else ""


def _word(name):
    return rf"(?<!\w){re.escape(name.casefold())}(?!\w)"
