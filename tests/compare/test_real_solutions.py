"""Solutions that real models wrote are marked as their publishers marked them, where they lie beside the repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairtrial.compare import equivalent

SOLUTIONS = Path(__file__).resolve().parents[3] / "shared/data/gsm8k_model_solutions/example_model_solutions.jsonl"


def test_every_solution_in_words_gets_its_published_mark() -> None:
    if not SOLUTIONS.is_file():
        pytest.skip("../shared/data/gsm8k_model_solutions is not here, and the solutions are nowhere else")
    other = []
    for line in SOLUTIONS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        reference = row["ground_truth"].rpartition("A:")[2].strip()
        for model, said in row.items():
            if isinstance(said, dict):
                found = equivalent(reference, said["solution"], "number")
                if found.equivalent != said["is_correct"]:
                    other.append((reference, model, said["solution"][-100:], found.reason))
    assert other == []


@pytest.mark.parametrize("opening", ["Half as many as 108 is", "Twice as much as 27 is", "Half as old as he is"])
def test_a_text_that_opens_with_a_multiple_does_not_open_with_its_answer(opening: str) -> None:
    assert not equivalent("0.5", f"{opening} 54. So the total is 54.", "number").equivalent
    assert equivalent("54", f"{opening} 54. So the total is 54.", "number").equivalent
