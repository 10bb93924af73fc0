"""decon on a folder of rows and a folder of items: `python run_decon.py TRAIN_FOLDER ITEMS_FOLDER THRESHOLD`.

Runs under its own interpreter, with its own defaults but for the threshold, on one thread unless RAYON_NUM_THREADS says
more. Prints JSON: seconds of processor and clock, the most memory, and the (row, item) lines that it reports.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import decon  # type: ignore[import-not-found]


def main(train: str, items: str, threshold: str) -> None:
    """Scan, and print what it cost and found."""
    with tempfile.TemporaryDirectory() as out:
        began = time.perf_counter()
        config = decon.Config(training_dir=train, evals_dir=items, report_output_dir=out,
                              contamination_score_threshold=float(threshold))  # fmt: skip
        folder = Path(decon.detect(config))
        clock = time.perf_counter() - began
        used = resource.getrusage(resource.RUSAGE_SELF)
        found = [json.loads(line) for path in folder.rglob("*.jsonl") for line in path.read_text().splitlines()]
    print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "clock": clock, "kib": used.ru_maxrss, "found": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
