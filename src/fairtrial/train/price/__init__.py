"""What a gain cost, and which tasks taught."""

from fairtrial.train.price.by_credit import Credit, credit_by_family, taught_by_credit
from fairtrial.train.price.cost import price
from fairtrial.train.price.left_out import Arm, arms_of, taught_by_arms
from fairtrial.train.price.result import Priced, Taught
from fairtrial.train.price.tokens import tokens_ratio
from fairtrial.train.price.worth import Worth, logs_of, worth

__all__ = [
    "Arm",
    "Credit",
    "Priced",
    "Taught",
    "Worth",
    "arms_of",
    "credit_by_family",
    "logs_of",
    "price",
    "taught_by_arms",
    "taught_by_credit",
    "tokens_ratio",
    "worth",
]
