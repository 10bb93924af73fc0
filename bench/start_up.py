"""How long the command line takes to answer, against a bare Python that does nothing.

Aims: `import fairtrial` within 0.3 s, `fairtrial --help` within 0.5 s. The best of several runs is taken: asked is what
the code costs, not what else the machine does. Ends with 1 where an aim is missed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

RUNS = 7
AIMS = {"import fairtrial": 0.3, "fairtrial --help": 0.5}


def best_seconds(command: Sequence[str | Path], runs: int = RUNS) -> float:
    """Return the least wall-clock seconds of `runs` runs of `command`."""
    seconds = []
    for _ in range(runs):
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begun)
    return min(seconds)


def main() -> int:
    """Print each start with its ratio to a bare Python; return 1 where an aim is missed."""
    script = Path(sys.executable).with_name("fairtrial")
    starts: dict[str, list[str | Path]] = {
        "import fairtrial": [sys.executable, "-c", "import fairtrial"],
        "fairtrial --help": [script, "--help"],
        "fairtrial measure --help": [script, "measure", "--help"],
        "fairtrial prove --help": [script, "prove", "--help"],
    }
    floor = best_seconds([sys.executable, "-c", "pass"])
    print(f"{'bare python':<26} {floor:6.3f} s")
    missed = 0
    for name, command in starts.items():
        seconds = best_seconds(command)
        aim = AIMS.get(name)
        said = "" if aim is None else f"   aim {aim} s: {'holds' if seconds <= aim else 'MISSED'}"
        missed += aim is not None and seconds > aim
        print(f"{name:<26} {seconds:6.3f} s   {seconds / floor:5.1f} x{said}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
