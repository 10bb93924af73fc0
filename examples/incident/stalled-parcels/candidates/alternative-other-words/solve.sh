#!/bin/bash
# The same in other words: another editor, the answer in other forms.
python3 - <<'PY'
from pathlib import Path

place = Path("/app/config/limits.toml")
place.write_text(place.read_text().replace("most_grams = 3150\n", "most_grams = 31_500\n"))
PY
cat > /app/incident.md <<'MD'
Someone called it formatting. It was a nought.

| Question             | Answer                                          |
|:---------------------|:------------------------------------------------|
| Parcels held wrongly | **307**                                       |
| Since                | 11 March 2025, 02:07:41                         |
| Deploy               | 1,413                                           |
| Setting              | `belt.most_grams`                               |

Before that, 2 held parcels in two hours were over 31.5 kg, as they should be.
MD
