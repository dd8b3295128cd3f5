"""A simulated table in a thread of its own, and those who ask something of it."""

import threading

from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from firmware.web.feed import Feed
from firmware.web.played import PlayedTable


def test_the_table_plays_on_when_somebody_who_asked_is_gone_before_it_had_time() -> None:
    played, free, done = PlayedTable(lambda: SimulatedTable(furnish("pepper", 2)), Feed(), 1), threading.Event(), []
    try:
        busy = played.play(lambda playing: free.wait(10))
        gone = played.play(lambda playing: done.append("gone"))
        assert gone.cancel()
        free.set()
        assert busy.result(10)
        assert played.play(lambda playing: "there").result(10) == "there"
        assert done == []
    finally:
        played.close()
