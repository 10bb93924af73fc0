"""Our catalogue of probes of text graders and each peer's, side by side on the same graders.

    PEERS_PYTHON=~/peers/bin/python BCL1=~/bohrin/conformance/bcl-1 .venv/bin/python bench/catalogue.py [RESULTS.json]

PEERS_PYTHON is the interpreter of an environment of its own in which the peers are installed (any of bohrin, falsepass,
gameability, gradecheck, rl-envdoctor; what is absent is skipped by name). The graders are envdoctor's zoo (needs it
installed), three kinds that are in use beside a sound one each, and bohrin's BCL-1, if the folder from its source
distribution is named. Prints one row a peer: defective graders found, sound ones flagged. With a file's name, also
writes our BCL-1 verdicts there for `bohrin conformance check`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial import __version__
from fairtrial.prove.bohrin_results import Fixture, bohrin_results

HERE = Path(__file__).parent
PEERS = HERE / "peers"
DRIVERS = {
    "rl-envdoctor": "run_envdoctor.py",
    "falsepass": "run_falsepass.py",
    "gradecheck": "run_gradecheck.py",
    "gameability": "run_gameability.py",
    "bohrin": "run_bohrin.py",
}
NOT_RUN = {
    "verifierlab": "its strategies play actions of a refund desk; it has none for completions",
    "rlgate": "no distribution of it could be fetched",
}
OF_NOTE = ("flat_credit", "reward_range", "tie")
"""Leads of ours that claim something of the grader itself, and are counted as a flag on defective and sound alike."""
EXPORT_ZOO = """
import json, envdoctor.zoo as zoo
print(json.dumps([zoo.__file__, [[one.name, one.healthy, [[c.id, c.prompt, c.answer] for c in one.cases]]
                                 for one in zoo.SPECIMENS]]))
"""
SOLVE = """def solve(items):
    # Add up what is above zero.
    total = 0
    for item in items:
        if item > 0:
            total += item
    return total
"""
SOLVE_PROMPT = (
    "Write a Python function solve(items) that returns the sum of the items greater than zero.\n"
    "Examples: solve([1, -2, 3]) == 4 and solve([]) == 0."
)
SORT_PROMPT = "Read integers separated by spaces and print them in ascending order, separated by spaces.\nInput:\n3 1 2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """One grader with its cases, and what is known of it."""

    name: str
    suite: str
    file: str
    path: str
    is_defective: bool
    shape: str
    """`answer` or `program`."""
    cases: list[dict[str, Any]]

    def document(self) -> dict[str, Any]:
        """Return what a driver needs."""
        return {"name": self.name, "file": self.file, "path": self.path, "shape": self.shape, "cases": self.cases}


def zoo_of_envdoctor(python: str) -> list[Graded]:
    """Return the specimens of the installed envdoctor; none where it is not installed."""
    ran = subprocess.run([python, "-c", EXPORT_ZOO], capture_output=True, text=True, check=False)
    if ran.returncode:
        print("skipped: envdoctor's zoo, for rl-envdoctor is not installed", file=sys.stderr)
        return []
    file, specimens = json.loads(ran.stdout)
    return [
        Graded(name=f"zoo/{name}", suite="envdoctor's zoo", file=file, path=f"SPECIMENS.{number}.reward",
               shape="answer", is_defective=not healthy,
               cases=[{"id": i, "prompt": prompt, "answer": answer} for i, prompt, answer in cases])
        for number, (name, healthy, cases) in enumerate(specimens)
    ]  # fmt: skip


def three_kinds() -> list[Graded]:
    """Return the three kinds and their sound neighbours."""
    sys.path.insert(0, str(PEERS))
    import three_kinds as kinds  # type: ignore[import-not-found]

    return [
        Graded(name=f"kinds/{name}", suite="three kinds", file=kinds.__file__, path=name, shape="answer",
               is_defective=name in kinds.DEFECTIVE, cases=kinds.CASES)
        for name in (*kinds.DEFECTIVE, *kinds.SOUND)
    ]  # fmt: skip


def bcl_1(folder: str | None) -> list[Graded]:
    """Return the fixtures of bohrin's BCL-1 with one case each: its task, and a reference of ours."""
    if not folder:
        print("skipped: BCL-1, for the variable BCL1 names no folder", file=sys.stderr)
        return []
    found = []
    for path in sorted(Path(folder).glob("*.py")):
        text = path.read_text(encoding="utf-8")
        is_output = "An input/output task" in text
        case = (
            {"id": "1", "prompt": SORT_PROMPT, "answer": "1 2 3", "reference": "1 2 3"} if is_output
            else {"id": "1", "prompt": SOLVE_PROMPT, "answer": SOLVE, "reference": SOLVE}
        )  # fmt: skip
        slug, _, kind = path.stem.rpartition("-")
        found.append(Graded(name=f"bcl-1/{slug}/{kind}", suite="BCL-1", file=str(path), path="grade", cases=[case],
                            shape="answer" if is_output else "program", is_defective=kind == "defect"))  # fmt: skip
    return found


