"""What reviewers prefer: which comparisons count, who ranks where, how far reviewers agree, which pairs are settled."""

from fairtrial.audit.pairs.consistency import Consistency, consistency
from fairtrial.audit.pairs.ranking import Ranking, rank_pairs
from fairtrial.audit.pairs.reading import Compared, Pairs, read_pairs
from fairtrial.audit.pairs.settled import Settled, Unsettled, settle

__all__ = [
    "Compared", "Consistency", "Pairs", "Ranking", "Settled", "Unsettled", "consistency", "rank_pairs", "read_pairs",
    "settle",
]  # fmt: skip
