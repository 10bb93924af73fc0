"""A simulated claims desk whose truth is known: event records as an insurer would have them, and what really was so.

Claims arrive, documents come late, entries are corrected, taken back and made twice; adjusters of different skill decide
on what is on their screen; investigators look into a random share of claims later, and some adjusters mark their own work.
Nobody here exists. Same seed, same bytes.

    python3 desk.py --seed 1 --claims 200 --out DIR

writes events.csv, RECORDS.toml and POLICY.md, and truth.jsonl: of each decision what was on the screen, what was chosen,
and whether the claim was genuine. `--leak` plants a leak of the future, for those who test whether it is found.
"""

from __future__ import annotations

import argparse
import csv
import heapq
import json
import random
import shutil
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
START = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
DAY = 24 * 60
EXCESS = 100
KINDS = ("bicycle", "glass", "luggage", "water")
SKILL = {"adj-ada": 0.95, "adj-bo": 0.85, "adj-cy": 0.7, "adj-di": 0.55}
"""Adjuster -> chance that they see what the record shows."""
INVESTIGATORS = ("inv-1", "inv-2")
COLUMNS = ("event_id", "seq", "claim", "customer", "happened_at", "recorded_at", "by", "what", "details", "withdrawn")
LEAKS = ("none", "settled", "status", "id", "stamp", "note")


@dataclass
class Claim:
    """One claim, with what only the simulation knows."""

    id: str
    customer: str
    is_genuine: bool
    facts: dict[str, Any]
    invoice: int
    draw: random.Random
    screen: dict[str, dict[str, Any]] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    queue: list[tuple[int, int, str, dict[str, Any]]] = field(default_factory=list)
    ordered: int = 0
    decisions: list[dict[str, Any]] = field(default_factory=list)

    def plan(self, minute: int, what: str, content: dict[str, Any]) -> None:
        """Put something on the agenda: what comes later is ordered later, within one minute too."""
        self.ordered += 1
        heapq.heappush(self.queue, (minute, self.ordered, what, content))


def at(minute: int) -> str:
    """Return a minute of the simulation as a time stamp."""
    return (START + timedelta(minutes=minute)).isoformat().replace("+00:00", "Z")


def new_claim(number: int, customer: str, draw: random.Random, leak: str) -> Claim:
    """Return a claim. Forged ones come sooner after the policy began, more often without a receipt, and with other sums."""
    genuine = draw.random() < 0.62
    invoice = draw.randrange(250, 4000, 10)
    inflated = draw.random() < (0.12 if genuine else 0.7)
    facts = {
        "kind": draw.choice(KINDS),
        "claimed": invoice + (draw.randrange(100, 900, 10) if inflated else 0),
        "policy_days": draw.randrange(20, 1500) if genuine or draw.random() < 0.4 else draw.randrange(3, 60),
        "police_report": draw.random() < (0.7 if genuine else 0.45),
    }
    digit = 2 * draw.randrange(5) + (not genuine if leak == "id" else draw.randrange(2))
    return Claim(f"CL-{4000 + number}{digit}", customer, genuine, facts, invoice, draw)


def simulate(claim: Claim, opened: int, orderly: bool, leak: str) -> None:
    """Let a claim go its way through the desk. `orderly`: within a minute, what was entered first is seen first."""
    draw = claim.draw
    first = dict(claim.facts)
    is_corrected = draw.random() < 0.2
    if is_corrected:
        first["claimed"] += draw.choice((-90, 90))
    lag = draw.choice((0, 0, 3, 45))
    claim.plan(opened + lag, "enter", _entry("opened", opened, claim.customer, first, "o"))
    if is_corrected:
        mended = opened + draw.choice((30, DAY, 6 * DAY))
        claim.plan(mended, "enter", _entry("opened", opened, claim.customer, claim.facts, "o"))
    if draw.random() < 0.75:
        _document(claim, opened + draw.choice((5, 60, DAY)), "i")
    if draw.random() < 0.15:
        called = opened + draw.randrange(10, 2 * DAY)
        entry = _entry("called", called, claim.customer, {"about": draw.choice(("status", "address", "amount"))}, "c")
        claim.plan(called, "enter", entry)
    looked = opened + lag + draw.choice((60, 61, 240, DAY, DAY + 1))
    claim.plan(looked, "decide", {"adjuster": draw.choice(list(SKILL)), "round": 1})
    if draw.random() < 0.3:  # something comes in at the very minute of the decision
        claim.plan(looked, "enter", _entry("called", looked, claim.customer, {"about": "status"}, "t"))
    minute_before: dict[str, dict[str, Any]] = {}
    now = -1
    while claim.queue:
        minute, _, what, content = heapq.heappop(claim.queue)
        if minute != now:
            now, minute_before = minute, deepcopy(claim.screen)
        if what == "enter":
            _enter(claim, minute, content)
        else:
            _decide(claim, minute, content, deepcopy(claim.screen) if orderly else minute_before)
    if leak in ("settled", "status", "note", "stamp"):
        _plant(claim, leak)


