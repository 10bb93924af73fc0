#!/bin/bash
# Mends due_dates and invoice_count, and overlooks next_due.
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
cat > /app/tests/test_drift.py <<'PY'
import unittest
from datetime import date

from billing import due_dates, invoice_count, next_due


class Drift(unittest.TestCase):
    def test_a_short_month_does_not_move_later_dates(self):
        self.assertEqual(due_dates(date(2025, 1, 31), 4)[2:], [date(2025, 3, 31), date(2025, 4, 30)])

    def test_invoice_count_hangs_on_the_start(self):
        self.assertEqual(invoice_count(date(2025, 1, 31), date(2025, 3, 30)), 2)


if __name__ == "__main__":
    unittest.main()
PY
