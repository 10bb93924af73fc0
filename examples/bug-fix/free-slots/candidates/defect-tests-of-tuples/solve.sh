#!/bin/bash
# Mends the package with tuples for stretches, and its tests demand them.
set -e
python3 - <<'PY'
from pathlib import Path

path = Path("/app/rooms/slots.py")
old, new = "merged[-1][1] = end", "merged[-1][1] = max(merged[-1][1], end)"
text = path.read_text()
assert text.count(old) == 1
path.write_text(text.replace(old, new))
PY
python3 - <<'PY'
from pathlib import Path

path = Path("/app/rooms/usage.py")
text = path.read_text()
head, tail = text[: text.index("    total = 0")], text[text.index("def share_taken") :]
head = head.replace("used.\"\"\"\n", "used.\"\"\"\n\nfrom rooms.slots import merge\n", 1)
path.write_text(head + "    return sum(end - start for start, end in merge(bookings))\n\n\n" + tail)
PY
cat >> /app/rooms/slots.py <<'PY'


class Stretch(list):
    """A stretch that prints like a pair."""

    def __repr__(self):
        return f"{self[0]}-{self[1]}"
PY
sed -i 's/merged.append(\[start, end\])/merged.append(Stretch([start, end]))/' /app/rooms/slots.py
cat > /app/tests/test_print.py <<'PY'
import unittest

from rooms import merge


class Print(unittest.TestCase):
    def test_within(self):
        self.assertEqual(str(merge([[540, 1020], [600, 630]])), "[540-1020]")
PY
