"""How often to repeat: a grader that reads a clock or draws at random is repeated more.

Reading the source proves nothing and accuses nobody; it only decides where more evidence is bought. A grader that
passes wrong work one time in three looks steady in three repeats with probability 0.30, in twenty with 0.0003.
"""

from __future__ import annotations

import re
from pathlib import Path

UNSTEADY_REPEATS = 20
MOST_SOURCE_BYTES = 1_000_000

_UNSTEADY = re.compile(
    rb"\brandom\.\w|\b(?:shuffle|choice|sample|randint|randrange|getrandbits|urandom|uuid4|token_hex)\s*\("
    rb"|\b(?:perf_counter|monotonic|process_time|time_ns|timeit|getrusage)\w*\s*\(|\btime\.time\s*\(\s*\)\s*-\s*\w+\s*[<>]"
    rb"|\btimeout\s*=\s*[0-4](?:\.\d+)?\b|\btimeout\s+(?:-\S+\s+)*[0-4](?:\.\d+)?s?\s|\bdate\s+[\"']?\+%s"
    rb"|\bgetloadavg\b|/proc/(?:loadavg|stat)\b|\b(?:elapsed|took|spent|duration|seconds)\w*\s*[<>]"
    rb"|\b(?:now|today|utcnow)\s*\(\s*\)|\$\{?RANDOM\b|\bshuf\b|\$\{?(?:EPOCHREALTIME|SECONDS)\b|\btime\s+-[pf]\b"
)
"""A clock read for the time stamps and durations of a report is no sign; one that is compared is."""


def is_unsteady(tests: Path) -> bool:
    """Say whether any file of a grader reads a clock or draws at random."""
    for path in sorted(tests.rglob("*")):
        is_source = path.is_file() and not path.is_symlink() and path.stat().st_size <= MOST_SOURCE_BYTES
        if is_source and draws_or_times(path.read_bytes()):
            return True
    return False


def draws_or_times(source: bytes) -> bool:
    """Say whether source text reads a clock or draws at random.

    >>> draws_or_times(b"random.sample(cases, 2)"), draws_or_times(b"answer == 4")
    (True, False)
    """
    return _UNSTEADY.search(source) is not None
