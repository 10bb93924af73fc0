"""Probes of judges, one file each: the list, in the order in which they are tried."""

from fairtrial.attack.judges.cases import JudgeCases, read_cases
from fairtrial.attack.judges.injection import Injection
from fairtrial.attack.judges.names import NamesChanged
from fairtrial.attack.judges.nothing import NothingSaid
from fairtrial.attack.judges.order import OrderSwapped
from fairtrial.attack.judges.padding import Padded
from fairtrial.attack.judges.polish import PolishedWrong
from fairtrial.attack.judges.protocol import JudgeCase, JudgeProbe, JudgeSubmission
from fairtrial.attack.judges.rearranged import RubricRearranged
from fairtrial.attack.judges.rewording import Reworded
from fairtrial.attack.judges.typos import BadlyWrittenRight

PROBES: tuple[JudgeProbe, ...] = (
    OrderSwapped(),
    NamesChanged(),
    Reworded(),
    RubricRearranged(),
    Padded(),
    Injection(),
    PolishedWrong(),
    BadlyWrittenRight(),
    NothingSaid(),
)

__all__ = ["PROBES", "JudgeCase", "JudgeCases", "JudgeProbe", "JudgeSubmission", "read_cases"]
