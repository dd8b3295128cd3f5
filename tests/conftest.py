"""Settings of all tests."""

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Nothing is judged by the time that it takes: these machines are shared and noisy.
# In CI the same examples each time: a change is judged by itself; new examples are looked for at the desk.
PROFILE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ)
# Every run tries some examples, `make soak` as many as hypothesis does by itself.
settings.register_profile("table", PROFILE, max_examples=30)
settings.register_profile("soak", PROFILE, max_examples=100)
settings.load_profile("table")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without a search for garbage: it looks through ten thousand tests again and again, and none goes."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
