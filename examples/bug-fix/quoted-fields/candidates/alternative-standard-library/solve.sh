#!/bin/bash
# Another design: the standard library's csv module for both ways, in one file.
set -e
cat > /app/tabular/__init__.py <<'PY'
"""Read and write the comma-separated lists that our suppliers exchange."""

import csv
import io


def split_line(line, delimiter=","):
    for row in csv.reader(io.StringIO(line, newline=""), delimiter=delimiter):
        return row
    return [""]


def read_rows(text, delimiter=","):
    return list(filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)))


def join_fields(fields, delimiter=","):
    parts = []
    for field in fields:
        if any(mark in field for mark in (delimiter, '"', "\n", "\r")):
            field = '"' + '""'.join(field.split('"')) + '"'
        parts.append(field)
    return delimiter.join(parts)
PY
rm /app/tabular/reading.py /app/tabular/writing.py
cat >> /app/tests/test_tabular.py <<'PY'

    def test_inches(self):
        self.assertEqual(join_fields(['1"', "a"]), '"1""",a')
        self.assertEqual(read_rows('"1""",a\n'), [['1"', "a"]])
PY
