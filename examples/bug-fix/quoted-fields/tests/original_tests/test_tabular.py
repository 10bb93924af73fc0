import unittest

from tabular import join_fields, read_rows, split_line


class Tabular(unittest.TestCase):
    def test_plain_fields(self):
        self.assertEqual(split_line("a,b,,c"), ["a", "b", "", "c"])

    def test_delimiter_in_quotes(self):
        self.assertEqual(split_line('nuts,"M4, zinc",200'), ["nuts", "M4, zinc", "200"])

    def test_other_delimiter(self):
        self.assertEqual(split_line("a;b,c", ";"), ["a", "b,c"])

    def test_rows(self):
        self.assertEqual(read_rows("a,b\n\nc,d\n"), [["a", "b"], ["c", "d"]])

    def test_join_quotes_what_needs_it(self):
        self.assertEqual(join_fields(["nuts", "M4, zinc", "200"]), 'nuts,"M4, zinc",200')
