"""The hack agent: a language model in the box whose only job is to pass with wrong work; and what it found, kept.

Importing this package brings only the probe of kept attacks; the agent itself is in `rounds`.
"""

from fairtrial.attack.hacker.kept import KEPT_ATTACK
from fairtrial.attack.protocol import Probe

PROBES: tuple[Probe, ...] = (KEPT_ATTACK,)

__all__ = ["PROBES"]
