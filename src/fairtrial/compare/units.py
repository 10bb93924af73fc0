"""Units of measurement: the exact factor and the dimension of `km/h`, `square feet`, `kg·m^2/s^2`, `°F`.

Factors are exact fractions by definition (an inch is 25.4 mm), but for those of π. Months and years are not days, and a
`ton` alone is no tonne. A word that is no unit is one of its own (5 apples). Not here: numbers, and what is written
around a unit (quantity).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

Dimension = tuple[tuple[str, int], ...]
MOST_CHARACTERS = 80
LARGEST_POWER = 12


@dataclass(frozen=True, slots=True)
class Unit:
    """What a unit measures, and how many of the base units it is."""

    factor: Fraction
    dimension: Dimension
    offset: Fraction = Fraction(0)
    """Added to the number before the factor: of °C and °F standing alone."""

    def times(self, other: Unit, power: int = 1) -> Unit:
        """Return the product of this and a power of the `other`, as differences where they have an offset."""
        exponents = dict(self.dimension)
        for base, exponent in other.dimension:
            exponents[base] = exponents.get(base, 0) + exponent * power
        return Unit(self.factor * other.factor**power, tuple(sorted((b, e) for b, e in exponents.items() if e)))


ONE = Unit(Fraction(1), ())
_PI = Fraction("3.14159265358979323846264338327950288419716939937510")
_PREFIXES = {
    "quetta": ("Q", 30), "ronna": ("R", 27), "yotta": ("Y", 24), "zetta": ("Z", 21), "exa": ("E", 18),
    "peta": ("P", 15), "tera": ("T", 12), "giga": ("G", 9), "mega": ("M", 6), "kilo": ("k", 3), "hecto": ("h", 2),
    "deca": ("da", 1), "deci": ("d", -1), "centi": ("c", -2), "milli": ("m", -3), "micro": ("µ", -6),
    "nano": ("n", -9), "pico": ("p", -12), "femto": ("f", -15), "atto": ("a", -18), "zepto": ("z", -21),
    "yocto": ("y", -24), "ronto": ("r", -27), "quecto": ("q", -30),
}  # fmt: skip
_BINARY = {"kibi": ("Ki", 10), "mebi": ("Mi", 20), "gibi": ("Gi", 30), "tebi": ("Ti", 40), "pebi": ("Pi", 50)}

# symbol, names, factor, dimension: of each that takes prefixes. A name is also known with an s.
_METRIC = """
m metre,meter 1 m
g gram,gramme 1/1000 kg
s second,sec 1 s
A ampere,amp 1 A
K kelvin 1 K
mol mole 1 mol
cd candela 1 cd
Hz hertz 1 s^-1
N newton 1 kg m s^-2
Pa pascal 1 kg m^-1 s^-2
J joule 1 kg m^2 s^-2
W watt 1 kg m^2 s^-3
C coulomb 1 A s
V volt 1 kg m^2 s^-3 A^-1
F farad 1 kg^-1 m^-2 s^4 A^2
Ω ohm 1 kg m^2 s^-3 A^-2
ohm ohm 1 kg m^2 s^-3 A^-2
S siemens 1 kg^-1 m^-2 s^3 A^2
Wb weber 1 kg m^2 s^-2 A^-1
T tesla 1 kg s^-2 A^-1
H henry 1 kg m^2 s^-2 A^-2
lm lumen 1 cd
lx lux 1 cd m^-2
Bq becquerel 1 s^-1
Gy gray 1 m^2 s^-2
Sv sievert 1 m^2 s^-2
kat katal 1 mol s^-1
L litre,liter 1/1000 m^3
t tonne,metric-ton,metric-tonne 1000 kg
eV electronvolt,electron-volt 1602176634/10000000000000000000000000000 kg m^2 s^-2
bar bar 100000 kg m^-1 s^-2
cal calorie 4184/1000 kg m^2 s^-2
Nm newton-metre,newton-meter 1 kg m^2 s^-2
VA volt-ampere,volt-amp 1 kg m^2 s^-3
Wh watt-hour,watthour 3600 kg m^2 s^-2
Ah ampere-hour,amp-hour 3600 A s
pc parsec 30856775814913673 m
M molar 1000 mol m^-3
bit bit 1 bit
b b 1 bit
B byte 8 bit
bps bps 1 bit s^-1
dyn dyne 1/100000 kg m s^-2
erg erg 1/10000000 kg m^2 s^-2
"""
_OTHERS = """
l 1/1000 m^3
min,minute,mins 60 s
h,hr,hrs,hour 3600 s
d,day 86400 s
wk,wks,week 604800 s
fortnight 1209600 s
mo,month 1 month
yr,yrs,year 12 month
decade 120 month
century,centuries 1200 month
in,inch,inches,″ 254/10000 m
ft,foot,feet,′ 3048/10000 m
yd,yds,yard 9144/10000 m
mi,mile 1609344/1000 m
nmi,nautical-mile 1852 m
furlong 201168/1000 m
fathom 18288/10000 m
ly,light-year,lightyear 9460730472580800 m
au,astronomical-unit 149597870700 m
Å,angstrom,ångström 1/10000000000 m
micron 1/1000000 m
lb,lbs,pound,# 45359237/100000000 kg
oz,ounce 45359237/1600000000 kg
st,stone 635029318/100000000 kg
gr,grain 6479891/100000000000 kg
ct,carat 1/5000 kg
short-ton 90718474/100000 kg
long-ton 10160469088/10000000 kg
Da,dalton 1 dalton
ha,hectare 10000 m^2
acre,ac 40468564224/10000000 m^2
gal,gallon 3785411784/1000000000000 m^3
qt,quart 946352946/1000000000000 m^3
pt,pint 473176473/1000000000000 m^3
cup 2365882365/10000000000000 m^3
fl-oz,floz,fluid-ounce 295735295625/10000000000000000 m^3
tbsp,tablespoon 1478676478125/100000000000000000 m^3
tsp,teaspoon 492892159375/100000000000000000 m^3
bbl,barrel 158987294928/1000000000000 m^3
cc,ccm 1/1000000 m^3
mph 1609344/3600000 m s^-1
kph,kmh,kmph 1000/3600 m s^-1
kn,kt,kts,knot 1852/3600 m s^-1
psi 6894757293168/1000000000 kg m^-1 s^-2
atm,atmosphere 101325 kg m^-1 s^-2
torr,mmHg 101325/760 kg m^-1 s^-2
inHg 3386389/1000 kg m^-1 s^-2
lbf,pound-force 44482216152605/10000000000000 kg m s^-2
kgf 980665/100000 kg m s^-2
hp,horsepower 74569987158227022/100000000000000 kg m^2 s^-3
BTU,btu 105505585262/100000000 kg m^2 s^-2
°,deg,degree 1 degree
arcmin,arcminute 1/60 degree
arcsec,arcsecond 1/3600 degree
rev,revolution,turn 360 degree
rpm 6 degree s^-1
dozen 12
%,percent 1/100
ppm 1/1000000
ppb 1/1000000000
"""
_KELVIN: Dimension = (("K", 1),)
_SCALES = {
    "°C": ("celsius", "centigrade", Unit(Fraction(1), _KELVIN, Fraction(27315, 100))),
    "°F": ("fahrenheit", "fahrenheit", Unit(Fraction(5, 9), _KELVIN, Fraction(45967, 100))),
    "°R": ("rankine", "rankine", Unit(Fraction(5, 9), _KELVIN)),
}


def _dimension(words: list[str]) -> Dimension:
    pairs = (word.partition("^") for word in words)
    return tuple(sorted((base, int(power or 1)) for base, _, power in pairs))


def _metric(symbol: str, names: list[str], unit: Unit) -> Iterator[tuple[str, Unit]]:
    yield from ((word, unit) for word in (symbol, *names, *(f"{name}s" for name in names)))
    for prefix, (sign, power) in _PREFIXES.items():
        if power < 3 and symbol in ("B", "bit", "b", "bps", "t"):
            continue
        scaled = Unit(unit.factor * Fraction(10) ** power, unit.dimension)
        yield f"{sign}{symbol}", scaled
        yield from ((f"{prefix}{name}{s}", scaled) for name in names for s in ("", "s") if name != symbol)
        if sign == "µ":
            yield from ((f"{micro}{symbol}", scaled) for micro in "μu")
        if symbol == "L":
            yield f"{sign}l", scaled
    if symbol in ("B", "bit", "b"):
        for prefix, (sign, power) in _BINARY.items():
            binary = Unit(unit.factor * 2**power, unit.dimension)
            yield from ((word, binary) for word in (f"{sign}{symbol}", f"{prefix}{names[0]}", f"{prefix}{names[0]}s"))


def _table() -> dict[str, Unit]:
    known: dict[str, Unit] = {}
    for line in _METRIC.split("\n")[1:-1]:
        symbol, words, factor, *dimension = line.split()
        known |= dict(_metric(symbol, words.split(","), Unit(Fraction(factor), _dimension(dimension))))
    for line in _OTHERS.split("\n")[1:-1]:
        words, factor, *dimension = line.split()
        unit = Unit(Fraction(factor), _dimension(dimension))
        known |= {word: unit for name in words.split(",") for word in (name, f"{name}s" if len(name) > 2 else name)}
    for symbol, (*names, unit) in _SCALES.items():
        spelled = (symbol, symbol.replace("°", "deg"), symbol.replace("°", "° "), *names)
        known |= dict.fromkeys(
            (*spelled, *(f"{lead} {name}" for lead in ("degree", "degrees", "deg") for name in names)), unit
        )
        known |= dict.fromkeys((f"{lead} {symbol[1]}" for lead in ("degree", "degrees", "deg")), unit)
    for word in ("as", "am"):
        del known[word]
    known |= {"℃": known["°C"], "℉": known["°F"], "KB": known["kB"], "Kbps": known["kbps"], "sq": ONE, "cu": ONE}
    known |= {"sqm": ONE.times(known["m"], 2), "sqft": ONE.times(known["ft"], 2), "sqkm": ONE.times(known["km"], 2)}
    known |= dict.fromkeys(("rad", "radian", "radians"), Unit(180 / _PI, (("degree", 1),)))
    return known


KNOWN = _table()
FOLDED = {name.lower(): unit for name, unit in reversed(KNOWN.items()) if len(name) > 3}
"""Names that may be written in any case: the long ones."""
SHORT_SCALES = {"C": KNOWN["°C"], "F": KNOWN["°F"]}
"""Letters that are a scale of temperature where they stand alone after a number, as well as coulomb and farad."""

_PHRASE = re.compile(
    r"\s*(?:(?P<per>/|\bper\b)|(?P<join>[·⋅*×]|-(?=[A-Za-zµμΩ]))|(?P<open>\()|(?P<close>\))|"
    r"(?P<power>\^\s?\{?\s?[-+]?[0-9]{1,2}\s?\}?|\*\*\s?-?[0-9]{1,2}|[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}|\b(?:squared|cubed)\b|(?<=[a-zA-Z])-?[0-9](?![0-9.]))|"
    r"(?P<lead>\b(?:square|sq\.?|cubic|cu\.?)(?=\s))|"
    r"(?P<name>°\s?[CFR]\b|(?:degrees?|deg)\s(?:celsius|fahrenheit|centigrade|rankine|[CFR]\b)|fl\.?\s?oz\b|fluid\sounces?|"
    r"nautical\smiles?|metric\stons?|metric\stonnes?|short\stons?|long\stons?|light[\s-]years?|[A-Za-zµμΩÅåöéΩ]+|[°%′″#℃℉]|\"|''|'))",
    re.IGNORECASE,
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_POWER_WORDS = {"squared": 2, "cubed": 3}
_RESPELLED = {'"': "in", "''": "in", "'": "ft", "fl oz": "fl-oz", "fl. oz": "fl-oz", "fl.oz": "fl-oz"}


def named(word: str) -> Unit | None:
    """Return the unit called `word`, as it is written or, of a long name, in any case.

    >>> named("km").factor, named("Kilometres").factor, named("apples")
    (Fraction(1000, 1), Fraction(1000, 1), None)
    """
    word = " ".join(word.split())
    word = _RESPELLED.get(word, word)
    folded = word.lower()
    return (
        KNOWN.get(word)
        or KNOWN.get(_LOWER.get(folded, ""))
        or FOLDED.get(folded)
        or FOLDED.get(folded.replace(" ", "-"))
    )


_SPELLED = (
    "khz=kHz mhz=MHz ghz=GHz hz=Hz kwh=kWh kw=kW kpa=kPa kb=kB mb=MB gb=GB tb=TB kj=kJ w=W v=V j=J "
    "kgs=kg kms=km cms=cm mms=mm mls=mL kilo=kg kilos=kg gms=g gm=g"
)
_UNMISTAKABLE = "cm mm kg lb lbs oz ft in inch yd mi hr hrs min mins sec secs mph kmh km"
_LOWER = {
    **{word: word for word in _UNMISTAKABLE.split()},
    **{lower: proper for lower, _, proper in (pair.partition("=") for pair in _SPELLED.split())},
}
"""Short ones that nobody takes for another in capitals or small letters."""
_WORDS = "in a as at am an is us per min d day pt ft oz ' \" '' # % ° °C °F"
_ALSO_WORDS = frozenset(_WORDS.split())


def unit_at(text: str, start: int = 0) -> tuple[Unit, int] | None:
    """Return the longest unit that `text` holds at `start`, and where it ends; None where there is none.

    >>> unit, end = unit_at("km/h on average")
    >>> unit.factor, unit.dimension, end
    (Fraction(5, 18), (('m', 1), ('s', -1)), 4)
    """
    return _Phrase(text, start, min(len(text), start + MOST_CHARACTERS)).read()


class _Phrase:
    """Reads names, powers and divisions from left to right: kg m/s^2, m/s/s, J/(kg K), m³ per hour."""

    def __init__(self, text: str, start: int, limit: int) -> None:
        self._text, self._place, self._limit = text, start, limit
        self._factors: list[tuple[Unit, int]] = []
        self._sign, self._lead, self._group, self._joins = 1, 1, False, True

    def read(self) -> tuple[Unit, int] | None:
        ended: tuple[int, int] | None = None
        while found := _PHRASE.match(self._text, self._place, self._limit):
            if len(self._factors) >= LARGEST_POWER or not self._takes(found):
                break
            self._place = found.end()
            if found.lastgroup in ("name", "power", "close") and not self._group:
                ended = len(self._factors), self._place
        return None if ended is None or not ended[0] else (self._product(ended[0]), ended[1])

    def _takes(self, found: re.Match[str]) -> bool:
        """Take one word of the phrase in; say whether it belongs to it."""
        kind = found.lastgroup
        if kind == "name":
            unit = named(found["name"])
            if unit is None or not (self._joins or _is_symbol(found["name"])):
                return False
            self._factors.append((unit, self._sign * self._lead))
            self._lead, self._joins = 1, False
            self._sign = self._sign if self._group else 1
            return True
        if kind == "power":
            exponent = _exponent(found["power"])
            if not self._factors or self._joins or abs(exponent) > LARGEST_POWER:
                return False
            unit, power = self._factors[-1]
            self._factors[-1] = unit, power * exponent
            return True
        if kind == "per":
            self._sign, self._joins = -1, True
        elif kind == "lead":
            self._lead, self._joins = 3 if found["lead"].lower().startswith("cu") else 2, True
        elif kind == "open" and self._sign < 0 and not self._group:
            self._group = True
        elif kind == "close" and self._group:
            self._group, self._sign = False, 1
        elif kind == "join" and self._factors and not self._joins:
            self._joins = True
        else:
            return False
        return True

    def _product(self, count: int) -> Unit:
        if count == 1 and self._factors[0][1] == 1:
            return self._factors[0][0]
        whole = ONE
        for unit, power in self._factors[:count]:
            whole = whole.times(unit, power)
        return whole


def _is_symbol(name: str) -> bool:
    """Say whether `name` may stand after another with a space alone between: N m, kW h; but not 3 m in."""
    return len(name) <= 3 and name not in _ALSO_WORDS


def _exponent(text: str) -> int:
    if text.lower() in _POWER_WORDS:
        return _POWER_WORDS[text.lower()]
    digits = text.translate(_SUPERSCRIPTS)
    return int("".join(letter for letter in digits if letter in "-0123456789") or "1")
