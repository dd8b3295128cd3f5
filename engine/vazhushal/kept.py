"""What a search finds, kept: a hand is asked for the same again and again."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """What a search finds, lazily; the first ones are kept: a hand is asked for the same again and again."""

    def __init__(self, search: Callable[[], Iterator[T]], most: int = 128) -> None:
        self._search, self._most = search, most
        self._kept: list[T] = []
        self._running: Iterator[T] | None = search()

    def __iter__(self) -> Iterator[T]:
        return self._more() if self._running is not None else iter(self._kept)

    def _more(self) -> Iterator[T]:
        kept, at = self._kept, 0
        while True:
            while at < len(kept):
                yield kept[at]
                at += 1
            if at >= self._most:
                yield from islice(self._search(), at, None)
                return
            found = None if self._running is None else next(self._running, None)
            if found is None:
                self._running = None
                return
            kept.append(found)
