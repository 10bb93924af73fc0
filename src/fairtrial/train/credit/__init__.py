"""How rewards become advantages: conventions, credit by rank, which prompts are drawn; pure."""

from fairtrial.train.credit.band import Band, Counted, in_band
from fairtrial.train.credit.dealing import advantages_with_gaps, dealt_by_rank
from fairtrial.train.credit.drawing import Drawer
from fairtrial.train.credit.ranks import ranked
from fairtrial.train.credit.recomputing import advantages_of, wrong_groups

__all__ = [
    "Band",
    "Counted",
    "Drawer",
    "advantages_of",
    "advantages_with_gaps",
    "dealt_by_rank",
    "in_band",
    "ranked",
    "wrong_groups",
]
