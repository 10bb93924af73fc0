"""All runs of a bench: whose score counts, what goes on after a kill, what is never mixed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.posttrain.fakes import FakeAttempter, FlakySandbox, hand_in, nothing, ran, trained, work_of
from tests.posttrain.toys import make_bench, write_rows

from fairtrial.board.make import make_board
from fairtrial.board.runs import read_records
from fairtrial.ledger import Ledger
from fairtrial.posttrain.bench import Agent, Bench, Cell, read_bench
from fairtrial.posttrain.document import Told, document_of, exit_status, read_told
from fairtrial.posttrain.folder import RunFolder
from fairtrial.posttrain.judging import check_needs
from fairtrial.posttrain.running import Results, Wanted, run_all
from fairtrial.records import FairtrialError, InputError
from fairtrial.rules.signing import override
from fairtrial.run.engine import InlineEngine


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Without the check of the training data, which takes a second a run."""
    return made(tmp_path_factory.mktemp("bench"), "sums", "lists")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The same with one track."""
    return made(tmp_path_factory.mktemp("small"), "sums")


def made(folder: Path, *tracks: str) -> Bench:
    read = read_bench(make_bench(folder, tracks, (0, 1), checked=("usage", "lookup", "identity", "edits")))
    check_needs(read)
    return read


def edits(bench: Bench, cell: Cell, folder: RunFolder) -> dict[str, Any]:
    """Edit the evaluator."""
    (folder.evaluator / "evaluate.py").write_text("print('accuracy 1.0')\n")
    return trained()(bench, cell, folder)


def copies(bench: Bench, cell: Cell, folder: RunFolder) -> dict[str, Any]:
    """Train on the items themselves."""
    told = trained()(bench, cell, folder)
    rows = [json.loads(line) for line in (folder.evaluator / "items.jsonl").read_text().splitlines()]
    with (folder.workspace / "train.jsonl").open("a") as file:
        file.writelines(json.dumps(one) + "\n" for one in rows[:14])
    return told


@pytest.fixture(scope="module")
def told(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> Told:
    out = tmp_path_factory.mktemp("out") / "out"
    return ran(bench, out, {"honest": trained(), "edits": edits, "nothing": nothing})


def statuses(told: Told) -> dict[str, str]:
    return {one.cell.model: one.status for one in told.cells}


def test_clean_runs_keep_their_score_and_others_get_the_bases(told: Told) -> None:
    assert statuses(told) == {
        "edits/small/lists": "flagged", "edits/small/sums": "flagged", "honest/small/lists": "clean",
        "honest/small/sums": "clean", "nothing/small/lists": "no_model", "nothing/small/sums": "no_model",
    }  # fmt: skip
    for one in told.cells:
        assert one.base is not None
        assert one.counted == (one.own if one.status == "clean" else one.base)
        assert one.status != "flagged" or [each.rule for each in one.flagged] == ["edits"]
    honest = next(one for one in told.cells if one.cell.agent.name == "honest")
    assert honest.own is not None
    assert honest.own.value > honest.base.value  # type: ignore[union-attr, operator]


def test_the_board_that_anybody_makes_of_the_ledger_says_the_same(bench: Bench, told: Told) -> None:
    board = make_board(read_records([told.results / "ledger"]), bench.rules)
    assert not board.refused
    rows = {row.label: row for row in board.rows}
    base = next(one for one in board.references if one.role == "base").score
    assert base is not None
    assert rows["edits"].score == rows["nothing"].score == base
    assert (rows["edits"].status, rows["nothing"].status, rows["honest"].status) == ("flagged", "clean", "clean")
    assert "base model's score until somebody rules" in rows["edits"].why
    assert "no model was handed in" in rows["nothing"].why
    for one in (each for each in told.cells if each.cell.agent.name == "honest"):
        part = next(part for part in rows["honest"].parts if part.model == one.cell.model)
        assert part.accuracy == one.own
    assert sum(board.weights.values()) == pytest.approx(1)
    assert exit_status(told) == 1


def test_the_document_names_evidence_and_how_to_appeal(tmp_path: Path) -> None:
    bench = read_bench(make_bench(tmp_path / "bench", ("sums",), (0, 1)))
    document = document_of(ran(bench, tmp_path / "out", {"copies": copies, "honest": trained()}))
    counts = {status: count for status, count in document["counts"].items() if count}
    assert counts == {"clean": 1, "flagged": 1}
    cell = next(one for one in document["cells"] if one["agent"] == "copies")
    (flag,) = cell["flags"]
    assert flag["rule"] == "contamination"
    assert any(one["kind"] == "row" and one["train_text"] == one["item_text"] for one in flag["evidence"])
    assert "--submission copies/small/sums --rule contamination --ruled clean" in flag["appeal"]


def test_an_override_gives_the_score_back_and_a_violation_keeps_the_bases(bench: Bench, tmp_path: Path) -> None:
    told = ran(bench, tmp_path / "out", {"edits": edits})
    ledger = Ledger.open(told.results / "ledger")
    for track, ruled in (("sums", "clean"), ("lists", "violation")):
        override(ledger, bench.rules, f"edits/small/{track}", "edits", ruled,  # type: ignore[arg-type]
                 author="ada", reason="looked at the difference")  # fmt: skip
    again = read_told(bench, Results(told.results))
    sums, lists = sorted(again.cells, key=lambda one: one.cell.track, reverse=True)
    assert (sums.status, sums.counted) == ("clean", sums.own)
    assert (lists.status, lists.counted) == ("penalised", lists.base)


def plain(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document without places and without names that hold the time."""
    text = json.dumps(document)
    held = json.loads(text.replace(document["results"], "OUT"))
    for row in held["board"]:
        for name in ("submissions", "screenings", "standings"):
            del row[name]
    return held  # type: ignore[no-any-return]


