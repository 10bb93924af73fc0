"""`swebench`: reports of SWE-bench's harness, summaries of its runs, and results of submissions to its leaderboard."""

from fairtrial.formats.swebench.finding import looks_like
from fairtrial.formats.swebench.reading import read

__all__ = ["looks_like", "read"]
