"""Are these two answers the same? By kind: number, money, date, math, table, text and others; never raises."""

from fairtrial.compare.equivalence import KINDS, equivalent
from fairtrial.compare.stated import Stated
from fairtrial.compare.verdict import Equivalence

__all__ = ["KINDS", "Equivalence", "Stated", "equivalent"]
