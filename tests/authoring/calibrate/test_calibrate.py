"""A family is tuned to a scripted model over HTTP: found, resumed, stopped by budgets, refused where it is unsound."""

from __future__ import annotations

import importlib.util
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from fairtrial.authoring.calibrate import (
    Bench,
    Calibration,
    CallableFamily,
    ModelTaker,
    Options,
    calibrate,
    held_attempts,
    suite_of,
    write_all,
)
from fairtrial.authoring.calibrate.family import HELD_OUT, TRAIN, family_seed, make_twice
from fairtrial.authoring.calibrate.made import ready
from fairtrial.authoring.calibrate.naming import named_family
from fairtrial.ledger import Ledger, Writer, connect
from fairtrial.models import LanguageModel, ModelSpec, Patience, ScriptedServer
from fairtrial.models.scripted import Asked, Line, fail, say
from fairtrial.records import InputError
from fairtrial.tasks.text import read_text_tasks
from fairtrial.train.sets.sides import read_split

FAMILIES = Path(__file__).parents[3] / "examples" / "families"
WORD = ("ash ", "elm ", "oak ", "fir ", "yew ", "bay ", "may ")
LEVELS = tuple(str(n) for n in range(1, 17))


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, FAMILIES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SUMS = CallableFamily(name="sums", identity="sha256:0123456789ab", function=load("chain_sums").make)


def tuned(
    tmp_path: Path, script: Callable[[Asked], Line], options: Options, server: ScriptedServer | None = None,
    family: CallableFamily = SUMS,
) -> Calibration:  # fmt: skip
    if server is None:
        with ScriptedServer(script) as opened:
            return tuned(tmp_path, script, options, opened, family)
    spec = ModelSpec(name="adder", base_url=server.base_url)
    book = Ledger.open(tmp_path / "ledger", create=True)
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    with LanguageModel(spec, patience=Patience(attempts=1)) as model, Writer(book) as writer:
        return calibrate(Bench(family=family, taker=ModelTaker(language_model=model), writer=writer, options=options,
                               held=held_attempts(book, suite_of(family), "adder"), work=work))  # fmt: skip


def test_the_difficulty_found_is_in_the_band_and_both_sides_are_what_others_read(tmp_path: Path) -> None:
    options = Options(difficulties=LEVELS, tasks=20, groups=3, group_size=4)
    found = tuned(tmp_path, load("adder").Adder(0.15, 0, True), options)
    assert found.stop == "found"
    assert 0.02 < 0.85 ** int(found.found[0]) < 0.7
    write_all(found.sides, found.document(), tmp_path / "out")
    sides = read_split(tmp_path / "out" / "split.json")
    for name, is_held in (("train", False), ("held_out", True)):
        suite = read_text_tasks(tmp_path / "out" / f"{name}.jsonl", ("exact", "number"))
        assert all(sides[task.name] is is_held for task in suite.tasks)
    assert len(sides) == 20
    assert orjson.loads((tmp_path / "out" / "calibration.json").read_bytes())["schema"] == "fairtrial.calibration/1"


def test_it_goes_on_where_it_was_stopped_and_says_the_same(tmp_path: Path) -> None:
    script = load("adder").Adder(0.15, 0, False)
    options = Options(difficulties=LEVELS, tasks=0, groups=2, group_size=2)
    with ScriptedServer(script) as server:
        short = Options(difficulties=LEVELS, tasks=0, groups=2, group_size=2, most_attempts=10)
        stopped = tuned(tmp_path, script, short, server)
        assert (stopped.stop, stopped.attempts) == ("attempts", 10)
        resumed = tuned(tmp_path, script, options, server)
        asked = len(server.asked)
        again = tuned(tmp_path, script, options, server)
    assert resumed.held == 10
    assert len(server.asked) == asked == again.held
    assert again.levels == resumed.levels


def test_a_server_that_fails_is_no_evidence_and_ends_the_search(tmp_path: Path) -> None:
    found = tuned(tmp_path, lambda _: fail(500), Options(difficulties=LEVELS, tasks=0))
    assert found.stop == "ungraded"
    assert sum(level.passed + level.failed for level in found.levels) == 0
    assert found.levels[0].ungraded_why == {"model_server_error": found.levels[0].ungraded}
    rows = connect(Ledger.open(tmp_path / "ledger")).execute("select distinct outcome from outcomes").fetchall()
    assert rows == [("ungraded",)]