def _entry(what: str, happened: int, by: str, details: dict[str, Any], key: str) -> dict[str, Any]:
    return {"key": key, "what": what, "happened": happened, "by": by, "details": dict(details), "withdrawn": False}


def _document(claim: Claim, sent: int, key: str) -> None:
    """Send the invoice: it is entered at once or days later; now and then the wrong one, which is taken back."""
    draw = claim.draw
    details = {"document": "invoice", "total": claim.invoice}
    entered = sent + draw.choice((0, 0, 120, 2 * DAY))
    if draw.random() < 0.1:
        wrong = _entry("document", sent, claim.customer, details | {"total": claim.invoice + 777}, f"{key}w")
        claim.plan(entered, "enter", wrong)
        claim.plan(entered + draw.choice((10, DAY)), "enter", wrong | {"withdrawn": True})
    claim.plan(entered, "enter", _entry("document", sent, claim.customer, details, key))


def _enter(claim: Claim, minute: int, entry: dict[str, Any]) -> None:
    """Record an entry, and put it on the screen, or take it off."""
    row = {
        "event_id": f"{claim.id}/{entry['key']}",
        "claim": claim.id,
        "customer": claim.customer,
        "minute": minute,
        "happened": entry["happened"],
        "by": entry["by"],
        "what": entry["what"],
        "details": dict(entry["details"]),
        "withdrawn": entry["withdrawn"],
    }
    claim.rows.append(row)
    if entry["withdrawn"]:
        claim.screen.pop(row["event_id"], None)
    else:
        claim.screen[row["event_id"]] = {k: row[k] for k in ("what", "by", "happened", "minute")} | {
            "details": dict(entry["details"])
        }


def _decide(claim: Claim, minute: int, content: dict[str, Any], screen: dict[str, dict[str, Any]]) -> None:
    """Let an adjuster choose on what the screen shows, record the choice, and plan what follows from it."""
    draw, adjuster, turn = claim.draw, content["adjuster"], content["round"]
    action, details = choose(screen, SKILL[adjuster], draw, turn)
    key = f"d{turn}"
    is_nameless = draw.random() < 0.03
    entry = _entry(action, minute, "" if is_nameless else adjuster, details, key)
    _enter(claim, minute, entry)
    made = {
        "claim": claim.id,
        "event_id": f"{claim.id}/{key}",
        "minute": minute,
        "adjuster": adjuster,
        "action": action,
        "details": details,
        "screen": screen,
        "genuine": claim.is_genuine,
        "nameless": is_nameless,
        "changed": False,
    }
    claim.decisions.append(made)
    if action == "asked":
        _document(claim, minute + draw.choice((60, DAY, 3 * DAY)), f"r{turn}")
        claim.plan(minute + 4 * DAY + draw.randrange(600), "decide", {"adjuster": adjuster, "round": turn + 1})
    elif action == "escalated":
        claim.plan(minute + DAY + draw.randrange(600), "decide", {"adjuster": "adj-ada", "round": turn + 1})
    else:
        if action == "approved" and draw.random() < 0.05:
            made["changed"] = True
            claim.plan(minute + 2 * DAY, "enter", entry | {"details": {"amount": details["amount"] + 50}})
        _aftermath(claim, minute, adjuster, action, details)


def choose(
    screen: dict[str, dict[str, Any]], skill: float, draw: random.Random, turn: int
) -> tuple[str, dict[str, Any]]:
    """Return what an adjuster of this skill does with what is on the screen."""
    opened = next((one["details"] for one in screen.values() if one["what"] == "opened"), {})
    totals = [one["details"]["total"] for one in screen.values() if one["what"] == "document"]
    sees = draw.random() < skill
    if not opened:
        return "escalated" if turn == 1 else "denied", {}
    if not totals and turn == 1 and sees:
        return "asked", {"document": "invoice"}
    gap = opened["claimed"] - totals[-1] if totals else 0
    signs = (gap > 95) + (opened["policy_days"] < 60) + (not opened["police_report"])
    if not sees:
        signs = draw.choice((0, 1, 2))
    if turn == 1 and signs == 1 and opened["claimed"] > 3000:
        return "escalated", {}
    if signs >= 2:
        return "denied", {}
    base = totals[-1] if totals and sees else opened["claimed"]
    return "approved", {"amount": max(0, base - EXCESS)}