def ours(grader: Graded) -> dict[str, Any]:
    """Return our entry of one grader's proof document, or `{"error": …}`."""
    with tempfile.TemporaryDirectory() as folder:
        cases = Path(folder) / "cases.jsonl"
        cases.write_text("".join(json.dumps(case) + "\n" for case in grader.cases), encoding="utf-8")
        command = [Path(sys.executable).parent / "fairtrial", "prove", "--grader", f"{grader.file}:{grader.path}",
                   "--cases", cases, "--call-seconds", "10", "--json"]  # fmt: skip
        ran = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if not ran.stdout.strip():
        return {"error": ran.stderr.strip()[-300:]}
    entry: dict[str, Any] = json.loads(ran.stdout)["tasks"][0]
    return entry


def flags_of_ours(entry: dict[str, Any]) -> dict[str, Any]:
    """Return our flags on one grader: each proof, and the leads of note."""
    if "error" in entry:
        return entry
    proofs = {one["probe"] for one in entry["findings"] if one["severity"] == "proof"}
    leads = {one["probe"] for one in entry["findings"] if one["probe"] in OF_NOTE}
    return {"flags": sorted(proofs | leads), "refuted": bool(proofs)}


def of_peer(python: str, peer: str, graders: Sequence[Graded]) -> dict[str, dict[str, Any]] | None:
    """Return what a peer reports of each grader by name; None where it is not installed."""
    probe = f"import importlib.metadata as m; print(m.version({peer!r}))"
    if subprocess.run([python, "-c", probe], capture_output=True, check=False).returncode:
        return None
    ran = subprocess.run(
        [python, str(PEERS / DRIVERS[peer])], input=json.dumps([one.document() for one in graders]),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = [line for line in ran.stdout.splitlines() if line.startswith("@@")]
    if not told:
        sys.exit(f"{peer}'s driver broke:\n{ran.stderr[-2000:]}")
    found: dict[str, dict[str, Any]] = json.loads(told[-1][2:])
    return found


def row(name: str, graders: Sequence[Graded], found: dict[str, dict[str, Any]]) -> str:
    """Return one row of the table: found, falsely flagged and not covered, a suite at a time."""
    cells = []
    for suite in dict.fromkeys(one.suite for one in graders):
        of = [one for one in graders if one.suite == suite]
        bad, good = [one for one in of if one.is_defective], [one for one in of if not one.is_defective]
        errors = sum("error" in found[one.name] for one in of)
        hit = sum(bool(found[one.name].get("flags")) for one in bad)
        false = sum(bool(found[one.name].get("flags")) for one in good)
        tail = f" ({errors} not covered)" if errors else ""
        cells.append(f"{hit} of {len(bad)}, {false} of {len(good)}{tail}")
    return f"| {name} | " + " | ".join(cells) + " |"


def main() -> None:
    """Run everything and print the table."""
    python = os.environ.get("PEERS_PYTHON")
    if not python:
        sys.exit("PEERS_PYTHON names no interpreter: install the peers in an environment of their own first")
    graders = [*zoo_of_envdoctor(python), *three_kinds(), *bcl_1(os.environ.get("BCL1"))]
    with ThreadPoolExecutor(max_workers=2) as pool:
        entries = dict(zip((one.name for one in graders), pool.map(ours, graders), strict=True))
    found = {"fairtrial": {name: flags_of_ours(entry) for name, entry in entries.items()}}
    for peer in DRIVERS:
        told = of_peer(python, peer, graders)
        if told is None:
            print(f"skipped: {peer} is not installed", file=sys.stderr)
        else:
            found[peer] = told
    print(f"| | {' | '.join(dict.fromkeys(one.suite for one in graders))} |")
    for name, told in found.items():
        print(row(name, graders, told))
    for name, told in found.items():
        _tell_of(name, graders, told)
    for name, why in NOT_RUN.items():
        print(f"not run: {name}: {why}")
    if len(sys.argv) > 1:
        _write_results(Path(sys.argv[1]), graders, entries)


def _tell_of(name: str, graders: Sequence[Graded], told: dict[str, dict[str, Any]]) -> None:
    has_flags: Callable[[Graded], bool] = lambda one: bool(told[one.name].get("flags"))  # noqa: E731
    missed = [one.name for one in graders if one.is_defective and not has_flags(one)]
    unproven = [one.name for one in graders if told[one.name].get("refuted") is False and has_flags(one)]
    false = [f"{one.name} {told[one.name]['flags']}" for one in graders if not one.is_defective and has_flags(one)]
    print(f"{name}: missed {', '.join(missed) or 'none'}; falsely flagged {', '.join(false) or 'none'}"
          + (f"; flagged without proof {', '.join(unproven)}" if unproven else ""))  # fmt: skip


def _write_results(path: Path, graders: Sequence[Graded], entries: dict[str, dict[str, Any]]) -> None:
    fixtures = [
        Fixture(id=one.name, document=None if "error" in entries[one.name] else entries[one.name],
                message=str(entries[one.name].get("error", "")))
        for one in graders if one.suite == "BCL-1"
    ]  # fmt: skip
    path.write_text(json.dumps(bohrin_results(fixtures, version=__version__), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
