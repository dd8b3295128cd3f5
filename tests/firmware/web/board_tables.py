"""Tables with a board, and what it publishes."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from at_table import seated

from firmware.simulated import SimulatedTable
from firmware.web.feed import Feed
from firmware.web.publisher import Publisher
from firmware.web_part import Reveal


class Kept(Feed):
    """A feed that keeps all that was ever published."""

    def __init__(self) -> None:
        super().__init__()
        self.published: list[tuple[str, str]] = []

    def publish(self, topic: str, value: str) -> None:
        if self.newest([topic]).get(topic) != value:
            self.published.append((topic, value))
        super().publish(topic, value)


def table_of(feed: Feed) -> dict[str, Any]:
    """The newest value of the topic `table`."""
    values: dict[str, Any] = json.loads(feed.newest(["table"])["table"])
    return values


def history_of(feed: Feed) -> list[dict[str, Any]]:
    """The newest entries of the deal."""
    entries: list[dict[str, Any]] = json.loads(feed.newest(["history"])["history"])["entries"]
    return entries


def block(feed: Feed, kind: str) -> dict[str, Any]:
    """The first block of a kind."""
    found: dict[str, Any] = next(one for one in table_of(feed)["blocks"] if one["block"] == kind)
    return found


@contextmanager
def watched(
    tmp_path: Path, entries: Sequence[str] = (), reveal: Reveal = Reveal.NEVER, **settings: Any
) -> Iterator[tuple[SimulatedTable, Kept]]:
    """A table whose match has got so far, with a board."""
    feed = Kept()
    with seated(tmp_path, entries, **settings) as table:
        Publisher(feed, reveal, "Club").attach(table.loop)
        yield table, feed
