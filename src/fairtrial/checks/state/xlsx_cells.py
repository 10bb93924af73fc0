"""Check a cell of an Excel workbook: the value that was last computed, and the formula. Needs `openpyxl`.

Nothing is computed here: a formula that no program has calculated has no value, and the check says so.
"""

from __future__ import annotations

import io
import warnings
from typing import Any

from fairtrial.checks.limits import limited
from fairtrial.checks.protocol import CheckError, Inside, Result
from fairtrial.checks.reading import WorkError, named, of_the_work, plain_bytes, said
from fairtrial.checks.state.values import ANY, same
from fairtrial.checks.state.values import cell as cell_stated


@of_the_work
def xlsx_cell(
    path: Inside,
    cell: str,
    equals: Any = None,
    sheet: str = "",
    formula: str = "",
    is_formula: bool | None = None,
    tolerance: float = 0.0,
) -> Result:
    """Check a cell ("B7"; `sheet` is the one shown first unless named): its value, its formula, that it has one.

    An empty cell equals `{ null = true }`. Formulas are compared without white space and case; dates as dates.
    """
    if equals is None and not formula and is_formula is None:
        raise CheckError("state `equals`, `formula` or `is_formula`")
    if isinstance(equals, list):
        raise CheckError(f"`equals` should be one value, not {said(equals)}")
    expected = _shown(cell_stated(equals))
    data = plain_bytes(path)
    place = f"{cell} of {named(path)}"
    value, content = limited(lambda: _cell(data, sheet, cell), place)
    has_formula = isinstance(content, str) and content.startswith("=")
    if is_formula is not None and has_formula != is_formula:
        raise WorkError(f"{place} holds {said(content)}, {'no' if is_formula else 'a'} formula")
    if formula and _evened(content) != _evened(formula):
        raise WorkError(f"{place} holds {said(content)}, not {said(formula)}")
    if equals is not None:
        if value is None and has_formula:
            raise WorkError(f"{place} has the formula {said(content)} and no computed value")
        if not same(value, expected, tolerance):
            raise WorkError(f"{place} is {said(value)}, not {said(expected)}")
    found = said(value) if equals is not None else said(content)
    return Result(True, f"{place} is {found}, as it should be")


def _evened(formula: Any) -> str:
    return "".join(str(formula).split()).casefold().removeprefix("=")


def _cell(data: bytes, sheet: str, cell: str) -> tuple[Any, Any]:
    """Return a cell's value and its content, formulas as such."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import CellCoordinatesException

    found = []
    for is_value in (True, False):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = load_workbook(io.BytesIO(data), data_only=is_value)
        if sheet and sheet not in book.sheetnames:
            raise WorkError(f"the workbook has no sheet {said(sheet)}: it has {said(book.sheetnames)}")
        try:
            found.append((book[sheet] if sheet else book.active)[cell].value)
        except (CellCoordinatesException, ValueError, AttributeError):
            raise CheckError(f"`cell` should be a cell such as B7, not {said(cell)}") from None
    return _shown(found[0]), _shown(getattr(found[1], "text", found[1]))


def _shown(value: Any) -> Any:
    """Return a value as JSON has it; a date, and midnight of it, as the date's text."""
    if value is ANY:
        return value
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).removesuffix("T00:00:00")
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
