"""Do all of a bench: evaluate bases and siblings, let agents work, evaluate and check what they made; go on after a
kill.
"""

from fairtrial.posttrain.running.cell import Attempter, Work
from fairtrial.posttrain.running.results import Results
from fairtrial.posttrain.running.run import Ran, Wanted, references_of, run_all

__all__ = ["Attempter", "Ran", "Results", "Wanted", "Work", "references_of", "run_all"]
