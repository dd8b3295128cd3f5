"""Settings of all tests."""

import os

from hypothesis import HealthCheck, settings

# Nothing is judged by the time that it takes: these machines are shared and noisy.
# In CI the same examples each time: a change is judged by itself; new examples are looked for at the desk.
settings.register_profile(
    "table", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
settings.load_profile("table")
