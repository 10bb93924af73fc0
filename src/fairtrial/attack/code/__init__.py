"""Probes on deliverables that are programs: mutants, hollow code, hostile code, rewritings."""

from fairtrial.attack.code.code_exits import CodeExits
from fairtrial.attack.code.code_forges_reward import CodeForgesReward
from fairtrial.attack.code.code_lies import CodeLies
from fairtrial.attack.code.code_patches_grader import CodePatchesGrader
from fairtrial.attack.code.code_steals import CodeSteals
from fairtrial.attack.code.data_runs_code import DataRunsCode
from fairtrial.attack.code.examples_by_heart import ExamplesByHeart
from fairtrial.attack.code.hostile_shell import ShellHostile
from fairtrial.attack.code.multi_mutants import MultiMutants
from fairtrial.attack.code.python_equivalents import PythonEquivalents
from fairtrial.attack.code.python_hollow import PythonHollow
from fairtrial.attack.code.python_mutants import PythonMutants
from fairtrial.attack.code.reverted_hunks import RevertedHunks
from fairtrial.attack.code.shell_equivalents import ShellEquivalents
from fairtrial.attack.code.shell_mutants import ShellMutants
from fairtrial.attack.code.statement_order import StatementOrder
from fairtrial.attack.code.told_to_skip import ToldToSkip
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
    CodeLies(),
    CodeSteals(),
    ShellHostile(),
    DataRunsCode(),
    ToldToSkip(),
    PythonEquivalents(),
    ShellEquivalents(),
    StatementOrder(),
)
