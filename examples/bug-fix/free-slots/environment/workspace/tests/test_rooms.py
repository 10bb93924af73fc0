import unittest

from rooms import free, merge, minutes_taken, share_taken


class Rooms(unittest.TestCase):
    def test_merge_joins_overlapping_and_touching_bookings(self):
        self.assertEqual(merge([[600, 660], [540, 610], [660, 700]]), [[540, 700]])

    def test_free_leaves_out_short_gaps(self):
        self.assertEqual(free([[540, 600], [610, 720]], 480, 1020, 30), [[480, 540], [720, 1020]])

    def test_free_ignores_bookings_outside_the_opening_hours(self):
        self.assertEqual(free([[400, 470], [1100, 1200]], 480, 1020), [[480, 1020]])

    def test_minutes_taken_counts_an_overlap_once(self):
        self.assertEqual(minutes_taken([[540, 600], [570, 630]]), 90)

    def test_share_taken(self):
        self.assertEqual(share_taken([[480, 750]], 480, 1020), 50)
