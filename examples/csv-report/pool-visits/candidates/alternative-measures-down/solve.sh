#!/bin/bash
# TSV: measure and pool down, quarters across, with a total column and a total row besides.
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
rows = [["Measure", "Pool", *QUARTERS, "Year"]]
for name, cells in (("Takings", takings), ("Visits", visits)):
    for pool in POOLS:
        rows.append([name, pool, *(str(cells[pool, q]) for q in QUARTERS), str(sum(cells[pool, q] for q in QUARTERS))])
    rows.append([name, "All pools", *(str(sum(cells[p, q] for p in POOLS)) for q in QUARTERS), str(sum(cells.values()))])
(out / "table.tsv").write_text("\n".join("\t".join(row) for row in rows) + "\n")
PY
