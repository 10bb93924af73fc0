"""Compare one answer of a report's table by the kind of thing it is; rows may come in any order, and prose around them."""

import re

from fairtrial.checks import Inside, Result
from fairtrial.checks.reading import WorkError, of_the_work, plain_text
from fairtrial.compare import Stated, equivalent


@of_the_work
def table_answer(report: Inside, row: str, reference: str, kind: str, absolute: float = 0.0) -> Result:
    """Check the second cell of the only Markdown row whose first cell is `row`."""
    answer = _cell(report, row)
    same = equivalent(reference, answer, kind, Stated(absolute=absolute))
    return Result(same.equivalent, f"{row}: {answer[:60]!r}; {same.reason[:200]}")


@of_the_work
def table_amounts(report: Inside, row: str, amounts: list[str]) -> Result:
    """Check the amounts of one row, separated by semicolons, in any order: each once, as a number in any of its forms."""
    answer, missing = _cell(report, row), list(amounts)
    for given in answer.removesuffix(";").split(";")[:100]:
        same = [one for one in missing if equivalent(one, given.strip(), "number").equivalent]
        if not same:
            raise WorkError(f"{row}: {given.strip()[:40]!r} is none of the amounts, or one too many")
        missing.remove(same[0])
    return Result(not missing, f"{row}: {answer[:60]!r}; {'all are there' if not missing else 'one is missing'}")


@of_the_work
def at_most_words(report: Inside, most: int) -> Result:
    """Check that the report holds at most so many words."""
    count = len(re.findall(r"\w[\w.,]*", plain_text(report)))
    return Result(count <= most, f"the report has {count} words, of {most}", float(count))


def _cell(report, row):
    lines = [line.strip() for line in plain_text(report).splitlines() if line.strip().startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    found = [cells for cells in rows if _plain(cells[0]) == _plain(row)]
    if len(found) != 1 or len(found[0]) != 2:
        raise WorkError(f"the report has {len(found)} rows `{row}`, not one with two cells")
    return _plain_marks(found[0][1])


def _plain(text):
    return " ".join(_plain_marks(text).casefold().split())


def _plain_marks(text):
    return re.sub(r"[*`]", "", text).strip()
