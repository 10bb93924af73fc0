#!/bin/bash
# Mends the package and adds no test.
set -e
python3 - <<'PY'
from pathlib import Path

path = Path("/app/billing/schedule.py")
text = path.read_text()
for old, new in [
    ("""    days = []
    day = start
    for _ in range(count):
        days.append(day)
        day = add_months(day, every)
    return days
""", """    return [add_months(start, step * every) for step in range(count)]
"""),
    ("""    day = start
    while day <= after:
        day = add_months(day, every)
    return day
""", """    step = 0
    while add_months(start, step * every) <= after:
        step += 1
    return add_months(start, step * every)
"""),
    ("""    count = 0
    day = start
    while day <= until:
        count += 1
        day = add_months(day, every)
    return count
""", """    count = 0
    while add_months(start, count * every) <= until:
        count += 1
    return count
"""),
]:
    assert text.count(old) == 1
    text = text.replace(old, new)
path.write_text(text)
PY
