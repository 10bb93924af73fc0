"""What share of reworded items is found, by kind, on rows that nothing was fitted to. Prints the tables of the docs.

    python tests/quality/variants_measured.py

GSM8K's rewordings (../shared/data/contamination) count only the half of the items that the weights were not fitted on.
The pairs in `variants/` were written for this: code, choices, tasks of agents, prose, other languages; each item has a
rewording and a clean twin, another task of the same kind and theme. Nothing was fitted to them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairtrial.contamination.rows import Row, read_rows
from fairtrial.contamination.variants import Prepared, prepare, threshold_from
from fairtrial.contamination.variants.thresholds import DEFAULT

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[2] / "shared" / "data" / "contamination"


@dataclass(frozen=True)
class Figures:
    """What was found at one rate of false positives."""

    fpr: float
    found: dict[str, float]
    """By kind: share with the right item named, above the threshold."""
    false: int
    unseen: int


def rows_of(path: Path) -> list[Row]:
    """Return the readable rows of a file."""
    return [row for row in read_rows([path]) if isinstance(row, Row)]


def row_of(name: str, text: str) -> Row:
    """Return a row of one text."""
    return Row(name, (("text", text),), "", 0)


def gsm8k(vectors: bool | None = None, rates: Sequence[float] = (0.01, 0.001)) -> list[Figures]:
    """Return what is found of the held half, at thresholds set on half of the control."""
    items, control = rows_of(DATA / "eval.jsonl"), rows_of(DATA / "control.jsonl")
    told = [json.loads(line) for line in (DATA / "variants.jsonl").read_text(encoding="utf-8").splitlines()]
    order = {item.id: number for number, item in enumerate(items)}
    held = set(sorted({order[each["source_item"]] for each in told})[1::2])
    mine = [each for each in told if order[each["source_item"]] in held]
    prepared = prepare(items, control[::2], vectors)
    near = prepared.nearest(row_of(each["id"], each["text"]) for each in mine)
    seen, unseen = (prepared.nearest(part).score for part in (control[::2], control[1::2]))
    right = near.item == [order[each["source_item"]] for each in mine]
    kinds = np.array([each["kind"] for each in mine])
    made = []
    for fpr in rates:
        value = threshold_from(seen, fpr).value
        hits = right & (near.score > value)
        found = {str(kind): float(hits[kinds == kind].mean()) for kind in sorted(set(kinds))}
        made.append(Figures(fpr, found, int((unseen > value).sum()), len(unseen)))
    return made


def in_documents(counts: Sequence[int] = (0, 3, 10, 40), rewordings: int = 150) -> dict[int, tuple[float, float]]:
    """Return, for a rewording among so many clean questions in one text, the share found, and of clean ones flagged."""
    items, control = rows_of(DATA / "eval.jsonl"), rows_of(DATA / "control.jsonl")
    told = [json.loads(line) for line in (DATA / "variants.jsonl").read_text(encoding="utf-8").splitlines()]
    mine = [each for each in told if each["kind"] == "rephrase"][:rewordings]
    prepared = prepare(items, control[::2])
    value = threshold_from(prepared.nearest(control[::2]).score, 0.01).value
    made = {}
    for count in counts:
        draw = random.Random(count)
        mixed, clean = [], []
        for each in mine:
            others = [row.text for row in draw.sample(control[1::2], count)]
            clean.append(row_of("clean", " ".join(others) or "-"))
            others.insert(draw.randrange(count + 1), each["text"])
            mixed.append(row_of("mixed", " ".join(others)))
        near = prepared.nearest(mixed)
        right = [items[at].id == each["source_item"] for at, each in zip(near.item, mine, strict=True)]
        flagged = prepared.nearest(clean).score > value
        made[count] = float(np.mean(right & (near.score > value))), float(flagged.mean())
    return made


def kinds() -> dict[str, list[dict[str, str]]]:
    """Return our pairs, by kind."""
    return {
        path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted((HERE / "variants").glob("*.jsonl"))
    }


@dataclass(frozen=True)
class KindFigures:
    """What was found of one kind among all our pairs."""

    pairs: int
    named: float
    """Share of rewordings whose nearest item is the right one."""
    above_twins: float
    """Share that scores above nine in ten of the clean twins of its kind."""
    by_default: float
    """Share above the threshold that stands in without a control."""
    twins_by_default: float


def by_kind(vectors: bool | None = None) -> dict[str, KindFigures]:
    """Return what is found of each kind: items of all kinds together, the clean twins of all as the background."""
    pairs = [(kind, at, each) for kind, all_ in kinds().items() for at, each in enumerate(all_)]
    items = [row_of(f"{kind}-{at}", each["item"]) for kind, at, each in pairs]
    twins = [row_of(f"{kind}-{at}-clean", each["clean"]) for kind, at, each in pairs]
    prepared: Prepared = prepare(items, twins, vectors)
    near = prepared.nearest(row_of("variant", each["variant"]) for _, _, each in pairs)
    clean = prepared.nearest(twins).score
    named = np.array([kind for kind, _, _ in pairs])
    return {
        kind: KindFigures(
            int((named == kind).sum()), float((near.item == np.arange(len(items)))[named == kind].mean()),
            float((near.score[named == kind] > np.quantile(clean[named == kind], 0.9)).mean()),
            float((near.score[named == kind] > DEFAULT).mean()), float((clean[named == kind] > DEFAULT).mean()),
        )
        for kind in sorted(set(named.tolist()))
    }  # fmt: skip


def main() -> None:
    """Print the tables."""
    for vectors in (None, False):
        print("without vectors" if vectors is False else "with vectors")
        for kind, figures in by_kind(vectors).items():
            print(f"  {kind}: {figures}")
        if DATA.is_dir():
            for line in gsm8k(vectors):
                print(f"  GSM8K: {line}")
    if DATA.is_dir():
        print("in documents", in_documents())


if __name__ == "__main__":
    main()
