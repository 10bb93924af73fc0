"""What `calibrate` can be asked for, documented field by field."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.measure import Options as MeasureOptions
from fairtrial.records import InputError

BAND_LOW, BAND_HIGH = MeasureOptions().band_low, MeasureOptions().band_high


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """All that shapes a calibration besides the family and who attempts it."""

    difficulties: tuple[str, ...]
    """Easiest first, as the family is given them."""
    band: tuple[float, float] = (BAND_LOW, BAND_HIGH)
    """Pass rates to train in, both ends inside; as `measure` and `export` have them."""
    error: float = 0.05
    """Chance at most that any difficulty outside the band is said to be in it, over all of them together."""
    pilot: int = 16
    """Attempts after which a difficulty that all or none of them passed is left for its neighbour at first."""
    most_each: int = 400
    """Graded attempts at one difficulty after which it stays undecided."""
    most_attempts: int = 2_000
    """Attempts in all, those that a ledger held already included."""
    most_ungraded: float = 0.2
    """Share of a difficulty's attempts that may be ungraded (of twenty at least) before the search is given up."""
    edges: bool = False
    """Look for the easiest and hardest difficulty in the band, not for one alone."""
    groups: int = 8
    """Tasks of the difficulty found that are attempted several times, to see whether each is passed sometimes."""
    group_size: int = 8
    """Attempts of each of those."""
    tasks: int = 40
    """Tasks to write of the difficulties found; 0: none."""
    held_out: float = 0.3
    """Share of them on the held-out side."""
    seed: int = 0

    def __post_init__(self) -> None:
        low, high = self.band
        if not 0 <= low < high <= 1 or (low, high) == (0, 1):
            raise InputError(f"{low:g},{high:g} is no band within 0 and 1", field="--band", hint="As --band 0.02,0.70.")
        if len(set(self.difficulties)) < len(self.difficulties) or not self.difficulties:
            raise InputError("names no difficulty, or one twice", field="--difficulties",
                             hint="Easiest first, as --difficulties 1,2,4,8 or 1..12.")  # fmt: skip
        if not 0 < self.held_out < 1:
            raise InputError(f"{self.held_out:g} is not above 0 and below 1", field="--held-out")

    @property
    def error_each(self) -> float:
        """Return the error that a claim about one difficulty may make."""
        return self.error / len(self.difficulties)
