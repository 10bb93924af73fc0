#!/bin/bash
# Writes quotes around every field, needed or not.
set -e
cat > /app/tabular/reading.py <<'PY'
"""Take comma-separated text apart."""


def split_line(line, delimiter=","):
    """Return the fields of one line. A field in double quotes may hold the delimiter; in it, "" stands for one quote."""
    fields = []
    field = ""
    quoted = False
    at = 0
    while at < len(line):
        character = line[at]
        if quoted and line[at : at + 2] == '""':
            field += '"'
            at += 1
        elif character == '"':
            quoted = not quoted
        elif character == delimiter and not quoted:
            fields.append(field)
            field = ""
        else:
            field += character
        at += 1
    return [*fields, field]


def read_rows(text, delimiter=","):
    """Return one list of fields a record; empty lines are passed over. A quoted field may hold line ends."""
    return [split_line(record, delimiter) for record in _records(text) if record]


def _records(text):
    """Cut text at the line ends that stand outside quotes; a doubled quote opens and closes, so it changes nothing."""
    records = [""]
    quoted = False
    for line in text.split("\n"):
        records[-1] += line
        quoted ^= line.count('"') % 2 == 1
        if quoted:
            records[-1] += "\n"
        else:
            records[-1] = records[-1].removesuffix("\r")
            records.append("")
    return records
PY
cat > /app/tabular/writing.py <<'PY'
"""Put fields together as comma-separated text."""


def join_fields(fields, delimiter=","):
    """Return one line, without a line end; fields that need quotes get them."""
    return delimiter.join(_quoted(field) if _needs_quotes(field, delimiter) else field for field in fields)


def _needs_quotes(field, delimiter):
    return True


def _quoted(field):
    return '"' + field.replace('"', '""') + '"'
PY
cat > /app/tests/test_quotes.py <<'PY'
import unittest

from tabular import join_fields, read_rows, split_line


class Quotes(unittest.TestCase):
    def test_doubled_quote_is_one_quote(self):
        self.assertEqual(split_line('"hose 1/2"" x 5 m",black'), ['hose 1/2" x 5 m', "black"])

    def test_line_end_in_quotes_does_not_end_the_record(self):
        self.assertEqual(read_rows('a,"two\nlines"\nb,c\n'), [["a", "two\nlines"], ["b", "c"]])

    def test_what_is_joined_splits_into_the_same_fields(self):
        for fields in (['1"', "x"], ['a,"b"', ""], ['"', '""']):
            with self.subTest(fields=fields):
                self.assertEqual(split_line(join_fields(fields)), fields)
PY
