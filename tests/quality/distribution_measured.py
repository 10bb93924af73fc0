"""The decoy table, measured: training sets built around items of GSM8K, and sets that are not, against held-out decoys.

Every second test item is an eval item, the others are decoys. Control and broad training are halves of the training
set. Rewordings are others' (rephrased by a language model); clones are ours: all figures and names changed. What each
row lies near does not depend on the other rows, so rows are searched once and training sets are put together from that.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from fairtrial.contamination import variants
from fairtrial.contamination.distribution import CALLED, Decoys, Distribution, compare_decoys, distribution
from fairtrial.contamination.result import Nearness
from fairtrial.contamination.rows import Row
from quality import function_calls

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "contamination"
NOTHING_BUILT = ("broad training", "broad, half of it", "broad, one kind of problem")
NAMES = ("Ada", "Bo", "Cy", "Ines", "Jiro", "Kofi", "Lena", "Marta", "Nils", "Omar", "Petra", "Rui")
_WORD = re.compile(r"\d[\d,.]*\d|\d|\b[A-Z][a-z]{2,}\b(?<!The)(?<!How)(?<!What)(?<!She)(?<!They)(?<!Each)")


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything searched, to put training sets together from."""

    items: tuple[Row, ...]
    decoys: tuple[Row, ...]
    fit: Decoys
    threshold: float
    broad: Nearness
    broad_rows: tuple[Row, ...]
    rewordings: Nearness
    source: tuple[int, ...]
    """The item that each rewording comes from."""
    clones: Nearness
    cloned: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table, over the draws: median p of the whole, how often it is at most 0.05, items called, how often
    the set is said to be built around items, and how often an item is called at all, which is a lead."""

    name: str
    p_value: float
    whole: float
    called: float
    built: float
    lead: float


def rows_of(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_bytes().splitlines()]


def row(name: str, text: str) -> Row:
    return Row(name, (("text", text),), "here", 1)


def clone(text: str, source: random.Random) -> str:
    """Return `text` with every figure and every name changed, each in the same way throughout."""
    changed: dict[str, str] = {}

    def other(found: re.Match[str]) -> str:
        old = found.group()
        if old not in changed:
            changed[old] = str(source.randint(2, 99)) if old[0].isdigit() else source.choice(NAMES)
        return changed[old]

    return _WORD.sub(other, text)


@cache
def gsm8k(seed: int = 5) -> Measured:
    every = [row(each["id"], each["question"]) for each in rows_of("eval.jsonl")]
    control = [row(each["id"], each["text"]) for each in rows_of("control.jsonl")]
    items, decoys, seen, broad = every[::2], every[1::2], control[::2], control[1::2]
    fit = compare_decoys(items, decoys)
    prepared = variants.prepare([*items, *decoys], background=seen)
    number = {each.id: at for at, each in enumerate(items)}
    worded = [each for each in rows_of("variants.jsonl") if each["kind"] == "rephrase"]
    source = random.Random(seed)
    cloned = tuple(source.choices(source.sample(range(len(items)), 50), k=2_500))
    return Measured(
        items=tuple(items), decoys=tuple(decoys), fit=fit,
        threshold=variants.threshold_of(prepared, seen, 0.01).value,
        broad=prepared.nearest(broad), broad_rows=tuple(broad),
        rewordings=prepared.nearest([row(each["id"], each["text"]) for each in worded]),
        source=tuple(number[each["source_item"]] for each in worded),
        clones=prepared.nearest([row(f"clone-{at}", clone(items[of].text, source)) for at, of in enumerate(cloned)]),
        cloned=cloned,
    )  # fmt: skip


def together(*parts: tuple[Nearness, Sequence[int]]) -> Nearness:
    """Return the nearness of a training set of some rows of each."""
    return Nearness(item=np.concatenate([near.item[list(rows)] for near, rows in parts]),
                    score=np.concatenate([near.score[list(rows)] for near, rows in parts]))  # fmt: skip


def tested(sets: Measured, near: Nearness, fit: Decoys | None) -> Distribution:
    return distribution(near, [each.id for each in sets.items], [each.id for each in sets.decoys], sets.threshold, fit)


def every(near: Nearness) -> range:
    return range(len(near.item))


def some(near: Nearness, number: int, source: random.Random) -> list[int]:
    return source.sample(range(len(near.item)), number)


def table(draws: int = 20, null_draws: int = 200) -> list[Line]:
    """Return the decoy table: for each training set, how often it is found and what for."""
    sets = gsm8k()
    lines = []
    for name, make in kinds(sets).items():
        source = random.Random(11)
        if name in NOTHING_BUILT:
            found = [tested(sets, relabelled(make(source), sets, source), None) for _ in range(null_draws)]
        else:
            found = [tested(sets, make(source), sets.fit) for _ in range(draws)]
        p_values = np.array([each.shares.p_value for each in found if each.shares is not None])
        called = np.array([sum(item.flagged for item in each.items) for each in found])
        built = np.array([each.shares.built_around for each in found if each.shares is not None])
        lines.append(Line(name, float(np.median(p_values)), float((p_values <= CALLED).mean()), float(called.mean()),
                          float(built.mean()), float((called > 0).mean())))  # fmt: skip
    return lines


def relabelled(near: Nearness, sets: Measured, source: random.Random) -> Nearness:
    """Return the same rows with items and decoys drawn anew: another evaluation set that nobody built around."""
    order = np.array(source.sample(range(len(sets.items) + len(sets.decoys)), len(sets.items) + len(sets.decoys)))
    return Nearness(item=np.where(near.item < 0, -1, order[near.item]).astype(np.int32), score=near.score)


def kinds(sets: Measured) -> dict[str, Callable[[random.Random], Nearness]]:
    """Return the training sets by name; each is drawn by a source of randomness."""
    whole = (sets.broad, every(sets.broad))
    percentages = [at for at, each in enumerate(sets.broad_rows) if "%" in each.text or "percent" in each.text]

    def of_one_item(number: int) -> Callable[[random.Random], Nearness]:
        return lambda source: together(whole, (sets.clones, _of_one(sets.cloned, number, source)))

    def spread(number: int) -> Callable[[random.Random], Nearness]:
        return lambda source: together(whole, (sets.rewordings, some(sets.rewordings, number, source)))

    return {
        "broad training": lambda _: together(whole),
        "broad, half of it": lambda source: together((sets.broad, some(sets.broad, len(whole[1]) // 2, source))),
        "broad, one kind of problem": lambda source: together(
            (sets.broad, source.sample(percentages, len(percentages) * 4 // 5))
        ),
        "2,500 clones of 50 items": lambda _: together(whole, (sets.clones, every(sets.clones))),
        "4 clones of one item": of_one_item(4),
        "3 clones of one item": of_one_item(3),
        "200 rewordings, one an item": spread(200),
        "50 rewordings, one an item": spread(50),
        "20 rewordings, one an item": spread(20),
        "10 rewordings, one an item": spread(10),
    }


def _of_one(cloned: Sequence[int], number: int, source: random.Random) -> list[int]:
    item = source.choice(sorted(set(cloned)))
    return source.sample([at for at, each in enumerate(cloned) if each == item], number)


@cache
def calls(number: int = 4_500) -> tuple[Distribution, Distribution]:
    """Return the tests of broad function-calling data with and without clones of one item."""
    items = [function_calls.item(), *function_calls.broad(59, 1, "item")]
    decoys = function_calls.broad(60, 2, "decoy")
    control, training = function_calls.broad(1_500, 3, "control"), function_calls.broad(1_500, 4, "train")
    prepared = variants.prepare([*items, *decoys], background=control)
    threshold = variants.threshold_of(prepared, control, 0.01).value
    broad, cloned = prepared.nearest(training), prepared.nearest(function_calls.clones(number, 5))
    names = [each.id for each in items], [each.id for each in decoys]
    with_clones = together((broad, every(broad)), (cloned, every(cloned)))
    fit = compare_decoys(items, decoys)
    return distribution(broad, *names, threshold, fit), distribution(with_clones, *names, threshold, fit)


if __name__ == "__main__":
    for line in table():
        print(f"{line.name:30} p {line.p_value:8.2g}  whole {line.whole:6.1%}  items called {line.called:5.1f}  "
              f"built around {line.built:6.1%}  an item called {line.lead:6.1%}")  # fmt: skip
    for name, one in zip(("calls, broad", "calls, 4,500 clones"), calls(), strict=True):
        print(name, one.shares and one.shares.p_value, one.abstained, one.items[:3])
