#!/bin/bash
# One row a pool, quarters side by side, as Markdown with pounds and thousands.
python3 - <<'PY'
import csv
from decimal import Decimal
from pathlib import Path

POOLS = ("Crossbank Baths", "Northgate Pool", "Riverside Lido", "Tanner Street")
QUARTERS = ("Q1", "Q2", "Q3", "Q4")
visits = {(pool, quarter): 0 for pool in POOLS for quarter in QUARTERS}
takings = {cell: Decimal(0) for cell in visits}
seen = set()
for row in csv.DictReader(open("/app/visits.csv", newline="")):
    if row["visit_id"] in seen or row["state"] == "cancelled" or not row["visited_on"].startswith("2024"):
        continue
    seen.add(row["visit_id"])
    pool = row["pool"].replace("Southbank", "Riverside")
    cell = (pool, f"Q{(int(row['visited_on'][5:7]) + 2) // 3}")
    visits[cell] += 1
    takings[cell] += Decimal(row["fee"])
out = Path("/app/report")
out.mkdir(exist_ok=True)
head = ["Pool", *(f"{quarter} {measure}" for quarter in QUARTERS for measure in ("visits", "takings"))]
rows = [head, ["---"] * len(head)]
for pool in POOLS:
    rows.append([pool, *(text for q in QUARTERS for text in (f"{visits[pool, q]:,}", f"£{takings[pool, q]:,.2f}"))])
(out / "visits.md").write_text("# Visits and takings, 2024\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n")
PY
