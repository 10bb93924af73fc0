"""A reworded item is found wherever it stands, nothing near is lost on the way, and the same rows give the same bytes.

Not covered: how many rewordings are found (tests/quality/test_variants.py).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from fairtrial.contamination.rows import Row
from fairtrial.contamination.variants import Prepared, passages, prepare
from fairtrial.contamination.variants.counted import held_by
from fairtrial.contamination.variants.index import FEATURES
from fairtrial.contamination.variants.scoring import look
from fairtrial.contamination.variants.units import LEAST, Unit, scales_of, windows_of
from fairtrial.contamination.variants.words import Words, number_of
from fairtrial.records import InputError

THINGS = ["apples", "boats", "candles", "drums", "engines", "flags", "guitars", "hats", "islands", "jars", "kites"]
ACTS = ["sells", "buys", "loses", "paints", "repairs", "hides", "counts", "borrows", "weighs", "moves", "polishes"]
PLACES = ["harbour", "market", "school", "castle", "station", "garden", "library", "bakery", "museum", "bridge"]
NAMES = ["Ada", "Bo", "Cy", "Dana", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jun", "Kai", "Lea"]


def row(name: str, *texts: str) -> Row:
    return Row(name, tuple((f"messages[{at}].content", text) for at, text in enumerate(texts)), "rows.jsonl", 1)


def story(draw: random.Random) -> str:
    who, what, other = draw.choice(NAMES), draw.choice(THINGS), draw.choice(THINGS)
    return (
        f"{who} {draw.choice(ACTS)} {draw.randrange(2, 90)} {what} at the {draw.choice(PLACES)} every "
        f"{draw.choice(['morning', 'evening', 'Sunday', 'month'])}. Then {draw.choice(NAMES)} {draw.choice(ACTS)} "
        f"{draw.randrange(2, 90)} {other} near the {draw.choice(PLACES)}. How many {what} are left in the end?"
    )


ITEM = (
    "Janet runs a small printing shop. She prints 40 posters on Monday and twice as many on Tuesday, then throws 13 "
    "smudged ones away. How many posters can she deliver?"
)
REWORDED = (
    "In the little print shop that Janet owns, 40 posters are printed on Monday; on Tuesday the number doubles. After "
    "13 of them, being smudged, have been thrown out, what number of posters is there to deliver?"
)
SWAPPED = REWORDED.replace("40", "75").replace("13", "9")


@pytest.fixture(scope="module", params=[None, False], ids=["vectors", "no vectors"])
def prepared(request: pytest.FixtureRequest) -> Prepared:
    if request.param is None:
        pytest.importorskip("wordllama", reason="the extra `vectors` is not installed")
    draw = random.Random(1)
    items = [row(f"item-{at}", story(draw)) for at in range(30)]
    items.insert(7, row("janet", ITEM))
    return prepare(items, [row(f"clean-{at}", story(draw)) for at in range(120)], request.param)


@pytest.mark.parametrize("text", [ITEM, REWORDED, SWAPPED, ITEM.upper(), ITEM.replace(" ", "\n\n")])
def test_an_item_is_named_in_other_words_figures_case_and_lines(prepared: Prepared, text: str) -> None:
    draw = random.Random(2)
    clean = prepared.nearest([row(str(at), story(draw)) for at in range(60)])
    near = prepared.nearest([row("x", text)])
    assert prepared.items[near.item[0]].id == "janet"
    assert near.score[0] > clean.score.max()


def test_a_rewording_is_found_inside_a_long_document_and_in_one_message_of_many(prepared: Prepared) -> None:
    draw = random.Random(3)
    others = [story(draw) for _ in range(30)]
    document = " ".join([*others[:17], REWORDED, *others[17:]])
    for long in (row("document", document), row("chat", *others[:5], "Well. " + REWORDED, *others[5:9])):
        (found,) = prepared.search([long], bar=0.3)
        best = found.near[0]
        assert best.item_id == "janet"
        text = dict(long.texts)[best.train.place][best.train.start : best.train.end]
        assert "printed on Monday" in text
        assert len(text) < 3 * len(REWORDED)


def test_no_passage_that_scores_higher_is_passed_over(prepared: Prepared) -> None:
    """Brute force: every passage's sum by both ways, against those that were chosen."""
    draw = random.Random(4)
    index, ways = prepared.index, prepared.ways
    units = [unit for at in range(40) for unit in windows_of(row("r", story(draw)), at, prepared.words, (40, 40, 40))]
    own = np.zeros(len(units), np.int8)
    (looked,) = look(index, units, own, ways)
    everything = np.stack(
        [index.pairs(units, np.full(len(units), at, np.int64)) for at in range(len(index.passages))], axis=1
    )
    for number, way in enumerate(ways):
        weights = np.array([way.weights.get(name, 0) for name in FEATURES], np.float32)
        weights[-1] = 0  # what others share is not known before the choice
        sums = everything @ weights
        chosen = np.take_along_axis(sums, looked.passages, 1)[:, 5 * number : 5 * number + 5]
        assert np.allclose(np.sort(chosen, 1), np.sort(sums, 1)[:, -5:], atol=1e-4)


