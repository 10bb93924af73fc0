"""Grade quoted-fields: quotes and line ends survive reading and writing, and the agent's tests tell right from wrong."""

import sys

sys.path.append("/tests")
from packages import answers, graded_tests, wrong_answers
from verdict import all_or_nothing, begin, finish

PACKAGE = "/app/tabular"
HOSE = 'hose 1/2" x 5 m'

REPORTED = [("split_line", ['"hose 1/2"" x 5 m",black,12'], [HOSE, "black", "12"])]
SPLIT = [
    ("split_line", ['"""",x'], ['"', "x"]),
    ("split_line", ['a,"say ""no"""'], ["a", 'say "no"']),
    ("split_line", ['"a"",""b",c'], ['a","b', "c"]),
    ("split_line", ['"";"x;""y"', ";"], ["", 'x;"y']),
]
ROWS = [
    ("read_rows", ['a,"two\nlines"\nb,c\n'], [["a", "two\nlines"], ["b", "c"]]),
    ("read_rows", ['a,"two\r\nlines"\r\n\r\nb,c'], [["a", "two\r\nlines"], ["b", "c"]]),
    ("read_rows", ['"hose 1/2""\n\nlong",1\n'], [['hose 1/2"\n\nlong', "1"]]),
]
JOIN = [
    ("join_fields", [[HOSE, "black"]], '"hose 1/2"" x 5 m",black'),
    ("join_fields", [['"']], '""""'),
    ("join_fields", [["a;b", 'c"', "d,e"], ";"], '"a;b";"c""";d,e'),
]
LISTS = [[HOSE, "", 'a,"b"'], ['""', ",", "x"], ["two\nlines", 'end"'], ["cr\rhere", "1"], ['","', '"\n"', "plain"]]
AS_BEFORE = [
    ("split_line", ["a,b,,c"], ["a", "b", "", "c"]),
    ("split_line", ["x,"], ["x", ""]),
    ("split_line", ["a\tb", "\t"], ["a", "b"]),
    ("read_rows", [""], []),
    ("read_rows", ["a,b\r\n\r\nc,d\r\n"], [["a", "b"], ["c", "d"]]),
    ("join_fields", [["a", "", "b c"]], "a,,b c"),
    ("join_fields", [["M4, zinc", "two\nlines"]], '"M4, zinc","two\nlines"'),
]


def round_trip():
    lines = answers(PACKAGE, [["join_fields", [fields]] for fields in LISTS])
    if not all(isinstance(line, str) for line in lines):
        return f"join_fields: {lines}"[:300]
    back = [("split_line", [line], fields) for line, fields in zip(lines, LISTS, strict=False)]
    back.append(("read_rows", ["\n".join(lines) + "\n"], LISTS))
    return wrong_answers(PACKAGE, {"round_trip": back})["round_trip"]


begin()
checks = wrong_answers(
    PACKAGE,
    {
        "reported_case": REPORTED,
        "split_quotes": SPLIT,
        "rows_with_line_ends": ROWS,
        "join_quotes": JOIN,
        "nothing_else_changed": AS_BEFORE,
    },
)
checks["round_trip"] = round_trip()
checks |= graded_tests(PACKAGE)
finish(checks, all_or_nothing(checks))
