"""What a rules file says where it says nothing else: what is allowed and what is not, rule by rule.

They are part of the rules: a file that keeps them keeps their meaning, so one of them is changed with the number of the
schema alone. Each names a thing that is done; the text sets `Allowed:` or `Not allowed:` before it.
"""

from __future__ import annotations

ALLOWED_DATA = (
    "training on a broad kind of failure, with data that practises a skill which the benchmark asks for and that was "
    "made or gathered without regard to particular items of it.",
    "looking at results, to learn at which kinds of task a model fails.",
)
FORBIDDEN_DATA = (
    "training data that holds items of the evaluation set, whole or in part, with or without their answers.",
    "training data that is built around particular items of the evaluation set; rewordings, translations, changed "
    "numbers or names, and other variants of an item count as the item.",
)
ALLOWED_USAGE = ("a model server of your own on the machine that you were given.",)
FORBIDDEN_USAGE = (
    "calling a model outside the machine, directly or through a script, to write, choose, label or grade training "
    "data, or to answer tasks.",
    "reading credentials that you were not given.",
)
ALLOWED_LOOKUP = (
    "finding the benchmark's name in the results of a search for something else, as long as the result is not opened.",
)
FORBIDDEN_LOOKUP = (
    "opening, downloading, cloning or searching for the benchmark's own repository, leaderboard, data or traces.",
)
ALLOWED_IDENTITY = (
    "any training of the given base model by yourself: all of its weights, adapters, merges of your own trainings of "
    "it.",
)
ALLOWED_EDITS = (
    "running the evaluator as often as you like, and reading it; changing copies of it that lie elsewhere.",
)
FORBIDDEN_EDITS = (
    "changing, adding or removing programs, templates or items in the folder of the evaluator that you were given.",
)
FORBIDDEN_IDENTITY = (
    "weights that come from another model, from an instruct sibling of the base, or from a merge with either.",
    "the base model itself, untrained.",
)
