"""Build the program and ask it small questions, each in a process of its own; the right answers stay here."""

import json
import tempfile
from pathlib import Path

from fairtrial.checks import CheckError, Inside, Result
from fairtrial.checks.apart import run_apart


def answers(program: Inside, cases: Inside) -> Result:
    """Check that the program builds and prints the right count for every case."""
    with tempfile.TemporaryDirectory() as folder:
        built = f"{folder}/built"
        made = run_apart(["gcc", "-O2", "-o", built, program], folder)
        if made.code == 127:
            raise CheckError("there is no gcc here")
        if made.code != 0:
            return Result(False, f"it does not build: {made.errors[:200]}")
        for case in json.loads(Path(cases).read_text()):
            sent = " ".join(map(str, [case["distance"], *case["readings"]]))
            ended = run_apart([built], folder, stdin=sent, seconds=10)
            if ended.code != 0 or ended.output.split() != [str(case["pairs"])]:
                said = f"{ended.output[:80]!r}" if ended.code == 0 else ended.said
                return Result(False, f"distance {case['distance']}, {len(case['readings'])} readings: {said}")
    return Result(True, "every small case is right")