def test_a_model_that_is_never_wrong_is_told_that_all_is_too_easy(tmp_path: Path) -> None:
    found = tuned(tmp_path, load("adder").Adder(0.0, 0, True), Options(difficulties=("1", "3"), tasks=5))
    assert found.stop == "none"
    assert "even the hardest, 3," in found.why
    assert found.sides is None


def few(difficulty: Any, seed: int) -> dict[str, str]:
    total = random.Random(seed).randint(1, 4)
    return {"prompt": f"Start with 0. Add {total}. ({difficulty})", "answer": str(total)}


def test_a_family_with_few_tasks_writes_each_once_and_says_what_is_lacking(tmp_path: Path) -> None:
    family = CallableFamily(name="few", identity="", function=few)
    options = Options(difficulties=("1",), tasks=20, groups=0)
    found = tuned(tmp_path, load("adder").Adder(0.5, 0, True), options, family=family)
    assert found.stop == "found"
    assert found.sides is not None
    assert found.sides.equal > 0
    texts = [task.text for task in (*found.sides.train, *found.sides.held_out)]
    assert len(texts) == len(set(texts)) <= 4
    assert any("too few different tasks" in note for note in found.notes)


@pytest.mark.extra
def test_none_is_not_said_by_an_order_that_was_refuted(tmp_path: Path) -> None:
    def script(asked: Asked) -> Line:
        return say(re.findall(r"Add (\d+)", asked.last)[0] if "(0)" not in asked.last else "?")

    family = CallableFamily(name="few", identity="", function=few)
    found = tuned(tmp_path, script, Options(difficulties=("0", "1", "2"), tasks=0, most_each=60), family=family)
    assert found.reversed
    assert found.stop == "undecided"


@pytest.mark.extra
def test_held_out_tasks_are_none_that_were_calibrated_on_though_not_written(tmp_path: Path) -> None:
    def hundred(difficulty: Any, seed: int) -> dict[str, str]:
        total = random.Random(f"{difficulty}/{seed}").randint(1, 60)
        return {"prompt": f"Start with 0. Add {total}. {WORD[total % 7] * (total + 4)}", "answer": str(total)}

    family = CallableFamily(name="hundred", identity="", function=hundred)
    options = Options(difficulties=("1",), tasks=10, groups=0, band=(0.3, 0.7))
    found = tuned(tmp_path, load("adder").Adder(0.42, 0, True), options, family=family)
    assert found.sides is not None
    seen = {task.hash for index in range(found.attempts) for task in [ready(
        family, "1", family_seed(0, "1", index, TRAIN), tmp_path)]}  # fmt: skip
    assert len(seen) > 30
    assert not {task.hash for task in found.sides.held_out} & seen


def test_seeds_of_the_two_sides_never_meet() -> None:
    seeds = [{family_seed(0, level, n, side) for level in LEVELS for n in range(300)} for side in (TRAIN, HELD_OUT)]
    assert not seeds[0] & seeds[1]


def test_a_family_that_is_not_the_same_twice_is_refused(tmp_path: Path) -> None:
    count = iter(range(9))
    family = CallableFamily(name="x", identity="", function=lambda *_: {"prompt": f"{next(count)}", "answer": "1"})
    with pytest.raises(InputError, match="second time"):
        make_twice(family, "1", 1, tmp_path)


def test_a_family_that_follows_the_order_of_a_set_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """def make(d, s):
    words = {"a1", "b2", "c3", "d4", "e5", "f6"}
    return {"prompt": " ".join(words if s > 2 else sorted(words)), "answer": "x"}
"""
    (tmp_path / "unordered_family.py").write_text(body)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    family = named_family("unordered_family:make")
    make_twice(family, "1", 1, tmp_path)
    with pytest.raises(InputError, match="another process"):
        make_twice(family, "1", 3, tmp_path)


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({"band": (0.7, 0.2)}, "--band"),
        ({"difficulties": ("1", "1")}, "--difficulties"),
        ({"held_out": 1.0}, "--held-out"),
    ],
)
def test_options_that_make_no_sense_are_named(words: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError, match=field):
        Options(**({"difficulties": ("1", "2")} | words))
