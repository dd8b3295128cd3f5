"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# Nothing is judged by the time that it takes: these machines are shared and noisy.
settings.register_profile("table", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("table")
