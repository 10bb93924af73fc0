"""Which names of the work stand for those that the tests use: read from definitions and calls, never from outcomes."""

from fairtrial.checks.code.adapting.matching import Mapped, Match
from fairtrial.checks.code.adapting.naming import Naming
from fairtrial.checks.code.adapting.proposal import Propose

__all__ = ["Mapped", "Match", "Naming", "Propose"]
