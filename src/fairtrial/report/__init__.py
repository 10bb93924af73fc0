"""Records and estimates in, one report out: as data, then as HTML, Markdown, JSON and terminal text."""

from fairtrial.report.build import build
from fairtrial.report.data import SCHEMA, Report
from fairtrial.report.subject import Context, Source
from fairtrial.report.write import json_bytes, write

__all__ = ["SCHEMA", "Context", "Report", "Source", "build", "json_bytes", "write"]
