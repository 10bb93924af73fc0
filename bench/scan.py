"""MB of training rows that the scan for 5-grams reads a second of processor, what it finds, and the same of decon.

    python bench/scan.py [--megabytes 100] [--keep FOLDER]     ours, and the floor: orjson alone
    DECON_PYTHON=~/peers/bin/python python bench/scan.py       decon too (package `decontaminate`, Python 3.12)

Each scan runs in a process of its own, kernels compiled before; its processor time counts everything, the start of
Python and the index too. Bars: 50 MB of raw JSONL a second of processor on 100 MB, 90 on 500; ten times decon's;
300 MiB; 1.6 times as fast with two processes, by the clock from the first piece to the last (not judged: it takes two
idle processors); recall and false positives as printed.
Exits with 1 where a bar is missed. The load of the machine is printed, for it costs processor time as well.
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
from collections import defaultdict
from pathlib import Path
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).with_name("peers")))

from scan_corpus import Corpus, boilerplate, standard

from fairtrial.contamination.ngrams import scan
from fairtrial.contamination.reading import pieces_of
from fairtrial.contamination.rows import Row, read_rows

LEAST = {"verbatim": 1.0, "question": 1.0, "half": 1.0, "drop10": 0.995, "drop20": 0.98, "drop30": 0.85, "swap20": 0.97,
         "wrapped": 1.0, "markdown": 1.0, "times1": 0.99, "times20": 0.99, "times200": 0.99}  # fmt: skip
FALSE_IN_TEN_THOUSAND = 20
MIB = 300


def child(train: str, items: str, workers: int) -> None:
    """Scan in this process, and print what it cost and what it found."""
    marks: list[float] = []
    rows = [row for row in read_rows([Path(items)]) if isinstance(row, Row)]

    result = scan([Path(train)], rows, workers=workers, progress=lambda *_: marks.append(time.perf_counter()))
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime
    print(json.dumps({"cpu": cpu, "clock": marks[-1] - marks[0], "kib": used.ru_maxrss, "rows": result.rows,
                      "found": [[flag.train_id, flag.item_id] for flag in result.hits]}))  # fmt: skip


def run(corpus: Corpus, workers: int = 1) -> dict[str, Any]:
    """Return what a scan in a process of its own says."""
    command = [sys.executable, __file__, "--child", str(corpus.train), str(corpus.items), str(workers)]
    done = subprocess.run(command, capture_output=True, check=True)
    return dict(orjson.loads(done.stdout))


def floor(corpus: Corpus) -> float:
    """Return seconds of processor that parsing the lines alone takes."""
    lines = corpus.train.read_bytes().splitlines()
    began = time.process_time()
    for line in lines:
        orjson.loads(line)
    return time.process_time() - began


def decon(corpus: Corpus, python: str, folder: Path) -> dict[str, Any]:
    """Return what decon says of the same rows, each as one text: it reads no other shape."""
    train, items = folder / "decon-train", folder / "decon-items"
    train.mkdir(), items.mkdir()
    with (train / "train.jsonl").open("wb") as stream:
        for row in read_rows([corpus.train]):
            if isinstance(row, Row):
                stream.write(orjson.dumps({"id": row.id, "text": row.text}) + b"\n")
    with (items / "items.jsonl").open("wb") as stream:
        for number, row in enumerate(read_rows([corpus.items])):
            if isinstance(row, Row):
                texts = dict(row.texts)
                stream.write(orjson.dumps({
                    "eval_key": "bench", "eval_instance_index": number, "doc_id": number, "id": number, "split": "test",
                    "question": texts["question"], "answer": texts["answer"], "passage": "", "fingerprint": str(number),
                    "is_correct": True, "config": "bench"}) + b"\n")  # fmt: skip
    script = Path(__file__).with_name("peers") / "run_decon.py"
    done = subprocess.run([python, str(script), str(train), str(items), "0.8"], capture_output=True, check=False)
    if done.returncode:
        return {"error": done.stderr.decode()[-400:]}
    return dict(orjson.loads(done.stdout.splitlines()[-1]))


class Bars:
    """Print lines, and remember whether a bar was missed."""

    def __init__(self) -> None:
        self.missed = 0

    def say(self, what: str, value: str, bar: str = "", holds: bool = True) -> None:
        """Print one line."""
        self.missed += not holds
        print(f"{what:<48}{value:>14}   {bar}{'' if holds else '   MISSED'}", flush=True)


def found(bars: Bars, corpus: Corpus, result: dict[str, Any]) -> None:
    """Print recall by kind, and the rows flagged for what they do not hold."""
    hits: dict[str, set[str]] = defaultdict(set)
    for row, item in result["found"]:
        hits[row].add(item)
    kinds: dict[str, list[bool]] = defaultdict(list)
    for row, (kind, item) in corpus.planted.items():
        kinds[kind].append(item in hits.get(row, ()))
    for kind, right in kinds.items():
        share = sum(right) / len(right)
        bars.say(f"  found: {kind}", f"{share:.1%}", f"bar {LEAST[kind]:.1%} of {len(right)}", share >= LEAST[kind])
    wrong = sum(any(item != corpus.planted.get(row, ("", ""))[1] for item in items) for row, items in hits.items())
    most = FALSE_IN_TEN_THOUSAND * result["rows"] / 10_000 if "times1" in kinds else 0
    bars.say("  rows flagged for an item they do not hold", str(wrong), f"bar {most:.0f} of {result['rows']:,}",
             wrong <= most)  # fmt: skip


def measured(bars: Bars, corpus: Corpus, folder: Path) -> None:
    """Print speed, memory, and how two processes and decon compare."""
    megabytes = corpus.train.stat().st_size / 1e6
    ours = run(corpus)
    speed = megabytes / ours["cpu"]
    least = 90 if megabytes > 400 else 50 if megabytes > 80 else 0
    bars.say(f"standard, {megabytes:.0f} MB: MB a second of processor", f"{speed:.1f}", f"bar {least}", speed >= least)
    bars.say("  orjson alone", f"{megabytes / floor(corpus):.0f}")
    bars.say("  memory, MiB", f"{ours['kib'] / 1024:.0f}", f"bar {MIB}", ours["kib"] / 1024 <= MIB)
    if len(pieces_of([corpus.train])) > 2:
        ratio = ours["clock"] / run(corpus, 2)["clock"]
        bars.say("  two processes, times as fast by the clock", f"{ratio:.2f}", "bar 1.6 on an idle machine")
    python = os.environ.get("DECON_PYTHON")
    if python is None:
        bars.say("  decon", "not measured", "set DECON_PYTHON to its interpreter")
    else:
        theirs = decon(corpus, python, folder)
        if "error" in theirs:
            bars.say("  decon", "not measured", theirs["error"])
        else:
            rate = megabytes / theirs["cpu"]
            bars.say("  decon, MB a second of processor", f"{rate:.1f}", f"{speed / rate:.1f} times; bar 10",
                     speed / rate >= 10)  # fmt: skip
            bars.say("  decon, reports (rows and items it names)", str(len(theirs["found"])))
    found(bars, corpus, ours)


def main() -> int:
    """Print the table; return 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=100)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    bars = Bars()
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.keep or Path(scratch)
        for name in ("small", "standard", "boilerplate"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        run(standard(folder / "small", 1))  # compiles the kernels, where they are not kept from before
        bars.say("load of the machine", f"{os.getloadavg()[0]:.1f}", f"{os.cpu_count()} processors")
        measured(bars, standard(folder / "standard", asked.megabytes), folder)
        hard = boilerplate(folder / "boilerplate")
        print("boilerplate: half the items and most rows begin with it")
        found(bars, hard, run(hard))
    return int(bars.missed > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        sys.exit(main())
