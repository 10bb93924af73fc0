"""The page of a training run that is watched: alarms first, then each seed step by step; frozen or alive."""

from fairtrial.report.watch.html import html
from fairtrial.report.watch.page import page_of
from fairtrial.report.watch.write import write

__all__ = ["html", "page_of", "write"]
