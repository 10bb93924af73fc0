"""Are these two answers the same? By kind: number, money, date, math, table, text and others; never raises."""

from fairtrial.compare.equivalence import Equivalence, equivalent

__all__ = ["Equivalence", "equivalent"]
