"""What a generated suite is worth: realism, solvability, ceiling, diversity, references. One module a question."""

from fairtrial.authoring.synthetic.examine import Means, examine
from fairtrial.authoring.synthetic.material import Item, Material, read_real, read_suite
from fairtrial.authoring.synthetic.options import PARTS, Options
from fairtrial.authoring.synthetic.result import SCHEMA, Synthetic

__all__ = ["PARTS", "SCHEMA", "Item", "Material", "Means", "Options", "Synthetic", "examine", "read_real", "read_suite"]
