"""Probes on deliverables that are programs: mutants of the reference's code, hollow code, hostile code."""

from fairtrial.attack.code.code_exits import CodeExits
from fairtrial.attack.code.code_forges_reward import CodeForgesReward
from fairtrial.attack.code.code_patches_grader import CodePatchesGrader
from fairtrial.attack.code.examples_by_heart import ExamplesByHeart
from fairtrial.attack.code.multi_mutants import MultiMutants
from fairtrial.attack.code.python_hollow import PythonHollow
from fairtrial.attack.code.python_mutants import PythonMutants
from fairtrial.attack.code.reverted_hunks import RevertedHunks
from fairtrial.attack.code.shell_mutants import ShellMutants
from fairtrial.attack.protocol import Probe

PROBES: tuple[Probe, ...] = (
    RevertedHunks(),
    PythonMutants(),
    MultiMutants(),
    ShellMutants(),
    PythonHollow(),
    ExamplesByHeart(),
    CodeExits(),
    CodeForgesReward(),
    CodePatchesGrader(),
)
