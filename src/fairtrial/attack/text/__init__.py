"""Probes of text graders: reward functions, scorers, any callable that scores a completion."""

from fairtrial.attack.text.all_answers import ALL_ANSWERS
from fairtrial.attack.text.bait import BAIT
from fairtrial.attack.text.constant import CONSTANT, MAJORITY
from fairtrial.attack.text.denied import DENIED
from fairtrial.attack.text.embedded_word import EMBEDDED_WORD
from fairtrial.attack.text.empty_scaffold import EMPTY_SCAFFOLD
from fairtrial.attack.text.filler import FILLER
from fairtrial.attack.text.format_named import FORMAT_NAMED
from fairtrial.attack.text.hedged_slot import HEDGED_SLOT
from fairtrial.attack.text.json_fields import JSON_FIELDS, JSON_LAYOUT
from fairtrial.attack.text.judge_note import JUDGE_NOTE
from fairtrial.attack.text.lookalike import LOOKALIKE
from fairtrial.attack.text.malformed import MALFORMED
from fairtrial.attack.text.near_number import NEAR_NUMBER
from fairtrial.attack.text.nothing import NOTHING
from fairtrial.attack.text.number_form import NUMBER_FORM
from fairtrial.attack.text.other_answer import OTHER_ANSWER
from fairtrial.attack.text.program_examples import PROGRAM_EXAMPLES
from fairtrial.attack.text.program_hostile import PROGRAM_EQUAL, PROGRAM_EXIT
from fairtrial.attack.text.program_mutant import PROGRAM_MUTANT
from fairtrial.attack.text.program_rewritten import PROGRAM_REWRITTEN
from fairtrial.attack.text.program_state import PROGRAM_FRAMES, PROGRAM_STATE
from fairtrial.attack.text.program_stub import PROGRAM_RAISES, PROGRAM_STUB
from fairtrial.attack.text.prompt_echo import PROMPT_ECHO
from fairtrial.attack.text.protocol import Completion, Messages, TextCase, TextProbe, TextSubmission, text_of
from fairtrial.attack.text.reference_marked import REFERENCE_MARKED
from fairtrial.attack.text.refusal import REFUSAL
from fairtrial.attack.text.skeleton import SKELETON
from fairtrial.attack.text.special_number import SPECIAL_NUMBER
from fairtrial.attack.text.spoiled_text import SPOILED_TEXT
from fairtrial.attack.text.spray import SPRAY
from fairtrial.attack.text.turns import TURNS
from fairtrial.attack.text.two_answers import TWO_ANSWERS
from fairtrial.attack.text.words import WORDS
from fairtrial.attack.text.wrong_in_format import WRONG_IN_FORMAT

PROBES: tuple[TextProbe, ...] = (
    NOTHING, PROMPT_ECHO, REFUSAL, FILLER, SKELETON, EMPTY_SCAFFOLD, MALFORMED,
    CONSTANT, MAJORITY, OTHER_ANSWER, ALL_ANSWERS, SPRAY, WORDS,
    WRONG_IN_FORMAT, NEAR_NUMBER, EMBEDDED_WORD, SPOILED_TEXT, SPECIAL_NUMBER, JSON_FIELDS,
    DENIED, HEDGED_SLOT, TWO_ANSWERS, JUDGE_NOTE, BAIT, TURNS,
    PROGRAM_STUB, PROGRAM_RAISES, PROGRAM_EXIT, PROGRAM_EQUAL, PROGRAM_EXAMPLES, PROGRAM_STATE, PROGRAM_FRAMES,
    PROGRAM_MUTANT, PROGRAM_REWRITTEN,
    REFERENCE_MARKED, FORMAT_NAMED, NUMBER_FORM, LOOKALIKE, JSON_LAYOUT,
)  # fmt: skip
"""Content-free first, then wrong answers, then programs, then right answers in another form."""

__all__ = ["PROBES", "Completion", "Messages", "TextCase", "TextProbe", "TextSubmission", "text_of"]
