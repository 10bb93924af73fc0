"""Drive a deployed app through workflows written beforehand, a model reading off pages what is asked for in words."""

from fairtrial.checks.judged.driver.check import judged_workflow
from fairtrial.checks.judged.driver.reading import reader

__all__ = ["judged_workflow", "reader"]
