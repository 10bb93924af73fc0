"""Labels of a judge, corrected by those of people who read a random part of the same rollouts."""

from fairtrial.measure.correction.prediction_powered import prediction_powered
from fairtrial.measure.correction.rogan_gladen import rogan_gladen
from fairtrial.measure.correction.two_phase import Corrected, Population, TwoPhase

__all__ = ["Corrected", "Population", "TwoPhase", "prediction_powered", "rogan_gladen"]
