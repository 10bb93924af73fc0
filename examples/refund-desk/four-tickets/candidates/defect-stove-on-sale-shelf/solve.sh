#!/bin/bash
# Puts the used stove on the shelf for sale.
set -e
python3 - <<'PY'
import sqlite3
from datetime import date

db = sqlite3.connect("/app/shop.db")
one = lambda query, *values: db.execute(query, values).fetchone()[0]
today = date(2025, 3, 31)

def settle(ticket, order, amounts, reason):
    for method, amount in amounts.items():
        if amount:
            db.execute("INSERT INTO refunds (order_id, method, amount, reason) VALUES (?, ?, ?, ?)",
                       (order, method, amount, reason))
        if amount and method == "gift_card":
            owner = one("SELECT customer_id FROM orders WHERE id = ?", order)
            db.execute("UPDATE gift_cards SET balance = balance + ? WHERE customer_id = ?", (amount, owner))
    db.execute("INSERT INTO desk_log (ticket_id, action) VALUES (?, 'refunded')", (ticket,))
    db.execute("UPDATE tickets SET state = 'solved' WHERE id = ?", (ticket,))

def take_back(order, sku, shelf):
    db.execute("UPDATE order_lines SET state = 'returned' WHERE order_id = ? AND sku = ?", (order, sku))
    db.execute("UPDATE stock SET quantity = quantity + 1 WHERE sku = ? AND shelf = ?", (sku, shelf))
    return one("SELECT unit_price FROM order_lines WHERE order_id = ? AND sku = ?", order, sku)

# 501: lost, everything back
settle(501, 7001, dict(db.execute("SELECT method, amount FROM payments WHERE order_id = 7001")), "lost")
db.execute("UPDATE orders SET state = 'refunded' WHERE id = 7001")

# 502: the bank card first, up to what it paid
price = take_back(7002, "JACK-M", "sale")
card = min(price, one("SELECT amount FROM payments WHERE order_id = 7002 AND method = 'bank_card'"))
settle(502, 7002, {"bank_card": card, "gift_card": price - card}, "returned")

# 503: a bundle without its stove
paid = one("SELECT sum(quantity * unit_price) FROM order_lines WHERE order_id = 7003") \
    - one("SELECT discount FROM orders WHERE id = 7003")
take_back(7003, "STOV", "sale")
kept = one("SELECT sum(l.quantity * p.list_price) FROM order_lines l JOIN products p USING (sku)"
           " WHERE order_id = 7003 AND state <> 'returned'")
settle(503, 7003, {"bank_card": max(0, paid - kept)}, "returned")

# 504: a member between day 31 and day 60; the socks are final sale
days = (today - date.fromisoformat(one("SELECT delivered_on FROM orders WHERE id = 7004"))).days
assert 30 < days <= 60
price = take_back(7004, "TENT", "sale")
fee = (price * 15 + 50) // 100
settle(504, 7004, {"gift_card": price - fee}, "returned")
db.commit()
PY
