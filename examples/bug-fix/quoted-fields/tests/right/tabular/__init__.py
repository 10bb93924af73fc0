"""Right code of another design: the standard library's own reader."""

import csv
import io


def split_line(line, delimiter=","):
    rows = list(csv.reader(io.StringIO(line, newline=""), delimiter=delimiter))
    return rows[0] if rows else [""]


def read_rows(text, delimiter=","):
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]


def join_fields(fields, delimiter=","):
    special = {delimiter, "\n", "\r", '"'}
    return delimiter.join('"' + f.replace('"', '""') + '"' if set(f) & special else f for f in fields)
