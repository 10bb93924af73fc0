"""A cluster of two machines, as `ray.cluster_utils` plays them: a worker dies, a machine is taken away, a scan is made.

Run by test_ray.py in a process of its own: `python two_nodes.py FOLDER` writes ledgers and documents below FOLDER.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from ray.cluster_utils import Cluster

from fairtrial.contamination.scan import ScanOptions, scan
from fairtrial.records import FairtrialError
from fairtrial.run import Done, Engine, InlineEngine, Lost
from fairtrial.run.engine_ray import RayEngine
from run.cluster.jobs import Die, ReadBelow, Troubled, ran, write_suite

ATTEMPTS = 6
STORE = 80_000_000


def take_away(cluster: Cluster, node: Any, marks: Path) -> None:
    """Take the machine away once it is at work on a job."""
    while not (marks / "away").exists():
        time.sleep(0.1)
    cluster.remove_node(node, allow_graceful=False)
    (marks / "taken").touch()


def scanned(folder: Path, engine: Engine | None) -> dict[str, Any]:
    """Return the document of a scan of a training file, in which two rows hold an item."""
    item = "the quick brown fox jumps over the lazy dog while seven wizards box in the cold attic"
    other = "a letter from the harbour says that no ship has left since the storm of last october"
    rows = [{"id": f"r{n % 20}", "text": f"row {n} is about nothing much at all but {n * 7} sheep"} for n in range(30)]
    rows[7]["text"] += " " + item
    (folder / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "eval.jsonl").write_text("".join(json.dumps({"id": t[:5], "question": t}) + "\n" for t in (item, other)))
    options = ScanOptions(workers=1, engine=engine)
    return scan([folder / "train.jsonl"], [folder / "eval.jsonl"], options=options).document()


def main() -> None:
    """Run the plan on the cluster and in this process, then more on what is left of the cluster."""
    home = Path(sys.argv[1])
    marks = home / "marks"
    marks.mkdir()
    os.chdir("/")  # where machines start; the driver's paths are told from another folder
    quiet = {"object_store_memory": STORE, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, **quiet})
    far = cluster.add_node(num_cpus=1, **quiet)
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    os.chdir(home)
    folder = Path()
    suite = write_suite(folder / "suite")
    told: dict[str, Any] = {}
    with RayEngine(address=cluster.address) as engine:
        thread = threading.Thread(target=take_away, args=(cluster, far, marks))
        thread.start()
        agent = Troubled(marks, home=cluster.head_node.node_id)
        tally = ran(suite, folder / "far", engine, agent, ATTEMPTS)
        thread.join()
        told["far"] = [tally.wanted, tally.passed, tally.failed, tally.lost]
        died = [*engine.map([Die()])]
        told["died"] = [isinstance(one, Lost) for one in died]
        (kept,) = engine.map([ReadBelow(suite, suite / "task-0" / "instruction.md")])
        assert isinstance(kept, Done)
        told["read"] = kept.value[1]
        try:
            list(engine.map([ReadBelow(suite, suite, lacks="no bubblewrap")]))
        except FairtrialError as error:
            told["refused"] = str(error)
        told["scan"] = scanned(folder, engine)
    agent = Troubled()
    tally = ran(suite, folder / "alone", InlineEngine(), agent, ATTEMPTS)
    told["alone"] = [tally.wanted, tally.passed, tally.failed, tally.lost]
    told["scan_alone"] = scanned(folder, None)
    told["variables"] = sorted(name for name in os.environ if name.startswith("RAY_USAGE"))
    (folder / "told.json").write_text(json.dumps(told))
    cluster.shutdown()


if __name__ == "__main__":
    main()
