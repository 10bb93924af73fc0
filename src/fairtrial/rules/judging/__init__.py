"""Judges of one rule each: shown the evidence as data, asked several times, their citations checked."""

from fairtrial.rules.judging.document import SCHEMA, document_of, exit_status
from fairtrial.rules.judging.evidence import Evidence, evidence_of
from fairtrial.rules.judging.judge import Judging, Run
from fairtrial.rules.judging.runs import judge_all

__all__ = ["SCHEMA", "Evidence", "Judging", "Run", "document_of", "evidence_of", "exit_status", "judge_all"]
