"""Known candidates in, proof out: is the grader right where the score is known?"""

from fairtrial.prove.known import Known, known_candidates
from fairtrial.prove.options import ProveOptions
from fairtrial.prove.proof import ProvenTask, prove
from fairtrial.prove.schedule import case_of, trials_wanted

__all__ = ["Known", "ProveOptions", "ProvenTask", "case_of", "known_candidates", "prove", "trials_wanted"]
