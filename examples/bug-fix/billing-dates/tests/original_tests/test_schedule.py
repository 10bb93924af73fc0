import unittest
from datetime import date

from billing import add_months, due_dates, invoice_count, next_due


class Schedule(unittest.TestCase):
    def test_add_months_ends_a_short_month_at_its_last_day(self):
        self.assertEqual(add_months(date(2025, 1, 31), 1), date(2025, 2, 28))
        self.assertEqual(add_months(date(2024, 1, 31), 1), date(2024, 2, 29))

    def test_due_dates_keep_the_day(self):
        self.assertEqual(due_dates(date(2025, 11, 5), 3), [date(2025, 11, 5), date(2025, 12, 5), date(2026, 1, 5)])

    def test_next_due_is_later(self):
        self.assertEqual(next_due(date(2025, 1, 10), date(2025, 2, 10)), date(2025, 3, 10))

    def test_invoice_count_includes_both_ends(self):
        self.assertEqual(invoice_count(date(2025, 1, 10), date(2025, 3, 10)), 3)
