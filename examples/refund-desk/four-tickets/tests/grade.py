"""Grade four-tickets: every check asks the agent's database and the right one the same, and compares the rows."""

import sys

sys.path.append("/tests")
from verdict import begin, finish, open_copy, open_seed, same_rows

REFUNDS = "SELECT count(*) FROM refunds WHERE order_id = {}"
PART = "SELECT amount FROM refunds WHERE order_id = {} AND method = '{}'"
OTHER = "SELECT method FROM refunds WHERE order_id = {} AND method <> '{}'"
REASON = "SELECT DISTINCT reason FROM refunds WHERE order_id = {}"
LINES = "SELECT id, sku, quantity, unit_price, state FROM order_lines WHERE order_id = {} ORDER BY id"
TICKET = "SELECT state FROM tickets WHERE id = {}"
LOG = "SELECT action FROM desk_log WHERE ticket_id = {}"
STOCK = "SELECT shelf, quantity FROM stock WHERE sku = '{}' ORDER BY shelf"
CARD = "SELECT balance FROM gift_cards WHERE id = {}"
REST = (
    "SELECT * FROM customers ORDER BY id",
    "SELECT * FROM products ORDER BY sku",
    "SELECT * FROM payments ORDER BY id",
    "SELECT * FROM orders WHERE id <> 7001 ORDER BY id",
    "SELECT id, customer_id, paid_on, delivered_on, shipping, discount FROM orders WHERE id = 7001",
    "SELECT * FROM order_lines WHERE order_id NOT IN (7002, 7003, 7004) ORDER BY id",
    "SELECT * FROM stock WHERE sku NOT IN ('JACK-M', 'STOV', 'TENT') ORDER BY sku, shelf",
    "SELECT id, customer_id, balance FROM gift_cards WHERE id NOT IN (31, 32) ORDER BY id",
    "SELECT * FROM refunds WHERE order_id NOT BETWEEN 7001 AND 7004 ORDER BY id",
    "SELECT * FROM tickets WHERE id NOT BETWEEN 501 AND 504 ORDER BY id",
    "SELECT id, order_id, body FROM tickets ORDER BY id",
    "SELECT * FROM desk_log WHERE ticket_id NOT BETWEEN 501 AND 504 ORDER BY id",
)
WORKFLOWS = {
    "lost_parcel": {
        "lost_one_refund": [REFUNDS.format(7001)],
        "lost_amount": [PART.format(7001, "bank_card")],
        "lost_reason": [REASON.format(7001)],
        "lost_order_refunded": ["SELECT state FROM orders WHERE id = 7001"],
        "lost_ticket_solved": [TICKET.format(501)],
        "lost_logged": [LOG.format(501)],
    },
    "split_payment": {
        "split_goods_back": [LINES.format(7002), STOCK.format("JACK-M")],
        "split_reason": [REASON.format(7002)],
        "split_ticket_solved": [TICKET.format(502)],
        "split_logged": [LOG.format(502)],
        "split_bank_card_part": [PART.format(7002, "bank_card")],
        "split_gift_card_part": [OTHER.format(7002, "bank_card"), PART.format(7002, "gift_card"), CARD.format(31)],
    },
    "broken_bundle": {
        "bundle_reason": [REASON.format(7003)],
        "bundle_ticket_solved": [TICKET.format(503)],
        "bundle_logged": [LOG.format(503)],
        "bundle_amount": [PART.format(7003, "bank_card"), REFUNDS.format(7003)],
        "bundle_to_inspection": [STOCK.format("STOV")],
        "bundle_rest_kept": [LINES.format(7003)],
    },
    "late_member": {
        "late_no_money": [OTHER.format(7004, "gift_card")],
        "late_ticket_solved": [TICKET.format(504)],
        "late_logged": [LOG.format(504)],
        "late_credit": [PART.format(7004, "gift_card"), CARD.format(32)],
        "late_goods": [LINES.format(7004), STOCK.format("TENT")],
        "rest_untouched": [*REST],
    },
}

begin()
expected = open_seed("/tests/seed.sql", "/tests/after.sql")
agent = open_copy("/app/shop.db")
results = {
    workflow: {name: same_rows(agent, expected, *queries) for name, queries in checks.items()}
    for workflow, checks in WORKFLOWS.items()
}
whole = sum(not any(checks.values()) for checks in results.values())
finish({name: wrong for checks in results.values() for name, wrong in checks.items()}, whole / len(WORKFLOWS))
