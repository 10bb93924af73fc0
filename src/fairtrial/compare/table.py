"""Compare tables: the same columns by name, the same rows as often, in any order unless `stated.ordered`.

Column order never counts, nor case and white space in a column's name. Cells are the same as numbers (3, 3.0, 1,000 and
1000, $5 and $5.00), or as text, case and white space aside unless `stated.case_sensitive`; digits with zeros in front
are text. With a tolerance, rows that agree in their texts are sorted by their numbers and paired: that is no matching,
and two such rows with numbers within the tolerance of each other can be paired the wrong way round. What forms a table
may have stands in table_in_text. Not covered: units, dates and number words in cells.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import Any

from fairtrial.compare.json_in_text import UnreadableError
from fairtrial.compare.numerals import Number, agree, plain
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.table_in_text import Table, find_table, name_of
from fairtrial.compare.typography import plain_type
from fairtrial.compare.verdict import Equivalence

Row = tuple[str, ...]

MOST_CHARACTERS = 350_000
"""About 30,000 rows; two tables of a megabyte take three seconds, and no comparison may take more than one."""

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)", re.ASCII)
_AMOUNT = re.compile(r"([$€£¥₹]?)\s?([-+]?[0-9.,'_ ]*[0-9.](?:[eE][-+]?[0-9]{1,6})?)\s?(%?)", re.ASCII)
_GROUPED = re.compile(
    r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:['_ ][0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3})(?:\.[0-9]*)?",
    re.ASCII,
)
_WITH_COMMA = re.compile(r"[-+]?(?:[0-9]+|[0-9]{1,3}(?:[.'_ ][0-9]{3})+)(?:,[0-9]*)?(?:[eE][-+]?[0-9]{1,6})?", re.ASCII)
_DECIMAL = re.compile(r"([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]{1,6}))?", re.ASCII)
_NO_MARKS, _NO_MARKS_BUT_COMMA = (str.maketrans("", "", marks) for marks in (",'_ ", ".'_ "))
_WRITTEN_OUT = 30
_ZEROS_FIRST = re.compile(r"[-+]?0[0-9]", re.ASCII)
_SHOWN = 80


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether `answer` gives the table `reference`.

    >>> compare("name,qty\\nbolt,3", "| qty | name |\\n|---|---|\\n| 3.0 | bolt |").equivalent
    True
    >>> compare("name,qty\\nbolt,3", "name,qty\\nbolt,4").reason
    'the row `bolt, 3` is missing; `bolt, 4` is there instead'
    """
    if reference.strip() == answer.strip():
        return Equivalence(True, "the same text")
    if (longest := max(len(reference), len(answer))) > MOST_CHARACTERS:
        return Equivalence(False, f"{longest} characters are more than the {MOST_CHARACTERS} of a table compared here")
    cells = _Cells(stated)
    try:
        expected = find_table(reference, lambda one, other: not _difference(one, other, cells))
    except UnreadableError as error:
        return Equivalence(False, f"the reference is no table: {error}")
    try:
        found = find_table(answer, lambda one, other: not _difference(one, other, cells), expected.names)
    except UnreadableError as error:
        return Equivalence(False, f"the answer gives no table: {error}")
    why = _difference(expected, found, cells)
    return Equivalence(not why, why or "the same table")


class _Cells:
    """Puts cells into one form, each text once."""

    def __init__(self, stated: Stated) -> None:
        self.stated = stated
        self._known: dict[str, str] = {}

    def form_of(self, cell: str) -> str:
        """Return the form that a cell shares with all that are the same: a number shortest, a text in plain type."""
        known = self._known.get(cell)
        if known is None:
            known = self._known[cell] = self._number(cell.strip()) or self._text(cell)
        return known

    def _number(self, cell: str) -> str:
        if _WHOLE.fullmatch(cell):
            return "0" if cell == "-0" else cell
        amount = _AMOUNT.fullmatch(plain_type(cell))
        if amount is None or _ZEROS_FIRST.match(amount[2]):
            return ""
        digits = amount[2]
        if self.stated.decimal_comma:
            if not _WITH_COMMA.fullmatch(digits):
                return ""
            digits = digits.translate(_NO_MARKS_BUT_COMMA).replace(",", ".")
        elif _GROUPED.fullmatch(digits):
            digits = digits.translate(_NO_MARKS)
        number = _DECIMAL.fullmatch(digits)
        written = number and _shortest(number[1], number[2], number[3] or "", int(number[4] or 0))
        return f"{amount[1]}{written}{amount[3]}" if written else ""

    def _text(self, cell: str) -> str:
        text = " ".join(plain_type(cell).split())
        return text if self.stated.case_sensitive else text.casefold()

    def number_in(self, form: str) -> tuple[str, Number] | None:
        """Return the signs and the number of a form; None where it is text, or past all measure."""
        amount = _AMOUNT.fullmatch(form) if "e" not in form else None
        value = plain(amount[2]) if amount and not _ZEROS_FIRST.match(amount[2]) else None
        return None if amount is None or value is None else (amount[1] + amount[3], value)


