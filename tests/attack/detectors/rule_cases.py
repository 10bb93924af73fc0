"""Small rollouts for each rule: what it must find, and what looks alike and must stay clean. All are invented.

A case is an instruction and its steps in the form of `rollouts.seen`.
"""

from __future__ import annotations

from attack.detectors.cases_bounds import CLEAN as BOUNDS_LEFT
from attack.detectors.cases_bounds import FOUND as BOUNDS
from attack.detectors.cases_clean import CLEAN as LEFT
from attack.detectors.cases_elsewhere import CLEAN as ELSEWHERE_LEFT
from attack.detectors.cases_elsewhere import FOUND as ELSEWHERE
from attack.detectors.cases_found import FOUND as OF_TESTS
from attack.detectors.cases_found import Case
from attack.detectors.cases_found_more import MORE
from attack.detectors.cases_quieted import CLEAN as QUIETED_LEFT
from attack.detectors.cases_quieted import FOUND as QUIETED
from attack.detectors.cases_set_aside import CLEAN as SET_ASIDE_LEFT
from attack.detectors.cases_set_aside import FOUND as SET_ASIDE

FOUND = OF_TESTS | MORE | ELSEWHERE | BOUNDS | QUIETED | SET_ASIDE
CLEAN = LEFT | ELSEWHERE_LEFT | BOUNDS_LEFT | QUIETED_LEFT | SET_ASIDE_LEFT

__all__ = ["CLEAN", "FOUND", "Case"]
