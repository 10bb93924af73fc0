"""Probes on deliverables that are data: JSON, CSV, SQLite, SQL, settings, Markdown, text.

Not covered: programs (the probes of `code`), and formats that are read as bytes only (images, archives, spreadsheets),
which are handed in missing, empty or as garbage.
"""

from fairtrial.attack.artifacts import (
    answers_absent,
    deliverable_empty,
    deliverable_garbage,
    deliverable_missing,
    digits_embedded,
    every_candidate,
    grader_literals,
    hollow_blank,
    hollow_constant,
    hollow_made_up,
    input_copied,
    json_hollow,
    numbers_off,
    right_beside_wrong,
    rows_contradicted,
    rows_missing,
    side_damage,
    values_collapsed,
    words_jumbled,
)
from fairtrial.attack.protocol import Probe

PROBES: tuple[Probe, ...] = (
    deliverable_missing.PROBE,
    deliverable_empty.PROBE,
    deliverable_garbage.PROBE,
    json_hollow.PROBE,
    input_copied.PROBE,
    rows_missing.PROBE,
    hollow_blank.PROBE,
    hollow_constant.PROBE,
    hollow_made_up.PROBE,
    answers_absent.PROBE,
    numbers_off.PROBE,
    values_collapsed.PROBE,
    every_candidate.PROBE,
    right_beside_wrong.PROBE,
    digits_embedded.PROBE,
    rows_contradicted.PROBE,
    grader_literals.PROBE,
    words_jumbled.PROBE,
    side_damage.PROBE,
)
