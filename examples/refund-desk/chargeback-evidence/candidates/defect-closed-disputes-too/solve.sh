#!/bin/bash
# Answers disputes that are closed as well.
set -e
mkdir -p /app/evidence
python3 - <<'PY'
import json
import sqlite3
from datetime import date, timedelta

db = sqlite3.connect("file:/app/shop.db?mode=ro", uri=True)
ask = lambda query, *values: db.execute(query, values).fetchall()

def delivered(order, postcode, before):
    return ask("SELECT id, scanned_on FROM scans WHERE order_id = ? AND kind = 'delivered' AND postcode = ?"
               " AND scanned_on < ? ORDER BY scanned_on, id", order, postcode, before)

def written(order):
    return ask("SELECT id, written_on FROM messages WHERE order_id = ? AND author = 'customer'", order)

def not_received(order, customer, postcode, payment, opened):
    scans = delivered(order, postcode, opened)
    proof = [f"scan:{id}" for id, _ in scans]
    return scans, proof + [f"message:{id}" for id, day in written(order) if scans and day > scans[0][1]]

def duplicate(order, customer, postcode, payment, opened):
    cents, = ask("SELECT cents FROM payments WHERE id = ?", payment)[0]
    same = ask("SELECT p.id, p.order_id FROM payments p JOIN orders o ON o.id = p.order_id"
               " WHERE o.customer_id = ? AND p.cents = ?", customer, cents)
    return sum(other == order for _, other in same) == 1, [f"payment:{id}" for id, _ in same]

def not_as_described(order, customer, postcode, payment, opened):
    scan, day = delivered(order, postcode, "9999")[0]
    last = (date.fromisoformat(day) + timedelta(days=14)).isoformat()
    messages = written(order)
    is_late = not any(day <= when <= last for _, when in messages)
    return is_late, [f"scan:{scan}"] + [f"message:{id}" for id, _ in messages]

rules = {"not_received": not_received, "duplicate": duplicate, "not_as_described": not_as_described}
for number, payment, opened, claim, cents, order, customer, postcode in ask(
    "SELECT d.id, d.payment_id, d.opened_on, d.claim, d.cents, o.id, o.customer_id, o.postcode FROM disputes d"
    " JOIN payments p ON p.id = d.payment_id JOIN orders o ON o.id = p.order_id"
):
    contest, proof = rules[claim](order, customer, postcode, payment, opened)
    back, = ask("SELECT coalesce(sum(cents), 0) FROM refunds WHERE payment_id = ? AND state = 'paid'", payment)[0]
    answer = {
        "dispute": number,
        "order": order,
        "decision": "contest" if contest else "accept",
        "contested_cents": cents - back if contest else 0,
        "evidence": sorted(proof) if contest else [],
    }
    with open(f"/app/evidence/{number}.json", "w") as file:
        json.dump(answer, file, indent=2)
PY
