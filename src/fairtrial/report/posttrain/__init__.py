"""The page of a post-training benchmark: which run counts for what, what each check found, and how to appeal."""

from fairtrial.report.posttrain.write import html, write

__all__ = ["html", "write"]
