"""Grade chargeback-evidence: compare each answer with the right one, and the database with its seed."""

import os
import sys
from pathlib import Path

sys.path.append("/tests")
from verdict import all_or_nothing, begin, finish, json_object, open_copy, open_seed, same_rows

FOLDER = Path("/app/evidence")
TABLES = ("customers", "orders", "payments", "refunds", "scans", "messages", "disputes")
RIGHT = {
    61: (810, "contest", 11400, ["message:902", "message:904", "scan:5002", "scan:5012"]),  # 900 was cancelled
    62: (811, "accept", 0, []),  # delivered in another postcode
    63: (812, "contest", 5600, ["payment:403", "payment:406"]),  # the twin paid another order
    64: (813, "contest", 16000, ["message:906", "message:910", "scan:5006"]),  # wrote before, and on day 15
    65: (814, "accept", 0, []),  # wrote on day 14
    66: (816, "accept", 0, []),
    69: (818, "accept", 0, []),  # delivered only after the dispute was opened
}
KEYS = {"dispute", "order", "decision", "contested_cents", "evidence"}


def is_number(value, wanted):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == wanted


def only_open_disputes():
    if FOLDER.is_symlink() or not FOLDER.is_dir():
        return "there is no folder evidence"
    found, wanted = sorted(os.listdir(FOLDER)), sorted(f"{number}.json" for number in RIGHT)
    return "" if found == wanted else f"files: {found}"[:300]


def each(numbers, holds):
    """Return "" if `holds` is true of every answer, else those of which it is not."""
    wrong = [
        number for number in numbers if answers[number] is None or not holds(answers[number], RIGHT[number], number)
    ]
    return f"wrong for {wrong}" if wrong else ""


def decided(*numbers):
    return each(numbers, lambda answer, right, _: answer.get("decision") == right[1])


begin()
inside = FOLDER.is_dir() and not FOLDER.is_symlink()
answers = {number: json_object(FOLDER / f"{number}.json") if inside else None for number in RIGHT}
seed, database = open_seed("/tests/seed.sql"), open_copy("/app/shop.db")
checks = {
    "only_open_disputes": only_open_disputes(),
    "keys": each(RIGHT, lambda answer, _right, _: set(answer) == KEYS),
    "orders": each(
        RIGHT,
        lambda answer, right, number: (
            is_number(answer.get("dispute"), number) and is_number(answer.get("order"), right[0])
        ),
    ),
    "not_received_decided": decided(61, 62, 69),
    "duplicate_decided": decided(63, 66),
    "not_as_described_decided": decided(64, 65),
    "amounts": each(RIGHT, lambda answer, right, _: is_number(answer.get("contested_cents"), right[2])),
    "evidence": each(RIGHT, lambda answer, right, _: answer.get("evidence") == right[3]),
    "database_unchanged": same_rows(database, seed, *(f"SELECT * FROM {table} ORDER BY id" for table in TABLES)),
}
finish(checks, all_or_nothing(checks))
