"""A million rollouts of 20,000 tasks from Parquet: time and memory of `fairtrial import`, and of asking for outcomes.

    .venv/bin/python bench/import_.py [ROLLOUTS]

Bars at a million: 10 s and 1.2 GB, start-up of the command included. The floor is pyarrow reading the file and writing
its columns again, in a process of its own: what no importer can do without. Then, over the ledger made, the seconds to
connect (which counts ids), to count outcomes and to group them as `measure` does. Exit 1 where a bar is missed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TASKS, MODELS = 20_000, 2
MOST_SECONDS, MOST_MB = 10.0, 1_200

FLOOR = """
import sys, pyarrow.parquet as pq
file = pq.ParquetFile(sys.argv[1])
with pq.ParquetWriter(sys.argv[2], file.schema_arrow, compression="zstd", compression_level=1) as writer:
    for batch in file.iter_batches(batch_size=131072):
        writer.write_batch(batch)
"""
ASK = """
import sys, time
from fairtrial.ledger import Ledger, connect
started = time.perf_counter()
connection = connect(Ledger.open(sys.argv[1]))
connected = time.perf_counter()
connection.execute("select count(*) from outcomes").fetchall()
counted = time.perf_counter()
query = "select model, task, outcome, count(*) from outcomes where origin = 'policy' group by all"
connection.execute(query).fetchnumpy()
print(connected - started, counted - connected, time.perf_counter() - counted)
"""


def write_rollouts(path: Path, rollouts: int) -> None:
    """Write random attempts, in random order, as a file that somebody else might hand in."""
    generator = np.random.default_rng(0)
    number = generator.permutation(rollouts)
    task, model, attempt = number % TASKS, number // TASKS % MODELS, number // (TASKS * MODELS)
    passed = generator.random(rollouts) < generator.beta(0.4, 0.6, TASKS)[task]
    columns = {
        "task": pa.array([f"task-{n:05d}" for n in range(TASKS)]).take(pa.array(task)),
        "model": pa.array(["strong", "weak"]).take(pa.array(model)),
        "attempt": pa.array(attempt),
        "passed": pa.array(passed, mask=generator.random(rollouts) < 0.01),
        "stop": pa.array(["finished", "turn_limit"]).take(
            pa.array((generator.random(rollouts) < 0.1).astype(np.int64))
        ),
        "input_tokens": pa.array(generator.integers(100, 100_000, rollouts)),
        "output_tokens": pa.array(generator.integers(10, 20_000, rollouts)),
        "cost_usd": pa.array(generator.random(rollouts)),
    }
    pq.write_table(pa.table(columns), path)


def measured(*command: str) -> tuple[float, float, str]:
    """Run a command; return its seconds, its peak memory in MB, and what it printed."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    return time.perf_counter() - started, usage.ru_maxrss / 1024, said


def main() -> int:
    """Print the figures; return 1 where a bar is missed."""
    rollouts = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        file, ledger = Path(folder) / "rollouts.parquet", Path(folder) / "ledger"
        write_rollouts(file, rollouts)
        floor, _, _ = measured(sys.executable, "-c", FLOOR, str(file), f"{folder}/floor.parquet")
        call = "from fairtrial.cli.main import main; main()"
        seconds, peak, _ = measured(
            sys.executable, "-c", call, "import", str(file), "--format", "table", "--to", str(ledger)
        )
        _, asked_peak, said = measured(sys.executable, "-c", ASK, str(ledger))
    connect, count, group = map(float, said.split())
    print(f"import     {rollouts:,} rollouts: {seconds:.2f} s, {peak:,.0f} MB peak, {rollouts / seconds:,.0f} rows/s")
    print(f"floor      pyarrow read and write: {floor:.2f} s; import is {seconds / floor:.1f} times that")
    print(f"outcomes   connect {connect:.2f} s, count {count:.2f} s, grouped {group:.2f} s; {asked_peak:,.0f} MB peak")
    bars = rollouts <= 1_000_000 and (seconds > MOST_SECONDS or peak > MOST_MB)
    return int(bars)


if __name__ == "__main__":
    sys.exit(main())
