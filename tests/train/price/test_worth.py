"""Attacks prices and lessons out of a ledger: which arms belong to which model, controls, logs, what is untold."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.lift.ledgers import make_ledger, make_run

from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.train.lift import Lifted, Options, lift
from fairtrial.train.price import Worth, logs_of, worth

ARMS = ("sft-rl", "sft", "rl")
OPTIONS = Options(replicates=400)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return make_ledger(tmp_path_factory.mktemp("book") / "ledger", tasks=8)


@pytest.fixture(scope="module")
def lifted(book: Ledger) -> Lifted:
    return lift(book, "base", [*ARMS, "sft-random"], OPTIONS)


@pytest.fixture(scope="module")
def found(book: Ledger, lifted: Lifted, tmp_path_factory: pytest.TempPathFactory) -> Worth:
    run = make_run(tmp_path_factory.mktemp("runs") / "sft-rl")
    return worth(book, lifted, OPTIONS, logs_of([run]))


def test_every_model_but_the_control_has_a_price(found: Worth) -> None:
    assert [one.trained for one in found.priced] == list(ARMS)
    assert all(one.runs == 3 and one.tokens for one in found.priced)
    assert [one.tokens_per_success_ratio is not None for one in found.priced] == [True, True, True]


def test_only_the_model_that_was_trained_alike_has_lessons_from_arms(found: Worth) -> None:
    by_arms = {(one.trained, one.family): one for one in found.taught if one.method == "left_out"}
    assert set(by_arms) == {("sft-rl", "sort"), ("sft-rl", "reverse")}
    assert {one.reading for one in by_arms.values()} == {"taught"}


def test_a_log_adds_what_credit_says_beyond_the_family_that_was_not_trained_on(found: Worth) -> None:
    by_credit = [one for one in found.taught if one.method == "group_credit"]
    assert {one.family for one in by_credit} == {"sort", "reverse"}
    assert all("beyond families that got no credit" in one.effect.method for one in by_credit)
    assert all(0 < one.informative <= one.groups == 60 for one in by_credit)


def test_what_cannot_be_said_is_named_by_model(found: Worth) -> None:
    assert [why.split(":")[0] for why in found.untold] == ["sft", "rl"]


def test_a_folder_without_recipe_or_log_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no recipe\.toml"):
        logs_of([tmp_path])
    run = make_run(tmp_path / "run")
    for log in run.glob("seed-*/groups.jsonl"):
        log.unlink()
    with pytest.raises(InputError, match="holds no log"):
        logs_of([run])
