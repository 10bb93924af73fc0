"""Review: the queue, one rollout and its decision, disagreements, agreement. Blind until the sample is closed."""

from fairtrial.serve.review.routes import ROUTES

__all__ = ["ROUTES"]
