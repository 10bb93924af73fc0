"""Near copies on labelled data: rewordings of 1,319 questions among 7,458 others, and questions of many subjects."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from fairtrial.contamination.near_copies import NearCopies, find_vectors, near_copies

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


def read(name: str) -> list[dict[str, Any]]:
    if not (DATA / name).exists():
        pytest.skip(f"../shared/data/{name} is not here")
    return [json.loads(line) for line in (DATA / name).read_bytes().splitlines()]


def figures(found: NearCopies, sources: list[int | None]) -> tuple[float, float]:
    """Return precision and recall of pairs within groups, over the reworded items that weights were not fitted on."""
    kept = {source for source in sources if source is not None and source % 4 == 2}
    right = wrong = 0
    for group in found.groups:
        for left, other in combinations([sources[number] for number in group], 2):
            if {left, other} & kept:
                right += left == other
                wrong += left != other
    counts = Counter(source for source in sources if source in kept)
    return right / (right + wrong), right / sum(count * (count - 1) // 2 for count in counts.values())


@pytest.mark.long
@pytest.mark.extra
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("with_vectors", "precision", "recall"), [(True, 0.94, 0.91), (False, 0.94, 0.81)])
def test_rewordings_fall_into_one_group_and_other_questions_do_not(
    with_vectors: bool, precision: float, recall: float
) -> None:
    items, variants = read("contamination/eval.jsonl"), read("contamination/variants.jsonl")
    control = read("contamination/control.jsonl")
    vectors = find_vectors() if with_vectors else None
    if with_vectors and vectors is None:
        pytest.skip("the extra `vectors` is not installed")
    texts = [one["question"] for one in items] + [one["text"] for one in (*variants, *control)]
    named = [one["id"] for one in items] + [one["source_item"] for one in variants]
    sources: list[int | None] = [int(name.rsplit("-", 1)[1]) for name in named]
    sources += [None] * len(control)
    found = near_copies(texts, vectors)
    reached = figures(found, sources)
    assert reached[0] >= precision, reached
    assert reached[1] >= recall, reached
    assert max(map(len, found.groups)) <= 20
    assert not found.cut


@pytest.mark.long
@pytest.mark.extra
def test_questions_of_many_subjects_are_not_chained() -> None:
    texts = sorted({one["q"] for one in read("mmlu_redux/items.jsonl")})
    found = near_copies(texts, find_vectors())
    assert not found.cut
    assert sum(len(group) for group in found.groups if len(group) > 1) < 0.2 * len(texts)
