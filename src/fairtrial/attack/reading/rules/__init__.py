"""The rules of static reading, grouped by what they look at."""

from fairtrial.attack.reading.rule import Rule
from fairtrial.attack.reading.rules import (
    agent_code,
    answers_in_reach,
    clock_and_chance,
    collections_compared,
    exit_status,
    left_running,
    model_judges,
    numbers_compared,
    reports_read,
    reward_file,
    reward_terms,
    shape_only,
    shell_traps,
    special_checkers,
    surroundings,
    swallowed,
    test_runs,
    text_matching,
)

RULES: tuple[Rule, ...] = (
    *agent_code.RULES,
    *exit_status.RULES,
    *reward_file.RULES,
    *swallowed.RULES,
    *text_matching.RULES,
    *collections_compared.RULES,
    *numbers_compared.RULES,
    *shape_only.RULES,
    *reports_read.RULES,
    *clock_and_chance.RULES,
    *surroundings.RULES,
    *test_runs.RULES,
    *shell_traps.RULES,
    *left_running.RULES,
    *model_judges.RULES,
    *answers_in_reach.RULES,
    *reward_terms.RULES,
    *special_checkers.RULES,
)
