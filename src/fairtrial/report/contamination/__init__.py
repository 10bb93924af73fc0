"""The page of one scan: what was compared, what was flagged and why, and what was not measured. HTML and Markdown."""

from fairtrial.report.contamination.html import html
from fairtrial.report.contamination.markdown import markdown
from fairtrial.report.contamination.page import ScanPage, page_of
from fairtrial.report.contamination.write import write

__all__ = ["ScanPage", "html", "markdown", "page_of", "write"]
