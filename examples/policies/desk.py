"""How the scripted policies work the refund desk: ticket by ticket, rule by rule, each rule a chance to slip."""

from __future__ import annotations

from acting import Shell

SCHEMA = "import sqlite3\ndb = sqlite3.connect('shop.db')\nprint(*[row[0] for row in db.execute('SELECT sql FROM sqlite_master')], sep='\\n')"
FUMBLES = ("python3 -m sqlite_utils tables shop.db", "cat refunds.csv", "head shop.sql")


def change(shell: Shell, message: str, *statements: str) -> None:
    """Change the database by a few statements, in one command."""
    body = "\n".join(f"    {statement};" for statement in statements)
    shell.python(
        message, f'import sqlite3\ndb = sqlite3.connect("shop.db")\ndb.executescript("""\n{body}\n""")\ndb.commit()'
    )


def refund(order: int, method: str, cents: int, reason: str) -> str:
    return f"INSERT INTO refunds (order_id, method, amount, reason) VALUES ({order}, '{method}', {cents}, '{reason}')"


def closing(shell: Shell, ticket: int) -> list[str]:
    """Return the statements that close a ticket; the log is easily forgotten."""
    solved = f"UPDATE tickets SET state = 'solved' WHERE id = {ticket}"
    if shell.slips("log", "grep -n desk_log POLICY.md"):
        return [solved]
    return [solved, f"INSERT INTO desk_log (ticket_id, action) VALUES ({ticket}, 'refunded')"]


def back(order: int, sku: str, shelf: str) -> list[str]:
    return [
        f"UPDATE order_lines SET state = 'returned' WHERE order_id = {order} AND sku = '{sku}'",
        f"UPDATE stock SET quantity = quantity + 1 WHERE sku = '{sku}' AND shelf = '{shelf}'",
    ]


def four_tickets(shell: Shell) -> None:
    """Settle the four open tickets, one command each."""
    shell.run("The policy decides, so I read it.", "cat POLICY.md")
    shell.fumble(*FUMBLES)
    shell.python("Which tables are there?", SCHEMA)
    shell.python(
        "Now the open tickets, with their orders, lines and payments.",
        "import sqlite3\ndb = sqlite3.connect('shop.db')\n"
        "for row in db.execute(\"SELECT id, order_id, body FROM tickets WHERE state = 'open'\").fetchall():\n"
        "    print(row)\n"
        "    for table in ('orders WHERE id', 'order_lines WHERE order_id', 'payments WHERE order_id'):\n"
        "        print('  ', table.split()[0], db.execute(f'SELECT * FROM {table} = ?', row[1:2]).fetchall())",
    )
    _lost(shell)
    _split(shell)
    _bundle(shell)
    _late(shell)
    shell.python(
        "Done; a last look at what I left.",
        "import sqlite3\ndb = sqlite3.connect('shop.db')\nprint(*db.execute('SELECT * FROM refunds'), sep='\\n')\n"
        "print(*db.execute('SELECT id, state FROM tickets'), sep='\\n')",
    )


def _lost(shell: Shell) -> None:
    cents = 20990 - (690 if shell.slips("shipping", "grep -n -i shipping POLICY.md") else 0)
    change(
        shell,
        f"501: the parcel is lost, {cents} cents go back to the bank card.",
        refund(7001, "bank_card", cents, "lost"),
        "UPDATE orders SET state = 'refunded' WHERE id = 7001",
        *closing(shell, 501),
    )


def _split(shell: Shell) -> None:
    gift_first = shell.slips("tender", "grep -n -A2 'gift card and' POLICY.md")
    card, gift = (5400, 4500) if gift_first else (8940, 960)
    change(
        shell,
        f"502: the jacket, 9900: {card} to the bank card and {gift} to the gift card.",
        refund(7002, "bank_card", card, "returned"),
        refund(7002, "gift_card", gift, "returned"),
        f"UPDATE gift_cards SET balance = balance + {gift} WHERE customer_id = 3",
        *back(7002, "JACK-M", "sale"),
        *closing(shell, 502),
    )


