"""Rank the passing rollouts of a group on criteria that were fixed before: what GAR shifts advantage by."""

from fairtrial.checks.aggregation import ranks, shares
from fairtrial.grade.groupwise.confirmed import is_confirmed_hack, is_disputed_hack
from fairtrial.grade.groupwise.criteria import Criteria, Criterion, read_criteria
from fairtrial.grade.groupwise.ranking import Passing, Prefer, Ranked, Ranking, rank_group
from fairtrial.grade.groupwise.reading import Chosen, Group, groups_of
from fairtrial.grade.groupwise.works import work_of

__all__ = [
    "Chosen",
    "Criteria",
    "Criterion",
    "Group",
    "Passing",
    "Prefer",
    "Ranked",
    "Ranking",
    "groups_of",
    "is_confirmed_hack",
    "is_disputed_hack",
    "rank_group",
    "ranks",
    "read_criteria",
    "shares",
    "work_of",
]
