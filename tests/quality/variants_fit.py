"""Fit the combinations of the variants' likenesses, and write them with where they come from.

    python tests/quality/variants_fit.py ITEMS VARIANTS CONTROL --out combination.json

ITEMS and CONTROL are rows as `contamination scan` reads them; VARIANTS are rows with `source_item` and `kind`. Positive
pairs are variants of every other item of those that have any, with their item; negative pairs are rows of the even half
of the control with the passages nearest to them. Weights are held to the side that a likeness speaks for, by logistic
regression with a ridge, so that none makes up for another. The other half of the items, and of the control, is left for
the figures that are reported.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from fairtrial.contamination.rows import Row, read_rows
from fairtrial.contamination.variants.combination import Combination
from fairtrial.contamination.variants.index import FEATURES, Index, batches, build
from fairtrial.contamination.variants.scoring import scales
from fairtrial.contamination.variants.units import Unit, passages_of, scales_of, windows_of
from fairtrial.contamination.variants.vectors import find_vectors
from fairtrial.contamination.variants.words import Words

AGAINST = frozenset(("rivals",))
"""Likenesses that speak against a pair."""
WORDS = ("words_item", "words_row", "pairs_row", "letters_item", "rivals")
MEANING = ("vectors", "whitened")
ROUGH = ("words_item", "words_row", "letters_item", "vectors")
"""Likenesses whose sum picks the negative pairs."""
RIDGE = 1.0


@dataclass(frozen=True)
class Pairs:
    """Likenesses of pairs (pairs, features)."""

    true: np.ndarray
    kinds: np.ndarray
    false: np.ndarray


def rows_of(path: Path) -> list[Row]:
    """Return the readable rows of a file."""
    return [row for row in read_rows([path]) if isinstance(row, Row)]


def nearest(index: Index, units: Sequence[Unit]) -> np.ndarray:
    """Return likenesses of each unit with the five passages of the first field nearest to it (pairs, features)."""
    rough = np.array([[name in ROUGH for name in FEATURES]], dtype=np.float32)
    own = np.ones(len(units), np.int8)
    chosen, found = next(iter(index.look(units, own, rough)))
    return found[chosen >= 0]


def pairs_of(items: Path, variants: Path, control: Path, vectors: bool) -> tuple[Pairs, Index, list[Unit]]:
    """Return the pairs to fit on, the index, and the background's texts."""
    words = Words()
    rows = rows_of(items)
    passages = [unit for number, row in enumerate(rows) for unit in passages_of(row, number, words)]
    lengths = scales_of([len(unit.words) for unit in passages])
    background = [
        unit for number, row in enumerate(rows_of(control)[::2]) for unit in windows_of(row, number, words, lengths)
    ]
    index = build(passages, background, find_vectors(vectors))
    _, first, last = index.fields[0]
    passage = {rows[index.items[at]].id: at for at in range(first, last)}
    order = {row.id: number for number, row in enumerate(rows)}
    told = [json.loads(line) for line in variants.read_text(encoding="utf-8").splitlines()]
    have = sorted({order[each["source_item"]] for each in told})
    fitted = set(have[::2])
    mine, units = [], []
    for each in told:
        texts = list(windows_of(Row(each["id"], (("text", each["text"]),), "", 0), 0, words, (10**6,) * 3))
        if order[each["source_item"]] in fitted and texts:  # one rephrase is but "Answer: #### 15"
            mine.append(each)
            units.append(texts[0])
    true = index.pairs(units, np.array([passage[each["source_item"]] for each in mine]))
    false = np.concatenate([nearest(index, part) for part in batches(background)])
    return Pairs(true, np.array([each["kind"] for each in mine]), false), index, background


def fit(pairs: Pairs, named: Sequence[str], kinds: Sequence[str]) -> dict[str, float]:
    """Return the weight of each named likeness."""
    columns = [FEATURES.index(name) for name in named]
    true, false = pairs.true[np.isin(pairs.kinds, kinds)][:, columns], pairs.false[:, columns]
    spread = false.std(0) + 1e-6
    points = np.concatenate([true, false]) / spread
    sign = np.repeat([-1.0, 1.0], [len(true), len(false)])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        sums = points @ weights[:-1] + weights[-1]
        wrong = 1 / (1 + np.exp(-sign * sums))
        value = np.logaddexp(0, sign * sums).sum() + RIDGE / 2 * (weights[:-1] ** 2).sum()
        return value, np.r_[points.T @ (sign * wrong) + RIDGE * weights[:-1], (sign * wrong).sum()]

    bounds = [(None, 0) if name in AGAINST else (0, None) for name in named] + [(None, None)]
    found = minimize(loss, np.zeros(len(named) + 1), jac=True, method="L-BFGS-B", bounds=bounds).x
    return {name: round(float(weight), 3) for name, weight in zip(named, found[:-1] / spread, strict=True)}


def fitted(items: Path, variants: Path, control: Path, vectors: bool) -> dict[str, object]:
    """Return both combinations, each with the scale of clean rows."""
    pairs, index, background = pairs_of(items, variants, control, vectors)
    base = WORDS + MEANING if vectors else WORDS
    everything = sorted(set(pairs.kinds))
    kept = [kind for kind in everything if "swap" not in kind]
    made = {}
    for name, named, kinds in (("plain", base, everything), ("figures", (*base, "figures"), kept)):
        weights = fit(pairs, named, kinds)
        (scale,) = scales(index, background, [Combination(name, weights, 0, 1)])[0]
        made[name] = {"weights": weights, "null": [round(scale.median, 3), round(scale.tenth, 3)]}
    return made


def main() -> None:
    """Fit, and print or write."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("items", "variants", "control"):
        asked.add_argument(name, type=Path)
    asked.add_argument("--out", type=Path)
    given = asked.parse_args()
    paths = (given.items, given.variants, given.control)
    document = {
        "schema": "fairtrial.combination/1",
        "with_vectors": fitted(*paths, vectors=True),
        "without_vectors": fitted(*paths, vectors=False),
    }
    if given.out and given.out.exists():
        kept = json.loads(given.out.read_text(encoding="utf-8"))
        document["provenance"] = kept.get("provenance", {})
    text = json.dumps(document, indent=1) + "\n"
    if given.out:
        given.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
