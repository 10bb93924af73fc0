"""Is a training set built around particular items? Items against decoys, the whole and item by item."""

from fairtrial.contamination.distribution.concentration import CALLED, DOMINANT, Concentration, concentration, dominant
from fairtrial.contamination.distribution.decoys import Decoys, Twin, compare_decoys
from fairtrial.contamination.distribution.effects import Effects, effects
from fairtrial.contamination.distribution.enrichment import Enrichment, enrichment
from fairtrial.contamination.distribution.figures import FEWEST, Distribution, distribution

__all__ = [
    "CALLED",
    "DOMINANT",
    "FEWEST",
    "Concentration",
    "Decoys",
    "Distribution",
    "Effects",
    "Enrichment",
    "Twin",
    "compare_decoys",
    "concentration",
    "distribution",
    "dominant",
    "effects",
    "enrichment",
]
