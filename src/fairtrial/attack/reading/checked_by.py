"""Which probes show what a static rule suspects: ids, or first parts of ids (ending in `_`), by kind of weakness."""

from __future__ import annotations

REPEATS = ("reference_repeat", "reference_concurrent", "wrong_repeat")
"""Asked by `prove` of every task; not in the catalogue."""
NOTHING = ("null",)
DECLARED = ("defect", "alternative")
PROVE_ASKS = (*REPEATS, *NOTHING, *DECLARED, "reference", "hack")
"""What `prove` does without a probe of the catalogue."""

EMPTY: tuple[str, ...] = ()
HOLLOW: tuple[str, ...] = ()
MISSING: tuple[str, ...] = ()
HOSTILE_CODE: tuple[str, ...] = ()
HOSTILE_DATA: tuple[str, ...] = ()
HOOKS: tuple[str, ...] = ()
TOOLS: tuple[str, ...] = ()
TESTS: tuple[str, ...] = ()
REPORTS: tuple[str, ...] = ()
REWARD: tuple[str, ...] = ()
LEAKS: tuple[str, ...] = ()
HARD_CODED: tuple[str, ...] = ()
LENIENT: tuple[str, ...] = ()
NEAR: tuple[str, ...] = ()
NOT_A_NUMBER: tuple[str, ...] = ()
DATA_MUTANTS: tuple[str, ...] = ()
CODE_MUTANTS: tuple[str, ...] = ()
EQUIVALENTS: tuple[str, ...] = ()
JUDGE: tuple[str, ...] = ()
TEXT_EMPTY: tuple[str, ...] = ()
TEXT_FILLER: tuple[str, ...] = ()
TEXT_FORMS: tuple[str, ...] = ()
HOLES: tuple[str, ...] = ()
QUERIES: tuple[str, ...] = ()