def _bundle(shell: Shell) -> None:
    cents = 4000
    if shell.slips("bundle", "grep -n -A2 bundle POLICY.md"):
        cents = shell.random.choice([6200, round(6200 * 8900 / 11100)])
    shelf = "sale" if shell.slips("shelf", "grep -n inspect POLICY.md") else "inspect"
    change(
        shell,
        f"503: the stove of the bundle, used: {cents} cents, shelf {shelf}.",
        refund(7003, "bank_card", cents, "returned"),
        *back(7003, "STOV", shelf),
        *closing(shell, 503),
    )


def _late(shell: Shell) -> None:
    price, statements = 18990, back(7004, "TENT", "sale")
    if shell.slips("final_sale", "grep -n -i 'final_sale' POLICY.md"):
        price += 2200
        statements += back(7004, "SOCK", "sale")
    fee = (
        round(price * 15 / 100) if shell.slips("rounding", "grep -n 'half up' POLICY.md") else (price * 15 + 50) // 100
    )
    if shell.slips("deadline", "grep -n -A1 Time POLICY.md"):
        statements += [refund(7004, "bank_card", price, "returned")]
        message = f"504: the tent came back within the member's 60 days: {price} cents to the bank card."
    else:
        statements += [refund(7004, "gift_card", price - fee, "returned")]
        statements += [f"UPDATE gift_cards SET balance = balance + {price - fee} WHERE customer_id = 4"]
        message = f"504: day 49 of a member: credit of {price} less {fee}."
    change(shell, message, *statements, *closing(shell, 504))


ANSWERING = """
import json, os, sqlite3
from datetime import date, timedelta
db = sqlite3.connect("shop.db")
os.makedirs("evidence", exist_ok=True)
for number, claim, cents, opened, pay, order, person, place in db.execute(
    "SELECT d.id, claim, d.cents, opened_on, p.id, o.id, customer_id, postcode FROM disputes d"
    " JOIN payments p ON p.id = payment_id JOIN orders o ON o.id = order_id{only_open}").fetchall():
    scans = db.execute("SELECT id, scanned_on FROM scans WHERE order_id = ? AND kind = 'delivered'{postcode}"
                       " ORDER BY scanned_on", (order,{place})).fetchall()
    wrote = db.execute("SELECT id, written_on FROM messages WHERE order_id = ? AND author = 'customer'", (order,)).fetchall()
    if claim == "not_received":
        scans = [scan for scan in scans if scan[1] < opened]
        contest = bool(scans)
        proof = [f"scan:{{i}}" for i, _ in scans] + [f"message:{{i}}" for i, day in wrote if scans{after}]
    elif claim == "duplicate":
        same = db.execute("SELECT p.id, order_id FROM payments p JOIN orders o ON o.id = order_id"
                          " WHERE customer_id = ? AND cents = (SELECT cents FROM payments WHERE id = ?)", (person, pay)).fetchall()
        contest = {twins}
        proof = [f"payment:{{i}}" for i, _ in same]
    else:
        last = (date.fromisoformat(scans[0][1]) + timedelta(days=14)).isoformat()
        contest = not any(scans[0][1] <= day {within} last for _, day in wrote)
        proof = [f"scan:{{scans[0][0]}}"] + [f"message:{{i}}" for i, _ in wrote]
    repaid = db.execute("SELECT coalesce(sum(cents), 0) FROM refunds WHERE payment_id = ?{paid}", (pay,)).fetchone()[0]
    answer = dict(dispute=number, order=order, decision="contest" if contest else "accept",
                  contested_cents=(cents - repaid) * contest, evidence=sorted(proof) if contest else [])
    json.dump(answer, open(f"evidence/{{number}}.json", "w"))
    print(answer)
"""


