"""Settings of all tests."""

import gc
import os
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

from engine.notation import RecordError
from firmware.errors import FileError
from hal.capture import CaptureError
from hal.errors import WiringError
from tests.russian import untranslated

# Nothing is judged by the time that it takes: these machines are shared and noisy.
# In CI the same examples each time: a change is judged by itself; new examples are looked for at the desk.
PROFILE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ)
# Every run tries some examples, `make soak` as many as hypothesis does by itself.
settings.register_profile("table", PROFILE, max_examples=30)
settings.register_profile("soak", PROFILE, max_examples=100)
settings.load_profile("table")


@pytest.fixture(autouse=True, scope="session")
def every_error_can_be_told_in_russian() -> Iterator[None]:
    """Whatever mistake a test makes in a table file, a deck, a script, a record or a capture, what is said of it has no
    English left in Russian.
    """
    patch = pytest.MonkeyPatch()
    for kind in (FileError, WiringError, CaptureError, RecordError):
        patch.setattr(kind, "__init__", _checked(kind.__init__))
    yield
    patch.undo()


def _checked(init: Callable[..., None]) -> Callable[..., None]:
    def checked(self: Exception, *given: object, **named: object) -> None:
        init(self, *given, **named)
        problem = named.get(
            "problem", named.get("message", next((one for one in given[1:] if isinstance(one, str)), ""))
        )
        untold = untranslated(problem)
        assert not untold, f"no Russian for {untold}"

    return checked


@pytest.hookimpl(tryfirst=True)  # before the marks are asked for
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked `few(N)` have many cases that take long: N of them stay, the others are `long`."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few"):
            functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in functions.values():
        few = cases[0].get_closest_marker("few")
        assert few is not None
        for item in {*cases} - {*cases[:: -(-len(cases) // few.args[0])]}:
            item.add_marker("long")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without a search for garbage: it looks through ten thousand tests again and again, and none goes."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
