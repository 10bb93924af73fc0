"""Evaluate a model outside the agent's reach: a pristine evaluator, a fresh box without network, several seeds."""

from fairtrial.posttrain.evaluating.contract import evaluate
from fairtrial.posttrain.evaluating.decoys import evaluate_decoys, read_decoys
from fairtrial.posttrain.evaluating.outcome import Evaluated, Evaluation, read_evaluated
from fairtrial.posttrain.evaluating.recording import record
from fairtrial.posttrain.evaluating.terms import Terms, terms_of

__all__ = [
    "Evaluated", "Evaluation", "Terms", "evaluate", "evaluate_decoys", "read_decoys", "read_evaluated", "record",
    "terms_of",
]  # fmt: skip