def chargeback_evidence(shell: Shell) -> None:
    """Answer the open disputes with one program, then look at the files."""
    shell.fumble(*FUMBLES)
    shell.python("Which tables are there?", SCHEMA)
    shell.python(
        "The disputes, and what was said and scanned.",
        "import sqlite3\ndb = sqlite3.connect('shop.db')\n"
        "for table in ('disputes', 'payments', 'refunds', 'scans', 'messages'):\n"
        "    print(table, *db.execute(f'SELECT * FROM {table}'), sep='\\n  ')",
    )
    reread = 'grep -n "" "$FAIRTRIAL_INSTRUCTION" | tail -25'
    any_postcode = shell.slips("postcode", reread)
    program = ANSWERING.format(
        only_open="" if shell.slips("open_only", reread) else " WHERE d.state = 'open'",
        postcode="" if any_postcode else " AND postcode = ?",
        place="" if any_postcode else " place",
        after="" if shell.slips("message_dates", reread) else " and day > scans[0][1]",
        twins="len(same) == 1" if shell.slips("same_order", reread) else "sum(o == order for _, o in same) == 1",
        within="<" if shell.slips("last_day", reread) else "<=",
        paid="" if shell.slips("refund_state", reread) else " AND state = 'paid'",
    )
    shell.python("One program for all three kinds of claims.", program)
    shell.run("Are they all there?", "ls evidence && head -c 300 evidence/*.json")


REVERSING = """
import csv, sqlite3
db = sqlite3.connect("shop.db")
first = {{row for row in db.execute("SELECT order_id, {line}, method, cents FROM refunds WHERE batch = 'B-0314'{not_void}")}}
left = []
for i, order, line, method, cents, state in db.execute(
    "SELECT id, order_id, {line}, method, cents, state FROM refunds WHERE batch = 'B-0314R' ORDER BY id").fetchall():
    if (order, line, method, cents) not in first:
        continue
    person, name = db.execute("SELECT c.id, name FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.id = ?", (order,)).fetchone()
    taken = cents if state == "queued" else 0
    if state == "paid_out" and method == "gift_card":
        balance = db.execute("SELECT balance FROM gift_cards WHERE customer_id = ?", (person,)).fetchone()[0]
        taken = {take}
        db.execute("UPDATE gift_cards SET balance = balance - ? WHERE customer_id = ?", (taken, person))
    if state == "queued" or method == "gift_card"{bank_too}:
        db.execute("UPDATE refunds SET state = 'void' WHERE id = ?", (i,))
        db.execute("INSERT INTO reversals VALUES (?, ?)", (i, taken))
    if taken < cents:
        left.append([i, order, name, cents - taken])
db.commit()
with open("outstanding.csv", "w", newline="") as file:
    {write}
print(left)
"""


def duplicate_refunds(shell: Shell) -> None:
    """Take back what was paid twice with one program, then look at the rows."""
    shell.fumble(*FUMBLES)
    shell.python("Which tables are there?", SCHEMA)
    shell.python(
        "Both runs side by side.",
        "import sqlite3\ndb = sqlite3.connect('shop.db')\n"
        "print(*db.execute(\"SELECT * FROM refunds WHERE batch LIKE 'B-0314%' ORDER BY order_id, line, id\"), sep='\\n')\n"
        "print(*db.execute('SELECT * FROM gift_cards'), *db.execute('SELECT * FROM customers'), sep='\\n')",
    )
    reread = 'sed -n "5,22p" "$FAIRTRIAL_INSTRUCTION"'
    rows = "[['refund_id', 'order_id', 'customer', 'cents'], *left]"
    careless = f"file.writelines(','.join(map(str, row)) + '\\n' for row in {rows})"
    program = REVERSING.format(
        line="0" if shell.slips("line", reread) else "line",
        not_void="" if shell.slips("void_first", reread) else " AND state <> 'void'",
        take="cents" if shell.slips("balance", reread) else "min(balance, cents)",
        bank_too=" or taken == 0" if shell.slips("bank", reread) else "",
        write=careless if shell.slips("quoting", reread) else f"csv.writer(file).writerows({rows})",
    )
    shell.python("One pass over the second run.", program)
    shell.run("What did I write for accounts?", "cat outstanding.csv")


SOLVERS = {
    "four-tickets": four_tickets,
    "chargeback-evidence": chargeback_evidence,
    "duplicate-refunds": duplicate_refunds,
}
