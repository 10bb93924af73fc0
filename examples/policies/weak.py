"""The weak policy: it knows the work, reads in haste, rarely looks twice, and has few turns."""

from acting import Skill, main
from desk import SOLVERS as DESK
from mending import SOLVERS as MENDING

WEAK = Skill(
    name="weak",
    turns=9,
    slips={
        "*": 0.35,
        "log": 0.2,
        "open_only": 0.1,
        "message_dates": 0.2,
        "same_order": 0.2,
        "last_day": 0.25,
        "refund_state": 0.2,
        "postcode": 0.15,
        "line": 0.2,
        "void_first": 0.4,
        "bank": 0.15,
        "no_tests": 0.15,
        "weak_tests": 0.2,
        "wrong_rule": 0.15,
        "next_due_left": 0.2,
        "count_left": 0.2,
        "in_free_only": 0.3,
        "not_touching": 0.1,
        "usage_left": 0.5,
        "rows_left": 0.8,
        "writing_left": 0.6,
        "give_up": 0.3,
    },
    second_look=0.1,
    fumbles=0.3,
)

if __name__ == "__main__":
    main(WEAK, DESK | MENDING)
