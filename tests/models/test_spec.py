"""The spec: prices add up, bad values are named, and nothing secret is in it."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from fairtrial.models import ModelSpec, Price
from fairtrial.models.spec import OPENAI_URL
from fairtrial.records import InputError


def test_cost_counts_input_output_and_cached_input_at_their_prices() -> None:
    price = Price(input_usd=3.0, output_usd=15.0, cached_input_usd=0.3)
    assert price.cost(1_000_000, 0) == pytest.approx(3.0)
    assert price.cost(0, 1_000_000) == pytest.approx(15.0)
    assert price.cost(1_000_000, 0, 1_000_000) == pytest.approx(0.3)
    assert price.cost(1_000, 200, 400) == pytest.approx((600 * 3.0 + 400 * 0.3 + 200 * 15.0) / 1e6)


def test_cached_tokens_cost_as_others_where_no_price_is_given_for_them() -> None:
    price = Price(input_usd=3.0, output_usd=15.0)
    assert price.cost(1_000, 0, 400) == price.cost(1_000, 0)


def test_more_cached_tokens_than_input_tokens_never_make_money() -> None:
    assert Price(input_usd=3.0, output_usd=15.0, cached_input_usd=0.0).cost(10, 0, 1_000) == 0


def test_cost_without_a_price_is_unknown() -> None:
    assert ModelSpec(name="m").usage(10, 10).cost_usd is None


@pytest.mark.parametrize("price", [-1.0, float("nan"), float("inf")])
def test_a_price_that_is_none_is_refused(price: float) -> None:
    with pytest.raises(InputError, match="output_usd"):
        Price(input_usd=1.0, output_usd=price)


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"name": " "}, "model"),
        ({"name": "m", "temperature": 9.0}, "temperature"),
        ({"name": "m", "max_tokens": 0}, "max_tokens"),
        ({"name": "m", "base_url": "127.0.0.1:8000"}, "base_url"),
    ],
)
def test_bad_settings_are_named(settings: dict[str, object], field: str) -> None:
    with pytest.raises(InputError, match=field):
        ModelSpec(**settings)  # type: ignore[arg-type]


def test_the_address_is_the_option_then_the_variable_then_openai() -> None:
    variables = {"OPENAI_BASE_URL": "http://b/v1/"}
    assert ModelSpec(name="m", base_url="http://a/v1").url(variables) == "http://a/v1"
    assert ModelSpec(name="m").url(variables) == "http://b/v1"
    assert ModelSpec(name="m").url({}) == OPENAI_URL


def test_a_spec_survives_pickling() -> None:
    spec = ModelSpec(name="m", price=Price(input_usd=1, output_usd=2), effort="high")
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_importing_the_door_loads_no_client_library() -> None:
    code = "import sys, fairtrial.models; print([m for m in ('openai', 'pydantic_ai', 'httpx2') if m in sys.modules])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"
