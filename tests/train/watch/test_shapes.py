"""What completions look like beside right answers: a stray does not hide that another question was answered."""

from __future__ import annotations

import pytest

from fairtrial.train.watch.shapes import shape_of, signs

TASKS = {f"t{number}": shape_of(f"{number:04}") for number in range(100)}


@pytest.mark.parametrize(
    ("fitting", "said"), [(0, "None of 100 completions"), (2, "Only 2 of 100 completions"), (3, "")]
)
def test_one_in_fifty_may_have_the_right_length(fitting: int, said: str) -> None:
    rows = [(name, "4321" if at < fitting else "54321", True) for at, name in enumerate(TASKS)]
    told = signs(rows, TASKS).impossible
    assert [line for line in told if line.startswith(said or "never")] == list(told)
    assert bool(told) == bool(said)
