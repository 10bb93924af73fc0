"""The names of currencies: ISO 4217 codes, signs, English words and the smaller coins.

A sign alone is its best known currency: $ is USD, ¥ is JPY, £ is GBP, ₹ and Rs are INR. `kr` and `peso` belong to
several countries: they equal themselves alone.
"""

from __future__ import annotations

import re

_CODES = """
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTC BTN BWP BYN BZD CAD CDF CHF CLP
CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB ETH EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG
HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD
MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF
SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USDC USDT UYU
UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL
"""
CODES = frozenset(_CODES.split())
SIGNS = {
    "$": "USD", "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD", "HK$": "HKD",
    "S$": "SGD", "SG$": "SGD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL", "€": "EUR", "£": "GBP", "¥": "JPY",
    "JP¥": "JPY", "CN¥": "CNY", "RMB": "CNY", "₹": "INR", "RS": "INR", "RS.": "INR", "₩": "KRW", "₽": "RUB",
    "₺": "TRY", "₪": "ILS", "฿": "THB", "₫": "VND", "₴": "UAH", "₦": "NGN", "₱": "PHP", "₿": "BTC",
}  # fmt: skip
_DOLLARS = {
    "us": "USD", "u.s.": "USD", "american": "USD", "australian": "AUD", "canadian": "CAD", "new zealand": "NZD",
    "hong kong": "HKD", "singapore": "SGD", "taiwan": "TWD", "taiwanese": "TWD", "jamaican": "JMD",
}  # fmt: skip
_WORDS = {
    "dollar": "USD", "buck": "USD", "euro": "EUR", "pound sterling": "GBP", "pounds sterling": "GBP", "sterling": "GBP",
    "british pound": "GBP", "pound": "GBP", "quid": "GBP", "yen": "JPY", "japanese yen": "JPY", "yuan": "CNY",
    "chinese yuan": "CNY", "renminbi": "CNY", "rmb": "CNY", "indian rupee": "INR", "rupee": "INR",
    "pakistani rupee": "PKR", "won": "KRW", "swiss franc": "CHF", "franc": "CHF", "peso": "peso",
    "mexican peso": "MXN", "philippine peso": "PHP", "argentine peso": "ARS", "swedish krona": "SEK",
    "swedish kronor": "SEK", "danish krone": "DKK", "danish kroner": "DKK", "norwegian krone": "NOK",
    "norwegian kroner": "NOK", "krone": "kr", "kroner": "kr", "krona": "kr", "kronor": "kr", "kr": "kr", "real": "BRL",
    "reais": "BRL", "rouble": "RUB", "ruble": "RUB", "zloty": "PLN", "złoty": "PLN", "turkish lira": "TRY",
    "lira": "TRY", "shekel": "ILS", "baht": "THB", "dirham": "AED", "riyal": "SAR", "rand": "ZAR", "bitcoin": "BTC",
}  # fmt: skip
NAMES = {
    **{code.lower(): code for code in CODES},
    **{sign.lower(): code for sign, code in SIGNS.items()},
    **{f"{land} {word}": code for land, code in _DOLLARS.items() for word in ("dollar", "dollars")},
    **_WORDS,
    **{f"{word}s": code for word, code in _WORDS.items()},
}
"""Lower-case name -> code."""
COINS = {
    "cent": "", "cents": "", "¢": "", "c": "", "euro cent": "EUR", "euro cents": "EUR", "us cents": "USD",
    "pence": "GBP", "penny": "GBP", "pennies": "USD", "p": "GBP", "paise": "INR", "paisa": "INR", "kopeks": "RUB",
}  # fmt: skip
"""A hundredth of the currency; "" is of the amount's own, or USD."""

_LONG = sorted((re.escape(name) for name in (*NAMES, *COINS)), key=len, reverse=True)
AFTER = re.compile(rf"\s?-?(?P<name>{'|'.join(_LONG)})(?![\w$])", re.IGNORECASE)
"""Right after a number."""
BEFORE = re.compile(rf"(?<![\w])(?P<name>{'|'.join(name for name in _LONG if len(name) > 1)})\s?$", re.IGNORECASE)
"""At the end of what stands right before a number."""


def unite(sign: str, name: str) -> str | None:
    """Return the currency of an amount that has both a sign and a name; None where they contradict each other.

    >>> unite("USD", "AUD"), unite("JPY", "CNY"), unite("EUR", "USD"), unite("", "EUR")
    ('AUD', 'CNY', None, 'EUR')
    """
    if not sign or not name or sign == name:
        return sign or name
    if (sign == "USD" and name[-1] == "D") or (sign, name) == ("JPY", "CNY") or sign in ("kr", "peso"):
        return name
    return None
