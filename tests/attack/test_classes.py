"""Every class of weakness is covered or says why not; cards name known classes, and rules known probes."""

from __future__ import annotations

from collections import Counter

import pytest

from fairtrial.attack import cards, catalogue_version
from fairtrial.attack.classes import BGW, CLASSES, TRACE, WeaknessClass, covering, find_class
from fairtrial.attack.reading import RULES, Rule
from fairtrial.attack.reading.checked_by import CHECKED_BY
from fairtrial.records import InputError

CARDS = cards()


@pytest.mark.parametrize("weakness", CLASSES, ids=lambda weakness: weakness.id)
def test_class_is_covered_or_says_why_not(weakness: WeaknessClass) -> None:
    assert covering(weakness, CARDS) or weakness.why_not.endswith(".")


def test_the_lists_are_whole_and_in_order() -> None:
    assert [one.id for one in BGW] == [f"BGW-{number}" for number in range(101, 139)]
    assert [one.id for one in TRACE] == [f"TRACE-{number}" for number in range(1, 11)]
    assert len({one.title for one in CLASSES}) == len(CLASSES)


def test_every_probe_covers_classes_that_there_are() -> None:
    known = {one.id for one in CLASSES}
    assert {card.id: set(card.classes) - known for card in CARDS if not set(card.classes) <= known} == {}
    assert [card.id for card in CARDS if not card.classes] == []


def test_no_two_probes_share_an_id() -> None:
    assert [name for name, number in Counter(card.id for card in CARDS).items() if number > 1] == []


def test_the_table_of_probes_holds_every_rule_once() -> None:
    assert sorted(CHECKED_BY) == sorted(rule.card.id for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.card.id)
def test_a_rule_without_a_probe_says_that_its_hits_stay_leads(rule: Rule) -> None:
    assert ("stays a lead" in rule.card.proof) is (not rule.probes)


def test_every_probe_that_a_rule_names_is_there() -> None:
    ids = {card.id for card in CARDS if card.family != "static"}
    names = {name for rule in RULES for name in rule.probes}
    assert {n for n in names if not any(i.startswith(n) if n.endswith("_") else i == n for i in ids)} == set()


@pytest.mark.parametrize("name", ["", "BGW-100", "BGW-139", "TRACE-11", "bgw"])
def test_a_class_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="there is no class"):
        find_class(name)


def test_a_class_is_found_in_any_letter_case() -> None:
    assert find_class("trace-8").id == "TRACE-8"


def test_the_version_of_the_catalogue_hangs_on_every_card() -> None:
    assert catalogue_version(CARDS) == catalogue_version(cards())
    assert catalogue_version(CARDS) != catalogue_version(CARDS[1:])
