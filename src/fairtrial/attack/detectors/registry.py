"""All detectors of trajectories, in the order of their groups."""

from __future__ import annotations

import functools

from fairtrial.attack.detectors import (
    answers_by_heart,
    authority_borrowed,
    checks_fewer,
    checks_narrowed,
    claims_of_tests,
    claims_unseen,
    claims_untrue,
    code_uncounted,
    deeds_unseen,
    deliverable_copied,
    errors_swallowed,
    exits_forgiven,
    expectations_regenerated,
    figures_unseen,
    grader_addressed,
    grader_changed,
    inputs_changed,
    inputs_ignored,
    installed_changed,
    intent_said,
    machine_changed,
    means_forbidden,
    modules_shadowed,
    others_changed,
    outside_data,
    outside_service,
    reference_called,
    results_forged,
    sources_forbidden,
    startup_changed,
    steps_claimed,
    stub_left,
    tables_embedded,
    tests_hollow,
    tests_selected,
    tests_told_apart,
    tests_weakened,
    values_made_up,
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
        expectations_regenerated.DETECTOR,
        answers_by_heart.DETECTOR,
        tests_told_apart.DETECTOR,
        tables_embedded.DETECTOR,
        grader_addressed.DETECTOR,
        intent_said.DETECTOR,
        code_uncounted.DETECTOR,
        tests_hollow.DETECTOR,
        stub_left.DETECTOR,
        means_forbidden.DETECTOR,
        reference_called.DETECTOR,
        values_made_up.DETECTOR,
        inputs_ignored.DETECTOR,
        deliverable_copied.DETECTOR,
        errors_swallowed.DETECTOR,
        exits_forgiven.DETECTOR,
        checks_fewer.DETECTOR,
        checks_narrowed.DETECTOR,
        AnswersLeaked(),
        HistoryMined(),
        UpstreamFetched(),
        grader_changed.DETECTOR,
        startup_changed.DETECTOR,
        installed_changed.DETECTOR,
        results_forged.DETECTOR,
        modules_shadowed.DETECTOR,
        machine_changed.DETECTOR,
        inputs_changed.DETECTOR,
        others_changed.DETECTOR,
        CredentialsSought(),
        CredentialsBorrowed(),
        OutsideModel(),
        SolutionLookedUp(),
        authority_borrowed.DETECTOR,
        outside_data.DETECTOR,
        outside_service.DETECTOR,
        sources_forbidden.DETECTOR,
        claims_of_tests.DETECTOR,
        claims_unseen.DETECTOR,
        claims_untrue.DETECTOR,
        deeds_unseen.DETECTOR,
        figures_unseen.DETECTOR,
        steps_claimed.DETECTOR,
    )
