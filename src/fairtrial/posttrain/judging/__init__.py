"""Check how a model was made: gather what it may have been trained on, write the submission, run the rules' checks."""

from fairtrial.posttrain.judging.judge import judge, nothing_handed_in
from fairtrial.posttrain.judging.needs import check_needs, rules_of

__all__ = ["check_needs", "judge", "nothing_handed_in", "rules_of"]
