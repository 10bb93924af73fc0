#!/bin/bash
# Another design: a day is a row of minutes, each taken or not; touching stretches join by themselves.
set -e
cat > /app/rooms/slots.py <<'PY'
"""Taken and free stretches of a day, minute by minute."""


def minutes(bookings):
    taken = set()
    for start, end in bookings:
        taken |= set(range(start, end))
    return taken


def merge(bookings):
    taken = sorted(minutes(bookings))
    stretches = []
    for minute in taken:
        if stretches and stretches[-1][1] == minute:
            stretches[-1][1] = minute + 1
        else:
            stretches.append([minute, minute + 1])
    return stretches


def free(bookings, opens, closes, least=1):
    taken = minutes(bookings)
    open_minutes = [[minute, minute + 1] for minute in range(opens, closes) if minute not in taken]
    return [slot for slot in merge(open_minutes) if slot[1] - slot[0] >= least]
PY
cat > /app/rooms/usage.py <<'PY'
"""How much rooms are used."""

from rooms.slots import minutes


def minutes_taken(bookings):
    return len(minutes(bookings))


def share_taken(bookings, opens, closes):
    return len(minutes(bookings) & set(range(opens, closes))) * 100 // (closes - opens)
PY
cat > /app/tests/test_random_days.py <<'PY'
import random
import unittest

from rooms import free, merge, minutes_taken


class RandomDays(unittest.TestCase):
    def test_every_minute_is_either_taken_or_free(self):
        draw = random.Random(7)
        for _ in range(200):
            day = [sorted(draw.sample(range(480, 1080), 2)) for _ in range(draw.randrange(1, 8))]
            taken = {minute for start, end in day for minute in range(start, end)}
            self.assertEqual({m for start, end in merge(day) for m in range(start, end)}, taken)
            self.assertEqual(minutes_taken(day), len(taken))
            self.assertEqual(sum(end - start for start, end in free(day, 480, 1080)), 600 - len(taken))
PY
