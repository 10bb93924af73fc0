#!/bin/bash
# Compares orders and amounts, but not lines.
set -e
python3 - <<'PY'
import csv
import sqlite3

db = sqlite3.connect("/app/shop.db")
duplicates = db.execute("""
    SELECT again.id, again.order_id, again.method, again.cents, again.state, c.id, c.name
    FROM refunds again
    JOIN orders o ON o.id = again.order_id
    JOIN customers c ON c.id = o.customer_id
    WHERE again.batch = 'B-0314R' AND EXISTS (
        SELECT 1 FROM refunds first
        WHERE first.batch = 'B-0314' AND first.state <> 'void' AND first.order_id = again.order_id
          AND first.method = again.method AND first.cents = again.cents)
    ORDER BY again.id""").fetchall()
outstanding = []
for refund, order, method, cents, state, customer, name in duplicates:
    taken = 0
    if state == "queued":
        taken = cents
    elif method == "gift_card":
        balance, = db.execute("SELECT balance FROM gift_cards WHERE customer_id = ?", (customer,)).fetchone()
        taken = min(balance, cents)
        db.execute("UPDATE gift_cards SET balance = balance - ? WHERE customer_id = ?", (taken, customer))
    if state == "queued" or method == "gift_card":
        db.execute("UPDATE refunds SET state = 'void' WHERE id = ?", (refund,))
        db.execute("INSERT INTO reversals VALUES (?, ?)", (refund, taken))
    if taken < cents:
        outstanding.append([refund, order, name, cents - taken])
db.commit()
with open("/app/outstanding.csv", "w", newline="") as file:
    csv.writer(file).writerows([["refund_id", "order_id", "customer", "cents"], *outstanding])
PY
