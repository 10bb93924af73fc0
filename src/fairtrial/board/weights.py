"""The weight of each track in the score: stated by the rules, or inverse to how far instruct siblings are above bases.

w_b is proportional to 1 / (mean instruct - mean base), normalised to 1: what is hard to gain on weighs more. A track on
which the siblings are not above the bases has no such weight, and the board says so instead of inventing one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fairtrial.board.accepted import Fields
from fairtrial.records import FairtrialError, InputError
from fairtrial.rules.schema import BenchmarkRules


def weights_of(fields: Fields, rules: BenchmarkRules) -> tuple[dict[str, float], str]:
    """Return the weight of each track, summing to 1, and where the weights are from.

    Raise InputError where nothing says how tracks are weighed, FairtrialError (exit 3) where it cannot be measured.
    """
    tracks = rules.tracks
    if len(tracks) == 1:
        return {tracks[0].name: 1.0}, "one track"
    stated = [track.weight for track in tracks]
    if all(weight is not None for weight in stated):
        total = sum(weight or 0.0 for weight in stated)
        return {track.name: (track.weight or 0.0) / total for track in tracks}, "stated by the rules"
    pairs = [(base.model, base.instruct) for base in rules.toml.base if base.instruct]
    if not pairs:
        raise InputError(
            f"nothing says how its {len(tracks)} tracks are weighed", path=rules.path, field="track.weight",
            hint="Give every [[track]] a weight, or every [[base]] its instruct sibling.",
        )  # fmt: skip
    inverse = {}
    for track in tracks:
        low = float(np.mean([_mean(fields, track.name, base) for base, _ in pairs]))
        high = float(np.mean([_mean(fields, track.name, instruct) for _, instruct in pairs]))
        if high <= low:
            raise FairtrialError(
                f"track `{track.name}` has no weight: its instruct siblings reach {high:.3f} and its base models "
                f"{low:.3f}, and the weight is 1 / (instruct - base)", path=rules.path,
                hint="Give every [[track]] a weight of its own.",
            )  # fmt: skip
        inverse[track.name] = 1 / (high - low)
    return normalised(inverse), "1 / (mean instruct − mean base), normalised"


def normalised(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights, scaled to sum to 1.

    >>> normalised({"a": 1.0, "b": 3.0})
    {'a': 0.25, 'b': 0.75}
    """
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def _mean(fields: Fields, track: str, model: str) -> float:
    """Return the mean over tasks that `model` reaches on `track`. Raise FairtrialError where it was not measured."""
    entry = fields.by_track[track].of_model(model)
    rates = None if entry is None or entry.accepted.waits_for else entry.tally.rates()
    if rates is None or not rates.size or bool(np.isnan(rates).any()):
        raise FairtrialError(f"tracks cannot be weighed: `{model}` has no whole accepted run on track `{track}`",
                             hint="Run the base models and their instruct siblings, or state the weights.")  # fmt: skip
    return float(rates.mean())