def _shortest(sign: str, whole: str, part: str, exponent: int) -> str:
    """Return the shortest writing of a number that no other number has; empty where there is no digit.

    >>> _shortest("+", "1", "50", 0), _shortest("-", "0", "0", 0), _shortest("", "1", "", 900)
    ('1.5', '0', '1e900')
    """
    digits = whole + part
    if not digits:
        return ""
    exponent -= len(part)
    short = digits.rstrip("0")
    exponent += len(digits) - len(short)
    short = short.lstrip("0")
    if not short:
        return "0"
    minus = "-" if sign == "-" else ""
    if exponent >= 0:
        return f"{minus}{short}{'0' * exponent}" if exponent <= _WRITTEN_OUT else f"{minus}{short}e{exponent}"
    if -exponent > _WRITTEN_OUT + len(short):
        return f"{minus}{short}e{exponent}"
    padded = short.rjust(1 - exponent, "0")
    return f"{minus}{padded[:exponent]}.{padded[exponent:]}"


def _difference(expected: Table, found: Table, cells: _Cells) -> str:
    """Say how two tables differ; empty where they do not."""
    if expected.names != found.names:
        return _columns_differ(expected, found)
    for number, row in enumerate(found.rows, 1):
        if len(row) != len(found.header):
            return f"row {number} has {len(row)} cells, and the header {len(found.header)}"
    if any(len(row) != len(expected.header) for row in expected.rows):
        return "the rows of the reference are not all as wide as its header"
    order = _order(expected.header, found.header)
    ours = [tuple(cells.form_of(cell) for cell in row) for row in expected.rows]
    theirs = [tuple(cells.form_of(row[place]) for place in order) for row in found.rows]
    if len(ours) != len(theirs):
        return f"it has {_counted(len(theirs))}, expected {len(ours)}{_named(ours, theirs)}"
    if ours == theirs:
        return ""
    is_tolerant = bool(cells.stated.absolute or cells.stated.relative)
    if cells.stated.ordered:
        pairs = zip(ours, theirs, strict=True)
        wrong = next((n for n, (one, other) in enumerate(pairs) if not _agree(one, other, cells)), None)
        return "" if wrong is None else f"row {wrong + 1} is `{_row(theirs[wrong])}`, expected `{_row(ours[wrong])}`"
    if Counter(ours) == Counter(theirs) or (is_tolerant and _paired(ours, theirs, cells)):
        return ""
    return f"the row{_named(ours, theirs)}".replace("row: ", "row ")


def _order(expected: Sequence[str], found: Sequence[str]) -> list[int]:
    """Return for each column of `expected` where it stands in `found`; columns of one name in their order."""
    places: defaultdict[str, deque[int]] = defaultdict(deque)
    for place, name in enumerate(found):
        places[name_of(name)].append(place)
    return [places[name_of(name)].popleft() for name in expected]


def _columns_differ(expected: Table, found: Table) -> str:
    ours, theirs = expected.names, found.names
    missing = [name for name in expected.header if theirs[name_of(name)] < ours[name_of(name)]]
    extra = [name for name in found.header if ours[name_of(name)] < theirs[name_of(name)]]
    said = [f"without the column{'s' if len(names) > 1 else ''} `{_row(names)}`" for names in (missing,) if names]
    said += [f"with the column{'s' if len(names) > 1 else ''} `{_row(names)}` too many" for names in (extra,) if names]
    return f"the table is {' and '.join(said)}"


def _agree(one: Row, other: Row, cells: _Cells) -> bool:
    return all(a == b or _same_number(cells.number_in(a), cells.number_in(b), cells.stated)
               for a, b in zip(one, other, strict=True))  # fmt: skip


def _same_number(one: tuple[str, Number] | None, other: tuple[str, Number] | None, stated: Stated) -> bool:
    return one is not None and other is not None and one[0] == other[0] and agree(one[1], other[1], stated)


def _paired(ours: list[Row], theirs: list[Row], cells: _Cells) -> bool:
    """Say whether rows that agree in their texts agree in their numbers too, both sorted by them."""
    groups: list[defaultdict[Any, list[tuple[list[Number], Row]]]] = []
    for rows in (ours, theirs):
        groups.append(defaultdict(list))
        for row in rows:
            numbers = [cells.number_in(form) for form in row]
            texts = tuple(form if number is None else (number[0],) for form, number in zip(row, numbers, strict=True))
            groups[-1][texts].append(([number[1] for number in numbers if number is not None], row))
    if groups[0].keys() != groups[1].keys():
        return False
    return all(
        len(mine) == len(groups[1][texts])
        and all(
            _agree(one[1], other[1], cells) for one, other in zip(sorted(mine), sorted(groups[1][texts]), strict=True)
        )
        for texts, mine in groups[0].items()
    )


def _named(ours: list[Row], theirs: list[Row]) -> str:
    missing, extra = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
    lost, new = next(iter(missing), None), next(iter(extra), None)
    if lost is None:
        return "" if new is None else f": `{_row(new)}` is too many"
    return f": `{_row(lost)}` is missing" + ("" if new is None else f"; `{_row(new)}` is there instead")


def _row(cells: Sequence[str]) -> str:
    shown = ", ".join(cells)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _counted(number: int) -> str:
    return f"{number} row" + ("" if number == 1 else "s")
