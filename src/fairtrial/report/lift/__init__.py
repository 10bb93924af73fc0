"""The page of a lift: what models gained from training, what it cost, what taught, what stands against it."""

from fairtrial.report.lift.data import LiftSubject
from fairtrial.report.lift.page import page_of
from fairtrial.report.lift.write import html, markdown, write

__all__ = ["LiftSubject", "html", "markdown", "page_of", "write"]
