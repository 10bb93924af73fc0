"""Grade billing-dates: dates hang on the start, nothing else moved, and the agent's tests tell right from wrong."""

import sys

sys.path.append("/tests")
from packages import graded_tests, wrong_answers
from verdict import all_or_nothing, begin, finish

PACKAGE = "/app/billing"


def day(text):
    return {"date": text}


def days(*texts):
    return [day(text) for text in texts]


REPORTED = [("due_dates", [day("2025-01-31"), 4], days("2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30"))]
DUE_DATES = [
    (
        "due_dates",
        [day("2023-11-30"), 6],
        days("2023-11-30", "2023-12-30", "2024-01-30", "2024-02-29", "2024-03-30", "2024-04-30"),
    ),
    ("due_dates", [day("2025-08-31"), 4, 3], days("2025-08-31", "2025-11-30", "2026-02-28", "2026-05-31")),
    (
        "due_dates",
        [day("2024-02-29"), 6, 12],
        days("2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"),
    ),
]
NEXT_DUE = [
    ("next_due", [day("2025-01-31"), day("2025-03-28")], day("2025-03-31")),
    ("next_due", [day("2025-01-31"), day("2025-03-31")], day("2025-04-30")),
    ("next_due", [day("2025-08-30"), day("2026-03-01"), 2], day("2026-04-30")),
    ("next_due", [day("2024-02-29"), day("2027-12-31"), 12], day("2028-02-29")),
    ("next_due", [day("2025-11-30"), day("2026-01-15")], day("2026-01-30")),
]
INVOICE_COUNT = [
    ("invoice_count", [day("2025-01-31"), day("2025-03-30")], 2),
    ("invoice_count", [day("2025-01-31"), day("2025-03-31")], 3),
    ("invoice_count", [day("2024-12-31"), day("2025-12-30")], 12),
]
AS_BEFORE = [
    ("add_months", [day("2025-01-31"), 1], day("2025-02-28")),
    ("add_months", [day("2025-03-31"), -1], day("2025-02-28")),
    ("add_months", [day("2025-02-28"), 1], day("2025-03-28")),
    ("due_dates", [day("2025-02-28"), 3], days("2025-02-28", "2025-03-28", "2025-04-28")),
    ("due_dates", [day("2025-06-15"), 0], []),
    ("next_due", [day("2025-06-15"), day("2025-06-01")], day("2025-06-15")),
    ("invoice_count", [day("2025-06-15"), day("2025-06-14")], 0),
    ("invoice_count", [day("2025-06-15"), day("2025-06-15"), 6], 1),
]

begin()
checks = wrong_answers(
    PACKAGE,
    {
        "reported_case": REPORTED,
        "due_dates_anchored": DUE_DATES,
        "next_due_anchored": NEXT_DUE,
        "invoice_count_anchored": INVOICE_COUNT,
        "nothing_else_changed": AS_BEFORE,
    },
)
checks |= graded_tests(PACKAGE)
finish(checks, all_or_nothing(checks))
