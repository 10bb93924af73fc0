"""MB of Inspect's logs that are read a second of processor, memory on a log of 1 GB, and Inspect's own reader beside.

    python bench/eval_logs.py [--megabytes 100] [--large 1000]     ours, and the floor: unpack and orjson alone
    FAIRTRIAL_INSPECT=~/peers/bin/python python bench/eval_logs.py   Inspect too (package `inspect_ai`)

The logs are made here, alike at every run: an agent's samples of 1 MB of JSON, with pooled messages, raw calls and
attachments, packed with zstd (as Inspect does since 2026) or deflate. Each reader runs in a process of its own, and
its processor time counts from its first byte to its last sample. Ours gives rollouts, verdicts and trajectories;
Inspect's own is asked for the scores alone, in its two ways: of the whole log, and sample by sample, this on a log of a
tenth. Bars: 40 MB of the file a second; five times Inspect's faster way; 500 MB at peak on the large log, and for
`fairtrial import`. Exits with 1 where a bar is missed. The load of the machine is printed, for it costs processor time
as well.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "formats" / "inspect"))

from written import DEFLATE, ZSTD, write_bulk

from fairtrial.formats import Options, inspect
from fairtrial.formats.inspect.archive import Archive

LEAST_MB, LEAST_RATIO, MOST_MB = 40.0, 5.0, 500
PEER_SHARE = 10
"""Sample by sample Inspect reads a log of a tenth."""

PEER = """
import json, resource, sys, time
from inspect_ai.log import read_eval_log, read_eval_log_samples
begun = time.process_time()
if sys.argv[2] == "whole":
    samples = read_eval_log(sys.argv[1]).samples
    passed = [str(sample.scores["match"].value) for sample in samples]
else:
    passed = [str(sample.scores["match"].value) for sample in read_eval_log_samples(sys.argv[1])]
used = time.process_time() - begun
print(json.dumps({"cpu": used, "samples": len(passed), "passed": passed.count("C"),
                  "kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
"""


def child(path: Path, way: str) -> None:
    """Read a log in this process, and print what it cost and what it gave."""
    begun, samples, passed = time.process_time(), 0, 0
    if way == "floor":
        with Archive(path) as archive:
            for name in archive.names:
                found = orjson.loads(archive.read(name))
                samples += "scores" in found
                passed += found.get("scores", {}).get("match", {}).get("value") == "C"
    else:
        for batch in inspect.read(path, Options()):
            samples += batch.rollouts.num_rows
            passed += batch.verdicts.column("outcome").to_pylist().count("passed")
    used = time.process_time() - begun
    print(json.dumps({"cpu": used, "samples": samples, "passed": passed,
                      "kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))  # fmt: skip


def run(path: Path, way: str) -> dict[str, Any]:
    """Return what a reading in a process of its own says."""
    command = [sys.executable, __file__, "--child", str(path), way]
    if way in ("whole", "streamed"):
        command = [os.environ["FAIRTRIAL_INSPECT"], "-c", PEER, str(path), way]
    done = subprocess.run(command, capture_output=True, check=True)
    return dict(orjson.loads(done.stdout.splitlines()[-1]))


def told(name: str, found: dict[str, Any], path: Path, inside: int) -> float:
    """Print one reading; return its MB of the file a second."""
    speed = path.stat().st_size / 1e6 / found["cpu"]
    print(f"{name:<24} {found['samples']:6,} samples  {found['cpu']:7.2f} s  {speed:6.1f} MB of file/s  "
          f"{inside / 1e6 / found['cpu']:7.1f} MB of JSON/s  {found['kib'] / 1024:7.0f} MiB")  # fmt: skip
    return speed


def beside(folder: Path, name: str, method: int, megabytes: int) -> list[str]:
    """Time ours, the floor and Inspect's own on logs packed one way; return the bars missed."""
    path, small = folder / f"{name}.eval", folder / f"{name}-small.eval"
    _, inside = write_bulk(path, megabytes * 1_000_000, method)
    _, small_inside = write_bulk(small, max(1, megabytes * 1_000_000 // PEER_SHARE), method)
    told(f"{name}, floor", run(path, "floor"), path, inside)
    ours = run(path, "ours")
    missed = [] if told(f"{name}, ours", ours, path, inside) >= LEAST_MB else [f"{name}: MB/s"]
    if "FAIRTRIAL_INSPECT" not in os.environ:
        print(f"{name}, Inspect's own: not measured, FAIRTRIAL_INSPECT names no Python that has it")
        return missed
    whole, streamed = run(path, "whole"), run(small, "streamed")
    told(f"{name}, Inspect whole", whole, path, inside)
    told(f"{name}, Inspect streamed", streamed, small, small_inside)
    if (whole["samples"], whole["passed"]) != (ours["samples"], ours["passed"]):
        missed.append(f"{name}: Inspect says {whole}, ours {ours}")
    ratios = (whole["cpu"] / ours["cpu"], streamed["cpu"] / small_inside * inside / ours["cpu"])
    print(f"{name}, ours is {ratios[0]:.1f} times as fast as Inspect whole, {ratios[1]:.1f} times as streamed")
    return missed if min(ratios) >= LEAST_RATIO else [*missed, f"{name}: ratio"]


def bounded(folder: Path, large: int, megabytes: int) -> list[str]:
    """Take the peak of memory on a large log, and of the whole command on the usual one; return the bars missed."""
    path = folder / "large.eval"
    _, inside = write_bulk(path, large * 1_000_000, ZSTD)
    found = run(path, "ours")
    told(f"zstd of {large:,} MB, ours", found, path, inside)
    path.unlink()
    begun = time.perf_counter()
    call = "from fairtrial.cli.main import main; main()"
    command = [sys.executable, "-c", call, "import", str(folder / "zstd.eval"), "--to", str(folder / "ledger")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    print(f"fairtrial import of {megabytes} MB: {time.perf_counter() - begun:.1f} s by the clock, "
          f"{usage.ru_maxrss / 1024:.0f} MiB, exit {process.returncode}")  # fmt: skip
    most = MOST_MB * 1e6 / 1024
    peaks = {"memory on the large log": found["kib"], "memory of import": usage.ru_maxrss}
    return [name for name, kib in peaks.items() if kib > most] + ["import failed"] * bool(process.returncode)


def main() -> int:
    """Print the figures; return 1 where a bar is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--large", type=int, default=1000)
    parser.add_argument("--child", nargs=2)
    arguments = parser.parse_args()
    if arguments.child:
        child(Path(arguments.child[0]), arguments.child[1])
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        missed = [bar for kind, method in (("zstd", ZSTD), ("deflate", DEFLATE))
                  for bar in beside(folder, kind, method, arguments.megabytes)]  # fmt: skip
        missed += bounded(folder, arguments.large, arguments.megabytes)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"missed: {'; '.join(missed)}" if missed else "every bar holds")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
