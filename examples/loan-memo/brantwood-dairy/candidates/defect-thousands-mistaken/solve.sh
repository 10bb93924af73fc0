#!/bin/bash
# Gives net debt in thousands, and does not say so.
python3 - <<'PY'
import csv
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path


def lines(name):
    with open(f"/app/accounts/{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


income = {row["line"]: int(row["amount"]) for row in lines("income_2024")}
balance = {row["line"]: int(row["amount"]) for row in lines("balance_2024")}
below = ("Depreciation", "Amortisation", "Interest payable", "Corporation tax")
reported = sum(amount for line, amount in income.items() if line not in below)
adjustments = [-income["Gain on sale of the old bottling line"], 74_000, -(150_000 + income["Rent"])]
ebitda = reported + sum(adjustments)

loan, rate, yearly = 1_100_000, Decimal("0.075"), 100_000
debt = -balance["Term loan"] - balance["Hire purchase"] + loan
net_debt = debt - (balance["Cash at bank"] - 150_000)
kept = [row for row in lines("debt_service") if row["facility"] != "Overdraft"]
service = sum(int(row["interest"]) + int(row["principal"]) for row in kept) + loan * rate + yearly


def ratio(value):
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)


leverage = ratio(Decimal(net_debt) / ebitda)
dscr = ratio((ebitda - 180_000 + income["Corporation tax"]) / service)
headroom = int(Decimal("3.25") * ebitda) - net_debt
met = leverage <= Decimal("3.25") and dscr >= Decimal("1.20")
Path("/app/memo.md").write_text(f"""# Brantwood Dairy: term loan of 1,100,000

The dairy asks for 1,100,000 at 7.5% to repay its overdraft and to pay for a second filling line.

Management reports EBITDA of {reported:,}. We take out the gain on the bottling line, add back the settled boundary dispute, and set the
rent to the valuer's figure. The relaunch is no one-off: it recurred in 2021 and 2022. Of the cash, 150,000 is
pledged to the landlord and does not count.

| Figure | Value |
|---|---|
| Adjustments | {"; ".join(f"{amount:+,}" for amount in adjustments)} |
| Adjusted EBITDA | {ebitda:,} |
| Net debt | {net_debt // 1000:,} |
| Leverage | {leverage} |
| DSCR | {dscr} |
| Headroom | {headroom:,} |
| Covenants | {"met" if met else "breached"} |
| Recommendation | {"approve" if met else "decline"} |

Debt service is covered, but leverage stands above the covenant from the first day. We would look again at a smaller loan.
""")
PY
