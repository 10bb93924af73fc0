"""Grade duplicate-refunds: what had to change has changed, and every other row is as it was."""

import csv
import io
import sys

sys.path.append("/tests")
from verdict import all_or_nothing, begin, finish, open_copy, open_seed, plain_file, same_rows

ROW = "SELECT * FROM refunds WHERE {} ORDER BY id"
OUTSTANDING = [
    ["refund_id", "order_id", "customer", "cents"],
    ["353", "7103", "Carver & Sons, Ltd", "8990"],
    ["354", "7104", "Noor Jansen", "1900"],
    ["360", "7109", 'Isla "Izzy" Grant', "500"],
]


def outstanding():
    data = plain_file("/app/outstanding.csv")
    if data is None:
        return "there is no outstanding.csv"
    try:
        found = [row for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True) if row]
    except (ValueError, csv.Error) as error:
        return f"not a CSV file: {error}"
    return "" if found == OUTSTANDING else f"rows: {found}"[:300]


begin()
expected = open_seed("/tests/seed.sql", "/tests/after.sql")
database = open_copy("/app/shop.db")


def same(*queries):
    return same_rows(database, expected, *queries)


checks = {
    "queued_duplicates_void": same(ROW.format("id IN (351, 361)")),
    "paid_gift_duplicates_void": same(ROW.format("id IN (352, 354, 359, 360)")),
    "reversals": same("SELECT * FROM reversals ORDER BY refund_id"),
    "gift_cards": same("SELECT * FROM gift_cards ORDER BY id"),
    "outstanding": outstanding(),
    "paid_bank_duplicate_kept": same(ROW.format("id = 353")),
    "first_run_kept": same(ROW.format("batch = 'B-0314'")),
    "second_run_of_void_kept": same(ROW.format("id = 355")),
    "look_alikes_kept": same(ROW.format("id IN (356, 357, 358)")),
    "new_refunds_kept": same(ROW.format("id IN (362, 363)")),
    "rest_untouched": same(
        ROW.format("batch NOT IN ('B-0314', 'B-0314R')"),
        "SELECT count(*) FROM refunds",
        "SELECT * FROM customers ORDER BY id",
        "SELECT * FROM orders ORDER BY id",
    ),
}
finish(checks, all_or_nothing(checks))
