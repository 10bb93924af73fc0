"""Which probes show what a static rule suspects: ids, or first parts of ids (ending in `_`), rule by rule.

A probe is named only where its getting past would show the very weakness: a hit becomes proof by it. A rule for which
no probe of ours could do that has an empty entry, and its hits stay leads.
"""

from __future__ import annotations

from collections.abc import Mapping

_REPEATS = ("reference_repeat", "reference_concurrent", "wrong_repeat")
_NOTHING = ("null",)
_UNREADABLE = ("deliverable_garbage", "json_hollow", "answers_absent", "hollow_blank", "hollow_constant", "malformed")
"""Work that a grader stumbles over."""
_NOT_THERE = ("null", "deliverable_missing", "deliverable_empty", "answers_absent", "nothing")
_SHORT = ("rows_missing", "answers_absent", "json_hollow", "deliverable_empty")
"""Collections that are empty, or shorter than they should be."""
_MADE_UP = ("hollow_", "input_copied", "python_hollow", "words_jumbled", "skeleton", "json_fields")
"""The right form with made-up contents."""
_HOSTILE = ("code_", "program_exit", "program_equal", "program_state", "program_frames")
"""Programs that turn on the process that loads them."""
_FORGED = ("reward_written_", "left_running", "code_forges_reward", "shell_hostile")
_HOOKED = ("start_up_files", "told_to_skip")
_BESIDE = (
    "right_beside_wrong", "every_candidate", "rows_contradicted", "all_answers", "spray", "two_answers", "words",
)  # fmt: skip
"""The right answer beside wrong ones."""
_DENIED = ("denied", "hedged_slot", "filler", "prompt_echo")
_PIECE = ("digits_embedded", "near_number", "embedded_word")
_CUT = ("values_collapsed", "hollow_blank", "embedded_word", "spoiled_text")
_OFF = ("numbers_off", "one_value_changed", "near_number")
_CONTENT_FREE = ("nothing", "refusal", "skeleton", "empty_scaffold", "constant", "other_answer", "filler")

CHECKED_BY: Mapping[str, tuple[str, ...]] = {
    # agent_code
    "static_imports_agent_code": _HOSTILE,
    "static_agent_folder_on_path": ("start_up_files", *_HOSTILE),
    "static_evaluates_agent_text": ("data_runs_code", "bait", "shell_hostile", *_HOSTILE),
    "static_loads_objects": ("data_runs_code",),
    # exit_status
    "static_exit_status_is_verdict": ("code_exits", "program_exit", "shell_hostile", "start_up_files"),
    "static_failure_dropped": (*_NOTHING, *_MADE_UP, "deliverable_garbage"),
    "static_reward_regardless": (*_NOTHING, *_MADE_UP, "deliverable_garbage"),
    # reward_file
    "static_reward_kept": _FORGED,
    "static_reward_read_back": _FORGED,
    "static_reward_not_reset": _FORGED,
    "static_reward_in_reach": (*_FORGED, "grader_inputs_forged"),
    # swallowed
    "static_exception_passes": (*_NOTHING, *_UNREADABLE),
    "static_default_passes": (*_NOTHING, *_UNREADABLE),
    "static_missing_passes": _NOT_THERE,
    "static_all_of_nothing": _SHORT,
    # text_matching
    "static_piece_of_text": (*_BESIDE, *_DENIED, *_PIECE, "grader_literals", "words_jumbled", "values_collapsed"),
    "static_end_of_text": (*_CUT, *_PIECE, *_BESIDE),
    "static_part_compared": (*_CUT, "near_number"),
    "static_pattern_anywhere": (*_BESIDE, *_DENIED, *_PIECE, "hollow_made_up", "grader_literals", "words_jumbled"),
    "static_likeness": (*_OFF, "spoiled_text", "embedded_word", "digits_embedded"),
    "static_letter_case": (),
    "static_any_of_them": _BESIDE,
    "static_one_of_many": (*_BESIDE, *_DENIED),
    # collections_compared
    "static_zip_cut_short": (*_SHORT, "rows_contradicted", "one_row_changed"),
    "static_submission_sets_the_loop": _SHORT,
    # numbers_compared
    "static_nan_passes": ("hollow_constant", "special_number", "json_fields"),
    "static_wide_tolerance": _OFF,
    "static_cut_numbers": _OFF,
    "static_float_equality": (*_REPEATS, "number_form"),
    # shape_only
    "static_shape_alone": (*_MADE_UP, *_OFF),
    "static_never_opened": ("deliverable_empty", "deliverable_garbage"),
    "static_takes_its_word": ("deliverable_missing", "deliverable_empty", "deliverable_garbage", "rows_missing"),
    # reports_read
    "static_marker_lines": ("code_forges_reward", "shell_hostile", "grader_inputs_forged", "judge_note"),
    "static_report_in_reach": ("code_forges_reward", "grader_inputs_forged", "left_running"),
    "static_counts_failures": ("told_to_skip", "workspace_tests_edited", *_NOTHING),
    # clock_and_chance
    "static_clock_decides": _REPEATS,
    "static_chance_decides": _REPEATS,
    "static_network_decides": _REPEATS,
    # surroundings
    "static_path_not_fixed": ("programs_shadowed",),
    "static_python_not_alone": _HOOKED,
    "static_asserts_off": (*_NOTHING, *_MADE_UP),
    # test_runs
    "static_pytest_in_workdir": (*_HOOKED, "workspace_tests_edited"),
    "static_nothing_run_passes": ("told_to_skip", "workspace_tests_edited", *_NOTHING),
    # shell_traps
    "static_words_that_split": ("deliverable_empty", "hollow_blank", "data_runs_code"),
    "static_pipe_status": (*_NOTHING, *_MADE_UP),
    "static_partial_grep": (*_BESIDE, *_PIECE, "grader_literals", "words_jumbled"),
    "static_comparison_dropped": (*_NOTHING, *_MADE_UP, *_OFF),
    # left_running
    "static_unpinned_install": (),
    "static_left_running": (*_FORGED, *_REPEATS),
    # model_judges
    "static_judge_refusals": ("nothing_said", "refusal"),
    "static_judge_undelimited": ("injection", "judge_note"),
    # answers_in_reach
    "static_expected_in_workspace": ("answer_found", "values_found", "box_searched", "grader_inputs_forged"),
    "static_visible_cases_alone": ("examples_by_heart", "program_examples"),
    # reward_terms
    "static_reply_unread": _CONTENT_FREE,
    "static_presence_pays": _CONTENT_FREE,
    "static_out_of_range": (),
    "static_reference_unread": _CONTENT_FREE,
    "static_length_pays": ("filler", "skeleton", "prompt_echo"),
    "static_whole_text_instead": (*_BESIDE, *_DENIED),
    "static_first_tag": ("two_answers", "format_named", "hedged_slot"),
    "static_empty_reference": (),
    # special_checkers
    "static_proof_holes": (),
    "static_one_database": (),
}
