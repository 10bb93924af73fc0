"""Do reviewers agree: people with people, judges with people; kappa and alpha with intervals, tables, prevalence."""

from fairtrial.audit.agreement.document import document_of
from fairtrial.audit.agreement.figures import (
    Agreed,
    Compared,
    JudgeCompared,
    QuestionAgreement,
    Table,
    Together,
    agreement,
)
from fairtrial.audit.agreement.rated import QUESTIONS, Question, Rated, rated

__all__ = [
    "QUESTIONS",
    "Agreed",
    "Compared",
    "JudgeCompared",
    "Question",
    "QuestionAgreement",
    "Rated",
    "Table",
    "Together",
    "agreement",
    "document_of",
    "rated",
]
