"""One file with the rules of a benchmark, and all that is made from it."""

from fairtrial.rules.schema import BenchmarkRules, Track, read_rules

__all__ = ["BenchmarkRules", "Track", "read_rules"]
