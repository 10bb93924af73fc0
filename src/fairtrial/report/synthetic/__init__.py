"""The page of a generated suite: a verdict of five questions, a section each. `write` is apart: it loads the charts."""

from fairtrial.report.synthetic.page import page_of

__all__ = ["page_of"]
