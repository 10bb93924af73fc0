"""What every grader in these examples does alike; the same file lies in each task's tests/.

Ends what the agent left running, opens its data without trusting it, runs its programs apart, and writes the result
last. It does not decide anything.
"""

import ctypes
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from pathlib import Path

LOGS = Path("/logs/verifier")
FIRST_PID_NAMESPACE = "pid:[4026531836]"
MOST_BYTES = 20_000_000
MOST_STEPS = 2_000  # of 10,000 SQLite instructions each: a looping view ends, whatever the machine's speed


def begin():
    """Be alone, be closed to other processes' eyes, and start with an empty log folder."""
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: nobody of the same user may trace or read us
    end_others()
    LOGS.mkdir(parents=True, exist_ok=True)
    for left in LOGS.iterdir():
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink()


def end_others():
    """End every process but this one and its parents. Acts only in a box that its Dockerfile marked as one."""
    if os.environ.get("EXAMPLE_BOX") != "1" or os.readlink("/proc/self/ns/pid") == FIRST_PID_NAMESPACE:
        return
    kept = {1, os.getpid()}
    pid = os.getppid()
    while pid > 1:
        kept.add(pid)
        pid = _parent(pid)
    for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGKILL):  # stopped first: none can fork while others die
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in kept:
                try:
                    os.kill(int(name), number)
                except OSError:
                    pass


def _parent(pid):
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def plain_file(path):
    """Return the bytes of an ordinary file of reasonable size, or None; no link is followed."""
    path = Path(path)
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        return path.read_bytes()
    except OSError:
        return None


def json_object(path):
    """Return the JSON object in a file, or None if it holds anything else."""
    data = plain_file(path)
    try:
        value = json.loads(data.decode("utf-8-sig")) if data is not None else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def open_seed(seed, *scripts):
    """Return a fresh database in memory, made from SQL files."""
    connection = sqlite3.connect(":memory:")
    for script in (seed, *scripts):
        connection.executescript(Path(script).read_text(encoding="utf-8"))
    return connection


def open_copy(path):
    """Return a connection to a copy of the agent's database, its write-ahead log included; None if there is none."""
    folder = Path(tempfile.mkdtemp(prefix="grader-"))
    for suffix in ("", "-wal", "-journal"):
        data = plain_file(f"{path}{suffix}")
        if data is not None:
            (folder / f"copy.db{suffix}").write_bytes(data)
    if not (folder / "copy.db").exists():
        return None
    connection = sqlite3.connect(folder / "copy.db")
    left = [MOST_STEPS]

    def count_down():
        left[0] -= 1
        return left[0] < 0

    connection.set_progress_handler(count_down, 10_000)
    return connection


def rows(connection, query):
    """Return the rows of a query, or the error as text."""
    if connection is None:
        return "there is no database"
    try:
        return connection.execute(query).fetchall()
    except (sqlite3.Error, sqlite3.Warning, UnicodeDecodeError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


def same_rows(connection, expected, *queries):
    """Return "" if every query answers alike on both databases, values of equal type included; else what differs."""
    for query in queries:
        found, wanted = rows(connection, query), rows(expected, query)
        assert not isinstance(wanted, str), wanted
        if found != wanted:
            return f"{query}: {str(found)[:300]}"
    return ""


def run_apart(argv, folder, seconds=20, stdin=""):
    """Run a program of the agent's in `folder`, apart from this one. Return (exit code, output); None = no end."""
    process = subprocess.Popen(
        argv,
        cwd=folder,
        env={
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": str(folder),
            "PYTHONHASHSEED": "0",
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(stdin.encode(), timeout=seconds)
        code = process.returncode
    except subprocess.TimeoutExpired:
        output, code = b"", None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            pass
        process.wait()
        process.stdout.close()
    return code, output.decode("utf-8", "replace")


def finish(checks, reward):
    """Write check results and reward. `checks`: name -> "" where it holds, else what is wrong."""
    end_others()
    tests = [
        {
            "name": name,
            "status": "failed" if wrong else "passed",
            "duration": 0,
            **({"message": wrong} if wrong else {}),
        }
        for name, wrong in checks.items()
    ]
    failed = sum(bool(wrong) for wrong in checks.values())
    summary = {
        "tests": len(tests),
        "passed": len(tests) - failed,
        "failed": failed,
        "skipped": 0,
        "pending": 0,
        "other": 0,
        "start": 0,
        "stop": 0,
    }
    _write("ctrf.json", {"results": {"tool": {"name": "example-grader"}, "summary": summary, "tests": tests}})
    _write("reward.json", {"reward": reward})
    for name, wrong in checks.items():
        print("ok  " if not wrong else "FAIL", name, wrong)


def all_or_nothing(checks):
    """Return 1 if every check holds, else 0."""
    return 0 if any(checks.values()) else 1


def _write(name, content):
    begun = LOGS / f".{name}.new"
    begun.write_text(json.dumps(content, indent=1), encoding="utf-8")
    begun.replace(LOGS / name)
