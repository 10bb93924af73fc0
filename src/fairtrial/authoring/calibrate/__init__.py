"""A task family tuned to a model's training band: sequential tests that may be looked at, a search, both sides."""

from fairtrial.authoring.calibrate.attempting import AgentTaker, ModelTaker, Taker
from fairtrial.authoring.calibrate.calibrating import Bench
from fairtrial.authoring.calibrate.family import CallableFamily, Family
from fairtrial.authoring.calibrate.held import held_attempts
from fairtrial.authoring.calibrate.made import suite_of
from fairtrial.authoring.calibrate.naming import named_family
from fairtrial.authoring.calibrate.options import BAND_HIGH, BAND_LOW, Options
from fairtrial.authoring.calibrate.program import program_family
from fairtrial.authoring.calibrate.result import SCHEMA, Calibration
from fairtrial.authoring.calibrate.tuning import calibrate
from fairtrial.authoring.calibrate.writing import write_all

__all__ = [
    "BAND_HIGH", "BAND_LOW", "SCHEMA", "AgentTaker", "Bench", "Calibration", "CallableFamily", "Family", "ModelTaker",
    "Options", "Taker", "calibrate", "held_attempts", "named_family", "program_family", "suite_of", "write_all",
]  # fmt: skip
