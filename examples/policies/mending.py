"""How the scripted policies mend the bug-fix packages: reproduce, mend place by place, write tests, run them."""

from __future__ import annotations

from acting import GaveUp, Shell

RUN_TESTS = (
    "python3 -m unittest discover -s tests 2>&1 | tail -15 | sed 's/ in [0-9.]*s$//'"  # the same seed, the same text
)
FUMBLES = ("python3 -m pytest -q", "git log --oneline | head", "python3 -m coverage run -m unittest")


def replace(shell: Shell, message: str, path: str, *pairs: tuple[str, str]) -> None:
    """Replace pieces of a file, each of which has to be there once."""
    lines = ["from pathlib import Path", f"path = Path({path!r})", "text = path.read_text()"]
    for old, new in pairs:
        lines += [f"old = {old!r}", "assert text.count(old) == 1, old", f"text = text.replace(old, {new!r})"]
    shell.python(message, "\n".join([*lines, "path.write_text(text)"]))


def write_tests(shell: Shell, name: str, head: str, cases: list[str], weak: str) -> None:
    """Write a test file and run all tests; it may be forgotten, or test only what was right before."""
    if shell.slips("no_tests", "tail -12 $FAIRTRIAL_INSTRUCTION"):
        shell.run("The given tests still pass, so this is done.", RUN_TESTS)
        return
    chosen = [weak] if shell.slips("weak_tests", "tail -12 $FAIRTRIAL_INSTRUCTION") else cases
    body = "\n".join(f"    def test_{name}_{n}(self):\n        {case}\n" for n, case in enumerate(chosen, 1))
    text = f"import unittest\n{head}\n\n\nclass {name.title().replace('_', '')}(unittest.TestCase):\n{body}"
    shell.run("Now tests that would have caught it.", f"cat > tests/test_{name}.py <<'PY'\n{text}PY")
    shell.run("Do they pass?", RUN_TESTS)


def look(shell: Shell, package: str) -> None:
    shell.fumble(*FUMBLES)
    shell.run("What is in the package?", f"head -100 {package}/*.py")
    shell.run("And what is tested?", f"cat tests/*.py && {RUN_TESTS}")


def billing_dates(shell: Shell) -> None:
    """Count every date from the start; each of the three loops may be overlooked."""
    look(shell, "billing")
    shell.python(
        "I reproduce it.",
        "from datetime import date\nfrom billing import due_dates\nprint(due_dates(date(2025, 1, 31), 4))",
    )
    path = "billing/schedule.py"
    if shell.slips("wrong_rule", "grep -n started $FAIRTRIAL_INSTRUCTION"):
        replace(
            shell,
            "A date on the last day of a month should stay on the last day.",
            path,
            (
                "        days.append(day)\n        day = add_months(day, every)\n",
                "        days.append(day)\n        is_last = day.day == monthrange(day.year, day.month)[1]\n"
                "        day = add_months(day, every)\n"
                "        day = day.replace(day=monthrange(day.year, day.month)[1]) if is_last else day\n",
            ),
        )
    else:
        replace(
            shell,
            "due_dates steps from the date before; it has to count from the start.",
            path,
            ("    day = start\n    for _ in range(count):\n", "    for step in range(count):\n"),
            (
                "        days.append(day)\n        day = add_months(day, every)\n",
                "        days.append(add_months(start, step * every))\n",
            ),
        )
    if not shell.slips("next_due_left", "grep -n 'add_months(day' billing/*.py"):
        replace(
            shell,
            "next_due drifts in the same way.",
            path,
            (
                "    while day <= after:\n        day = add_months(day, every)\n",
                "    step = 0\n    while day <= after:\n        step += 1\n        day = add_months(start, step * every)\n",
            ),
        )
    if not shell.slips("count_left", "grep -n 'add_months(day' billing/*.py"):
        replace(
            shell,
            "And so does invoice_count.",
            path,
            (
                "        count += 1\n        day = add_months(day, every)\n",
                "        count += 1\n        day = add_months(start, count * every)\n",
            ),
        )
    write_tests(
        shell,
        "month_ends",
        "from datetime import date\n\nfrom billing import due_dates",
        ["self.assertEqual(due_dates(date(2025, 1, 31), 3)[2], date(2025, 3, 31))"],
        "self.assertEqual(due_dates(date(2025, 1, 31), 2)[1], date(2025, 2, 28))",
    )


