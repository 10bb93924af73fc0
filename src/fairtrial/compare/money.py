"""Amounts of money: $1,250.00, 1250 USD, US$1.2m, €5 and 20 cents, (£3), "twelve dollars".

Another currency is another amount, and so is none. Exact unless a tolerance is stated, in units of the currency.
Nothing is converted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from fairtrial.compare.by_value import by_value
from fairtrial.compare.currencies import AFTER, BEFORE, CODES, COINS, NAMES, SIGNS, unite
from fairtrial.compare.final_answer import Found, Settled, settle, tail
from fairtrial.compare.markup import unwrapped
from fairtrial.compare.numbers_found import LARGE_LETTERS, Written, numbers_in, share_a_unit, sign_inside
from fairtrial.compare.numerals import Number, agree, decimal, negated, scaled, shown
from fairtrial.compare.stated import STRICT, Stated
from fairtrial.compare.typography import clean
from fairtrial.compare.verdict import Equivalence

_SHORT = re.compile(r"(-?)([$€£])([0-9]{1,3}(?:,[0-9]{3}){1,5}|[0-9]{1,15})(?:\.([0-9]{1,9}))?", re.ASCII)
_MAGNITUDE = re.compile(r"\s?(mm|mn|m|bn|b|tn|t|k)\b(?!\s?[/²³^])", re.IGNORECASE)
_CODE_ATTACHED = re.compile(r"\b([A-Z]{3})(?=[0-9])")
_NEXT_COIN = re.compile(r"\s*(?:,|and|&|\+)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of units of a currency; `currency` is empty where none is named."""

    currency: str
    number: Number


def compare(reference: str, answer: str, stated: Stated = STRICT) -> Equivalence:
    """Say whether both are the same amount of the same currency."""
    return by_value(reference, answer, lambda text: read(text, stated), lambda a, b: _same(a, b, stated), _shown)


def read(text: str, stated: Stated = STRICT) -> Settled[Amount]:
    """Return the amount that `text` gives as its answer, or why there is none.

    >>> read("It costs US$1.2m.").value == read("1,200,000 dollars").value
    True
    """
    if found := _SHORT.fullmatch(text):
        part = found[4] or ""
        number = decimal(bool(found[1]), found[3].replace(",", "") + part, len(part))
        return Settled(None if number is None else Amount(SIGNS[found[2]], number), "")
    text = _CODE_ATTACHED.sub(_with_space, unwrapped(clean(tail(text))))
    return settle(text, lambda part: _bare(part, stated), lambda part: _found(part, stated), "amount")


def _with_space(found: re.Match[str]) -> str:
    return f"{found[1]} " if found[1] in CODES else found[1]


def _bare(text: str, stated: Stated) -> Amount | None:
    """Return an amount in the parentheses of bookkeeping, which are a minus."""
    text = sign_inside(text.rstrip("."))
    if not (text.startswith("(") and text.endswith(")")):
        return None
    found = _found(text[1:-1], stated)
    if len(found) != 1 or found[0].value is None or (found[0].start, found[0].end) != (0, len(text) - 2):
        return None
    return Amount(found[0].value.currency, negated(found[0].value.number))


def _same(reference: Amount, answer: Amount, stated: Stated) -> bool:
    return reference.currency == answer.currency and agree(reference.number, answer.number, stated)


def _shown(amount: Amount) -> str:
    return f"{shown(amount.number)} {amount.currency or 'of no currency'}"


def _found(text: str, stated: Stated) -> list[Found[Amount]]:
    """Return the amounts in `text`; numbers without a currency only where no amount has one."""
    written = [one for one in numbers_in(text, stated.decimal_comma, None) if not one.is_percent]
    amounts: list[Found[Amount]] = []
    for one in written:
        amounts.append(_amount(text, one, amounts[-1].end if amounts else 0))
    _share_currencies(text, written, amounts)
    amounts = _with_coins(text, amounts)
    named = [one for one in amounts if one.value is None or one.value.currency]
    return named if any(one.value for one in named) else amounts


def _share_currencies(text: str, written: list[Written], amounts: list[Found[Amount]]) -> None:
    """Give both ends of 5-10 dollars and of $5-10 the currency that is written once."""
    for n in range(len(amounts) - 2, -1, -1):
        first, second = amounts[n].value, amounts[n + 1].value
        if first is None or second is None or not share_a_unit(text, written[n], written[n + 1]):
            continue
        if second.currency and not first.currency:
            amounts[n] = replace(amounts[n], value=Amount(second.currency, first.number))
        elif written[n].currency and not second.currency and "," not in text[amounts[n].end : amounts[n + 1].start]:
            amounts[n + 1] = replace(amounts[n + 1], value=Amount(first.currency, second.number))


def _amount(text: str, one: Written, previous: int) -> Found[Amount]:
    number, start, end = one.value, one.start, one.end
    if (magnitude := _MAGNITUDE.match(text, end)) and number is not None:
        number, end = scaled(number, LARGE_LETTERS[magnitude[1].lower()]), magnitude.end()
    before = "" if one.currency else text[max(previous, start - 24) : start]
    sign = SIGNS.get(one.currency.upper().strip(), "")
    if named := BEFORE.search(before):
        sign, start = NAMES.get(named["name"].lower(), ""), start - len(named[0])
        if text[max(0, start - 2) : start].strip() in ("-", "–") and number is not None:
            number = negated(number)
    name, is_coin = "", False
    if after := AFTER.match(text, end):
        word, end = after["name"].lower(), after.end()
        is_coin = word in COINS
        name = COINS[word] if is_coin else NAMES[word]
    currency = unite(sign, name)
    if number is None or currency is None:
        return Found(start, end, None)
    if is_coin:
        return Found(start, end, Amount(currency or "coin", scaled(number, Fraction(1, 100))))
    return Found(start, end, Amount(currency, number))


def _with_coins(text: str, amounts: list[Found[Amount]]) -> list[Found[Amount]]:
    """Return `amounts` with what is given in coins added to the amount before it: 5 euros and 50 cents."""
    whole: list[Found[Amount]] = []
    for one in amounts:
        if one.value is None or not _is_coins(text, one):
            whole.append(one)
            continue
        last = whole[-1] if whole else None
        if last and last.value and last.value.currency and _NEXT_COIN.fullmatch(text, last.end, one.start):
            currency = last.value.currency
            if one.value.currency in ("coin", currency) and isinstance(last.value.number, Fraction):
                number = last.value.number
                coins = Fraction(one.value.number)
                total = number - coins if number < 0 else number + coins
                whole[-1] = Found(last.start, one.end, Amount(currency, total))
                continue
        currency = "USD" if one.value.currency == "coin" else one.value.currency
        whole.append(Found(one.start, one.end, Amount(currency, one.value.number)))
    return whole


def _is_coins(text: str, one: Found[Amount]) -> bool:
    return text[one.start : one.end].lower().endswith(tuple(COINS)) and one.value is not None
