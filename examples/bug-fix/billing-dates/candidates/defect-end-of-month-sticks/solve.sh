#!/bin/bash
# Moves every date that falls on the end of a month to the end of the next: 28 February becomes 31 March.
set -e
python3 - <<'PY'
from pathlib import Path

path = Path("/app/billing/schedule.py")
text = path.read_text().replace("day = add_months(day, every)", "day = _following(day, every)")
text += '''

def _following(day: date, months: int) -> date:
    later = add_months(day, months)
    if day.day == monthrange(day.year, day.month)[1]:
        return later.replace(day=monthrange(later.year, later.month)[1])
    return later
'''
path.write_text(text)
PY
cat > /app/tests/test_drift.py <<'PY'
import unittest
from datetime import date

from billing import due_dates, invoice_count, next_due


class Drift(unittest.TestCase):
    def test_a_short_month_does_not_move_later_dates(self):
        self.assertEqual(due_dates(date(2025, 1, 31), 4)[2:], [date(2025, 3, 31), date(2025, 4, 30)])

    def test_next_due_hangs_on_the_start(self):
        self.assertEqual(next_due(date(2025, 1, 31), date(2025, 3, 28)), date(2025, 3, 31))

    def test_invoice_count_hangs_on_the_start(self):
        self.assertEqual(invoice_count(date(2025, 1, 31), date(2025, 3, 30)), 2)


if __name__ == "__main__":
    unittest.main()
PY
