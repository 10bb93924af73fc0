"""Samples for review: strata, exact probabilities, growth that wastes no review, and what n buys."""

from fairtrial.audit.sampling.buys import Bought, bought, correlation, counts_for, sizes
from fairtrial.audit.sampling.document import document_of
from fairtrial.audit.sampling.draw import Design, Drawn, design_of, draw, grow
from fairtrial.audit.sampling.frame import BY, Frame, Unit, frame_of, kept_properties, ordered_frame
from fairtrial.audit.sampling.reading import Population, Read, frame_of_sample, read_units, sample_named

__all__ = [
    "BY",
    "Bought",
    "Design",
    "Drawn",
    "Frame",
    "Population",
    "Read",
    "Unit",
    "bought",
    "correlation",
    "counts_for",
    "design_of",
    "document_of",
    "draw",
    "frame_of",
    "frame_of_sample",
    "grow",
    "kept_properties",
    "ordered_frame",
    "read_units",
    "sample_named",
    "sizes",
]
