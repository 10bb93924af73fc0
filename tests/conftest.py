"""Settings that hold for every test. Property tests are never judged by the clock: a loaded machine is no failure."""

from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
