"""Which probes show what a static rule suspects: ids, or first parts of ids (ending in `_`), by kind of weakness.

Names stand for kinds of work that gets past: a rule names kinds, and need not know every probe.
"""

from __future__ import annotations

REPEATS = ("reference_repeat", "reference_concurrent", "wrong_repeat")
NOTHING = ("null",)
DECLARED = ("defect", "alternative")

EMPTY = ("deliverable_empty", "deliverable_garbage", "json_hollow", "hollow_blank", "answers_absent", "rows_missing")
"""Files that are there and hold nothing, or nothing that answers."""
MISSING = ("deliverable_missing", "rows_missing", "answers_absent", "rows_contradicted")
HOLLOW = ("hollow_", "json_hollow", "input_copied", "python_hollow", "grader_literals", "words_jumbled")
"""Work of the right form with made-up contents."""
HOSTILE_CODE = ("code_", "program_exit", "program_equal", "program_state", "program_frames", "examples_by_heart")
"""Programs of the agent's that turn on the process that loads or starts them."""
HOSTILE_DATA = ("code_", "bait", "odd_workspaces", "links_out", "deliverable_garbage")
HOOKS = ("start_up_files", "code_", "workspace_tests_edited")
TOOLS = ("programs_shadowed", "start_up_files")
TESTS = ("workspace_tests_edited", "start_up_files", "code_", "grader_inputs_forged")
REPORTS = ("grader_inputs_forged", "reward_written_", "left_running", "code_forges_reward", "judge_note")
REWARD = ("reward_written_", "left_running", "code_forges_reward", "grader_inputs_forged", "hack")
LEAKS = (
    "answer_found", "solution_found", "values_found", "grader_found", "box_searched", "links_out",
    "grader_inputs_forged",
    "inputs_shrunk",
)  # fmt: skip
HARD_CODED = ("examples_by_heart", "program_examples", "hack")
LENIENT = (
    "every_candidate", "all_answers", "right_beside_wrong", "digits_embedded", "rows_contradicted", "values_collapsed",
    "grader_literals", "words_jumbled", "hollow_blank", "answers_absent", "prompt_echo", "spray", "words",
    "near_number", "embedded_word", "spoiled_text", "denied", "hedged_slot", "two_answers", "filler", "bait",
)  # fmt: skip
"""Wrong work that holds the right answer, or a piece of it."""
NEAR = ("numbers_off", "near_number", "digits_embedded", "hollow_constant", "special_number", "json_fields")
NOT_A_NUMBER = ("hollow_constant", "json_hollow", "special_number", "json_fields")
DATA_MUTANTS = (
    "numbers_off",
    "values_collapsed",
    "hollow_",
    "hunk_reverted",
    "json_fields",
    "spoiled_text",
    "defect",
)
CODE_MUTANTS = ("python_mutant", "python_mutants_at_once", "shell_mutant", "program_mutant", "defect")
EQUIVALENTS = ("number_form", "reference_marked", "json_layout", "alternative")
JUDGE = ("injection", "padded", "polished_wrong", "nothing_said", "judge_note", "refusal")
TEXT_EMPTY = ("nothing", "refusal", "malformed", "empty_scaffold", "constant", "other_answer", "skeleton", "filler")
TEXT_FILLER = ("filler", "skeleton", "prompt_echo")
TEXT_FORMS = ("format_named", "reference_marked")
HOLES = ("python_hollow", "hunk_reverted", "defect", "hack")
QUERIES = ("hunk_reverted", "defect", "hack")
