"""The share of reworded items that is found must not fall: GSM8K's held half, and kinds that nothing was fitted to."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from quality.variants_measured import DATA, by_kind, gsm8k, in_documents

pytestmark = [pytest.mark.extra, pytest.mark.timeout(900)]

FOUND = {
    (None, 0.01): {"rephrase": 0.97, "backward": 0.99, "rephrase_swap": 0.80},
    (None, 0.001): {"rephrase": 0.85, "backward": 0.99, "rephrase_swap": 0.45},
    (False, 0.01): {"rephrase": 0.93, "backward": 0.99, "rephrase_swap": 0.70},
    (False, 0.001): {"rephrase": 0.60, "backward": 0.99, "rephrase_swap": 0.40},
}
"""With vectors (None) and without (False): least share of each kind that is found with the right item named."""


@pytest.mark.parametrize("vectors", [None, False], ids=["vectors", "no vectors"])
def test_rewordings_of_held_items_are_found_at_the_rate_asked_for(vectors: bool | None) -> None:
    if not DATA.is_dir():
        pytest.skip("../shared/data/contamination is not here: rewordings of GSM8K are nowhere else")
    for figures in gsm8k(vectors):
        for kind, least in FOUND[vectors, figures.fpr].items():
            assert figures.found[kind] >= least, (kind, figures)
        assert figures.false <= 1.5 * figures.fpr * figures.unseen + 4, figures


def test_rewordings_inside_long_texts_are_found() -> None:
    if not DATA.is_dir():
        pytest.skip("../shared/data/contamination is not here: rewordings of GSM8K are nowhere else")
    found = in_documents(counts=(0, 10), rewordings=80)
    assert found[0][0] >= 0.95
    assert found[10][0] >= 0.7
    assert found[10][1] <= 0.08


@pytest.mark.parametrize("vectors", [None, False], ids=["vectors", "no vectors"])
def test_kinds_that_nothing_was_fitted_to_are_told_from_their_clean_twins(vectors: bool | None) -> None:
    least = {"agent": 0.85, "choice": 0.6, "code": 0.5, "languages": 0.85, "prose": 0.75}
    if vectors is False:  # words alone do not tell a rewording from a task of the same theme
        least = {"agent": 0.25, "choice": 0.4, "code": 0.2, "languages": 0.85, "prose": 0.2}
    for kind, figures in by_kind(vectors).items():
        assert figures.named >= 0.9, (kind, figures)
        assert figures.above_twins >= least[kind], (kind, figures)


def test_the_shipped_weights_say_where_they_come_from() -> None:
    document = json.loads(files("fairtrial.contamination.variants").joinpath("combination.json").read_text("utf-8"))
    said = document["provenance"]
    assert {"fitted_on", "fitted_by", "with", "left_out", "figures", "licence", "seed"} <= set(said)
    for way in ("with_vectors", "without_vectors"):
        assert set(document[way]) == {"figures", "plain"}
        for each in document[way].values():
            assert each["weights"]["rivals"] < 0
            assert all(weight >= 0 for name, weight in each["weights"].items() if name != "rivals")
            assert each["null"][0] < each["null"][1]
