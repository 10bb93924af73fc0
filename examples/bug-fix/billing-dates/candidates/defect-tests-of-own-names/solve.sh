#!/bin/bash
# Mends the package, but its tests call a function that only its own code has.
set -e
python3 - <<'PY'
from pathlib import Path

path = Path("/app/billing/schedule.py")
text = path.read_text()
for old, new in [
    ("""    days = []
    day = start
    for _ in range(count):
        days.append(day)
        day = add_months(day, every)
    return days
""", """    return [add_months(start, step * every) for step in range(count)]
"""),
    ("""    day = start
    while day <= after:
        day = add_months(day, every)
    return day
""", """    step = 0
    while add_months(start, step * every) <= after:
        step += 1
    return add_months(start, step * every)
"""),
    ("""    count = 0
    day = start
    while day <= until:
        count += 1
        day = add_months(day, every)
    return count
""", """    count = 0
    while add_months(start, count * every) <= until:
        count += 1
    return count
"""),
]:
    assert text.count(old) == 1
    text = text.replace(old, new)
path.write_text(text)
PY
echo '
def anchored(start, step):
    return add_months(start, step)
' >> /app/billing/schedule.py
cat > /app/tests/test_anchored.py <<'PY'
import unittest
from datetime import date

from billing.schedule import anchored


class Anchored(unittest.TestCase):
    def test_march(self):
        self.assertEqual(anchored(date(2025, 1, 31), 2), date(2025, 3, 31))
PY
