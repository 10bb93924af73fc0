"""`fairtrial contamination scan` from the outside: leaks and rewordings, odd input, cleaned files, what is kept."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.ledger.screened import all_screenings

ITEM = "A robe takes 2 bolts of blue fiber and half that much white fiber. How many bolts in total does it take?"
OTHER = "Josh buys a house for 80000 dollars and puts in 50000 dollars of repairs. How much profit did he make on it?"
REWORDED = (
    "One robe needs 2 bolts of fabric in blue, plus half as much in white fiber. What is the number of bolts in all?"
)
Scanned = Callable[..., Any]


def rows(*texts: str) -> list[dict[str, Any]]:
    return [{"id": f"t{number}", "text": text} for number, text in enumerate(texts)]


def lines(documents: Sequence[Any]) -> bytes:
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in documents)


def clean_text(draw: random.Random) -> str:
    things = ("kettles", "lanterns", "ledgers", "violins", "saplings", "anchors", "turbines", "maps", "quilts")
    places = ("harbour", "orchard", "museum", "station", "bakery", "library", "quarry", "chapel", "workshop")
    acts = ("polishes", "counts", "repairs", "sells", "borrows", "paints", "ships", "weighs", "labels")
    one, two = draw.sample(things, 2)
    return (f"At the {draw.choice(places)} a keeper {draw.choice(acts)} {draw.randint(3, 90)} {one} before noon and "
            f"{draw.choice(acts)} {draw.randint(3, 90)} {two} by night near the {draw.choice(places)}.")  # fmt: skip


def clean(count: int, seed: int) -> list[dict[str, Any]]:
    draw = random.Random(seed)
    return [{"id": f"c{seed}-{number}", "text": clean_text(draw)} for number in range(count)]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("eval.jsonl").write_bytes(lines([{"id": "robe", "question": ITEM}, {"id": "house", "question": OTHER}]))
    Path("control.jsonl").write_bytes(lines(clean(120, 1)))


@pytest.fixture
def scanned(capfd: pytest.CaptureFixture[str]) -> Scanned:
    def call(*words: str, code: int = 1) -> Any:
        got = run(["contamination", "scan", *words, "--against", "eval.jsonl", "--workers", "1", "--json"])
        shown = capfd.readouterr()
        assert got == code, shown.err
        return json.loads(shown.out) | {"stderr": shown.err} if code != 2 else shown.err

    return call


def found(document: Any) -> set[tuple[str, str, str]]:
    return {(one["train_id"], one["item_id"], one["detector"]) for one in document["flagged"]}


def test_leaked_and_reworded_rows_are_flagged_with_their_item_and_clean_ones_are_not(scanned: Scanned) -> None:
    Path("train.jsonl").write_bytes(lines([*rows(f"Q: {ITEM}", REWORDED), *clean(80, 2)]))
    document = scanned("train.jsonl", "--control", "control.jsonl")
    flagged = found(document)
    assert ("t0", "robe", "verbatim") in flagged
    assert {(row, item) for row, item, _ in flagged if row == "t1"} == {("t1", "robe")}
    assert document["train_rows"] == 82
    assert document["unreadable_rows"] == 0
    assert document["flagged_rows"] == len({row for row, _, _ in flagged}) <= 5
    scores = [one["score"] for one in document["flagged"]]
    assert scores == sorted(scores, reverse=True)
    pair = next(one for one in document["flagged"] if one["train_id"] == "t0" and one["detector"] == "verbatim")
    assert pair["train"]["text"] == pair["item"]["text"] == ITEM.rstrip("?")
    assert pair["train"]["place"] == "text"
    assert pair["item"]["place"] == "question"
    assert document["items"][0]["item_id"] == "robe"
    assert document["items"][0]["flagged"] is True


def test_nothing_flagged_ends_with_0_and_says_what_was_not_measured(scanned: Scanned) -> None:
    Path("train.jsonl").write_bytes(lines(clean(30, 3)))
    document = scanned("train.jsonl", code=0)
    assert document["flagged"] == document["items"] == []
    assert document["distribution"] is None
    assert any("no control" in why for why in document["abstained"])
    assert any("decoys" in why for why in document["abstained"])


def test_without_variants_only_what_stands_there_is_found_and_that_is_said(scanned: Scanned) -> None:
    Path("train.jsonl").write_bytes(lines([*rows(ITEM, REWORDED), *clean(30, 3)]))
    document = scanned("train.jsonl", "--no-variants")
    assert found(document) == {("t0", "robe", "verbatim")}
    assert any("--no-variants" in why for why in document["abstained"])


@pytest.mark.parametrize("content", [b"", b"\n\n", b"[]\n{}\n", b"not json\n\xff\xfe\n"])
def test_a_training_set_without_a_row_is_not_clean(scanned: Scanned, content: bytes) -> None:
    Path("train.jsonl").write_bytes(content)
    document = scanned("train.jsonl", code=3)
    assert document["train_rows"] == 0
    assert document["flagged"] == []


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_that_is_one_array_is_refused_on_every_side(
    scanned: Scanned, indent: int | None, pack: Callable[[bytes], bytes]
) -> None:
    Path("array.json").write_bytes(pack(json.dumps(clean(9, 4), indent=indent).encode()))
    Path("train.jsonl").write_bytes(lines(clean(30, 3)))
    for words in (["array.json"], *(["train.jsonl", side, "array.json"] for side in ("--control", "--decoys"))):
        assert "is one JSON array, and rows are read one a line" in scanned(*words, code=2)


def test_a_row_may_be_a_list_of_messages(scanned: Scanned) -> None:
    message = [{"role": "user", "content": ITEM}]
    for count in (1, 3):
        Path("train.jsonl").write_bytes(lines([message] * count))
        assert scanned("train.jsonl", "--no-variants", code=1)["flagged_rows"] == count


def test_why_rows_cannot_be_read_is_said_with_the_first(scanned: Scanned) -> None:
    Path("train.csv").write_bytes(b"id,text\n1,two\n")
    said = scanned("train.csv", code=3)["abstained"]
    assert any("2 of 2 training rows could not be read, the first train.csv:1: not JSON" in why for why in said)


def test_unreadable_rows_are_counted_listed_and_written_apart(scanned: Scanned) -> None:
    broken = [b"not json\n", b'{"id": "e"}\n', b"\xff\xfe\n"]
    good = lines([{"id": "a", "text": "plain words of no concern to anyone at all"}])
    Path("train.jsonl").write_bytes(broken[0] + good + broken[1] + b"\n" + lines(rows(ITEM)) + broken[2])
    document = scanned("train.jsonl", "--cleaned", "clean.jsonl", "--no-variants")
    assert document["unreadable_rows"] == 3
    assert [one["line"] for one in document["unreadable"]] == [1, 3, 6]
    assert Path("clean.jsonl").read_bytes() == good + b"\n"
    assert Path("clean.unreadable.jsonl").read_bytes() == b"".join(broken)
    (cleaned,) = document["cleaned"]
    assert (cleaned["kept"], cleaned["flagged"], cleaned["unreadable"]) == (1, 1, 3)
    assert "1 flagged rows left out, 3 unreadable" in document["stderr"]


def test_the_file_of_unreadable_rows_holds_all_of_them(scanned: Scanned) -> None:
    """The document lists the first few hundred; the file once held no more than these."""
    Path("train.jsonl").write_bytes(b"not json\n" * 700 + lines(rows(ITEM)) + b"{}\n" * 300)
    document = scanned("train.jsonl", "--out", "out", "--no-variants")
    assert document["unreadable_rows"] == 1000 > len(document["unreadable"])
    written = [json.loads(line) for line in Path("out/unreadable.jsonl").read_bytes().splitlines()]
    assert [one["line"] for one in written] == [*range(1, 701), *range(702, 1002)]
    assert all(one["path"] == "train.jsonl" and one["why"] for one in written)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
def test_kept_lines_are_the_bytes_they_were(scanned: Scanned, ending: bytes) -> None:
    odd = b'{ "text":"caf\\u00e9  \\ud83d\\ude00 and 1.50 of it, quite apart from the rest" ,"n": 1.50 }'
    Path("train.jsonl").write_bytes(b"\r\n".join([odd, json.dumps({"id": "x", "text": ITEM}).encode(), odd]) + ending)
    scanned("train.jsonl", "--cleaned", "clean.jsonl", "--no-variants")
    assert Path("clean.jsonl").read_bytes() == odd + b"\r\n" + odd + ending
    assert not Path("clean.unreadable.jsonl").exists()


def test_a_cleaned_file_is_of_the_kind_of_its_source(scanned: Scanned) -> None:
    documents = [*rows(ITEM), *clean(20, 4)]
    whole, rest = lines(documents), lines(documents[1:])
    Path("set").mkdir()
    Path("set/a.jsonl.gz").write_bytes(gzip.compress(whole))
    Path("set/b.jsonl.zst").write_bytes(zstandard.compress(whole))
    table = pa.Table.from_pylist(documents).replace_schema_metadata({"made": "by ada"})
    pq.write_table(table, "set/c.parquet")
    Path("set/notes.txt").write_text("no rows")
    document = scanned("set", "--cleaned", "clean", "--no-variants")
    assert [one["flagged"] for one in document["cleaned"]] == [1, 1, 1]
    assert gzip.decompress(Path("clean/a.jsonl.gz").read_bytes()) == rest
    assert zstandard.decompress(Path("clean/b.jsonl.zst").read_bytes(), max_output_size=1 << 20) == rest
    kept = pq.read_table("clean/c.parquet")
    assert kept.to_pylist() == documents[1:]
    assert kept.schema.equals(table.schema, check_metadata=True)
    assert any("1 file in the folders" in why for why in document["abstained"])


def test_a_cleaned_file_never_lands_on_its_source(scanned: Scanned) -> None:
    Path("train.jsonl").write_bytes(lines(rows(ITEM)))
    before = Path("train.jsonl").read_bytes()
    assert "would write over the training set" in scanned("train.jsonl", "--cleaned", "train.jsonl", code=2)
    assert Path("train.jsonl").read_bytes() == before


def test_no_file_of_any_side_is_written_over_nor_one_by_another(scanned: Scanned) -> None:
    for name in ("train.jsonl", "old.unreadable.jsonl", "both/a.jsonl", "both/a.unreadable.jsonl"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(lines(rows(ITEM)) + b"{broken\n")
    control = ("--control", "control.jsonl")
    for words in (("train.jsonl", "--cleaned", "eval.jsonl"), ("train.jsonl", *control, "--cleaned", "control.jsonl"),
                  ("old.unreadable.jsonl", "--cleaned", "old.jsonl"), ("both", "--cleaned", "clean")):  # fmt: skip
        assert "--cleaned" in scanned(*words, code=2)
    assert Path("eval.jsonl").read_bytes().count(b"\n") == 2
    assert Path("old.unreadable.jsonl").read_bytes().endswith(b"{broken\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["eval.jsonl"], "A set compared with itself says nothing"),
        (["train.jsonl", "--control", "train.jsonl"], "one that is the training set hides its own leaks"),
        (["train.jsonl", "--control", "eval.jsonl"], "every leak would look like a false positive"),
        (["train.jsonl", "--decoys", "eval.jsonl"], "Decoys are other items of the same source"),
        (["train.jsonl", "control.jsonl", "--decoys", "control.jsonl"], "which nobody trained on"),
        (["nowhere.jsonl"], "there is no such file or folder"),
        (["train.jsonl", "--control", "empty.jsonl"], "holds nothing that can be compared"),
        (["train.jsonl", "--model", "m"], "nothing is kept"),
        (["train.jsonl", "--out", "train.jsonl"], "no folder can be made here"),
        (["train.jsonl", "--keep", "eval.jsonl"], "is a file, not a ledger"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(scanned: Scanned, words: list[str], says: str) -> None:
    Path("train.jsonl").write_bytes(lines(rows(ITEM)))
    Path("empty.jsonl").write_bytes(b"")
    assert says in scanned(*words, code=2)


def test_the_evaluation_set_among_the_training_files_is_a_finding(scanned: Scanned) -> None:
    Path("train.jsonl").write_bytes(lines(clean(20, 5)))
    document = scanned("train.jsonl", "eval.jsonl", "--no-variants")
    assert {row for row, _, _ in found(document)} == {"robe", "house"}
    assert any("byte for byte" in note for note in document["notes"])
    assert any("looks like the evaluation set itself" in note for note in document["notes"])


def test_a_control_that_holds_an_item_is_told_and_hides_nothing(scanned: Scanned) -> None:
    Path("train.jsonl").write_bytes(lines([*rows(ITEM), *clean(40, 6)]))
    Path("tainted.jsonl").write_bytes(lines([*clean(60, 7), {"id": "bad", "text": ITEM}]))
    document = scanned("train.jsonl", "--control", "tainted.jsonl")
    assert ("t0", "robe", "verbatim") in found(document)
    assert any("bad holds robe" in note for note in document["notes"])
    assert document["counts"]["control"] == 60


def test_control_rows_that_reword_items_are_named_with_decoys_as_without(scanned: Scanned) -> None:
    Path("train.jsonl").write_bytes(lines(clean(20, 6)))
    Path("tainted.jsonl").write_bytes(lines([*clean(120, 1), {"id": "near", "text": REWORDED}]))
    Path("decoys.jsonl").write_bytes(lines(clean(3, 11)))
    for more in ((), ("--decoys", "decoys.jsonl")):
        document = scanned("train.jsonl", "--control", "tainted.jsonl", *more, code=0)
        assert any("as near to items as leaks are (near)" in note for note in document["notes"])


def test_of_several_evaluation_sets_each_is_told_what_of_it_leaked(capfd: pytest.CaptureFixture[str]) -> None:
    Path("train.jsonl").write_bytes(lines([*rows(ITEM, ITEM), *clean(30, 9)]))
    Path("more").mkdir()
    texts = ("Which river drains the western half of the plateau before it meets the sea?",
             "Name the mineral that gives the northern cliffs their dark green colour in spring.")  # fmt: skip
    Path("more/second.jsonl").write_bytes(lines(rows(*texts)))
    words = ["train.jsonl", "--against", "eval.jsonl", "--against", "more", "--workers", "1", "--no-variants"]
    assert run(["contamination", "scan", *words, "--out", "out", "--json"]) == 1
    document = json.loads(capfd.readouterr().out)
    assert document["evaluations"] == [
        {"path": "eval.jsonl", "items": 2, "flagged_items": 1, "flagged_rows": 2},
        {"path": "more/second.jsonl", "items": 2, "flagged_items": 0, "flagged_rows": 0},
    ]
    assert "1 of 2 evaluation sets" in Path("out/scan.md").read_text()
    assert run(["contamination", "scan", *words]) == 1
    assert re.search(r"eval\.jsonl +2 +1 +2\b", capfd.readouterr().out)


def test_the_result_is_the_same_bytes_whatever_the_processes(capfd: pytest.CaptureFixture[str]) -> None:
    Path("train.jsonl").write_bytes(lines([*rows(ITEM, REWORDED), *clean(40, 8)]))
    shown = []
    for workers in ("1", "2", "1"):
        words = ["train.jsonl", "--against", "eval.jsonl", "--control", "control.jsonl", "--workers", workers, "--json"]
        assert run(["contamination", "scan", *words]) == 1
        shown.append(capfd.readouterr().out)
    assert shown[0] == shown[1] == shown[2]


def test_what_is_written_and_kept_is_the_document(scanned: Scanned) -> None:
    Path("train.jsonl").write_bytes(lines([*rows(ITEM), {"id": 7}]))
    document = scanned("train.jsonl", "--out", "out", "--keep", "ledger", "--model", "m", "--no-variants")
    written = json.loads(Path("out/scan.json").read_bytes())
    assert written == {name: value for name, value in document.items() if name != "stderr"}
    pairs = [json.loads(line) for line in Path("out/flagged.jsonl").read_bytes().splitlines()]
    assert pairs == document["flagged"]
    assert b"<html" in Path("out/scan.html").read_bytes()
    book = Ledger.open("ledger")
    (kept,) = all_screenings(book)
    assert (kept.kind, kept.holds, kept.model, kept.subject) == ("scan", False, "m", "train.jsonl")
    assert kept.subject_hash == document["inputs"]["train"][0]["hash"]
    assert set(kept.not_measured) == set(document["abstained"])
    assert json.loads(book.get_blob(kept.document))["flagged"] == document["flagged"]


def test_tasks_of_a_suite_are_items_and_with_keys_their_solutions_too(
    capfd: pytest.CaptureFixture[str],
) -> None:
    task = Path("suite/greet")
    (task / "solution").mkdir(parents=True)
    (task / "tests").mkdir()
    (task / "task.toml").write_text('version = "1.0"\n[environment]\ndocker_image = "debian:12"\n')
    (task / "instruction.md").write_text("Write a polite greeting for every guest in the hotel register, by name.\n")
    solution = "while read -r guest room; do printf 'Welcome %s to room %s, breakfast is at eight' $guest $room; done"
    (task / "solution/solve.sh").write_text(f"{solution} < register.txt > greetings.txt\n")
    (task / "tests/test.sh").write_text("exit 0\n")
    Path("train.jsonl").write_bytes(lines(rows(f"Here is how: {solution} and so on", "nothing to see")))
    for words, code in (([], 0), (["--keys"], 1)):
        asked = ["train.jsonl", "--against", "suite", "--no-variants", "--workers", "1", "--json", *words]
        assert run(["contamination", "scan", *asked]) == code
        document = json.loads(capfd.readouterr().out)
        assert [one["item_id"] for one in document["flagged"]] == ["greet"] * code


def test_a_terminal_shows_pairs_side_by_side_and_no_control_characters(
    capfd: pytest.CaptureFixture[str],
) -> None:
    hostile = f"[bold]\x1b[31m{ITEM}\x07[/nope]"
    Path("train.jsonl").write_bytes(lines([{"id": "\x1b]0;x\x07[red]", "text": hostile}]))
    assert run(["contamination", "scan", "train.jsonl", "--against", "eval.jsonl", "--workers", "1"]) == 1
    shown = capfd.readouterr().out
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "item robe" in shown
    assert "1 of 1 training rows flagged" in shown
