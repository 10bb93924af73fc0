"""What is true of code: its tests, the agent's own tests, build and lint, scope, names."""

from collections.abc import Mapping

from fairtrial.checks.code.adapted_tests import adapted_tests, mapping_for
from fairtrial.checks.code.builds import builds
from fairtrial.checks.code.functions_return import functions_return
from fairtrial.checks.code.lints import lints
from fairtrial.checks.code.no_regression import no_regression
from fairtrial.checks.code.own_tests_hold import own_tests_hold
from fairtrial.checks.code.scope import scope
from fairtrial.checks.code.tests_pass import tests_pass
from fairtrial.checks.code.tests_untouched import tests_untouched
from fairtrial.checks.protocol import Check

CHECKS: Mapping[str, Check] = {
    check.__name__: check
    for check in (
        tests_pass,
        no_regression,
        own_tests_hold,
        tests_untouched,
        scope,
        builds,
        lints,
        functions_return,
        adapted_tests,
    )
}

__all__ = ["CHECKS", "mapping_for"]
