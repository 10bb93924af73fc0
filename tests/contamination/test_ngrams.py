"""The scan for shared 5-grams: counts and passages against plain Python, leaks of every kind found, chance not flagged.

Not covered: speed and recall on large corpora (bench/scan.py).
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.contamination.index import ALL_BITS, index_of
from fairtrial.contamination.ngrams import NgramOptions, NgramScan, scan
from fairtrial.contamination.ngrams_piece import PieceScan
from fairtrial.contamination.reading import pieces_of
from fairtrial.contamination.rows import Row, read_rows

QUESTION = (
    "Marta planted nineteen plum trees along the old canal, and each spring a third of the blossoms freeze; how many "
    "baskets of fruit does she carry to the market in Lindau after four mild winters and one hard frost?"
)
ANSWER = "She carries eighty baskets after the mild winters and only fifty three once the hard frost has passed."


def item(name: str, **texts: str) -> Row:
    return Row(name, tuple(texts.items()), "items.jsonl", 1)


ITEMS = [
    item("plums", question=QUESTION, answer=ANSWER),
    item("tides", question="A harbour pilot notes that the tide rises forty centimetres an hour until noon and then "
         "falls at half that pace; at what time does the sill of the dry dock stand exactly two metres under water?"),
    item("greek", question="Ποιο από τα παρακάτω νησιά του Αιγαίου έχει ενεργό ηφαίστειο και πόσες φορές εξερράγη τον "
         "τελευταίο αιώνα σύμφωνα με το αρχείο του παρατηρητηρίου;"),
    item("han", question="某个村庄有三十七户人家每户平均养了五只鸡和两头牛请问全村一共有多少只脚在田里走动"),
    item("code", prompt="def tally(rows):\n    seen = {}\n    for row in rows:\n        seen[row.key_name] = seen.get("
         "row.key_name, 0) + row.unitPrice * row.count\n    return sorted(seen.items())"),
    item("short", question="Who painted the ceiling of Kessel chapel?"),
    item("tiny", question="Why?", answer="Rain"),
]  # fmt: skip


def write(folder: Path, rows: list[object], name: str = "train.jsonl") -> Path:
    path = folder / name
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return path


def found(path: Path, items: list[Row] | None = None, **options: object) -> NgramScan:
    return scan([path], ITEMS if items is None else items, **options)  # type: ignore[arg-type]


def named(result: NgramScan) -> list[tuple[int, str]]:
    return [(flag.train_row, flag.item_id) for flag in result.hits]


FILLER = "Yesterday the committee discussed parking, lunch and the colour of the new doors at some length. "

LEAKS = {
    "verbatim": (QUESTION + "\n" + ANSWER, "plums"),
    "question only": (FILLER + QUESTION + FILLER, "plums"),
    "answer only": (ANSWER, "plums"),
    "first half": (" ".join(QUESTION.split()[: len(QUESTION.split()) // 2 + 1]), "plums"),
    "lines of eight words": (re.sub(r"((?:\S+ ){8})", r"\1\n", QUESTION), "plums"),
    "case and markdown": ("> **" + QUESTION.upper().replace(" ", "**  _", 3), "plums"),
    "no punctuation": (re.sub(r"[^\w ]", "", QUESTION), "plums"),
    "every eighth word gone": (" ".join(w for n, w in enumerate(QUESTION.split()) if n % 8 != 3), "plums"),
    "every eighth word replaced": (" ".join("kite" if n % 8 == 3 else w for n, w in enumerate(QUESTION.split())),
                                   "plums"),
    "Greek without accents": ("ποιο απο τα παρακατω νησια του αιγαιου εχει ενεργο ηφαιστειο και ποσες φορες εξερραγη",
                              "greek"),
    "Han, spaces between": (" ".join("某个村庄有三十七户人家每户平均养了五只鸡和两头牛请问全村一共"), "han"),
    "code on one line": ("def tally(rows): seen = {}; for row in rows: seen[row.key_name] = seen.get(row.key_name, 0) "
                         "+ row.unitPrice * row.count; return sorted(seen.items())", "code"),
    "a short question by itself": (FILLER + "\n\nWho painted the ceiling of Kessel Chapel?\n" + FILLER, "short"),
    "letters of another script that look alike": (QUESTION.translate(str.maketrans(
        "aeopcx", "\u0430\u0435\u043e\u0440\u0441\u0445")), "plums"),
    "invisible characters": (QUESTION.replace("planted", "plan\u00adted").replace("frost", "fro\u200bst"), "plums"),
}  # fmt: skip


@pytest.mark.parametrize("kind", LEAKS)
def test_a_leak_is_found_and_its_passage_named(kind: str, tmp_path: Path) -> None:
    text, owner = LEAKS[kind]
    path = write(tmp_path, [{"text": FILLER}, {"messages": [{"role": "user", "content": FILLER + "\n" + text}]}])
    result = found(path)
    assert named(result) == [(1, owner)]
    flag = result.hits[0]
    assert flag.train_id == "train.jsonl:2"
    assert flag.train is not None
    assert flag.item is not None
    assert flag.train.place == "messages[0].content"
    mine = dict(next(row for row in ITEMS if row.id == owner).texts)[flag.item.place][flag.item.start : flag.item.end]
    theirs = (FILLER + "\n" + text)[flag.train.start : flag.train.end]
    assert plain_words(theirs)[0] == plain_words(mine)[0]
    assert plain_words(theirs)[-1] == plain_words(mine)[-1]
    assert len(plain_words(mine)) >= 7


def plain_words(text: str) -> list[str]:
    """Words by plain Python, for Latin, Greek and Han."""
    alike = str.maketrans("\u0430\u0435\u043e\u0440\u0441\u0445", "aeopcx")
    plain = text.lower().translate(str.maketrans("άέήίόύώ", "αεηιουω", "\u00ad\u200b")).translate(alike)
    return re.findall(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+", plain)


NO_LEAKS = {
    "a common phrase": "How many baskets of fruit does she carry? Nobody knows, and nobody has ever asked.",
    "the words in another order": " ".join(sorted(QUESTION.split())),
    "a short question inside a sentence": "He asked me who painted the ceiling of Kessel chapel before it burned down.",
    "a text of one word": "Rain",
}


@pytest.mark.parametrize("kind", NO_LEAKS)
def test_what_is_no_leak_is_not_flagged(kind: str, tmp_path: Path) -> None:
    assert named(found(write(tmp_path, [{"text": NO_LEAKS[kind]}]))) == []


def test_an_item_without_five_words_is_said_to_be_too_short(tmp_path: Path) -> None:
    assert found(write(tmp_path, [{"question": "Why?", "answer": "Rain"}])).too_short == ("tiny",)


def test_grams_do_not_cross_fields(tmp_path: Path) -> None:
    words = QUESTION.split()
    pieces = [" ".join(words[at : at + 4]) for at in range(0, len(words), 4)]
    assert named(found(write(tmp_path, [{"messages": [{"content": piece} for piece in pieces]}]))) == []


def test_boilerplate_is_no_leak_and_leaked_items_stay_found(tmp_path: Path) -> None:
    """Forty items begin with one licence, as two thousand rows do; three of them are leaked 1, 20 and 120 times."""
    dice = random.Random(4)
    vocabulary = [f"w{n}" for n in range(3000)]
    licence = " ".join(dice.sample(vocabulary, 40))
    own = [" ".join(dice.sample(vocabulary, 50)) for _ in range(40)]
    items = [item(f"i{n}", question=f"{licence} {text}") for n, text in enumerate(own)]
    leaks = [n for n, times in ((0, 1), (1, 20), (2, 120)) for _ in range(times)]
    rows = [{"text": f"{licence} {' '.join(dice.sample(vocabulary, 30))}"} for _ in range(2000)]
    rows += [{"text": items[n].text} for n in leaks]
    result = found(write(tmp_path, list(rows)), items)
    assert named(result) == [(2000 + at, f"i{n}") for at, n in enumerate(leaks)]
    assert {common.item_id for common in result.common} == {each.id for each in items}
    assert result.item_rows.tolist()[:4] == [1, 20, 120, 0]


def test_what_the_control_holds_is_not_counted(tmp_path: Path) -> None:
    path = write(tmp_path, [{"text": QUESTION}])
    control = write(tmp_path, [{"text": QUESTION}], "control.jsonl")
    result = found(path, control=[control])
    assert named(result) == []
    assert [(common.item_id, common.whole) for common in result.common] == [("plums", True)]


WORDS = st.sampled_from(["a", "b", "ab", "ba", "Ünï", "字", "c1", "d_e"])
TEXTS = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
ROWS = st.lists(st.lists(TEXTS, min_size=1, max_size=3), min_size=1, max_size=6)


def grams_of(text: str) -> list[tuple[str, ...]]:
    words = re.findall(r"[^\W_字]+|字", text.lower().translate(str.maketrans("üï", "ui")))
    return [tuple(words[at : at + 5]) for at in range(len(words) - 4)]


@settings(max_examples=40)
@given(items=ROWS, rows=ROWS, mask=st.sampled_from([ALL_BITS, 0x7]))
def test_counts_are_those_of_plain_python_even_where_hashes_collide(
    items: list[list[str]], rows: list[list[str]], mask: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("counts")
    named_texts = [{f"t{k}": text for k, text in enumerate(texts)} for texts in items]
    index = index_of([item(f"i{n}", **texts) for n, texts in enumerate(named_texts)], mask)
    path = write(folder, [{"id": n, "texts": texts} for n, texts in enumerate(rows)])
    scanned = PieceScan(index, folder).scan(pieces_of([path])[0], 0)
    held = [{gram for text in texts for gram in grams_of(text)} for texts in rows]
    mine = [{gram for text in texts for gram in grams_of(text)} for texts in items]
    every = set().union(*mine)
    data = index.arrays.data.tobytes()
    seen = {}
    for number, head in enumerate(index.arrays.gram_at):
        words = [data[index.arrays.word_start[at] : index.arrays.word_end[at]].decode() for at in range(head, head + 5)]
        gram = grams_of(" ".join(words))[0]
        assert gram not in seen
        seen[gram] = number
        assert scanned.rows_holding[number] == sum(gram in each for each in held)
        assert index.gram_items[number] == sum(gram in each for each in mine)
    assert set(seen) == every


LETTERS, ALONE, PASSED_OVER = "aZéЙß한हि٣9ｗب", "字かท𠀀", "\u064é­‍️"


@settings(max_examples=60)
@given(text=st.text(st.sampled_from(LETTERS + ALONE + PASSED_OVER + '_ .,\n—"😀'), max_size=40))
def test_words_are_read_with_their_places(text: str) -> None:
    """Character by character, in plain Python: which words there are, and where each begins and ends."""
    padded = "one two three four five " + text
    spans: list[tuple[int, int]] = []
    begun = False
    for at, letter in enumerate(padded):
        if letter in ALONE:
            spans.append((at, at + 1))
        elif letter in LETTERS or (letter.isascii() and letter.isalnum()):
            spans[-1:] = [(spans[-1][0], at + 1)] if begun else [*spans[-1:], (at, at + 1)]
        begun = letter not in ALONE and (letter in LETTERS or (letter.isascii() and letter.isalnum())
                                         or (letter in PASSED_OVER and begun))  # fmt: skip
    index = index_of([item("i", text=padded)])
    data = index.arrays.data.tobytes()
    read = [(len(data[:start].decode()), data[start:end].decode()) for start, end in zip(index.starts, index.ends,
                                                                                        strict=True)]  # fmt: skip
    assert [(at, at + len(word.rstrip(PASSED_OVER))) for at, word in read] == spans


def test_a_piece_cut_anywhere_finds_the_same(tmp_path: Path) -> None:
    dice = random.Random(1)
    texts = [text for text, _ in LEAKS.values()] + [FILLER] * 20
    rows = [{"id": n, "text": FILLER * dice.randrange(3) + dice.choice(texts)} for n in range(120)]
    path = write(tmp_path, list(rows))
    whole = found(path)
    assert len(whole.hits) > 30
    for piece in (97, 1500):
        cut = found(path, options=NgramOptions(piece=piece))
        assert (cut.hits, cut.common, cut.rows, cut.bytes) == (whole.hits, whole.common, whole.rows, whole.bytes)
        assert np.array_equal(cut.item_rows, whole.item_rows)


@pytest.mark.extra
def test_two_processes_find_what_one_does(tmp_path: Path) -> None:
    path = write(tmp_path, [{"id": n, "text": FILLER + list(LEAKS.values())[n % len(LEAKS)][0]} for n in range(400)])
    one, two = found(path), found(path, options=NgramOptions(piece=20_000), workers=2)
    assert (one.hits, one.common, one.rows) == (two.hits, two.common, two.rows)


def test_rows_are_numbered_as_read_rows_numbers_them(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(
        b'\n{"text": 5}\nnot json\n' + orjson.dumps({"id": "x", "text": QUESTION}) + b'\n{"text":"\xff"}\n[]\n'
    )
    result = found(path)
    rows = [row for row in read_rows([path]) if isinstance(row, Row)]
    assert [rows[flag.train_row].id for flag in result.hits] == ["x"]
    assert (result.rows, result.unreadable) == (1, 4)
    assert [(each.line, each.why.split(":")[0]) for each in result.unreadable_listed] == [
        (2, "holds no text"), (3, "not JSON"), (5, "not UTF-8 at byte 9 of the line"), (6, "holds no text"),
    ]  # fmt: skip


def test_ids_that_differ_in_two_places_are_no_repeats(tmp_path: Path) -> None:
    rows: list[object] = [{"id": f"{i}-train-{j}", "text": FILLER} for i in range(20) for j in range(200)]
    assert found(write(tmp_path, rows)).repeated_ids == 0


def test_repeated_ids_are_counted_and_compared(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": FILLER}, {"id": 7, "text": FILLER}, {"id": "7", "text": FILLER}, {"text": "b c"},
            {"id": "a", "text": QUESTION}]  # fmt: skip
    result = found(write(tmp_path, list(rows)))
    assert [each.line for each in result.repeated_ids_listed] == [3, 5]
    assert (result.repeated_ids, result.rows, named(result)) == (2, 5, [(4, "plums")])


def test_the_kernel_s_own_separators_in_a_text_part_nothing(tmp_path: Path) -> None:
    broken = QUESTION.replace(" ", "\x1e", 9).replace(" ", "\x1d", 9)
    rows = [{"text": "a\x1eb\x1dc"}, {"text": broken}, {"text": FILLER}]
    result = found(write(tmp_path, list(rows)))
    assert (named(result), result.rows) == ([(1, "plums")], 3)


def test_a_row_longer_than_what_the_kernel_is_given_at_once(tmp_path: Path) -> None:
    long = FILLER * 60_000
    rows = [{"id": "l", "a": "x y", "text": long[:2_600_000] + QUESTION + long[2_600_000:], "end": ANSWER}]
    result = found(write(tmp_path, list(rows)))
    flag = result.hits[0]
    assert len(result.hits) == 1
    assert flag.train is not None
    place = dict(next(read_rows([tmp_path / "train.jsonl"])).texts)[flag.train.place]  # type: ignore[union-attr]
    assert place[flag.train.start : flag.train.end] in (QUESTION[:-1], ANSWER[:-1])


def test_no_items_and_no_rows(tmp_path: Path) -> None:
    empty = write(tmp_path, [])
    assert found(empty).rows == 0
    nothing = found(write(tmp_path, [{"text": QUESTION}]), [])
    assert (nothing.hits, nothing.rows) == ((), 1)
