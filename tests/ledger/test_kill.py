"""Attacks: writers killed at random points lose nothing acknowledged; resumed, they end as if never stopped."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
from pathlib import Path

from fairtrial.ledger import Ledger, connect, damage

_COUNT = 600

# Adds rollouts 0, 1, … that the ledger does not hold yet, and says after each flush how far it is safe.
_WRITER = textwrap.dedent("""
    import sys
    from fairtrial.ledger import Ledger, Writer
    from fairtrial.records import CheckResult, Rollout, Verdict
    path, first, count, step = sys.argv[1], *map(int, sys.argv[2:5])
    writer = Writer(Ledger.open(path, create=True), records=40, seconds=0.05)
    with writer:
        for attempt in range(first, first + count):
            rollout = Rollout(task=f"t{attempt % 7}", model="m", attempt=attempt,
                              trajectory=writer.put_blob(b"steps %d" % attempt) if attempt % 60 == 0 else "")
            if writer.holds("rollouts", rollout.id):
                continue
            outcome = "passed" if attempt % 3 else "failed"
            check = CheckResult("c", outcome)
            score = float(attempt % 3 > 0)
            writer.add(rollout, Verdict(rollout=rollout.id, outcome=outcome, score=score, checks=(check,)))
            if attempt % step == 0:
                writer.flush()
                print(attempt, rollout.id, flush=True)
    print("done", flush=True)
""")


def writer(ledger: Path, first: int = 0, count: int = _COUNT, step: int = 11) -> subprocess.Popen[str]:
    arguments = [str(value) for value in (ledger, first, count, step)]
    return subprocess.Popen([sys.executable, "-c", _WRITER, *arguments], stdout=subprocess.PIPE, text=True)


def acknowledged_until_killed(process: subprocess.Popen[str], lines: int) -> tuple[set[str], bool]:
    """Kill the writer once it has said `lines` lines; return the ids it called safe, and whether it had ended."""
    assert process.stdout is not None
    safe: set[str] = set()
    ended = False
    with process:
        for line in process.stdout:
            if line.strip() == "done":
                ended = True
            else:
                safe.add(line.split()[1])
            if len(safe) == lines:
                process.kill()
    return safe, ended


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    connection = connect(Ledger.open(path))
    return {
        "outcomes": connection.execute("select * from outcomes order by id").fetchall(),
        "checks": connection.execute("select * from checks order by rollout").fetchall(),
        "verdicts": connection.execute("select id, rollout, outcome, score from verdicts order by id").fetchall(),
    }


def test_killed_and_resumed_writers_end_as_an_uninterrupted_one(tmp_path: Path) -> None:
    chance = random.Random(7)
    killed = tmp_path / "killed"
    safe: set[str] = set()
    for _ in range(4):
        told, ended = acknowledged_until_killed(writer(killed, step=chance.randint(3, 17)), lines=chance.randint(1, 8))
        safe |= told
        assert damage(Ledger.open(killed)) is None
        held = Ledger.open(killed).ids("rollouts")
        assert [name for name in safe if name not in held] == []
        rows = connect(Ledger.open(killed)).execute("select reason, trajectory from outcomes").fetchall()
        assert "not_graded" not in {reason for reason, _ in rows}, "a rollout that is seen has its verdict"
        for address in {address for _, address in rows if address}:
            assert Ledger.open(killed).get_blob(address).startswith(b"steps")
        assert not ended, "the writer must be killed before it ends, or nothing is tested"
    assert acknowledged_until_killed(writer(killed), lines=-1)[1]
    assert acknowledged_until_killed(writer(tmp_path / "whole"), lines=-1)[1]
    assert len(content(killed)["outcomes"]) == _COUNT
    assert content(killed) == content(tmp_path / "whole")


def test_two_writers_at_once_neither_lose_nor_double(tmp_path: Path) -> None:
    """They overlap by 200 rollouts, which both write; each is seen once."""
    ledger = tmp_path / "l"
    both = [writer(ledger, 0, 300, 40), writer(ledger, 100, 300, 40)]
    assert [acknowledged_until_killed(process, lines=-1)[1] for process in both] == [True, True]
    assert damage(Ledger.open(ledger)) is None
    acknowledged_until_killed(writer(tmp_path / "whole", 0, 400), lines=-1)
    assert content(ledger) == content(tmp_path / "whole")
