#!/bin/bash
# One statement a table, window sums instead of a loop; every field of the CSV quoted, Unix line ends.
set -e
python3 - <<'PY'
import sqlite3

db = sqlite3.connect("/app/shop.db")
db.executescript("""
    CREATE TEMP TABLE twice AS
        SELECT r.id, r.order_id, r.method, r.state, r.cents, o.customer_id, c.name,
               sum(CASE WHEN r.method = 'gift_card' AND r.state = 'paid_out' THEN r.cents ELSE 0 END)
                   OVER (PARTITION BY o.customer_id ORDER BY r.id) - r.cents AS before
        FROM refunds r JOIN orders o ON o.id = r.order_id JOIN customers c ON c.id = o.customer_id
        WHERE r.batch = 'B-0314R' AND (r.order_id, r.line, r.method, r.cents) IN
              (SELECT order_id, line, method, cents FROM refunds WHERE batch = 'B-0314' AND state <> 'void');
    CREATE TEMP TABLE back AS
        SELECT t.*, CASE WHEN t.state = 'queued' THEN t.cents WHEN t.method = 'bank_card' THEN 0
                         ELSE max(0, min(t.cents, g.balance - t.before)) END AS taken
        FROM twice t LEFT JOIN gift_cards g USING (customer_id);
    UPDATE gift_cards SET balance = balance - coalesce((SELECT sum(taken) FROM back
        WHERE back.customer_id = gift_cards.customer_id AND method = 'gift_card' AND state = 'paid_out'), 0);
    INSERT INTO reversals SELECT id, taken FROM back WHERE state = 'queued' OR method = 'gift_card' ORDER BY id DESC;
    UPDATE refunds SET state = 'void' WHERE id IN (SELECT id FROM back WHERE state = 'queued' OR method = 'gift_card');
""")
db.commit()
rows = [("refund_id", "order_id", "customer", "cents")]
rows += db.execute("SELECT id, order_id, name, cents - taken FROM back WHERE taken < cents ORDER BY id")
quoted = lambda value: '"' + str(value).replace('"', '""') + '"'
with open("/app/outstanding.csv", "w") as file:
    file.writelines(",".join(map(quoted, row)) + "\n" for row in rows)
PY
