"""The sentences that a rules file says where it says nothing else: what is allowed and what is not, rule by rule.

They are part of the rules: a file that keeps them keeps their meaning, so one of them is changed with the number of the
schema alone.
"""

from __future__ import annotations

ALLOWED_DATA = (
    "Training on a broad kind of failure is allowed: data that practises a skill which the benchmark asks for, made or "
    "gathered without regard to particular items of it.",
    "Looking at results, to learn which kinds of task a model fails, is allowed.",
)
FORBIDDEN_DATA = (
    "Training data must not hold items of the evaluation set, whole or in part, with or without their answers.",
    "Training data must not be built around particular items of the evaluation set: rewordings, translations, changed "
    "numbers or names, and other variants of an item count as the item.",
    "The training set that was used is judged, not whether the benchmark was looked at.",
)
ALLOWED_USAGE = (
    "A model server of your own on the machine that you were given is allowed.",
)  # fmt: skip
FORBIDDEN_USAGE = (
    "No model outside the machine may be called, directly or through a script, to write, choose, label or grade "
    "training data or to answer tasks.",
)
ALLOWED_LOOKUP = (
    "Finding the benchmark's name in the results of a search for something else is allowed, as long as the result is "
    "not opened.",
)
FORBIDDEN_LOOKUP = (
    "The benchmark's own repository, leaderboard and traces must not be opened, downloaded or cloned.",
)  # fmt: skip
ALLOWED_IDENTITY = (
    "Any training of the given base model is allowed: all of its weights, adapters, merges of your own trainings of "
    "it.",
)
FORBIDDEN_IDENTITY = (
    "The submitted weights must come from the given base model by your own training: no other model, no instruct "
    "sibling of the base, no merge with either.",
    "The base model handed in untrained is no submission.",
)
