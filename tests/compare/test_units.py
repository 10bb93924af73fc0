"""Factors of units are those of pint, where it is installed; a unit ends where the text goes on."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fairtrial.compare.units import KNOWN, named, unit_at

BASE = {"kg": "kilogram", "A": "ampere", "K": "kelvin", "cd": "candela", "s": "second", "m": "meter", "mol": "mole"}
AS_PINT = [
    "m", "g", "s", "A", "K", "mol", "cd", "Hz", "N", "Pa", "J", "W", "C", "V", "F", "ohm", "S", "Wb", "T", "H", "lm",
    "lx", "Bq", "Gy", "Sv", "kat", "L", "t", "eV", "bar", "cal", "Wh", "parsec", "bit", "byte", "min", "h", "day",
    "week", "inch", "foot", "yard", "mile", "micron", "angstrom", "lb", "oz", "stone", "grain", "carat", "hectare",
    "gallon", "quart", "pint", "cup", "tablespoon", "teaspoon", "mph", "kph", "knot", "psi", "atm", "torr", "lbf",
    "kgf", "horsepower", "dyn", "erg", "ly", "km", "cm", "mm", "µm", "nm", "kPa", "MPa", "kJ", "MW", "GHz", "kWh",
    "mL", "mg", "tonne", "ppm",
]  # fmt: skip


@pytest.mark.extra
@pytest.mark.parametrize("name", AS_PINT)
def test_factor_is_that_of_pint(name: str) -> None:
    pint = pytest.importorskip("pint", reason="pint is not installed, and no other table of units is here")
    registry, unit = _registry(pint), KNOWN[name]
    target = " * ".join(f"{BASE.get(base, base)}**{power}" for base, power in unit.dimension) or "dimensionless"
    assert registry.Quantity(1, name).to(target).magnitude == pytest.approx(float(unit.factor), rel=1e-9)


_REGISTRIES: dict[int, object] = {}


def _registry(pint: object) -> object:
    return _REGISTRIES.setdefault(0, pint.UnitRegistry())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("m in the box", "m"), ("kg and", "kg"), ("N m of torque", "N m"), ("km/h on average", "km/h"),
        ("m a day", "m"),
        ("kg·m^2/s^2", "kg·m^2/s^2"), ("J/(kg K) is", "J/(kg K)"), ("J/(kg", "J"), ("m/s/s", "m/s/s"), ("m^", "m"),
        ("square feet each", "square feet"), ("m s^-1", "m s^-1"), ("°C.", "°C"), ("miles per hour", "miles per hour"),
    ],
)  # fmt: skip
def test_a_unit_ends_where_the_text_goes_on(text: str, held: str) -> None:
    found = unit_at(text)
    assert found is not None
    assert text[: found[1]] == held


@pytest.mark.parametrize("word", ["apples", "KM2x", "", "the", "at", "as"])
def test_other_words_are_no_units(word: str) -> None:
    assert named(word) is None


def test_area_is_length_squared_and_speed_length_by_time() -> None:
    area, speed = unit_at("square feet"), unit_at("mph")
    assert area is not None
    assert speed is not None
    assert area[0].factor == Fraction(3048, 10000) ** 2
    assert dict(speed[0].dimension) == {"m": 1, "s": -1}
