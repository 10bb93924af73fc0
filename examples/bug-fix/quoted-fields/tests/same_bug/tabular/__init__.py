"""The same bug in other words: a test that looks at the source does not know it."""

import re


def split_line(line, delimiter=","):
    pieces = re.split(f'{re.escape(delimiter)}(?=(?:[^"]*"[^"]*")*[^"]*$)', line)
    return [piece.replace('"', "") for piece in pieces]


def read_rows(text, delimiter=","):
    return [split_line(line, delimiter) for line in filter(None, text.splitlines())]


def join_fields(fields, delimiter=","):
    return delimiter.join(f'"{field}"' if set(field) & {delimiter, "\n"} else field for field in fields)