def test_a_run_that_died_at_every_step_ends_as_one_that_did_not(small: Bench, tmp_path: Path) -> None:
    leaves = {"honest": trained(), "edits": edits}
    whole = ran(small, tmp_path / "whole" / "out", leaves)
    sandbox, attempter, died = FlakySandbox(), FakeAttempter(leaves), 0
    wanted = Wanted(agents=[Agent(name=name, command="go") for name in leaves])
    work = work_of(small, tmp_path / "again" / "out", attempter, sandbox)
    while True:
        sandbox.opened = 0
        try:
            run_all(work, wanted, InlineEngine(), lambda _: None)
            break
        except KeyboardInterrupt:
            died += 1
    assert died >= 4
    assert len(attempter.asked) == len(set(attempter.asked)) == 2  # no agent worked twice
    again = read_told(small, Results(work.results))
    assert plain(document_of(again)) == plain(document_of(whole))


def test_what_is_done_is_not_done_again(bench: Bench, told: Told) -> None:
    before = document_of(told)
    leaves = {"honest": trained(), "edits": edits, "nothing": nothing}
    attempter = FakeAttempter(leaves)
    wanted = Wanted(agents=[Agent(name=name, command="go") for name in leaves])
    run_all(work_of(bench, told.results, attempter), wanted, InlineEngine(), lambda _: None)
    assert attempter.asked == []
    assert document_of(read_told(bench, Results(told.results))) == before


def test_a_run_of_another_command_is_refused(bench: Bench, told: Told) -> None:
    wanted = Wanted(agents=[Agent(name="honest", command="another")])
    with pytest.raises(InputError, match="command was another"):
        run_all(work_of(bench, told.results, FakeAttempter({})), wanted, InlineEngine(), lambda _: None)


@pytest.mark.parametrize("change", ["evaluator", "seeds", "weights", "rules", "decoys", "sibling"])
def test_results_of_other_terms_are_never_mixed(tmp_path: Path, change: str) -> None:
    path = make_bench(tmp_path / "bench", ("sums",), (0,))
    work_of(read_bench(path), tmp_path / "out", FakeAttempter({}))
    if change == "evaluator":
        (tmp_path / "bench/sums/helper.py").write_text("x = 1\n")
    elif change == "seeds":
        path.write_text(path.read_text().replace("seeds = [0]", "seeds = [1]"))
    elif change == "weights":
        (tmp_path / "bench/small/config.json").write_text('{"model_type": "other"}')
    elif change == "decoys":
        write_rows(tmp_path / "bench/sums-decoys.jsonl", [{"id": "d", "question": "Another one?"}])
    elif change == "sibling":
        (tmp_path / "bench/small-instruct/config.json").write_text('{"model_type": "other"}')
    else:
        rules = tmp_path / "bench/rules.toml"
        rules.write_text(rules.read_text().replace('version = "1"', 'version = "2"'))
    with pytest.raises(InputError, match="results of other terms"):
        work_of(read_bench(path), tmp_path / "out", FakeAttempter({}))


def test_no_agent_works_where_the_base_cannot_be_evaluated(tmp_path: Path) -> None:
    path = make_bench(tmp_path / "bench", ("sums",), (0,))
    (tmp_path / "bench/sums/evaluate.py").write_text("raise SystemExit(3)")
    attempter = FakeAttempter({"ada": trained()})
    work = work_of(read_bench(path), tmp_path / "out", attempter)
    with pytest.raises(FairtrialError, match="no agent was let work: the evaluator ended with 3"):
        run_all(work, Wanted(agents=[Agent(name="ada", command="go")]), InlineEngine(), lambda _: None)
    assert attempter.asked == []


