"""The log of a training run, line by line."""

from fairtrial.train.log.counting import Counts, counts_of
from fairtrial.train.log.lines import GROUPS, STEPS, GroupLine, StepLine
from fairtrial.train.log.reading import read_groups, read_steps
from fairtrial.train.log.writing import LogWriter

__all__ = ["GROUPS", "STEPS", "Counts", "GroupLine", "LogWriter", "StepLine", "counts_of", "read_groups", "read_steps"]
