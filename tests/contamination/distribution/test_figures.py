"""What is built around items is found, broad training stays clean, and what cannot be asked abstains."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from contamination.distribution.drawn import ITEMS, THRESHOLD, broad, families, planted, together
from fairtrial.contamination.distribution import Decoys, Distribution, Twin, distribution
from fairtrial.contamination.result import Nearness

NAMES = [f"item-{number}" for number in range(ITEMS)]
DECOYS = [f"decoy-{number}" for number in range(ITEMS)]
FIT = Decoys(twins=(), said="", unlike=(), length=0.5, vocabulary=0.5)


def of(near: Nearness, decoys: Decoys | None = None) -> Distribution:
    return distribution(near, NAMES, DECOYS, THRESHOLD, decoys)


def p_of(found: Distribution) -> float:
    assert found.shares is not None
    return found.shares.p_value


def test_broad_training_is_called_no_more_often_than_one_in_twenty() -> None:
    source = np.random.default_rng(1)
    shares = [of(broad(source, spread=2.0)).shares for _ in range(60)]
    assert np.mean([each is not None and each.p_value <= 0.05 for each in shares]) <= 0.1
    assert np.mean([each is not None and each.built_around for each in shares]) <= 0.15


def test_much_broad_training_is_no_evidence() -> None:
    assert p_of(of(broad(np.random.default_rng(2), rows=40_000))) > 0.05


def test_rewordings_spread_one_an_item_are_found() -> None:
    near = together(broad(np.random.default_rng(3)), planted(list(range(20)), 0.93))
    found = of(near)
    assert p_of(found) < 1e-4
    assert found.shares is not None
    assert found.shares.effects["by_best_row"]["eval_above"] >= 20


def test_rows_that_are_many_and_none_very_near_are_found() -> None:
    near = together(broad(np.random.default_rng(4)), planted(list(range(40)) * 6, 0.7))
    assert p_of(of(near)) < 1e-3


def test_sets_of_unequal_size_are_weighed() -> None:
    source, p_values = np.random.default_rng(5), []
    for _ in range(40):
        found = distribution(broad(source, items=ITEMS + 30), NAMES, DECOYS[:30], THRESHOLD)
        assert found.shares is not None
        assert found.shares.effects["share"]["expected"] == pytest.approx(0.8)
        p_values.append(found.shares.p_value)
    assert np.mean(np.array(p_values) <= 0.05) <= 0.125


@pytest.mark.parametrize("number", [0, 19])
def test_without_decoys_it_abstains_and_still_counts(number: int) -> None:
    found = distribution(planted([0] * 9, 0.9), NAMES, DECOYS[:number], THRESHOLD)
    assert found.shares is None
    assert len(found.abstained) == 1
    assert "decoys" in found.abstained[0]
    assert [(item.item_id, item.near_rows, item.q_value, item.flagged) for item in found.items] == [
        ("item-0", 9, None, False)
    ]


def test_decoys_unlike_the_items_are_not_compared_with() -> None:
    found = of(planted([0] * 9, 0.9), replace(FIT, unlike=("distribution: decoys are not like the items",)))
    assert found.shares is None
    assert found.abstained == ("distribution: decoys are not like the items",)


def test_twins_are_counted_and_not_of() -> None:
    near = together(broad(np.random.default_rng(6)), planted([5] * 40, 0.97))
    found = of(near, replace(FIT, twins=(Twin(5, 9),), said="distribution: one pair was left out"))
    item = next(each for each in found.items if each.item_id == "item-5")
    assert item.near_rows >= 40
    assert (item.q_value, item.flagged) == (None, False)
    assert found.shares is not None
    assert found.shares.effects["eval_items"] == found.shares.effects["decoys"] == ITEMS - 1
    assert found.abstained == ("distribution: one pair was left out",)


def test_where_twins_leave_too_few_decoys_it_abstains() -> None:
    twins = tuple(Twin(number, number) for number in range(ITEMS - 5))
    found = of(broad(np.random.default_rng(7)), replace(FIT, twins=twins, said="distribution: many"))
    assert found.shares is None
    assert found.abstained[0] == "distribution: many"
    assert "5 decoys" in found.abstained[1]


def test_the_order_of_rows_changes_nothing() -> None:
    near = together(broad(np.random.default_rng(8)), planted([3] * 5, 0.95))
    order = np.random.default_rng(9).permutation(len(near.item))
    assert of(near) == of(Nearness(item=near.item[order], score=near.score[order]))


def test_the_document_holds_what_the_contract_names() -> None:
    document = json.loads(json.dumps(of(together(broad(np.random.default_rng(10)), planted([3] * 9, 0.95))).document()))
    assert document["items"][0].keys() >= {"item_id", "near_rows", "q_value", "flagged"}
    assert document["distribution"].keys() >= {"eval_near", "decoy_near", "p_value"}
    assert document["distribution"]["excess_rows"].keys() >= {"value", "low", "high", "method"}
    assert document["abstained"] == []
    assert [item["near_rows"] for item in document["items"]] == sorted(
        (item["near_rows"] for item in document["items"]), reverse=True
    )


def test_no_rows_at_all_is_a_measurement_of_nothing_near() -> None:
    found = of(planted([], 0.5))
    assert found.shares is not None
    assert (found.shares.eval_near, found.shares.decoy_near, found.shares.p_value) == (0, 0, 1.0)
    assert found.shares.effects["share"]["value"] is None
    assert found.items == ()


def test_a_natural_family_of_one_item_does_not_call_the_whole() -> None:
    """Where one item in a hundred has near copies, some item without a like among the decoys is called in every fourth
    set; the set is not said to be built around items for it, which the item alone once did in 27% of them."""
    source = np.random.default_rng(11)
    found = [of(together(broad(source), families(source, 0.01, 15.0))) for _ in range(50)]
    assert np.mean([any(item.flagged for item in each.items) for each in found]) > 0.1  # the background that it needs
    assert np.mean([each.shares is not None and each.shares.built_around for each in found]) <= 0.1


@pytest.mark.parametrize(("clones", "built"), [(4, False), (40, False), (1_000, True)])
def test_clones_of_one_item_are_a_lead_and_a_thousand_speak_for_the_whole(clones: int, built: bool) -> None:
    found = of(together(broad(np.random.default_rng(15)), planted([7] * clones, 0.97)))
    assert [item.item_id for item in found.items if item.flagged] == ["item-7"]
    assert found.shares is not None
    assert found.shares.p_value > 0.05
    assert (found.shares.built_around, found.shares.effects["items_dominant"]) == (built, int(built))


def in_families(source: np.random.Generator, size: int) -> Nearness:
    """Broad training on a benchmark whose items come in families of alike ones, all of a family on one side."""
    number = 2 * ITEMS // size
    weights = np.repeat(source.gamma(0.25, 4.0, number), size) + 1e-9
    lift = np.repeat(source.normal(0, 0.5, number), size)
    item = source.choice(2 * ITEMS, 2_000, p=weights / weights.sum())
    score = 1 / (1 + np.exp(-source.normal(-0.5, 0.7, 2_000) - lift[item]))
    return Nearness(item=item.astype(np.int32), score=score.astype(np.float32))


def test_families_of_alike_items_are_one_draw_each() -> None:
    kin = tuple(tuple(range(first, first + 5)) for first in range(0, 2 * ITEMS, 5))
    source = np.random.default_rng(13)
    sets = [in_families(source, 5) for _ in range(40)]
    alone = [p_of(of(near)) <= 0.05 for near in sets]
    together_ = [p_of(of(near, replace(FIT, kin=kin))) <= 0.05 for near in sets]
    assert np.mean(alone) > 0.15  # as if five alike items were five draws
    assert np.mean(together_) <= 0.08


def test_families_that_leave_too_few_decoys_abstain() -> None:
    found = of(broad(np.random.default_rng(14)), replace(FIT, kin=(tuple(range(ITEMS, 2 * ITEMS - 5)),)))
    assert found.shares is None
    assert "6 decoys, near copies counted once, to compare with are too few" in found.abstained[0]


def test_a_row_at_the_threshold_is_not_near_as_it_is_not_flagged() -> None:
    near = planted([3, 3, ITEMS + 1], float(np.float32(THRESHOLD)))
    at = distribution(near, NAMES, DECOYS, float(np.float32(THRESHOLD)))
    assert at.shares is not None
    assert (at.items, at.shares.eval_near, at.shares.decoy_near, at.shares.effects["expected_near_rows"]) == (
        (),
        0,
        0,
        0,
    )


def test_one_decoy_is_too_few() -> None:
    found = distribution(planted([0], 0.9), NAMES, ["only"], THRESHOLD)
    assert found.shares is None
    assert found.abstained[0].startswith("distribution: 1 decoy to compare with is too few")
