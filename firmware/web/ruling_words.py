"""What the console says of a director's wishes in words of its own: what would be done, what cannot be read, and the
comments by which the table keeps it.
"""

import re
from collections.abc import Mapping
from typing import Any

from engine.game import Game
from engine.match import Match
from engine.options import Choice
from firmware import instructions as told_as
from firmware.corrected import COMMENT
from firmware.entry_words import side_name
from firmware.instructions import Instruction
from firmware.irregularities import ACCEPTED, note_text, notice_of
from firmware.loop import Loop
from firmware.setups import WAY
from firmware.web.texts import web_texts
from firmware.words import NO_BREAK_SPACE, Length, Words

LINE = re.compile(r", (?=(?:game|rules|seats|hands|names|scores|option|x-[a-z-]+): )")
"""Between two lines of a header that stand in one comment."""
FIELD = re.compile(r"(?:at `\$\.|field `)(\w+)")
"""Where the field stands in what the JSON library says."""


def wish_words(loop: Loop, told: Instruction, language: str) -> str:
    """What would be done, of an instruction that makes no entry."""
    words, texts = Words(loop.table.game, language), web_texts(language)
    match told:
        case told_as.Lock(locked=locked):
            return texts["director.lock" if locked else "director.unlock"]
        case told_as.Report(code=code, seat=seat, cards=cards, count=count):
            what = " ".join(cards) if cards else "" if count is None else str(count)
            notice = notice_of(code, note_text(seat, what))
            said = words.notice(notice, Length.SENTENCE) if notice is not None else code
        case told_as.Sign(code=code, text=text):
            notice = notice_of(code, text)
            said = words.notice(notice, Length.SENTENCE) if notice is not None else words.choice(code, Length.LINE)
        case told_as.Correct():
            said = _chosen(words, loop.table.game, told)
        case told_as.UseDeck(deck=deck):
            said = deck
        case told_as.Setting(key=key, value=value):
            title = texts.get(f"director.setting.{key.partition(':')[0]}", key)
            said = f"{title}: {texts.get(f'director.value.{value}', value)}"
        case _:
            said = ""
    title = texts.get(f"director.{told.__struct_config__.tag}", "")
    return _plain(f"{title}: {said}" if title and said else title or said)


def _chosen(words: Words, game: Game, told: told_as.Correct) -> str:
    if told.rules is not None:
        return words.rule_set(told.rules)
    if told.way is not None:
        return words.choice(f"way:{told.way}", Length.LINE)
    return _option(words, game, told.option or "", told.value or "")


def _option(words: Words, game: Game, name: str, value: str) -> str:
    kind = game.options.get(name)
    read = kind.parse(value) if kind is not None else None
    said = words.value(read) if isinstance(kind, Choice) and read is not None else value
    return f"{words.option(name)}: {said}" if kind is not None else f"{name}: {value}"


def unfit_words(problem: str, wanted: Mapping[str, Any], language: str) -> str:
    """Why an instruction cannot be read, where a page can have sent it: by the field that is not as it has to be."""
    texts, found = web_texts(language), FIELD.search(problem)
    field = found[1] if found is not None else ""
    if not field and "reason" in problem:
        field = "reason"
    if not field and wanted.get("kind") == "set-name":
        field = "name"
    return texts.get(f"director.unfit.{field}", texts["director.unfit"])


def comment_words(match: Match, words: Words, language: str, line: str) -> str | None:
    """A comment of the table in words; None for one that has none."""
    text, _, _ = line.removeprefix("#").partition(";")
    text = text.strip()
    if line.startswith(COMMENT):
        return _plain(_corrected(match, words, web_texts(language), text.partition(":")[2].strip()))
    code, _, what = text.partition(":")
    if code == ACCEPTED:
        noted, _, of = what.strip().partition(":")
        notice = notice_of(noted, of.strip())
        if notice is not None:
            return _plain(f"{words.choice('accept', Length.LINE)}: {words.notice(notice, Length.SENTENCE)}")
    return None


def _corrected(match: Match, words: Words, texts: Mapping[str, str], changed: str) -> str:
    said = [_line(match, words, texts, *one.partition(": ")[::2]) for one in LINE.split(changed) if ": " in one]
    what = ", ".join(one for one in said if one) or texts["journal.by-file"]
    return texts["journal.corrected"].format(what=what)


def _line(running: Match, words: Words, texts: Mapping[str, str], key: str, value: str) -> str:
    """A line of a header in words; empty for one that says nothing to people."""
    match key:
        case "scores":
            scores = zip(running.table.sides, value.split(), strict=False)
            told = ", ".join(f"{side_name(words, running, side[0])}: {score}" for side, score in scores)
            return texts["journal.scores"].format(scores=told)
        case "names":
            return texts["journal.names"].format(names=value)
        case "rules":
            return words.rule_set(value) if value in running.table.game.rule_sets else value
        case "option":
            name, _, chosen = value.partition(" = ")
            return _option(words, running.table.game, name, chosen)
        case "hands":
            return texts.get(f"journal.hands.{value}", value)
        case _ if key == WAY:
            return words.choice(f"way:{value}", Length.LINE)
    return ""


def _plain(text: str) -> str:
    return text.replace(NO_BREAK_SPACE, " ")
