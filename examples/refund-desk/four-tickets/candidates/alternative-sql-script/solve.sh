#!/bin/bash
# Settled by hand: the figures worked out on paper, one SQL script, other row numbers, the write-ahead log left in place.
set -e
python3 - <<'PY'
import os
import sqlite3

db = sqlite3.connect("/app/shop.db")
db.execute("PRAGMA journal_mode = WAL")
db.executescript("""
    CREATE INDEX refunds_by_order ON refunds (order_id);
    INSERT INTO refunds VALUES
        (9005, 7004, 'gift_card', 16141, 'returned'), (9004, 7003, 'bank_card', 4000, 'returned'),
        (9003, 7002, 'gift_card', 960, 'returned'), (9002, 7002, 'bank_card', 8940, 'returned'),
        (9001, 7001, 'bank_card', 20990, 'lost');
    UPDATE gift_cards SET balance = CASE id WHEN 31 THEN 2210 ELSE 16141 END WHERE id IN (31, 32);
    UPDATE orders SET state = 'refunded' WHERE id = 7001;
    UPDATE order_lines SET state = 'returned' WHERE id IN (5, 7, 10);
    UPDATE stock SET quantity = 12 WHERE sku = 'JACK-M' AND shelf = 'sale';
    UPDATE stock SET quantity = 3 WHERE sku = 'STOV' AND shelf = 'inspect';
    UPDATE stock SET quantity = 4 WHERE sku = 'TENT' AND shelf = 'sale';
    UPDATE tickets SET state = 'solved' WHERE state = 'open';
    INSERT INTO desk_log VALUES (41, 504, 'refunded'), (42, 503, 'refunded'), (43, 502, 'refunded'), (44, 501, 'refunded');
""")
db.commit()
os._exit(0)  # without closing: what was committed lies in shop.db-wal
PY
