"""The 13 submissions of Terminal-Bench's core suite on one board: known scores, and the figures that the docs show."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fairtrial.cli.main import run
from fairtrial.report.numbers import percent_number

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
TRIALS = SHARED / "data" / "terminal_bench_core_0.1.1" / "trials.jsonl"
EXPECTED = SHARED / "expected" / "terminal_bench.json"
RULES = '[benchmark]\nname = "terminal-bench-core"\nversion = "0.1.1"\nruns_per_task = 5\nchecked = []\n'
ENDS = ("value", "low", "high")
SUITE = "terminal-bench-core@0.1.1"


@pytest.mark.extra
@pytest.mark.timeout(300)
def test_thirteen_submissions_have_the_known_scores_and_a_changed_hash_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if not TRIALS.exists():
        pytest.skip("../shared is not here, and the trials of Terminal-Bench are nowhere else")
    (tmp_path / "rules.toml").write_text(RULES)
    told = TRIALS.read_text(encoding="utf-8").splitlines()
    first = json.loads(told[0])["submission"]
    (tmp_path / "changed.jsonl").write_text(
        "\n".join(line.replace(first, "changed") for line in told if json.loads(line)["submission"] == first)
    )
    for path, suite in ((TRIALS, SUITE), (tmp_path / "changed.jsonl", "terminal-bench-core@0.1.2")):
        assert run(["import", str(path), "--format", "terminal-bench", "--as-recorded", "--suite", suite,
                    "--to", str(tmp_path / "ledger")]) == 0  # fmt: skip
    capfd.readouterr()
    assert run(["board", str(tmp_path / "ledger"), "--rules", str(tmp_path / "rules.toml"), "--json"]) == 1
    document = json.loads(capfd.readouterr().out)
    assert [(each["run"], each["why"]) for each in document["refused"]] == [
        ("changed", "suite: got terminal-bench-core@0.1.2, wants terminal-bench-core@0.1.1")
    ]
    known = json.loads(EXPECTED.read_text())["submissions"]
    scores = {row["model"]: row["score"]["value"] for row in document["rows"]}
    assert scores == pytest.approx({name: each["pass_at_k"]["1"] for name, each in known.items()}, abs=1e-9)
    shown = {
        row["model"]: (row["rank"], row["last_rank"], *(percent_number(row["score"][end]) for end in ENDS))
        for row in document["rows"]
    }
    assert figures_in_the_docs() == shown


def figures_in_the_docs() -> dict[str, tuple[int, int, str, str, str]]:
    """Return rank, last rank, score, low and high of each submission as docs/board.md shows them."""
    page = (ROOT / "docs" / "board.md").read_text(encoding="utf-8")
    row = re.compile(r"^\| (\d+)(?:–(\d+))? \| `([^`]+)` \| ([\d.]+)% \| \[([\d.]+), ([\d.]+)\] \|", re.MULTILINE)
    return {
        name: (int(rank), int(last or rank), score, low, high)
        for rank, last, name, score, low, high in row.findall(page)
    }
