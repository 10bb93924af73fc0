"""What a model gained, on one shared board: paired by task and by training seed, with what stands against it."""

from fairtrial.train.lift.lifting import lift, pairs
from fairtrial.train.lift.options import Options
from fairtrial.train.lift.result import Curves, FamilyGain, Lift, Lifted, Reading, SeedGain

__all__ = ["Curves", "FamilyGain", "Lift", "Lifted", "Options", "Reading", "SeedGain", "lift", "pairs"]
