"""The trial of a judge: how steady it is on frozen rollouts, what moves it, and whether it obeys what it grades."""

from fairtrial.prove.judges.asking import JudgeOptions, refuse_unknown
from fairtrial.prove.judges.trial import Brought, ProvenJudge, prove_judge, questions_wanted

__all__ = ["Brought", "JudgeOptions", "ProvenJudge", "prove_judge", "questions_wanted", "refuse_unknown"]
