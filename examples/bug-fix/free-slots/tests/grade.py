"""Grade free-slots: bookings within bookings count right everywhere, nothing else moved, the agent's tests tell."""

import sys

sys.path.append("/tests")
from packages import graded_tests, wrong_answers
from verdict import all_or_nothing, begin, finish

PACKAGE = "/app/rooms"
DAY = [[540, 1020], [600, 630]]
NESTED = [[480, 720], [500, 510], [505, 600], [700, 710], [900, 960], [900, 930]]

REPORTED = [("free", [DAY, 480, 1080], [[480, 540], [1020, 1080]])]
MERGE = [
    ("merge", [DAY], [[540, 1020]]),
    ("merge", [NESTED], [[480, 720], [900, 960]]),
    ("merge", [[[600, 700], [600, 650], [690, 695], [695, 800]]], [[600, 800]]),
    ("free", [NESTED, 450, 1000, 31], [[720, 900], [960, 1000]]),
]
USAGE = [
    ("minutes_taken", [DAY], 480),
    ("minutes_taken", [NESTED], 300),
    ("minutes_taken", [[[0, 100], [10, 20], [50, 60], [90, 110]]], 110),
    ("share_taken", [DAY, 480, 1080], 80),
    ("share_taken", [NESTED, 480, 960], 62),
]
AS_BEFORE = [
    ("merge", [[]], []),
    ("merge", [[[60, 120], [120, 180], [181, 200]]], [[60, 180], [181, 200]]),
    ("free", [[], 480, 1020], [[480, 1020]]),
    ("free", [[[480, 1020]], 480, 1020], []),
    ("free", [[[450, 500], [1000, 1100]], 480, 1020, 10], [[500, 1000]]),
    ("free", [[[500, 560]], 480, 600, 40], [[560, 600]]),
    ("minutes_taken", [[]], 0),
    ("minutes_taken", [[[100, 160], [160, 200], [300, 310]]], 110),
    ("share_taken", [[[300, 500]], 480, 1020], 3),
]
begin()
checks = wrong_answers(
    PACKAGE,
    {"reported_case": REPORTED, "merge_within": MERGE, "usage_within": USAGE, "nothing_else_changed": AS_BEFORE},
)
checks |= graded_tests(PACKAGE)
finish(checks, all_or_nothing(checks))
