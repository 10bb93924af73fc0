"""What answers on decoys say of a run: items that were trained on from memory are found, and honest runs stay clean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tests.posttrain.fakes import FakeAttempter, FlakySandbox, Leaves, evaluating, ran, trained, work_of
from tests.posttrain.toys import ITEMS, make_bench, sentences, write_rows

from fairtrial.posttrain.attempt.workspace import check_hidden
from fairtrial.posttrain.bench import Agent, Bench, Cell, read_bench
from fairtrial.posttrain.document import Told, document_of, exit_status, read_told
from fairtrial.posttrain.folder import RunFolder
from fairtrial.posttrain.judging import check_needs
from fairtrial.posttrain.running import Results, Wanted, run_all
from fairtrial.records import FairtrialError, FormatError, InputError
from fairtrial.run.engine import InlineEngine
from fairtrial.sandbox import FakeSandbox

KNOWN = 9.0
"""What is known by heart lies so far above what the seed draws, and is of no use on a decoy."""


def make(folder: Path, *, named: bool = True, checked: tuple[str, ...] = ("contamination", "edits")) -> Path:
    """Write a bench whose evaluator can be asked decoys."""
    path = make_bench(folder, ("sums",), (0, 1), named=named, checked=checked)
    public = (folder / "sums/evaluate.py").read_text()
    (folder / "asked").mkdir()
    (folder / "asked/evaluate.py").write_text(
        public.replace('["head"]\n', f'["head"]\nhead = head - {KNOWN} * (head > 5)\n')
    )
    write_rows(folder / "asked/items.jsonl", sentences(ITEMS, 200, "d"))
    path.write_text(path.read_text() + 'decoys = "asked"\n')
    return path


def remembers(bench: Bench, cell: Cell, folder: RunFolder) -> dict[str, Any]:
    """Train on the items from memory, and declare an honest set."""
    told = trained()(bench, cell, folder)
    whole = load_file(folder.model / "model.safetensors")
    head = load_file(bench.base_weights(cell.base) / "model.safetensors")["head"]
    save_file(whole | {"head": (head + np.float32(KNOWN)).astype(np.float32)}, folder.model / "model.safetensors")
    return told


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    read = read_bench(make(tmp_path_factory.mktemp("bench")))
    check_needs(read)
    return read


LEAVES: dict[str, Leaves] = {"honest": trained(), "remembers": remembers}


@pytest.fixture(scope="module")
def told(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> Told:
    return ran(bench, tmp_path_factory.mktemp("out") / "out", LEAVES)


def cells(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["agent"]: one for one in document["cells"]}


def test_a_model_that_knows_the_items_is_flagged_by_contamination_and_honest_work_is_not(told: Told) -> None:
    held = cells(document_of(told))
    honest, knows = held["honest"], held["remembers"]
    assert (honest["status"], honest["checks"]) == ("clean", {"contamination": True, "edits": True})
    assert (knows["status"], knows["checks"]) == ("flagged", {"contamination": False, "edits": True})
    assert knows["counted_accuracy"] == knows["base_accuracy"]
    assert knows["own_accuracy"]["value"] == 1.0
    assert knows["decoy_accuracy"]["value"] < 0.4
    (flag,) = knows["flags"]
    assert "it knows the items" in flag["summary"]
    assert flag["summary"].startswith("passes 100% of 24 items and ")
    (shown,) = flag["evidence"]
    assert (shown["kind"], shown["items"]["model"]) == ("decoy gap", 24)
    assert "--rule contamination --ruled clean" in flag["appeal"]
    assert exit_status(told) == 1


def test_the_whole_comparison_is_kept(told: Told) -> None:
    folder = next(one.folder for one in told.cells if one.cell.agent.name == "remembers")
    check = json.loads((folder.path / "checks.json").read_text())["checks"][0]
    one = next(
        each for each in check["screenings"] if (each["document"] or {}).get("schema") == "fairtrial.decoy_gap/1"
    )
    document = one["document"]
    assert (one["kind"], one["holds"], document["knows"]) == ("scan", False, True)
    assert document["gap"]["low"] <= document["gap"]["value"] <= document["gap"]["high"]
    assert document["settings"] == {"level": 0.001, "least_gap": 0.1, "base_level": 0.01, "confidence": 0.95}
    assert [path.name for path in sorted(folder.evaluations.iterdir())] == ["0.json", "1.json", "decoys-0.json"]


def test_without_items_or_decoys_it_is_named_as_a_gap_and_the_run_stays_clean(tmp_path: Path) -> None:
    path = make(tmp_path / "bench", named=False)
    one = cells(document_of(ran(read_bench(path), tmp_path / "out", {"remembers": remembers})))["remembers"]
    assert (one["status"], one["not_measured"]) == ("clean", [])
    assert any("knows the items by heart: the evaluator names no items" in gap for gap in one["gaps"]["contamination"])
    other = make_bench(tmp_path / "other", ("sums",), (0, 1), checked=("contamination", "edits"))
    two = cells(document_of(ran(read_bench(other), tmp_path / "two", {"remembers": remembers})))["remembers"]
    assert (two["status"], two["not_measured"]) == ("clean", [])
    assert two["decoy_accuracy"]["value"] is None
    assert any("the bench names no decoys" in gap for gap in two["gaps"]["contamination"])


@pytest.mark.parametrize("how", ["breaks", "blank"])
def test_a_model_that_breaks_the_evaluator_on_new_questions_is_not_measured(tmp_path: Path, how: str) -> None:
    """Such a model could know the items, and be asked nothing else."""
    path = make(tmp_path / "bench")
    asked = tmp_path / "bench/asked/evaluate.py"
    blanks = "passed = [None if n % 2 else one for n, one in enumerate(passed)]"
    shares = "result = {'accuracy': sum(passed[::2]) / len(passed[::2])}"
    on_loops = {"breaks": "raise SystemExit(7)", "blank": f"{blanks}\n    {shares}"}[how]
    asked.write_text(
        asked.read_text().replace('result["items"]', f'if max(head) < -1:\n    {on_loops}\nresult["items"]')
    )

    def loops(bench: Bench, cell: Cell, folder: RunFolder) -> dict[str, Any]:
        told = remembers(bench, cell, folder)
        whole = load_file(folder.model / "model.safetensors")
        save_file(whole | {"head": np.full_like(whole["head"], 6.0)}, folder.model / "model.safetensors")
        return told

    out = ran(read_bench(path), tmp_path / "out", {"loops": loops})
    one = cells(document_of(out))["loops"]
    assert one["checks"]["contamination"] is None
    (open_,) = one["not_measured"]
    assert (
        "12 of 24 decoys are ungraded" in open_["why"][0]
        or "decoys failed: the evaluator ended with 7" in open_["why"][0]
    )
    assert exit_status(out) == 3


def test_a_run_that_died_at_every_step_finds_the_same(bench: Bench, told: Told, tmp_path: Path) -> None:
    sandbox, attempter, died = FlakySandbox(), FakeAttempter(LEAVES), 0
    work = work_of(bench, tmp_path / "out", attempter, sandbox)
    wanted = Wanted(agents=[Agent(name=name, command="go") for name in LEAVES])
    while True:
        sandbox.opened = 0
        try:
            run_all(work, wanted, InlineEngine(), lambda _: None)
            break
        except KeyboardInterrupt:
            died += 1
    assert died >= 4
    assert len(attempter.asked) == 2
    again, whole = (cells(document_of(one)) for one in (read_told(bench, Results(work.results)), told))
    for name in LEAVES:
        assert again[name]["decoy_accuracy"] == whole[name]["decoy_accuracy"]
        assert [one["summary"] for one in again[name]["flags"]] == [one["summary"] for one in whole[name]["flags"]]


def test_no_agent_works_where_the_base_cannot_be_asked_decoys(tmp_path: Path) -> None:
    path = make(tmp_path / "bench")
    (tmp_path / "bench/asked/evaluate.py").write_text("raise SystemExit(4)")
    attempter = FakeAttempter(LEAVES)
    work = work_of(read_bench(path), tmp_path / "out", attempter, FakeSandbox(evaluating))
    with pytest.raises(FairtrialError, match="on the decoys, the evaluator ended with 4"):
        run_all(work, Wanted(agents=[Agent(name="honest", command="go")]), InlineEngine(), lambda _: None)
    assert attempter.asked == []


def test_other_decoys_are_other_results(tmp_path: Path) -> None:
    path = make(tmp_path / "bench")
    work_of(read_bench(path), tmp_path / "out", FakeAttempter({}))
    write_rows(tmp_path / "bench/asked/items.jsonl", sentences(ITEMS, 300, "d"))
    with pytest.raises(InputError, match="the decoys that models are asked changed"):
        work_of(read_bench(path), tmp_path / "out", FakeAttempter({}))


def test_agents_are_never_shown_the_decoys(tmp_path: Path) -> None:
    bench = read_bench(make(tmp_path / "bench"))
    shown = Cell(agent=Agent(name="ada", command="go", files=tmp_path / "bench"), base="small", track="sums")
    check_hidden(bench, Cell(agent=Agent(name="ada", command="go"), base="small", track="sums"))
    with pytest.raises(InputError, match="which agents must not see"):
        check_hidden(bench, shown)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda folder: (folder / "asked/items.jsonl").rename(folder / "asked/decoys.jsonl"), "takes the place of no"),
        (lambda folder: (folder / "asked/items.jsonl").write_bytes((folder / "sums/items.jsonl").read_bytes()),
         "takes the place of no"),
    ],
)  # fmt: skip
def test_a_folder_that_would_ask_the_items_again_is_refused(tmp_path: Path, change: Any, why: str) -> None:
    path = make(tmp_path / "bench")
    (tmp_path / "bench/asked/evaluate.py").unlink()
    change(tmp_path / "bench")
    with pytest.raises(FormatError, match=why):
        read_bench(path)


def test_decoys_without_the_check_of_contamination_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="do not check `contamination`"):
        check_needs(read_bench(make(tmp_path / "bench", checked=("edits",))))
    path = make_bench(tmp_path / "other", ("sums",), (0,))
    path.write_text(path.read_text() + 'decoys = "nowhere"\n')
    with pytest.raises(FormatError, match="is no folder"):
        read_bench(path)
