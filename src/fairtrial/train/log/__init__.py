"""The log of a training run, line by line."""

from fairtrial.train.log.lines import GROUPS, STEPS, GroupLine, StepLine

__all__ = ["GROUPS", "STEPS", "GroupLine", "StepLine"]
