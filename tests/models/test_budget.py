"""The budget: held while in flight, charged once, shared by threads, never silently passed."""

from __future__ import annotations

import threading

import pytest

from fairtrial.models import (
    Answered,
    Budget,
    Infrastructure,
    LanguageModel,
    ModelSpec,
    OverBudget,
    Patience,
    Price,
    ScriptedServer,
    Usage,
    request,
)
from fairtrial.models.scripted import Line, fail, say, slowly
from fairtrial.records import InputError

HELLO = request("Be brief.", "Hello")
PRICE = Price(input_usd=10.0, output_usd=20.0)


def test_a_call_beyond_the_tokens_is_not_made() -> None:
    budget = Budget(tokens=150)
    with ScriptedServer(lambda _: say("ok", usage=(100, 10))) as server:
        spec = ModelSpec(name="m", base_url=server.base_url)
        with LanguageModel(spec, budget=budget) as model:
            first, second = model.ask(HELLO), model.ask(HELLO)
            third = model.ask(HELLO)
    assert isinstance(first, Answered)
    assert isinstance(second, Answered)  # 110 spent, and the prompt is held at far fewer than 40
    assert isinstance(third, OverBudget)
    assert len(server.asked) == 2
    assert budget.spent.tokens == 220


def test_money_is_counted_at_the_price() -> None:
    budget = Budget(usd=1.0)
    with ScriptedServer(lambda _: say("ok", usage=(1_000, 500))) as server:
        spec = ModelSpec(name="m", base_url=server.base_url, price=PRICE)
        with LanguageModel(spec, budget=budget) as model:
            outcome = model.ask(HELLO)
    assert isinstance(outcome, Answered)
    assert outcome.usage.cost_usd == pytest.approx(0.02)
    assert budget.spent.cost_usd == pytest.approx(0.02)


def test_the_longest_reply_is_held_so_that_money_is_not_overspent() -> None:
    spec = ModelSpec(name="m", max_tokens=1_000_000, price=PRICE)
    assert isinstance(Budget(usd=19.0).hold(spec, 0), str)
    assert not isinstance(Budget(usd=21.0).hold(spec, 0), str)


def test_money_without_a_price_is_an_error_and_not_an_endless_budget() -> None:
    with pytest.raises(InputError, match="prices"):
        Budget(usd=1.0).hold(ModelSpec(name="m"), 100)


@pytest.mark.parametrize("limits", [{"tokens": -1}, {"usd": -0.1}, {"usd": float("nan")}])
def test_a_budget_below_nothing_is_refused(limits: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Budget(**limits)  # type: ignore[arg-type]


def test_a_server_that_failed_is_not_paid() -> None:
    budget = Budget(tokens=1_000)
    with ScriptedServer(lambda _: fail(500)) as server:
        spec = ModelSpec(name="m", base_url=server.base_url)
        with LanguageModel(spec, budget=budget, patience=Patience(attempts=2, first_wait_seconds=0.001)) as model:
            assert isinstance(model.ask(HELLO), Infrastructure)
    assert budget.spent.calls == 0
    assert not isinstance(budget.hold(ModelSpec(name="m"), 3_900), str)  # nothing is held any more


def test_a_call_that_nobody_counted_is_charged_at_its_estimate() -> None:
    budget = Budget(tokens=10_000)
    with ScriptedServer([Line(text="x" * 400, counts_usage=False)]) as server:
        spec = ModelSpec(name="m", base_url=server.base_url)
        with LanguageModel(spec, budget=budget) as model:
            model.ask(HELLO)
    assert budget.spent.unmeasured == 1
    assert budget.spent.output_tokens == 100
    assert budget.spent.input_tokens > 0


def test_two_threads_share_a_budget_and_never_hold_more_than_it() -> None:
    budget = Budget(tokens=1_000)
    outcomes: list[object] = []
    with ScriptedServer(lambda _: slowly(say("ok", usage=(20, 80)), 0.01)) as server:
        spec = ModelSpec(name="m", base_url=server.base_url, max_tokens=80)

        def ask() -> None:
            with LanguageModel(spec, budget=budget) as model:
                for _ in range(10):
                    outcomes.append(model.ask(HELLO))

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    answered = sum(isinstance(outcome, Answered) for outcome in outcomes)
    assert len(outcomes) == 20
    assert answered == len(server.asked)
    assert 8 <= answered <= 10
    assert budget.spent.tokens == 100 * answered <= 1_000
    assert sum(isinstance(outcome, OverBudget) for outcome in outcomes) == 20 - answered


def test_a_hold_is_released_once_settled() -> None:
    budget = Budget(tokens=100)
    spec = ModelSpec(name="m", max_tokens=60)
    hold = budget.hold(spec, 0)
    assert not isinstance(hold, str)
    assert isinstance(budget.hold(spec, 0), str)
    budget.settle(hold, Usage(input_tokens=10, output_tokens=10))
    assert not isinstance(budget.hold(spec, 0), str)
    assert budget.spent.tokens == 20
