"""The log of a training run, line by line."""

from fairtrial.train.log.lines import GROUPS, STEPS, GroupLine, StepLine
from fairtrial.train.log.reading import read_groups, read_steps
from fairtrial.train.log.writing import LogWriter

__all__ = ["GROUPS", "STEPS", "GroupLine", "LogWriter", "StepLine", "read_groups", "read_steps"]
