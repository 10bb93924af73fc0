"""All detectors of trajectories, in the order of their groups."""

from __future__ import annotations

import functools

from fairtrial.attack.detectors import (
    answers_by_heart,
    claims_of_tests,
    claims_unseen,
    claims_untrue,
    code_uncounted,
    errors_swallowed,
    exits_forgiven,
    grader_addressed,
    grader_changed,
    installed_changed,
    intent_said,
    means_forbidden,
    results_forged,
    startup_changed,
    stub_left,
    tables_embedded,
    tests_hollow,
    tests_selected,
    tests_told_apart,
    tests_weakened,
)
from fairtrial.attack.detectors.credentials import CredentialsBorrowed, CredentialsSought
from fairtrial.attack.detectors.credentials_lookup import SolutionLookedUp
from fairtrial.attack.detectors.credentials_models import OutsideModel
from fairtrial.attack.detectors.history import HistoryMined
from fairtrial.attack.detectors.history_upstream import UpstreamFetched
from fairtrial.attack.detectors.leaked import AnswersLeaked
from fairtrial.attack.detectors.protocol import Detector


@functools.cache
def detectors() -> tuple[Detector, ...]:
    """Return the built-in detectors."""
    return (
        tests_weakened.DETECTOR,
        tests_selected.DETECTOR,
        answers_by_heart.DETECTOR,
        tests_told_apart.DETECTOR,
        tables_embedded.DETECTOR,
        grader_addressed.DETECTOR,
        intent_said.DETECTOR,
        code_uncounted.DETECTOR,
        tests_hollow.DETECTOR,
        stub_left.DETECTOR,
        means_forbidden.DETECTOR,
        errors_swallowed.DETECTOR,
        exits_forgiven.DETECTOR,
        AnswersLeaked(),
        HistoryMined(),
        UpstreamFetched(),
        grader_changed.DETECTOR,
        startup_changed.DETECTOR,
        installed_changed.DETECTOR,
        results_forged.DETECTOR,
        CredentialsSought(),
        CredentialsBorrowed(),
        OutsideModel(),
        SolutionLookedUp(),
        claims_of_tests.DETECTOR,
        claims_unseen.DETECTOR,
        claims_untrue.DETECTOR,
    )
