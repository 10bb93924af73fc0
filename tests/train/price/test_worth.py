"""Attacks prices and lessons out of a ledger: which arms belong to which model, controls, logs, what is untold."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.report.lift.ledgers import make_ledger, make_run
from tests.train.price.lifts import a_lift, a_pair, checkpoint, counts

from fairtrial.ledger import Ledger
from fairtrial.records import InputError
from fairtrial.train.lift import Lifted, Options, lift
from fairtrial.train.price import Taught, Worth, logs_of, worth
from fairtrial.train.price.worth import by_credit, trained_elsewhere

ARMS = ("sft-rl", "sft", "rl")
OPTIONS = Options(replicates=400)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return make_ledger(tmp_path_factory.mktemp("book") / "ledger", tasks=6)


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


FAMILIES = ("sort",) * 6 + ("reverse",) * 6 + ("spell",) * 6


def said_by_credit(*logs: Path, step: int | None = None) -> tuple[tuple[Taught, ...], list[str]]:
    """Return what `logs` say of a model of seeds 0 and 1, by credit, and what is untold."""
    pair, untold = a_pair(counts([[1] * 18] * 2), counts([[5, 6] * 6 + [1] * 6] * 2), FAMILIES), []
    return by_credit(a_lift(trained="sft-rl", step=step), pair, logs, (), untold), untold


def test_a_log_of_another_seed_and_of_steps_after_the_one_compared_does_not_count(tmp_path: Path) -> None:
    run = make_run(tmp_path / "sft-rl")
    until, _ = said_by_credit(run / "seed-0", run / "seed-2", step=5)
    assert {each.groups for each in until} == {5}
    assert len(logs_of([run, tmp_path / "." / "sft-rl"])["sft-rl"]) == 3
    taught, untold = said_by_credit(run / "seed-2")
    assert taught == ()
    assert untold == ["sft-rl: which families taught, by credit: no log is of a training seed that was compared"]


def after_demonstrations(folder: Path) -> Path:
    """Return a run whose recipe has a supervised stage first."""
    run = make_run(folder)
    text = (run / "recipe.toml").read_text()
    first = '[[stages]]\nmethod = "sft"\ndata = "rows.jsonl"\n\n[[stages]]'
    (run / "recipe.toml").write_text(text.replace("[[stages]]", first))
    return run


def test_supervised_training_beside_it_leaves_credit_untold(tmp_path: Path) -> None:
    """Demonstrations teach without credit: what a family gained by them is not to be told from what credit taught."""
    run = after_demonstrations(tmp_path / "sft-rl")
    taught, _ = said_by_credit(run / "seed-0")
    assert {each.reading for each in taught} == {"not_told"}
    assert "what sft taught too" in taught[0].detail
    (run / "seed-0" / "groups.jsonl").write_bytes(b"")
    _, untold = said_by_credit(run / "seed-0")
    assert untold[0].endswith("its log holds no group of attempts; only reinforcement learning deals credit")


@pytest.mark.parametrize(("steps", "covered"), [(40, True), (39, False)])
def test_a_base_that_was_trained_as_the_first_stages_covers_them(steps: int, covered: bool, tmp_path: Path) -> None:
    run = after_demonstrations(tmp_path / "sft-rl")
    one = a_lift(base="sft", trained="sft-rl")
    made = [checkpoint(model="sft", stage="sft", step=steps)]
    assert (trained_elsewhere(one, run, 41, made) == "") is covered


def test_a_folder_without_recipe_or_log_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no recipe\.toml"):
        logs_of([tmp_path])
    run = make_run(tmp_path / "run")
    for log in run.glob("seed-*/groups.jsonl"):
        log.unlink()
    with pytest.raises(InputError, match="holds no log"):
        logs_of([run])
