"""Training sets out of a ledger: demonstrations, preference pairs and prompts, each with a card."""

from fairtrial.train.sets.choosing import Chosen, choose
from fairtrial.train.sets.eligible import Source
from fairtrial.train.sets.export import export
from fairtrial.train.sets.options import Options

__all__ = ["Chosen", "Options", "Source", "choose", "export"]
