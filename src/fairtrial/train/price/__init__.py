"""What a gain cost, and which tasks taught."""

from fairtrial.train.price.result import Priced, Taught

__all__ = ["Priced", "Taught"]
