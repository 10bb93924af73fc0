"""`fairtrial contamination split` from the outside: near copies stay together, splits made elsewhere, odd input."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.ledger.screened import all_screenings

VOCABULARY = [
    first + second for first in ("bor", "cal", "dem", "fur", "gos", "hib", "jul", "kar", "lem", "mon", "nes", "pol")
    for second in ("ack", "een", "ido", "ume", "yst", "orp", "ane", "ilk", "ost", "ube", "arn", "ent", "ogs", "ift")
]  # fmt: skip
Split = Callable[..., Any]


def prose(number: int) -> str:
    """Return a text of which no other number has many words."""
    draw = random.Random(number)
    words = draw.sample(VOCABULARY, 14)
    return f"{' '.join(words[:8])} in {number + 3} days, {' '.join(words[8:])} as Ada said."


def documents() -> list[dict[str, Any]]:
    """Return 64 distinct rows of two families, and two copies of every eighth with other figures or a small edit."""
    found: list[dict[str, Any]] = []
    for number in range(64):
        text, name = prose(number), f"r-{number}"
        found.append({"id": name, "prompt": text, "family": "ab"[number % 2]})
        if number % 8 == 0:
            found.append({"id": f"{name}-figures", "prompt": text.replace(" days", "77 days"), "family": "a"})
            found.append({"id": f"{name}-edit", "prompt": "Well, " + text.rstrip(".") + " !", "family": "b"})
    return found


def stem(name: str) -> str:
    return "-".join(name.split("-")[:2])


def lines(some: Sequence[Any]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in some)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.jsonl").write_bytes(lines(documents()))


@pytest.fixture
def split(capfd: pytest.CaptureFixture[str]) -> Split:
    def call(*words: str, code: int = 0) -> Any:
        got = run(["contamination", "split", *words, "--no-vectors", "--json"])
        shown = capfd.readouterr()
        assert got == code, shown.err
        return json.loads(shown.out) if code != 2 else shown.err

    return call


def test_copies_lie_on_one_side_and_each_family_meets_its_share(split: Split) -> None:
    found = split("rows.jsonl", "--held-out", "0.3")
    train, held_out = set(found["train"]), set(found["held_out"])
    assert train | held_out == {one["id"] for one in documents()}
    assert not train & held_out
    assert not {stem(name) for name in train} & {stem(name) for name in held_out}
    assert {tuple(sorted({stem(name) for name in group})) for group in found["groups"]} == {
        (f"r-{number}",) for number in range(0, 64, 8)
    }
    assert all(len(group) == 3 for group in found["groups"])
    assert [one["held_out"] for one in found["families"]] == [one["wanted"] for one in found["families"]]
    assert found["shortfall_rows"] == 0
    assert len(held_out) == round(0.3 * len(documents()))


def test_rows_in_another_order_come_to_the_same_sides(split: Split) -> None:
    shuffled = documents()
    random.Random(7).shuffle(shuffled)
    Path("shuffled.jsonl").write_bytes(lines(shuffled))
    here, there = split("rows.jsonl", "--held-out", "0.3"), split("shuffled.jsonl", "--held-out", "0.3")
    assert set(here["held_out"]) == set(there["held_out"])
    assert {frozenset(group) for group in here["groups"]} == {frozenset(group) for group in there["groups"]}
    other = split("rows.jsonl", "--held-out", "0.3", "--seed", "1")
    assert set(other["held_out"]) != set(here["held_out"])


def test_the_same_seed_prints_the_same_bytes(capfd: pytest.CaptureFixture[str]) -> None:
    shown = []
    for _ in range(2):
        assert run(["contamination", "split", "rows.jsonl", "--held-out", "0.25", "--json"]) == 0
        shown.append(capfd.readouterr().out)
    assert shown[0] == shown[1]


def test_both_sides_are_written_line_for_line_and_pass_their_own_check(split: Split) -> None:
    found = split("rows.jsonl", "--held-out", "0.3", "--out", "out")
    both = (
        Path("out/train.jsonl").read_bytes().splitlines(True),
        Path("out/held_out.jsonl").read_bytes().splitlines(True),
    )
    assert sorted(both[0] + both[1]) == sorted(Path("rows.jsonl").read_bytes().splitlines(True))
    assert [json.loads(line)["id"] for line in both[1]] == found["held_out"]
    assert split("--train", "out/train.jsonl", "--held-out", "out/held_out.jsonl")["straddling"] == []
    assert split("rows.jsonl", "--check", "out/split.json")["straddling"] == []


@pytest.mark.parametrize("kind", ["gz", "parquet"])
def test_a_side_is_of_the_kind_of_its_source(split: Split, kind: str) -> None:
    some = documents()
    if kind == "gz":
        Path("rows.jsonl.gz").write_bytes(gzip.compress(lines(some)))
        split("rows.jsonl.gz", "--held-out", "0.3", "--out", "out")
        held = [json.loads(line) for line in gzip.decompress(Path("out/held_out.jsonl.gz").read_bytes()).splitlines()]
    else:
        pq.write_table(pa.Table.from_pylist(some), "rows.parquet")
        split("rows.parquet", "--held-out", "0.3", "--out", "out")
        held = pq.read_table("out/held_out.parquet").to_pylist()
    assert held == [one for one in some if one["id"] in {row["id"] for row in held}]
    assert len(held) == round(0.3 * len(some))


@pytest.mark.parametrize("how", ["document", "field", "files"])
def test_a_split_made_elsewhere_that_tears_a_group_is_named(split: Split, how: str) -> None:
    some = documents()
    held = {one["id"] for one in some if one["id"].endswith("-figures")}
    if how == "document":
        sides = {"train": [one["id"] for one in some if one["id"] not in held], "held_out": sorted(held)}
        Path("split.json").write_text(json.dumps(sides))
        words = ["rows.jsonl", "--check", "split.json"]
    elif how == "field":
        marked = [one | {"part": "test" if one["id"] in held else "train"} for one in some]
        Path("marked.jsonl").write_bytes(lines(marked))
        words = ["marked.jsonl", "--check", "part"]
    else:
        Path("a.jsonl").write_bytes(lines([one for one in some if one["id"] not in held]))
        Path("b.jsonl").write_bytes(lines([one for one in some if one["id"] in held]))
        words = ["--train", "a.jsonl", "--held-out", "b.jsonl"]
    found = split(*words, code=1)
    assert {stem(one["ids"][0]) for one in found["straddling"]} == {stem(name) for name in held}
    for one in found["straddling"]:
        assert one["sides"] == {"held_out": 1, "train": 2}
        assert len({name in held for name in one["pair"]}) == 2
        assert one["likeness"] > found["threshold"]


def test_words_for_sides_mean_the_same_however_they_are_written(split: Split) -> None:
    some = documents()
    marked = [one | {"part": ("Train", "train ", "training", "TRAIN")[n % 4]} for n, one in enumerate(some)]
    Path("marked.jsonl").write_bytes(lines(marked))
    assert split("marked.jsonl", "--check", "part")["straddling"] == []
    Path("split.json").write_text(json.dumps({"Training": ["r-0"], "test": ["r-0-edit"]}))
    assert len(split("rows.jsonl", "--check", "split.json", code=1)["straddling"]) == 1


def test_rows_that_a_split_does_not_name_are_said_not_to_be_checked(split: Split) -> None:
    Path("split.json").write_text(json.dumps({"train": ["r-0", "gone"], "held_out": ["r-1"]}))
    found = split("rows.jsonl", "--check", "split.json")
    assert found["straddling"] == []
    assert any("rows on no side" in note for note in found["notes"])
    assert any("that no row has: 1" in note for note in found["notes"])


def test_copies_of_one_thing_alone_cannot_be_split(split: Split) -> None:
    Path("one.jsonl").write_bytes(lines([{"text": f"Count the {n} red kites above the long pier."} for n in range(6)]))
    found = split("one.jsonl", "--held-out", "0.5", "--out", "out", code=1)
    assert len(found["train"]) == 6 or len(found["held_out"]) == 6
    assert not Path("out").exists()


def test_a_large_group_leaves_a_shortfall_that_is_told(split: Split) -> None:
    copies = [{"id": f"k{n}", "text": f"Count the {n} red kites above the long pier."} for n in range(6)]
    Path("few.jsonl").write_bytes(lines([*copies, {"id": "x", "text": "Name the capital of Peru and its river."}]))
    found = split("few.jsonl", "--held-out", "0.5")
    assert found["train"] == ["x"]
    assert found["shortfall_rows"] == round(3.5) - 6


def test_tasks_are_split_by_instruction_and_family(split: Split) -> None:
    for number in range(8):
        task = Path(f"suite/t{number}")
        (task / "tests").mkdir(parents=True)
        (task / "tests/test.sh").write_text("exit 0\n")
        family = "abcd"[number // 2]
        (task / "task.toml").write_text(
            f'version = "1.0"\n[metadata]\nfamily = "{family}"\n[environment]\ndocker_image = "debian:12"\n'
        )
        (task / "instruction.md").write_text(prose(number))
    found = split("suite", "--held-out", "0.5", "--out", "out")
    assert sorted(found["train"] + found["held_out"]) == [f"t{number}" for number in range(8)]
    assert [(one["family"], one["held_out"]) for one in found["families"]] == [(name, 1) for name in "abcd"]
    assert Path("out/held_out.txt").read_text().split() == found["held_out"]


def test_unreadable_rows_are_on_no_side_and_counted(split: Split) -> None:
    Path("rows.jsonl").write_bytes(b"oops\n" + lines(documents()) + b'{"id": "empty", "family": "a"}\n')
    found = split("rows.jsonl", "--held-out", "0.3", "--out", "out")
    assert found["unreadable_rows"] == 2
    assert len(found["train"]) + len(found["held_out"]) == len(documents())
    written = Path("out/train.jsonl").read_bytes() + Path("out/held_out.jsonl").read_bytes()
    assert b"oops" not in written


def test_rows_of_one_id_are_told_apart_by_their_place(split: Split) -> None:
    Path("same.jsonl").write_bytes(lines([one | {"id": "same"} for one in documents()[:9]]))
    found = split("same.jsonl", "--held-out", "0.3")
    assert len({*found["train"], *found["held_out"]}) == 9


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "names nothing to split"),
        (["rows.jsonl"], "says how much to hold out, and is missing"),
        (["rows.jsonl", "--held-out", "most"], "`most` is not a share"),
        (["rows.jsonl", "--held-out", "1"], "not above 0 and below 1"),
        (["rows.jsonl", "--held-out", "nan"], "not above 0 and below 1"),
        (["rows.jsonl", "--held-out", "0.3", "--threshold", "1.5"], "a likeness lies above 0"),
        (["nowhere", "--held-out", "0.3"], "there is no such file or folder"),
        (["empty.jsonl", "--held-out", "0.3"], "holds no row that can be split"),
        (["rows.jsonl", "--check", "nothing"], "no row has a field `nothing`"),
        (["rows.jsonl", "--check", "rows.jsonl"], "is not JSON"),
        (["rows.jsonl", "--check", "twice.json"], "is on both sides"),
        (["rows.jsonl", "--check", "other.json"], "names none of the rows"),
        (["rows.jsonl", "--check", "list.json"], "is no list of ids"),
        (["rows.jsonl", "--check", "prompt", "--held-out", "0.3"], "is made or checked, not both"),
        (["--train", "rows.jsonl"], "--train FILE --held-out FILE"),
        (["--train", "rows.jsonl", "--held-out", "rows.jsonl"], "is the training file too"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(split: Split, words: list[str], says: str) -> None:
    Path("empty.jsonl").write_bytes(b"")
    Path("twice.json").write_text(json.dumps({"train": ["r-0"], "held_out": ["r-0"]}))
    Path("other.json").write_text(json.dumps({"train": ["x"], "held_out": ["y"]}))
    Path("list.json").write_text("[]")
    assert says in split(*words, code=2)


def test_a_result_is_kept_as_a_screening(split: Split) -> None:
    found = split("rows.jsonl", "--held-out", "0.3", "--keep", "ledger")
    book = Ledger.open("ledger")
    (kept,) = all_screenings(book)
    assert (kept.kind, kept.holds) == ("split", True)
    assert json.loads(book.get_blob(kept.document)) == found
    assert any("vectors" in why for why in kept.not_measured)


def test_a_terminal_is_told_in_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["contamination", "split", "rows.jsonl", "--held-out", "0.3", "--no-vectors"]) == 0
    shown = capfd.readouterr()
    assert "80 rows: 24 in 8 groups of near copies" in shown.out
    assert "no group on both sides" in shown.out
    assert "not measured: likeness of meaning" in shown.err
