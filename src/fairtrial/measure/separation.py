"""Has the likelihood of a multinomial logit a finite maximum? Not where some direction never loses.

Albert, Anderson 1984: there is none if some change of the parameters raises, or leaves, the lead of every outcome that
was seen over every other, and raises one. Whether there is such a change is a linear program, solved exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_RAISED = 1e-7


def is_separated(leads: NDArray[np.float64]) -> bool:
    """Say whether some direction d has `leads` @ d >= 0 throughout and > 0 somewhere.

    `leads`: (comparisons of outcomes, parameters), the score of what was seen minus that of another outcome. Raise
    ValueError where the program cannot be solved.

    >>> is_separated(np.array([[1.0], [2.0]])), is_separated(np.array([[1.0], [-2.0]]))
    (True, False)
    """
    from scipy.optimize import linprog

    parameters = leads.shape[1]
    if parameters == 0:
        return False
    found = linprog(-leads.sum(axis=0), A_ub=-leads, b_ub=np.zeros(len(leads)), bounds=[(-1, 1)] * parameters)
    if found.status != 0:
        raise ValueError(f"the linear program of separation was not solved: {found.message}")
    return bool(-found.fun > _RAISED)
