"""Which models are told apart: 47 kinds of submission, truly made, on five bases; the table of the docs page.

`python -m pytest -m extra -s tests/quality/test_identity.py` prints it. Nobody honest may ever be accused.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from contamination.identity.handed_in import (
    CASES,
    DOUBTFUL,
    DOUBTS,
    FOREIGN,
    HONEST,
    MAY_BE_UNKNOWN,
    NOTHING,
    base,
    save,
    sibling,
    world,
)
from fairtrial.contamination.identity import compare_models

WORLDS = range(5)
VERDICTS = (HONEST, FOREIGN, NOTHING, DOUBTFUL)
Table = Counter[tuple[str, str]]
ROUNDING = 3
"""So many may fall differently: another processor sums in another order, and training follows."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, str], str]:
    found = {}
    for number in WORLDS:
        folder = tmp_path_factory.mktemp("world")
        with world(number):
            origin, instruct = save(folder / "base", base()), save(folder / "instruct", sibling())
            for name, (_, made) in CASES.items():
                submitted = save(folder / "submitted", made())
                found[number, name] = compare_models(submitted, origin, [instruct]).verdict
    return found


@pytest.mark.long
@pytest.mark.extra
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", CASES)
def test_every_kind_gets_its_verdict_on_every_base(name: str, told: dict[tuple[int, str], str]) -> None:
    allowed = {CASES[name][0]}
    if name in MAY_BE_UNKNOWN:
        allowed.add(DOUBTFUL)
    if name in DOUBTS:
        allowed.add(HONEST)
    assert {told[number, name] for number in WORLDS} <= allowed


@pytest.mark.long
@pytest.mark.extra
@pytest.mark.timeout(600)
def test_the_table_is_that_of_the_page(told: dict[tuple[int, str], str]) -> None:
    table: Table = Counter((CASES[name][0], verdict) for (_, name), verdict in told.items())
    lines = ["| deserved | base_derived | different_model | untrained | unknown |", "|---|---|---|---|---|"]
    for deserved in VERDICTS:
        cells = " | ".join(str(table[deserved, verdict]) for verdict in VERDICTS)
        lines.append(f"| `{deserved}` | {cells} |")
    print("\n".join(["", *lines]))
    assert table[HONEST, FOREIGN] == table[HONEST, NOTHING] == table[DOUBTFUL, FOREIGN] == table[DOUBTFUL, NOTHING] == 0
    assert table[FOREIGN, HONEST] == table[NOTHING, HONEST] == table[DOUBTFUL, HONEST] == 0
    for verdict, published in right_on_the_page().items():
        assert table[verdict, verdict] >= published - ROUNDING, verdict


def right_on_the_page() -> dict[str, int]:
    """Return the diagonal of the page's table."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "contamination-identity.md").read_text(encoding="utf-8")
    assert f"{len(CASES)} kinds" in page
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert [row[0] for row in rows] == list(VERDICTS)
    return {row[0]: int(row[1 + at]) for at, row in enumerate(rows)}
