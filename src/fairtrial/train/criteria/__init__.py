"""Criteria that a model writes from contrasting rollouts, kept only if they separate others and survive the probes."""