def test_batches_change_nothing_and_the_same_rows_give_the_same_scores(prepared: Prepared) -> None:
    draw = random.Random(5)
    rows = [row(f"r{at}", *(story(draw) for _ in range(draw.randrange(1, 4)))) for at in range(300)]
    whole = prepared.nearest(rows)
    again = prepared.nearest(iter(rows))
    apart = [prepared.nearest([each]) for each in rows[:40]]
    assert whole.score.tobytes() == again.score.tobytes()
    assert whole.item.tobytes() == again.item.tobytes()
    assert np.allclose(whole.score[:40], [each.score[0] for each in apart], atol=2e-4)


def test_scores_lie_between_0_and_1_and_nothing_breaks_on_odd_rows(prepared: Prepared) -> None:
    odd = ["\x00", "🙂" * 40, "a" * 5000, "\ud800 broken half", "नमस्ते दुनिया कैसे हो आप सब लोग", "数学問題" * 30,
           "1 2 3 4 5 6 7 8 9", "?!" * 300, "word " * 3000]  # fmt: skip
    near = prepared.nearest([row(str(at), text) for at, text in enumerate(odd)] + [Row("none", (), "", 1)])
    assert len(near.score) == len(odd) + 1
    assert np.isfinite(near.score).all()
    assert ((near.score >= 0) & (near.score < 1)).all()
    assert near.item[-1] == -1
    assert near.score[-1] == 0


def test_no_rows_give_empty_arrays(prepared: Prepared) -> None:
    near = prepared.nearest([])
    assert near.item.shape == near.score.shape == (0,)


def test_a_background_row_counts_as_if_it_had_not_been_counted() -> None:
    """Its own words would pass for common ones: a control would score lower than new rows, and the rate not hold."""
    draw = random.Random(6)
    items = [row(f"i{at}", story(draw)) for at in range(20)]
    rare = row("rare", "The zymurgist of Xochimilco fermented quinces beneath the baroque planetarium of her aunt")
    background = [row(f"b{at}", story(draw)) for at in range(80)]
    (unit,) = windows_of(rare, 0, Words(), (40, 40, 40))
    counted = prepare(items, [*background, rare], vectors=False)
    new = prepare(items, background, vectors=False)
    assert number_of(rare.text) in counted.known
    assert number_of(rare.text) not in new.known

    def weight(made: Prepared, own: int) -> float:
        _, totals = made.index.counted["words"].shared(held_by([unit])["words"], np.array([own], np.int8))
        return float(totals[0])

    assert weight(counted, 1) == pytest.approx(weight(new, 0), rel=0.01)
    assert weight(counted, 0) < 0.9 * weight(new, 0)


def test_what_is_not_measured_is_said() -> None:
    draw = random.Random(7)
    items = [row("short", "42"), *(row(f"i{at}", story(draw)) for at in range(5))]
    made = prepare(items, None, vectors=False)
    assert made.too_short == ("short",)
    assert any("word vectors" in why for why in made.not_measured)
    assert any("fewer than four words" in why for why in made.not_measured)
    with pytest.raises(InputError, match="words enough"):
        prepare([row("short", "42")], None)


def test_a_lone_item_is_found_without_a_background() -> None:
    made = prepare([row("janet", ITEM)], None, vectors=False)
    draw = random.Random(8)
    near = made.nearest([row("x", SWAPPED), *(row(str(at), story(draw)) for at in range(30))])
    assert near.score[0] > near.score[1:].max()


def held_in_windows(text: str, scales: tuple[int, int, int]) -> Sequence[Unit]:
    return list(windows_of(row("r", text), 0, Words(), scales))


@pytest.mark.parametrize("text", ["one two three. " * 300, "word " * 1000, "字" * 900, "a b c\n" * 300])
def test_windows_leave_no_word_out(text: str) -> None:
    units = held_in_windows(text, (20, 40, 90))
    for size in (20, 40, 90):
        mine = [unit for unit in units if 0.8 * size <= len(unit.words) <= 1.6 * size + 3]
        held = {at for unit in mine for at in range(unit.first, unit.last)}
        assert held >= set(range(900 - size)), size
    assert all(len(unit.words) >= LEAST for unit in units)


def test_scales_follow_the_lengths_of_items() -> None:
    assert scales_of([45, 48, 50]) == (48, 48, 48)
    assert scales_of([3, 3, 3]) == (8, 8, 8)


def test_passages_stand_side_by_side() -> None:
    draw = random.Random(9)
    train = row("t", story(draw), f"{story(draw)} {REWORDED} {story(draw)}")
    mine, theirs = passages(train, row("i", ITEM))
    assert mine is not None
    assert theirs is not None
    assert mine.place == "messages[1].content"
    shown = dict(train.texts)[mine.place][mine.start : mine.end]
    assert "smudged" in shown
    assert "printed on Monday" in shown
    assert len(shown) < 2 * len(REWORDED)
    assert ITEM[theirs.start : theirs.end] == ITEM


def test_texts_that_share_no_word_have_no_passages() -> None:
    assert passages(row("t", "Bonjour tout le monde"), row("i", "Guten Tag zusammen")) == (None, None)
