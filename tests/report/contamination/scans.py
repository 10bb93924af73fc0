"""Scans for the page's tests: one with everything in it, one that is hostile, one that measured nothing."""

from __future__ import annotations

import numpy as np

from fairtrial.contamination.clusters import clusters_of
from fairtrial.contamination.distribution import distribution
from fairtrial.contamination.document import FlaggedPair, Passage, Scan, SetThreshold, Source
from fairtrial.contamination.result import Flag, Nearness
from fairtrial.contamination.rows import Row, Unreadable

CITIES = ("Lima", "Oslo", "Quito", "Turin", "New York City")
ITEM = "Ada keeps 16 hens in Lima and sells a dozen eggs every day. How many dollars does she earn in a week?"


def source(name: str) -> Source:
    return Source(path=f"data/{name}", hash="sha256:" + "4f" * 32, bytes=120_400)


def clone(number: int, wild: str = "") -> str:
    city = CITIES[number % len(CITIES)]
    return f"Bo keeps {number + 3} hens in {city} and sells {number % 7 + 2} eggs every day. What does he earn?{wild}"


def pair(number: int, item: str, wild: str = "", detector: str = "meaning") -> FlaggedPair:
    text = clone(number, wild)
    flag = Flag(train_id=f"row-{number}{wild}", train_row=number, item_id=item, score=0.97 - number / 300,
                detector=detector)  # fmt: skip
    return FlaggedPair(
        flag=flag, path=f"data/train.jsonl{wild}", line=number + 1,
        train=Passage(place="messages[1].content", start=12, end=12 + len(text), before="User: ", text=text,
                      after=" Think first."),
        item=Passage(place="question", start=0, end=len(ITEM), before="", text=ITEM + wild, after=""),
    )  # fmt: skip


def near() -> Nearness:
    """Forty clones of item 0 among 400 rows near anything at all, 60 items and 60 decoys."""
    source = np.random.default_rng(3)
    items = np.concatenate([np.zeros(40, dtype=np.int32), source.integers(0, 120, 400).astype(np.int32)])
    scores = np.concatenate([source.uniform(0.8, 0.97, 40), source.beta(2, 8, 400)])
    return Nearness(item=items, score=scores.astype(np.float32))


def full(wild: str = "") -> Scan:
    """A training set with forty clones of one item and three rewordings of others."""
    names = [f"item-{number}{wild}" for number in range(60)]
    found = distribution(near(), names, [f"decoy-{number}" for number in range(60)], 0.5)
    pairs = [pair(number, names[0], wild, "verbatim" if number == 0 else "meaning") for number in range(40)]
    pairs += [pair(number, names[number - 39], wild, "figures") for number in range(40, 43)]
    rows = {one.flag.train_row: Row(one.flag.train_id, (("text", clone(one.flag.train_row, wild)),), "t", 1)
            for one in pairs}  # fmt: skip
    return Scan(
        train=(source(f"train.jsonl{wild}"),), against=(source("eval.jsonl"),), control=(source("control.jsonl"),),
        decoys=(source("decoys.jsonl"),), train_rows=440, unreadable_rows=2,
        unreadable=(Unreadable(f"data/train.jsonl{wild}", 17, "not JSON: unexpected end" + wild),
                    Unreadable("data/train.jsonl", 90, "holds no text")),
        n_items=60, n_compared=59, n_control=3_729, n_decoys=60, fpr=0.01,
        thresholds=(SetThreshold(detector="reworded", value=0.62, how="set on 3,729 control rows", n_control=3_729,
                                 low=0.598, high=0.641),
                    SetThreshold(detector="verbatim", value=0.5, how="fixed: half of an item's 5-grams")),
        flagged=tuple(pairs), items=found.items, distribution=found.shares,
        clusters=clusters_of(rows, {one.flag.train_row: one.flag.item_id for one in pairs}),
        abstained=("vectors: the extra `vectors` is not installed, so meaning was not compared" + wild,),
        notes=("2 items share one text",), seed=7, versions={"fairtrial": "0.1.0", "numpy": "2.0.0"},
    )  # fmt: skip


def empty() -> Scan:
    """Nothing to compare, without control or decoys."""
    return Scan(
        train=(source("train.jsonl"),), against=(source("eval.jsonl"),), control=(), decoys=(), train_rows=0,
        unreadable_rows=1, unreadable=(Unreadable("data/train.jsonl", 1, "holds no text"),), n_items=60, n_compared=60,
        n_control=0, n_decoys=0, fpr=0.01, thresholds=(), flagged=(), items=(), distribution=None,
        abstained=("distribution: no decoys were given", "reworded items: no row could be read"),
    )  # fmt: skip
