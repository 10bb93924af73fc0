"""Read a rewardkit folder (harbor-rewardkit 0.2): its criteria become declared checks, its weights grading rules.

Python files are parsed and never run. What has no counterpart is named, never dropped silently.
"""

from fairtrial.checks.rewardkit.translation import Translation, read_rewardkit

__all__ = ["Translation", "read_rewardkit"]
