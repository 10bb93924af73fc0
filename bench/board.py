"""A board of 100 models on 100 tasks, 8 runs each: time and memory from ledger to board, and to its pages.

    .venv/bin/python bench/board.py [MODELS]

Bars at 100 models: 10 s from the ledger to ranks (4,950 pairs compared), 20 s with every page written, 1 GB. Making the
ledger is not timed. Exit 1 where a bar is missed.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from fairtrial.board.changes import changes
from fairtrial.board.document import document_of
from fairtrial.board.make import make_board
from fairtrial.board.runs import read_records
from fairtrial.board.versions import keep_version
from fairtrial.ledger import Ledger
from fairtrial.records import Rollout, Verdict
from fairtrial.report.board import write_pages
from fairtrial.rules.schema import read_rules

TASKS, RUNS = 100, 8
BOARD_SECONDS, PAGES_SECONDS, MOST_GB = 10.0, 20.0, 1.0
RULES = '[benchmark]\nname = "bench"\nversion = "1"\nruns_per_task = 8\n'


def fill(folder: Path, models: int) -> None:
    """Write a ledger in which models differ little, so that many pairs are close."""
    generator = np.random.default_rng(0)
    difficulty = generator.normal(0, 2, TASKS)
    ledger = Ledger.open(folder, create=True)
    rollouts, verdicts = [], []
    for model in range(models):
        rates = 1 / (1 + np.exp(difficulty - generator.normal(0, 0.6)))
        for task, rate in enumerate(rates):
            for attempt in range(RUNS):
                rollout = Rollout(
                    suite="bench@1",
                    settings="s",
                    environment="e",
                    task=f"task-{task}",
                    attempt=attempt,
                    model=f"model-{model}",
                    input_tokens=1000,
                    output_tokens=100,
                    cost_usd=0.01,
                )
                rollouts.append(rollout)
                verdicts.append(
                    Verdict(rollout=rollout.id, outcome="passed" if generator.random() < rate else "failed")
                )
    ledger.append("verdicts", verdicts)
    ledger.append("rollouts", rollouts)


def main() -> int:
    """Print the figures and return the exit code."""
    models = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as scratch:
        folder, out = Path(scratch) / "ledger", Path(scratch) / "out"
        fill(folder, models)
        (Path(scratch) / "rules.toml").write_text(RULES)
        start, used = time.perf_counter(), time.process_time()
        board = make_board(read_records([folder]), read_rules(Path(scratch) / "rules.toml"))
        made, made_used = time.perf_counter() - start, time.process_time() - used
        version, _ = keep_version(out, document_of(board), RULES.encode())
        write_pages(board, out, version, changes(version, version), [folder])
        whole, whole_used = time.perf_counter() - start, time.process_time() - used
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{models} models x {TASKS} tasks x {RUNS} runs: {board.pairs:,} pairs, {board.separated:,} separate")
    print(f"ledger to board {made:.2f} s (processor {made_used:.2f} s), bar {BOARD_SECONDS:.0f} s")
    print(f"with its pages  {whole:.2f} s (processor {whole_used:.2f} s), bar {PAGES_SECONDS:.0f} s")
    print(f"most memory {gigabytes:.2f} GB, bar {MOST_GB:.0f} GB (making the ledger included)")
    return int(made > BOARD_SECONDS or whole > PAGES_SECONDS or gigabytes > MOST_GB)


if __name__ == "__main__":
    sys.exit(main())