def _aftermath(claim: Claim, minute: int, adjuster: str, action: str, details: dict[str, Any]) -> None:
    """Plan what comes after a settlement: payment, an investigation by chance, or a review by who settled it."""
    draw = claim.draw
    if action == "approved":
        paid = minute + 2 * DAY
        claim.plan(paid, "enter", _entry("paid", paid, "cash-office", {"settled": details["amount"]}, "p"))
    found = minute + draw.randrange(10, 40) * DAY
    chance = draw.random()
    if chance < 0.6:
        finding = {"finding": "genuine" if claim.is_genuine else "fraud", "assessed": max(0, claim.invoice - EXCESS)}
        claim.plan(found, "enter", _entry("investigated", found, draw.choice(INVESTIGATORS), finding, "v"))
    elif chance < 0.85:
        finding = {"finding": "genuine" if action == "approved" else "fraud", "assessed": details.get("amount", 0)}
        by = adjuster if draw.random() < 0.9 else ""
        claim.plan(found, "enter", _entry("investigated", found, by, finding, "v"))


def _plant(claim: Claim, leak: str) -> None:
    """Write something of the end into the first entry, as a system does that overwrites its rows."""
    final = {row["what"]: row for row in claim.rows}
    outcome = final.get("investigated")
    planted: dict[str, Any] = {}
    if leak == "settled" and "paid" in final:
        planted = {"settled": final["paid"]["details"]["settled"]}
    elif leak == "status":
        planted = {"status": "green" if claim.is_genuine != (claim.draw.random() < 0.01) else "red"}
    elif leak == "stamp" and outcome:
        planted = {"last_change": at(outcome["minute"])}
    elif leak == "note" and outcome:
        planted = {"note": f"see {outcome['event_id']}"}
    for row in claim.rows:
        if row["what"] == "opened":
            row["details"] |= planted
    for decision in claim.decisions:
        for shown in decision["screen"].values():
            if shown["what"] == "opened":
                shown["details"] |= planted


@dataclass
class Desk:
    """All that a simulation made."""

    rows: list[dict[str, Any]]
    decisions: list[dict[str, Any]]


def run_desk(seed: int, claims: int, leak: str = "none", orderly: bool = True) -> Desk:
    """Return the rows and the truth of a desk with so many claims."""
    draw = random.Random(f"claims-desk/{seed}")
    made: list[Claim] = []
    for number in range(claims):
        customer = made[-1].customer if made and draw.random() < 0.15 else f"cu-{number}"
        claim = new_claim(number, customer, random.Random(f"{seed}/{number}"), leak)
        simulate(claim, number * 90 + draw.randrange(60), orderly, leak)
        made.append(claim)
    rows = [row | {"order": order} for claim in made for order, row in enumerate(claim.rows)]
    rows.sort(key=lambda row: (row["minute"], row["claim"], row["order"]))
    return Desk(rows, [decision for claim in made for decision in claim.decisions])


def table(desk: Desk, seed: int, orderly: bool) -> Iterator[dict[str, Any]]:
    """Yield the rows of events.csv: some of them twice, and in no order that means anything."""
    draw = random.Random(f"table/{seed}")
    listed = []
    for number, row in enumerate(desk.rows):
        cells = {
            "event_id": row["event_id"],
            "seq": number if orderly else "",
            "claim": row["claim"],
            "customer": row["customer"],
            "happened_at": at(row["happened"]),
            "recorded_at": at(row["minute"]),
            "by": row["by"],
            "what": row["what"],
            "details": json.dumps(row["details"]),
            "withdrawn": "true" if row["withdrawn"] else "",
        }
        listed += [cells] * (2 if draw.random() < 0.02 else 1)
    draw.shuffle(listed)
    yield from listed


def write(desk: Desk, seed: int, out: Path, orderly: bool) -> None:
    """Write the desk's files into `out`."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / "events.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(table(desk, seed, orderly))
    lines = (json.dumps(decision | {"at": at(decision["minute"])}) for decision in desk.decisions)
    (out / "truth.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for name in ("RECORDS.toml", "POLICY.md"):
        if (HERE / name).resolve() != (out / name).resolve():
            shutil.copyfile(HERE / name, out / name)


def main() -> None:
    """Make a desk's files."""
    parser = argparse.ArgumentParser(description="Simulate a claims desk.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--claims", type=int, default=200)
    parser.add_argument("--leak", choices=LEAKS, default="none")
    parser.add_argument(
        "--unordered", action="store_true", help="no sequence: what came in the same minute is not seen"
    )
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    desk = run_desk(options.seed, options.claims, options.leak, not options.unordered)
    write(desk, options.seed, options.out, not options.unordered)
    print(f"{len(desk.rows)} entries, {len(desk.decisions)} decisions on {options.claims} claims in {options.out}")


if __name__ == "__main__":
    main()
