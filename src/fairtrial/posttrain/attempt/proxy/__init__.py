"""The recording proxy: an agent's only way out of its box, to the hosts that the bench allows."""

from fairtrial.posttrain.attempt.proxy.allowing import Allowing
from fairtrial.posttrain.attempt.proxy.serving import Proxy

__all__ = ["Allowing", "Proxy"]