def free_slots(shell: Shell) -> None:
    """Keep the later end when bookings overlap, in merge and in the usage report."""
    look(shell, "rooms")
    shell.python("I reproduce it.", "from rooms import free\nprint(free([[540, 1020], [600, 630]], 480, 1080))")
    if shell.slips("in_free_only", "grep -n merge rooms/*.py"):
        replace(
            shell,
            "free must never step back in time.",
            "rooms/slots.py",
            ("        at = end\n", "        at = max(at, end)\n"),
        )
        end = "end"
    else:
        end = "max(merged[-1][1], end)"
    if shell.slips("not_touching", "grep -n touching rooms/*.py"):
        pairs = [("start <= merged[-1][1]", "start < merged[-1][1]"), ("merged[-1][1] = end", f"merged[-1][1] = {end}")]
    else:
        pairs = [("merged[-1][1] = end", f"merged[-1][1] = {end}")]
    replace(shell, "A booking within another must not cut it short.", "rooms/slots.py", *pairs)
    if not shell.slips("usage_left", "grep -n sorted rooms/*.py"):
        replace(
            shell,
            "usage.py has a copy of the same mistake.",
            "rooms/usage.py",
            (
                "            total += end - last\n        last = end\n",
                "            total += max(0, end - last)\n        last = end if last is None else max(last, end)\n",
            ),
        )
    write_tests(
        shell,
        "within",
        "from rooms import free, merge",
        [
            "self.assertEqual(merge([[540, 1020], [600, 630]]), [[540, 1020]])",
            "self.assertEqual(free([[540, 1020], [600, 630]], 480, 1080), [[480, 540], [1020, 1080]])",
        ],
        "self.assertEqual(free([[540, 1020]], 480, 1080), [[480, 540], [1020, 1080]])",
    )


def quoted_fields(shell: Shell) -> None:
    """Read doubled quotes, cut records outside quotes, double quotes when writing."""
    look(shell, "tabular")
    shell.python(
        "I reproduce it.", 'from tabular import split_line\nprint(split_line(\'"hose 1/2"" x 5 m",black,12\'))'
    )
    if shell.slips("give_up"):
        shell.run("Quotes within quotes... let me see how the characters come.", "grep -n character tabular/reading.py")
        raise GaveUp
    _mend_split(shell)
    if not shell.slips("rows_left", "grep -n -A4 'def read_rows' tabular/reading.py"):
        _mend_rows(shell)
    if not shell.slips("writing_left", "grep -n quotes tabular/writing.py"):
        marks = '(delimiter, "\\n", \'"\')' if shell.slips("carriage_return") else '(delimiter, "\\n", "\\r", \'"\')'
        replace(
            shell,
            "Writing loses quotes as well.",
            "tabular/writing.py",
            ('return delimiter in field or "\\n" in field', f"return any(mark in field for mark in {marks})"),
            ("return '\"' + field + '\"'", "return '\"' + field.replace('\"', '\"\"') + '\"'"),
        )
    write_tests(
        shell,
        "inches",
        "from tabular import split_line",
        ["self.assertEqual(split_line('\"1/2\"\" hose\",black'), ['1/2\" hose', 'black'])"],
        "self.assertEqual(split_line('\"a,b\",c'), ['a,b', 'c'])",
    )


def _mend_split(shell: Shell) -> None:
    """Look one character ahead; the hasty way keeps a quote wherever two meet, in an empty field too."""
    hasty = shell.slips("empty_quotes", "head -20 tabular/reading.py")
    condition = "line[at : at + 2] == '\"\"'" if hasty else "quoted and line[at : at + 2] == '\"\"'"
    replace(
        shell,
        "Two quotes in a row stand for one: I have to look one character ahead.",
        "tabular/reading.py",
        ("    for character in line:\n        if character == '\"':\n",
         "    at = -1\n    while at + 1 < len(line):\n        at += 1\n        character = line[at]\n"
         f"        if {condition}:\n            field += '\"'\n            at += 1\n        elif character == '\"':\n"),
    )  # fmt: skip


def _mend_rows(shell: Shell) -> None:
    """Go on with a record while a quote is open."""
    tail = "\n    ends = []\n    for line in text.splitlines(keepends=True):\n"
    loop = (
        "        if ends and ends[-1].count('\"') % 2:\n            ends[-1] += line\n"
        "        else:\n            ends.append(line)\n"
    )
    strip = "line.strip()" if shell.slips("strips_fields") else 'line.rstrip("\\r\\n")'
    last = f"    records = [{strip} for line in ends]\n    return [split_line(line, delimiter) for line in records if line]\n"
    replace(
        shell,
        "A line end within quotes does not end the record.",
        "tabular/reading.py",
        ("\n    return [split_line(line, delimiter) for line in text.splitlines() if line]\n", tail + loop + last),
    )


SOLVERS = {"billing-dates": billing_dates, "free-slots": free_slots, "quoted-fields": quoted_fields}
