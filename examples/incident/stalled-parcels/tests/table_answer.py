"""Compare one answer of a report's table by the kind of thing it is; rows may come in any order, and prose around them."""

import re

from fairtrial.checks import Inside, Result
from fairtrial.checks.reading import WorkError, of_the_work, plain_text
from fairtrial.compare import Stated, equivalent


@of_the_work
def table_answer(report: Inside, row: str, reference: str, kind: str, absolute: float = 0.0) -> Result:
    """Check the second cell of the only Markdown row whose first cell is `row`."""
    lines = [line.strip() for line in plain_text(report).splitlines() if line.strip().startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    found = [cells for cells in rows if _plain(cells[0]) == _plain(row)]
    if len(found) != 1 or len(found[0]) != 2:
        raise WorkError(f"the report has {len(found)} rows `{row}`, not one with two cells")
    answer = _plain_marks(found[0][1])
    same = equivalent(reference, answer, kind, Stated(absolute=absolute))
    return Result(same.equivalent, f"{row}: {answer[:60]!r}; {same.reason[:200]}")


@of_the_work
def at_most_words(report: Inside, most: int) -> Result:
    """Check that the report holds at most so many words."""
    count = len(re.findall(r"\w[\w.,]*", plain_text(report)))
    return Result(count <= most, f"the report has {count} words, of {most}", float(count))


def _plain(text):
    return " ".join(_plain_marks(text).casefold().split())


def _plain_marks(text):
    return re.sub(r"[*`]", "", text).strip()
