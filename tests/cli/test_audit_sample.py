"""`fairtrial audit sample` from the outside: the document, what is left out, growth, records, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairtrial.attack.detectors import SUSPECTED
from fairtrial.audit.sampling import reading
from fairtrial.cli.detect import FAMILY
from fairtrial.cli.main import run
from fairtrial.ledger import Ledger
from fairtrial.ledger.audited import all_samples
from fairtrial.records import Finding, Rollout, Verdict

Sampled = Callable[..., Any]


def add(book: Ledger, count: int, *, start: int = 0, model: str = "m", **more: Any) -> list[str]:
    """Add rollouts, five a task; every third fails, every tenth is ungraded. Return their ids."""
    rollouts = [
        Rollout(task=f"t{i // 5}", model=model, attempt=i, suite="s@1", **more) for i in range(start, start + count)
    ]
    book.append("rollouts", rollouts)
    verdicts = []
    for i, rollout in enumerate(rollouts):
        outcome: Any = "ungraded" if i % 10 == 9 else "failed" if i % 3 == 0 else "passed"
        verdicts.append(Verdict(rollout=rollout.id, outcome=outcome, reason="timeout" if i % 10 == 9 else ""))
    book.append("verdicts", verdicts)
    return [rollout.id for rollout in rollouts]


@pytest.fixture
def book(tmp_path: Path) -> Ledger:
    book = Ledger.open(tmp_path / "ledger", create=True)
    add(book, 100)
    return book


@pytest.fixture
def sampled(book: Ledger, capfd: pytest.CaptureFixture[str]) -> Sampled:
    def call(*options: str, code: int = 0) -> Any:
        assert run(["audit", "sample", str(book.path), *options, "--json"]) == code
        shown = capfd.readouterr()
        return json.loads(shown.out) | {"stderr": shown.err} if code == 0 else shown.err

    return call


def test_the_document_has_what_others_rely_on(sampled: Sampled) -> None:
    found = sampled("--n", "30", "--seed", "5")
    assert found["schema"] == "fairtrial.sample/1"
    assert len(found["rows"]) == 30
    row = found["rows"][0]
    assert set(row) >= {"rollout", "task", "model", "attempt", "stratum", "probability"}
    strata = found["strata"]
    assert {name: one["sampled"] for name, one in strata.items()} == {
        "verdict=failed, model=m, suite=s@1": 15,
        "verdict=passed, model=m, suite=s@1": 15,
    }
    assert sum(one["population"] for one in strata.values()) == 90
    assert all(r["probability"] == 15 / strata[r["stratum"]]["population"] for r in found["rows"])
    assert {buys["verdict"] for buys in found["buys"]} == {"passed", "failed"}


def test_ungraded_rollouts_are_counted_and_sampled_only_when_asked_for(sampled: Sampled) -> None:
    found = sampled("--n", "30")
    assert found["left_out"] == {"ungraded": 10, "reasons": {"timeout": 10}}
    assert "10 ungraded rollouts are left out (timeout 10)" in found["stderr"]
    more = sampled("--n", "30", "--ungraded")
    assert more["left_out"]["ungraded"] == 0
    assert more["strata"]["verdict=ungraded, model=m, suite=s@1"] == {"population": 10, "sampled": 10}


def test_known_candidates_are_never_sampled(book: Ledger, sampled: Sampled) -> None:
    known = set(add(book, 50, start=500, origin="known"))
    assert not known & {row["rollout"] for row in sampled("--n", "90")["rows"]}


def test_the_same_seed_prints_the_same_bytes_and_is_recorded_once(
    book: Ledger, capfd: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for _ in range(2):
        assert run(["audit", "sample", str(book.path), "--n", "40", "--json"]) == 0
        shown.append(capfd.readouterr().out)
    assert shown[0] == shown[1]
    (kept,) = all_samples(book)
    assert kept.id == json.loads(shown[0])["id"]
    assert (kept.seed, kept.by, len(kept.rows)) == (0, ("verdict", "model", "suite"), 40)


def test_without_record_the_ledger_stays_as_it_was(book: Ledger, sampled: Sampled) -> None:
    assert sampled("--n", "40", "--no-record")["recorded"] is False
    assert all_samples(book) == ()


def test_a_sample_grows_over_a_population_that_grew(book: Ledger, sampled: Sampled) -> None:
    first = sampled("--n", "40", "--seed", "2", "--name", "pilot")
    second = sampled("--grow", "pilot", "--n", "50")
    assert [row["rollout"] for row in second["rows"][:40]] == [row["rollout"] for row in first["rows"]]
    assert (second["parent"], second["joined"]) == (first["id"], 0)
    add(book, 40, start=200, model="new")
    third = sampled("--grow", "last", "--n", "70")
    assert [row["rollout"] for row in third["rows"][:50]] == [row["rollout"] for row in second["rows"]]
    assert third["joined"] == 36
    assert "36 rollouts came since the first draw" in third["stderr"]
    assert sum("joined=2" in row["stratum"] for row in third["rows"]) >= 4
    assert sum(one["population"] for one in third["strata"].values()) == 126
    total = sum(1 / row["probability"] for row in third["rows"])
    assert total == pytest.approx(126)
    assert sampled("--grow", third["id"][:10], "--n", "80")["parent"] == third["id"]


def test_suspected_rollouts_are_drawn_with_four_times_the_chance(book: Ledger, sampled: Sampled) -> None:
    ids = add(book, 600, start=1000, trajectory="kept")
    told = dict(zip(ids[1:240:3], [0.9, 0.3] * 40, strict=False))
    book.append("findings", [
        Finding(task="t", probe="d", family="trajectory", severity="lead", claim="c", rollout=rollout,
                evidence=json.dumps({"score": score})) for rollout, score in told.items()
    ])  # fmt: skip
    found = sampled("--n", "120", "--by", "verdict,detector")
    rates = {name: one["sampled"] / one["population"] for name, one in found["strata"].items()}
    passed = {name.split("detector=")[1]: rate for name, rate in rates.items() if "passed" in name}
    assert passed["suspected"] == pytest.approx(4 * passed["none"], rel=0.1)
    assert passed["lead"] == pytest.approx(passed["none"], rel=0.35)
    assert 0.7 < passed["unread"] / passed["none"] < 1.4  # no steps to read: neither clean nor suspected
    assert (reading.SUSPECTED, reading.FAMILY) == (SUSPECTED, FAMILY)


def test_without_n_the_table_says_what_each_n_buys(sampled: Sampled, book: Ledger) -> None:
    found = sampled()
    assert found["schema"] == "fairtrial.sample_sizes/1"
    assert [row["n"] for row in found["sizes"]] == [20, 40, 60, 80, 90]
    bounds = [row["buys"][0]["bound"] for row in found["sizes"]]
    assert bounds == sorted(bounds, reverse=True)
    assert all_samples(book) == ()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--n", "91"], "there are 90 rollouts"),
        (["--n", "3"], "too few"),
        (["--n", "20", "--by", "colour"], "nothing to stratify by"),
        (["--n", "20", "--name", "last"], "cannot be called `last`"),
        (["--n", "20", "--name", "none"], "cannot be called `none`"),
        (["--n", "20", "--name", "a/b"], "cannot be called `a/b`"),
        (["--n", "20", "--model", "x"], "no rollout of `x`"),
        (["--n", "20", "--suite", "x"], "It holds: s, s@1"),
        (["--n", "20", "--grow", "last"], "no sample was drawn"),
        (["--grow", "last"], "says not how many rows"),
        (["--n", "20", "--grow", "last", "--seed", "1"], "grows as it was drawn"),
        (["--n", "20", "--overlap", "0.9", "--people", "0.5"], "cannot be read by two"),
    ],
)
def test_what_cannot_be_done_is_refused_with_exit_2(sampled: Sampled, options: list[str], words: str) -> None:
    assert words in sampled(*options, code=2)


def test_the_page_says_what_n_bounds(book: Ledger, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "sample", str(book.path), "--n", "40"]) == 0
    shown = capfd.readouterr().out
    assert "40 of 90 rollouts, seed 0, recorded" in shown
    assert "false-pass rate: n = 20 of " in shown
    assert "if none is seen, to at most " in shown
    assert run(["audit", "sample", str(book.path), "--n", "4", "--task", "t0"]) == 0
    assert run(["audit", "sample", str(book.path)]) == 0
    assert "within a task, verdicts correlate" in capfd.readouterr().out


def test_a_ledger_without_verdicts_has_nothing_to_sample(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    book = Ledger.open(tmp_path / "bare", create=True)
    book.append("rollouts", [Rollout(task="t", model="m", attempt=i) for i in range(9)])
    for options in ([], ["--n", "5"]):
        assert run(["audit", "sample", str(book.path), *options]) == 2
        assert "none of 9 rollouts is graded" in capfd.readouterr().err
    assert run(["audit", "sample", str(book.path), "--n", "5", "--ungraded"]) == 0


def test_a_ledger_of_passes_alone_says_that_failures_cannot_be_measured(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    book = Ledger.open(tmp_path / "passes", create=True)
    rollouts = [Rollout(task="t", model="m", attempt=i) for i in range(9)]
    book.append("rollouts", rollouts)
    book.append("verdicts", [Verdict(rollout=one.id, outcome="passed") for one in rollouts])
    assert run(["audit", "sample", str(book.path), "--n", "5"]) == 0
    assert "no rollout failed, so that error rate cannot be measured" in capfd.readouterr().out


def test_where_nothing_is_suspected_a_sample_by_detector_is_drawn_and_says_so(
    book: Ledger, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", "sample", str(book.path), "--n", "20", "--by", "verdict,detector"]) == 0
    assert "either it has not run, or it found nothing" in capfd.readouterr().err


def test_drawing_a_sample_again_does_not_make_it_the_last_and_says_so(
    book: Ledger, capfd: pytest.CaptureFixture[str]
) -> None:
    for seed in ("0", "1"):
        assert run(["audit", "sample", str(book.path), "--n", "20", "--seed", seed]) == 0
    assert "recorded before" not in capfd.readouterr().err
    last = all_samples(book)[-1]
    assert run(["audit", "sample", str(book.path), "--n", "20", "--seed", "0"]) == 0
    told = capfd.readouterr().err
    assert f"recorded before; `last` is {last.id}" in told
    assert f"--sample {all_samples(book)[0].id}` for a judge" in told
    assert all_samples(book)[-1] == last
