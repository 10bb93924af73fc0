"""Quantities are converted exactly; a missing unit, another dimension or a sum that does not match is refused."""

from __future__ import annotations

import pytest

from fairtrial.compare import Stated, equivalent

SAME = [
    ("10 N m", "10 Nm"), ("10 N m", "10 newton-metres"), ("100 °C", "212 °F"),
    ("150 min", "2:30 h"), ("150 min", "2 hours 30 minutes"), ("150 min", "2h 30m"), ("150 min", "2 and a half hours"),
    ("5 kg", "5 kgs"), ("5 kg", "5 kilos"), ("5 m²", "5 sqm"), ("5 ft²", "5 sq. ft."), ("100 Pa", "100 N/m^2"),
    ("1 M", "1 mol/L"), ("6 hours", "6 hour(s)"), ("10 cm", "The answer is 10 cm, not 20 cm."),
    ("30 m", "10 m + 20 m"), ("30 m", "10 m + 20 m = 30 m"), ("0 m", "0 cm"), ("5 apples", "The answer is 5 apples."),
    ("12 eggs", "a dozen eggs"), ("20 °C", "20 celsius"), ("63 minutes", "45 + 18 minutes"),
    ("63 minutes", "45 min + 18 min"), ("63 min", "1 hour and 3 minutes"), ("63 min", "1 hr, 3 min"),
    ("63 min", "1h3m"), ("200 s", "3m20s"), ("63 min", "1h3min"), ("63 min", "1:03:00"), ("63 min", "PT1H3M"),
    ("63 min", "1.05 h"), ("63 min", "3780 s"), ("63 min", "3,780 seconds"), ("90 min", "an hour and a half"),
    ("90 min", "1.5 hours"), ("90 min", "one and a half hours"), ("30 min", "half an hour"),
    ("15 min", "a quarter of an hour"), ("60 min", "an hour"), ("5 ft 3 in", "63 in"), ("5 ft 3 in", "5'3\""),
    ("5 ft 3 in", "5′3″"), ("5 ft 3 in", "5 feet 3 inches"), ("5 ft 3 in", "5 feet, 3 inches"),
    ("5 ft 3 in", "160.02 cm"), ("5 ft 3 in", "1.6002 m"), ("5'11\"", "71 inches"), ("20 °C", "293.15 K"),
    ("20 °C", "68 °F"), ("20 °C", "68°F"), ("20 °C", "20 C"), ("20 °C", "20 degrees Celsius"), ("-40 °C", "-40 °F"),
    ("0 °C", "273.15 kelvin"), ("20 °C", "20^\\circ C"), ("20 C", "20 coulombs"), ("90°", "90 degrees"),
    ("90°", "π/2 rad"), ("180°", "π radians"), ("36 km/h", "10 m/s"), ("36 km/h", "36 kph"), ("36 km/h", "10 m s^-1"),
    ("36 km/h", "10 metres per second"), ("60 mph", "60 miles per hour"), ("60 mph", "60 mi/h"),
    ("9.8 m/s^2", "9.8 m/s²"), ("9.8 m/s^2", "9.8 m s⁻²"), ("9.8 m/s^2", "$9.8 \\text{ m/s}^2$"),
    ("9.8 m/s^2", "9.8\\,\\mathrm{m/s^{2}}"), ("1 N", "1 kg m/s^2"), ("1 J", "1 N m"), ("1 J", "1 N·m"),
    ("1 kWh", "3.6 MJ"), ("1 L", "1000 cm^3"), ("1 L", "1000 mL"), ("1 L", "1 dm³"), ("1 litre", "1000 cc"),
    ("2 m²", "2 square metres"), ("2 m²", "2 sq m"), ("2 m²", "20000 cm²"), ("2 ha", "20,000 m²"),
    ("1 acre", "43560 sq ft"), ("5 GB", "5000 MB"), ("1 GiB", "1024 MiB"), ("8 Mb", "1 MB"), ("1 byte", "8 bits"),
    ("5 apples", "5 apples"), ("5 apples", "5 apple"), ("5 apples", "five apples"), ("10 cm", "The length is 10 cm."),
    ("10 cm", "The length is 100 mm, which is what we wanted."), ("10 cm", "10 centimeters"),
    ("10 cm", "10 centimetres"), ("10 cm", "10cm"), ("10 cm", "10 CM"), ("10 cm", "**10 cm**"),
    ("10 cm", "\\boxed{10 \\text{ cm}}"), ("10 cm", "about 10 cm"), ("-10 cm", "−10 cm"), ("1500 m", "1.5 km"),
    ("1500 m", "1,500 m"), ("1500 m", "1.5 × 10^3 m"), ("1500 m", "1.5e3 m"), ("3 lb", "48 oz"), ("3 lb", "3 pounds"),
    ("3 lb 4 oz", "52 oz"), ("3 lb 4 oz", "3 lbs 4 ounces"), ("1 mile", "5280 feet"), ("1 mi", "1.609344 km"),
    ("300 K", "300 K"), ("1 year", "12 months"), ("2 weeks", "14 days"), ("10 Ω", "10 ohms"), ("10 Ω", "10 Ω"),
    ("10 µF", "10 μF"), ("10 µF", "10 uF"), ("10 µm", "10 microns"), ("10 µm", "10 \\mu m"), ("1 atm", "101325 Pa"),
    ("1 atm", "760 mmHg"), ("1 bar", "100 kPa"), ("3 m", "I walked 5 m, no wait, 3 m"),
    ("24 cm²", "Area = 6 cm × 4 cm = 24 cm²"), ("50 km/h", "50 kilometers per hour"), ("$5/hour", "$5 per hour"),
    ("1/2 cup", "0.5 cups"), ("1/2 mile", "0.5 mi"), ("1 ½ in", "1.5 inches"), ("6 hours", "The trip took 6 hours."),
    ("6 hours", "It took 6 hours in 2 cars."), ("2 h", "from 3 pm to 5 pm, that is 2 hours"),
    ("100 m", "0.1 kilometers"), ("5 m", "5 meters long"), ("3.5 kg", "3 kg 500 g"), ("3.5 kg", "3 kg and 500 g"),
    ("1 d", "24 h"), ("10 cm", "10 cm (0.1 m)"), ("10 cm", "10 cm = 0.1 m"),
    ("1.5 h", "1h30"), ("50 J", "50 Nm"),
    ("5 km", "5~km"), ("5 km", "five (5) km"), ("10 m/s", "10 \\frac{m}{s}"),
    ("10 m/s", "10 \\frac{\\text{m}}{\\text{s}}"), ("5 kΩ", "5 kohm"),
]  # fmt: skip
OTHER = [
    ("10 N", "10 Nm"), ("1 GB", "1 Gb"), ("3.5 h", "3:30"),
    ("5 kg", "5 kg or more"), ("10 cm", "10 cm^2"), ("10 cm", "10 cm and 20 cm"), ("10 m", "10 m + 20 m = 30 m"),
    ("3 m", "3"), ("0 m", "0"), ("20 °C", "20 degrees"), ("2 km", "2000"), ("5 ft 3 in", "5.3 ft"), ("20 °C", "20 K"),
    ("20 °C", "20"), ("20 °C", "20 °F"), ("90°", "\\frac{\\pi}{2} rad"), ("9.8 m/s^2", "9.8 m/s"), ("2 m²", "2 m"),
    ("5 apples", "5 pears"), ("5 apples", "5"), ("10 cm", "10 cm or 20 cm"), ("10 cm", "5 to 10 cm"),
    ("10 cm", "5-10 cm"), ("5 cm", "5-10 cm"), ("10 cm", "not 10 cm"), ("10 cm", "at least 10 cm"), ("10 cm", ""),
    ("10 cm", "10 kg"), ("10 cm", "−10 cm"), ("10 cm", "10,0 cm"), ("1 mi", "1.6 km"), ("1 year", "365 days"),
    ("5 m", "5 M"), ("5 mg", "5 Mg"), ("10 cm", "10 in"),
    ("10 cm", "<!-- 10 cm --> 9 cm"), ("10 cm", "10 cm (this is wrong)"),
]  # fmt: skip
STATED = [
    ("1 mi", "1.6 km", Stated(relative=0.01), True),
    ("20 °C", "68.5 °F", Stated(absolute=0.5), True),
    ("10 cm", "0.101 m", Stated(absolute=0.1), True),
    ("10 cm", "0.102 m", Stated(absolute=0.1), False),
]


@pytest.mark.parametrize(("reference", "answer"), SAME)
def test_a_careful_reader_would_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "quantity")
    assert found.equivalent, found.reason


@pytest.mark.parametrize(("reference", "answer"), OTHER)
def test_a_careful_reader_would_not_accept_it(reference: str, answer: str) -> None:
    found = equivalent(reference, answer, "quantity")
    assert not found.equivalent, found.reason
    assert found.reason


@pytest.mark.parametrize(("reference", "answer", "stated", "same"), STATED)
def test_what_a_task_states_is_honoured(reference: str, answer: str, stated: Stated, same: bool) -> None:
    assert equivalent(reference, answer, "quantity", stated).equivalent is same
