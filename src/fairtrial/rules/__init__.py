"""One file with the rules of a benchmark, and all that is made from it."""

from fairtrial.rules.rulings import Standing, standing
from fairtrial.rules.schema import BenchmarkRules, Track, read_rules

__all__ = ["BenchmarkRules", "Standing", "Track", "read_rules", "standing"]
