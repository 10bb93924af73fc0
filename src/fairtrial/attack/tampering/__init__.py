"""Probes that leave the work undone and go for the grader: reward files, tests, runner, environment."""

from fairtrial.attack.protocol import Probe
from fairtrial.attack.tampering import (
    grader_inputs_forged,
    impossible_task,
    inputs_shrunk,
    left_running,
    links_out,
    odd_workspaces,
    programs_shadowed,
    reward_written_before,
    start_up_files,
    workspace_tests_edited,
)

PROBES: tuple[Probe, ...] = (
    reward_written_before.PROBE,
    left_running.PROBE,
    start_up_files.PROBE,
    programs_shadowed.PROBE,
    grader_inputs_forged.PROBE,
    workspace_tests_edited.PROBE,
    inputs_shrunk.PROBE,
    links_out.PROBE,
    odd_workspaces.PROBE,
    impossible_task.PROBE,
)
