"""The combinations of likenesses: weights fitted once, on a development half, and shipped with where they come from.

Two are used together. `plain` leaves figures out, so that a rewording with other figures is as near as one with the
same; `figures` counts them, and finds more of the rewordings that kept theirs. Each is put on the scale of what the
background comes to under it, and the greater of the two counts. `combination.json` holds the weights, the figures they
came to, and what they were fitted on. Not covered: fitting, which tests/quality/variants_fit.py does.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

from fairtrial.contamination.variants.index import FEATURES

PARTS = {
    "containment": ("words_item", "words_row", "pairs_row"),
    "characters": ("letters_item",),
    "meaning": ("vectors", "whitened"),
    "figures": ("figures",),
}
"""Which likenesses speak as which part."""


@dataclass(frozen=True, slots=True)
class Combination:
    """Weigh likenesses: their sum is higher the more a row looks made from an item."""

    name: str
    weights: dict[str, float]
    """By feature; those left out weigh nothing."""
    median: float
    """Of the best sum of each clean row of the development half; stands in where there is no background."""
    tenth: float
    """The sum that one clean row in ten reaches."""


def combinations(vectors: bool) -> tuple[Combination, ...]:
    """Return the shipped combinations, with word vectors or without."""
    document = json.loads(files(__package__).joinpath("combination.json").read_text(encoding="utf-8"))
    chosen = document["with_vectors" if vectors else "without_vectors"]
    made = tuple(Combination(name, each["weights"], *each["null"]) for name, each in sorted(chosen.items()))
    unknown = {feature for each in made for feature in each.weights} - set(FEATURES)
    if unknown:
        raise ValueError(f"combination.json weighs {', '.join(sorted(unknown))}, which nothing measures")
    return made
