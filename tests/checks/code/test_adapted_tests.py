"""Hidden tests run on work that named things otherwise; what is not clear is refused, and outcomes choose nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from fairtrial.checks.code import CHECKS, mapping_for
from fairtrial.checks.protocol import CheckError, Result
from fairtrial.checks.reading import WorkError

REFERENCE = {
    "shop/__init__.py": "",
    "shop/cart.py": '''
from dataclasses import dataclass

LIMIT = 50


@dataclass
class Line:
    price: int
    quantity: int = 1


class Cart:
    """Holds lines."""

    def __init__(self, discount=0):
        self.discount = discount
        self.lines = []

    def add(self, line):
        """Add a line to the cart."""
        self.lines.append(line)

    def total(self):
        """Return the total price after discount."""
        return sum(l.price * l.quantity for l in self.lines) * (100 - self.discount) // 100


def split_bill(total, people, tip=0):
    """Split the total of a bill between people, tip in percent; return a share for each."""
    whole = total * (100 + tip) // 100
    return [whole // people + (1 if i < whole % people else 0) for i in range(people)]


def parse_price(text):
    """Parse a price as text like 12.50 into cents."""
    euros, _, cents = text.partition(".")
    return int(euros) * 100 + int((cents + "00")[:2])
''',
}
TESTS = {
    "test_cart.py": """
import unittest
import shop.cart
from shop import cart
from shop.cart import Cart, Line, split_bill


class Shop(unittest.TestCase):
    def test_total(self):
        mine = Cart(discount=10)
        mine.add(Line(price=100, quantity=3))
        assert mine.total() == 270
        assert len(mine.lines) == 1
        assert isinstance(mine, Cart)

    def test_split(self):
        assert split_bill(100, people=3, tip=0) == [34, 33, 33]
        assert split_bill(100, 2, tip=10) == [55, 55]

    def test_parse(self):
        assert cart.parse_price("12.5") == 1250
        assert shop.cart.parse_price("3") == 300