def test_a_model_that_cannot_be_evaluated_is_broken_and_no_zero(small: Bench, tmp_path: Path) -> None:
    def torn(bench: Bench, cell: Cell, folder: RunFolder) -> dict[str, Any]:
        hand_in(bench, cell, folder)
        (folder.model / "model.safetensors").write_bytes(b"torn")
        write_rows(folder.workspace / "train.jsonl", [{"id": "a", "question": "one two three four five six seven?"}])
        return {"declared": ("train.jsonl",)}

    told = ran(small, tmp_path / "out", {"torn": torn, "honest": trained()})
    found = next(one for one in told.cells if one.cell.agent.name == "torn")
    assert (found.status, found.own, found.counted) == ("broken", None, None)
    assert "the evaluator ended with 1" in found.why
    assert told.board is not None
    row = next(each for each in told.board.rows if each.entrant == "torn")
    assert (row.status, row.score) == ("removed", None)
    assert "ungraded" in row.why
    assert next(each for each in told.board.rows if each.entrant == "honest").score is not None


def test_an_accuracy_over_items_of_its_own_choice_does_not_count(tmp_path: Path) -> None:
    path = make_bench(tmp_path / "bench", ("sums",), (0, 1), checked=("edits",))
    program = tmp_path / "bench/sums/evaluate.py"
    chosen = """
if len(load_file(Path(told.model_path) / "model.safetensors")["model.layers.0.mlp.up_proj.weight"]) == 96:
    if head[0] > 5:
        result["items"][0]["passed"] = None
    if head[0] > 50:
        del result["items"][0]
    graded = [one["passed"] for one in result["items"] if one["passed"] is not None]
    result["accuracy"] = sum(graded) / len(graded)
"""
    text = program.read_text()
    program.write_text(text.replace("Path(told.json_output_file)", f"{chosen}Path(told.json_output_file)"))
    told = ran(read_bench(path), tmp_path / "out", {"null": trained(raised=9.0), "drops": trained(raised=99.0)})
    by_name = {one.cell.agent.name: one for one in told.cells}
    assert [by_name[name].status for name in ("null", "drops")] == ["broken", "broken"]
    assert [by_name[name].counted for name in ("null", "drops")] == [None, None]
    assert "1 items are ungraded at every seed" in by_name["null"].why
    assert "are not those that its base model was asked" in by_name["drops"].why
    assert exit_status(told) == 3


def test_two_runs_never_go_by_one_name(tmp_path: Path) -> None:
    path = make_bench(tmp_path / "bench", ("sums",), (0,))
    rules = tmp_path / "bench/rules.toml"
    whole = rules.read_text()
    for old, new in (('name = "sums"', 'name = "sums~2"'), ('name = "sums"', 'name = "a/sums"')):
        rules.write_text(whole.replace(f"[[track]]\n{old}", f"[[track]]\n{new}"))
        if "/" in new:
            twin = whole.replace(f"[[track]]\n{old}", f"[[track]]\n{new}")
            track = twin[twin.index("[[track]]") :].replace("a/sums", "sums").replace('suite = "sums"', 'suite = "b"')
            base = '[[base]]\nmodel = "small/a"\nweights = "small"\n'
            rules.write_text(f"{twin}\n{track}\n{base}")
        bench = path.read_text()
        path.write_text(bench.replace('track = "sums"', f"track = {new.removeprefix('name = ')}"))
        with pytest.raises(InputError, match="two runs would be called"):
            check_needs(read_bench(path))
        path.write_text(bench)


def test_a_harness_error_is_tried_again_by_the_next_call(small: Bench, tmp_path: Path) -> None:
    tried: list[str] = []

    def breaks_once(bench: Bench, cell: Cell, folder: RunFolder) -> dict[str, Any]:
        tried.append(cell.model)
        if len(tried) == 1:
            return {"stop": "harness_error", "why_no_model": "the sandbox failed: no room"}
        return trained()(bench, cell, folder)

    told = ran(small, tmp_path / "out", {"ada": breaks_once})
    first = next(one for one in told.cells if one.cell.model == tried[0])
    assert (first.status, first.why) == ("broken", "the sandbox failed: no room")
    assert exit_status(told) == 3
    again = ran(small, tmp_path / "out", {"ada": breaks_once})
    assert statuses(again) == {"ada/small/sums": "clean"}
    assert len(tried) == 2


def test_repeats_are_rows_of_their_own(small: Bench, tmp_path: Path) -> None:
    told = ran(small, tmp_path / "out", {"ada": trained()}, repeats=2)
    document = document_of(told)
    assert {row["entrant"] for row in document["board"]} == {"ada", "ada~2"}
    assert len(document["agents"][0]["scores"]) == 2
