"""The strong policy: it reads the rules, looks twice, has turns to spare, and still slips now and then."""

from acting import Skill, main
from desk import SOLVERS as DESK
from mending import SOLVERS as MENDING

STRONG = Skill(
    name="strong",
    turns=20,
    slips={
        "*": 0.08,
        "rounding": 0.3,
        "bundle": 0.25,
        "tender": 0.2,
        "last_day": 0.15,
        "void_first": 0.25,
        "quoting": 0.2,
        "usage_left": 0.2,
        "rows_left": 0.3,
        "carriage_return": 0.45,
        "next_due_left": 0.04,
        "count_left": 0.04,
        "give_up": 0.0,
    },
    second_look=0.4,
    fumbles=0.15,
)

if __name__ == "__main__":
    main(STRONG, DESK | MENDING)
