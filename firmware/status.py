"""How a table stands, in one line for whoever asks its supervisor (`systemctl status`): what is played, how far it is,
and which devices are missing. No card is in it, and no name.
"""

from firmware.loop import Loop
from firmware.wiring_words import WiringWords

MOST_NAMED = 4
"""Devices that are named; of more only the number is told."""


def status_line(loop: Loop, words: WiringWords) -> str:
    """The state of a running table."""
    return f"{_played(loop, words)}; {_missing(tuple(loop.lost), words)}"


def _played(loop: Loop, words: WiringWords) -> str:
    if not loop.agreed:
        return words.say("status.lobby")
    code = "status.over" if loop.over else "status.runs"
    return words.say(code, game=loop.table.game.name, match=loop.number, deal=loop.match.deals + (not loop.over))


def _missing(lost: tuple[str, ...], words: WiringWords) -> str:
    if not lost:
        return words.say("status.whole")
    if len(lost) > MOST_NAMED:
        return words.say("status.missing-many", number=len(lost))
    return words.say("status.missing", number=len(lost), devices=", ".join(map(words.device, lost)))