"""
}
BASKET = '''
from dataclasses import dataclass


@dataclass
class BasketLine:
    unit_price: int
    quantity: int = 1


class ShoppingCart:
    """Holds the lines of a cart."""

    def __init__(self, discount_percent=0):
        self.discount_percent = discount_percent
        self.lines = []

    def add_line(self, line):
        self.lines.append(line)

    def total_price(self):
        """Return the total price after discount."""
        full = sum(l.unit_price * l.quantity for l in self.lines)
        return full - full * self.discount_percent // 100
'''
MONEY = '''
def bill_split(total, number_of_people, tip=0):
    """Split a bill between people; the tip is in percent."""
    whole = total * (100 + tip) // 100
    base, rest = divmod(whole, number_of_people)
    return [base + 1] * rest + [base] * (number_of_people - rest)


def price_from_text(text):
    """Parse text as a price in cents."""
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


def show_price(cents, currency, decimals):
    return f"{cents / 100:.{decimals}f} {currency}"
'''
TWIN = MONEY + MONEY[MONEY.index("def price_from") : MONEY.index("def show")].replace(
    "price_from_text", "text_to_price"
).replace("* 100", "* 10")  # fmt: skip
RENAMED = {"shop/__init__.py": "", "shop/basket.py": BASKET, "shop/money.py": MONEY}
PROBES = [{"call": "shop.cart:parse_price", "args": [text]} for text in ("12.5", "7")]


@pytest.fixture
def adapted(lay: Callable[..., str]) -> Callable[..., Result]:
    def run(code: Mapping[str, str], **named: Any) -> Result:
        stated = {"tests": lay("hidden", TESTS), "reference": lay("reference", REFERENCE)} | named
        return CHECKS["adapted_tests"](code=lay("code", code), **stated)

    return run


@pytest.mark.parametrize("runner", ["pytest", "unittest"])
def test_other_names_modules_members_and_parameters(adapted: Callable[..., Result], runner: str) -> None:
    result = adapted(RENAMED, runner=runner)
    assert result.passed, result.why
    found = {row["needs"]: row["has"] for row in result.evidence["mapping"]}
    assert found["shop.cart:split_bill"] == "shop.money:bill_split"
    assert found["shop.cart:Cart.total"] == "shop.basket:ShoppingCart.total_price"


def test_the_names_of_the_reference_need_no_mapping(adapted: Callable[..., Result]) -> None:
    result = adapted(REFERENCE)
    assert result.passed
    assert result.evidence["mapping"] == []


def test_parameters_in_another_order(adapted: Callable[..., Result]) -> None:
    swapped = MONEY.replace("total, number_of_people, tip=0", "tip, total, number_of_people")
    assert adapted(RENAMED | {"shop/money.py": swapped}).passed


def test_a_name_that_is_there_with_another_parameter(adapted: Callable[..., Result]) -> None:
    code = REFERENCE["shop/cart.py"].replace("people", "persons").replace("persons, tip in", "people, tip in")
    assert adapted(REFERENCE | {"shop/cart.py": code}).passed


@pytest.mark.parametrize(
    "wrong",
    [
        {"shop/money.py": MONEY.replace("100 + tip", "100 - tip")},
        {"shop/basket.py": BASKET.replace("full - full", "full + full")},
        {"shop/money.py": MONEY.replace("* 100 + int", "* 10 + int")},
    ],
    ids=["split", "total", "parse"],
)
def test_wrong_work_under_other_names_fails(adapted: Callable[..., Result], wrong: dict[str, str]) -> None:
    assert not adapted(RENAMED | wrong).passed


def test_nothing_that_fits_fails(adapted: Callable[..., Result], lay: Callable[..., str]) -> None:
    for code in (
        {"shop/__init__.py": ""},
        RENAMED | {"shop/money.py": MONEY.replace("def price_from_text(text)", "def a()")},
    ):
        result = adapted(code)
        assert not result.passed
        assert "nothing that could stand for" in result.why
        for path in Path(lay("code", {})).rglob("*.py"):
            path.unlink()


def test_two_that_fit_alike_are_refused_however_tests_end(adapted: Callable[..., Result]) -> None:
    with pytest.raises(CheckError, match=r"not clear what stands for shop\.cart:parse_price"):
        adapted(RENAMED | {"shop/money.py": TWIN})


def test_probes_tell_them_apart(adapted: Callable[..., Result]) -> None:
    assert adapted(RENAMED | {"shop/money.py": TWIN}, probes=PROBES).passed


def test_a_stated_mapping_tells_them_apart_even_wrongly(
    adapted: Callable[..., Result], lay: Callable[..., str]
) -> None:
    for has, passed in (("price_from_text", True), ("text_to_price", False)):
        place = lay("key", {"mapping.json": json.dumps({"shop.cart:parse_price": f"shop.money:{has}"})})
        assert adapted(RENAMED | {"shop/money.py": TWIN}, mapping=f"{place}/mapping.json").passed is passed


@pytest.mark.parametrize(
    "named",
    [
        {"shop.cart:parse_price": "shop.money:nothing"},
        {"shop.cart:nothing": "shop.money:price_from_text"},
        {"shop.cart:parse_price": "shop.money:show_price"},
        {"shop.cart:parse_price": "shop.basket:ShoppingCart"},
        {"shop.cart:parse_price": "shop.money:price_from_text", "shop.cart:split_bill": "shop.money:price_from_text"},
        {"shop.cart:parse_price": 3},
    ],
    ids=["no such name", "not needed", "calls do not fit", "another kind", "twice", "no name"],
)
def test_a_mapping_that_cannot_be_is_refused(
    adapted: Callable[..., Result], lay: Callable[..., str], named: dict[str, Any]
) -> None:
    place = lay("key", {"mapping.json": json.dumps(named)})
    with pytest.raises(CheckError):
        adapted(RENAMED | {"shop/money.py": TWIN}, mapping=f"{place}/mapping.json")


def test_a_proposal_is_asked_for_what_is_not_clear_alone_and_recorded(lay: Callable[..., str]) -> None:
    asked: list[str] = []

    def propose(question: str) -> str:
        asked.append(question)
        return 'I think {"shop.cart:parse_price": "shop.money:price_from_text"}.'

    folders = (lay("hidden", TESTS), lay("reference", REFERENCE))
    found = mapping_for(lay("code", RENAMED, {"shop/money.py": TWIN}), *folders, propose)
    assert [(match.needs, match.by) for match in found if match.by == "proposal"] == [
        ("shop.cart:parse_price", "proposal")
    ]
    assert "split_bill" not in asked[0]
    assert "assert" not in asked[0]
    assert [match.by for match in mapping_for(lay("clear", RENAMED), *folders, propose)].count("proposal") == 0
    assert len(asked) == 1


@pytest.mark.parametrize(
    "reply", ["", "no", "{}", '{"shop.cart:parse_price": null}', '{"shop.cart:parse_price": "os:system"}']
)
def test_a_proposal_that_cannot_be_is_refused(lay: Callable[..., str], reply: str) -> None:
    code = lay("code", RENAMED, {"shop/money.py": TWIN})
    with pytest.raises(CheckError):
        mapping_for(code, lay("hidden", TESTS), lay("reference", REFERENCE), lambda _: reply)


def test_an_empty_work_is_proposed_nothing_for(lay: Callable[..., str]) -> None:
    with pytest.raises(WorkError):
        mapping_for(lay("code", {"a.py": ""}), lay("hidden", TESTS), lay("reference", REFERENCE), lambda _: "{}")


def test_the_same_code_has_the_same_mapping(adapted: Callable[..., Result]) -> None:
    assert adapted(RENAMED).evidence == adapted(RENAMED).evidence


def test_tests_that_need_nothing_of_the_reference_break(
    adapted: Callable[..., Result], lay: Callable[..., str]
) -> None:
    with pytest.raises(CheckError, match="no name of the reference"):
        adapted(RENAMED, tests=lay("others", {"test_a.py": "def test_a():\n    pass\n"}))


def test_one_thing_under_two_names_and_a_member_that_two_classes_have(
    adapted: Callable[..., Result], lay: Callable[..., str]
) -> None:
    tests = {
        "test_two.py": "import shop\nfrom shop.cart import Cart\n\n\ndef test_same():\n    assert shop.Cart is Cart\n"
        "    cart = Cart()\n    cart.add(shop.cart.Line(3))\n    assert cart.total() == 3 and shop.Saved().total == 1\n"
    }
    saved = "from {} import {}\n\n\nclass Saved:\n    total = 1\n"
    reference = REFERENCE | {"shop/__init__.py": saved.format("shop.cart", "Cart")}
    code = RENAMED | {"shop/__init__.py": saved.format("shop.basket", "ShoppingCart")}
    result = adapted(code, tests=lay("two", tests), reference=lay("whole", reference))
    assert result.passed, result.why
    rows = {row["needs"]: row["has"] for row in result.evidence["mapping"]}
    assert rows["shop:Cart"] == rows["shop.cart:Cart"] == "shop.basket:ShoppingCart"
    assert "shop:Saved.total" not in rows
