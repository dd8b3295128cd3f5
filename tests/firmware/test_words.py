"""The catalogues: every code has its words, in each language and at each length, and they fit where they are shown."""

import ast
import io
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import IO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from contact_sheet import MESSAGES, message_scenes, scenes

import engine
import firmware
from engine.answers import check_record
from engine.cards import parse_card
from engine.game import games
from engine.record import read_record
from engine.values import Fact, Notice, Refusal
from firmware.glyphs import Font, has, width, wrap
from firmware.seatview import TableText
from firmware.words import LANGUAGES, Length, Words

PEPPER = games()["pepper"]
ENGINE, FIRMWARE = Path(engine.__file__).parent, Path(firmware.__file__).parent
CATALOGUES = {game: ENGINE / game / "locale" for game in ("pepper", "possession", "vazhushal")} | {
    "tableref": FIRMWARE / "locale"
}
CONSTRUCTORS = {
    "Refusal": "refusal",
    "Notice": "notice",
    "TableText": "table",
    "Ask": "ask",
    "Pick": "ask",
    "Typing": "ask",
    "Wording": "table",
}
METHODS = {"_say": "table", "_line": "table", "table": "table"}
"""Calls by whose first argument a code is worded, and the kind of its words."""


@cache
def catalogue(domain: str, language: str) -> Catalog:
    with (CATALOGUES[domain] / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        return read_po(file, language, domain)


@cache
def texts(language: str) -> dict[tuple[str, str], str]:
    """Every text of a language by its id and length."""
    return {
        (str(message.id), str(message.context)): str(message.string)
        for domain in CATALOGUES
        for message in catalogue(domain, language)
        if message.id
    }


def messages(file: IO[bytes]) -> dict[tuple[str, str], str]:
    """The messages of a compiled catalogue, without its head."""
    return {(str(message.id), str(message.context)): str(message.string) for message in read_mo(file) if message.id}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


# Which codes there are


def codes_in(source: Path) -> Iterator[tuple[str, str]]:
    """The kinds and codes that a source makes messages of."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        if isinstance(node.func, ast.Name):
            kind = CONSTRUCTORS.get(node.func.id)
        else:
            kind = METHODS.get(node.func.attr) if isinstance(node.func, ast.Attribute) else None
        if kind is not None:
            for code in strings_in(node.args[0]):
                yield kind, code
        if isinstance(node.func, ast.Name) and node.func.id == "Pick":
            yield from (("choice", code) for choice in ast.walk(node.args[1]) for code in choices_in(choice))


def choices_in(node: ast.AST) -> Iterator[str]:
    """The choice that a node writes out; one with a value has its own words beside it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and ":" not in node.value:
        yield node.value


def strings_in(node: ast.expr) -> Iterator[str]:
    """The texts that an expression can be: itself, or one side of a condition, or those of a mapping."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from strings_in(node.body)
        yield from strings_in(node.orelse)


@cache
def all_codes() -> list[tuple[str, str]]:
    sources = [*ENGINE.rglob("*.py"), *FIRMWARE.rglob("*.py")]
    found = {pair for source in sources for pair in codes_in(source)}
    # What is no literal beside its constructor.
    found |= {("refusal", "match-over"), ("refusal", "deal-over"), ("refusal", "wrong-phase")}
    found |= {
        ("choice", code)
        for code in (
            "little",
            "big",
            "pass",
            "none",
            "undo",
            "go-on",
            "dealt",
            "stay",
            "next-match",
            "end",
            "lock",
            "unlock",
            "show-again",
        )
    }
    found |= {("phase", code) for code in ("auction", "trump", "play", "over")}
    found |= {("device", code) for code in ("reader", "display", "buttons", "led", "buzzer")}
    return sorted(found)


def test_the_codes_are_found_in_the_sources() -> None:
    found = all_codes()
    assert {("refusal", "must-follow-suit"), ("notice", "revoke"), ("table", "not-saved"), ("ask", "menu")} <= set(
        found
    )
    assert ("table", "card-to-you") in found
    assert len(found) > 70


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "code"), all_codes())
def test_every_code_has_words_at_each_length(kind: str, code: str, language: str) -> None:
    known = texts(language)
    missing = [length.value for length in Length if not known.get((f"{kind}.{code}", length.value))]
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_a_true_screen_has_words(language: str) -> None:
    known = texts(language)
    codes = {f"ask.{scene.seen.ask.prompt}" for scene in scenes() if scene.seen.ask is not None}
    codes |= {
        f"choice.{choice}"
        for scene in scenes()
        if scene.seen.ask is not None
        for choice in scene.seen.ask.choices
        if not choice.isdigit() and choice not in "CDHS"
    }
    assert {code for code in codes if (code, "oled") not in known} == set()
    assert {"ask.bid", "ask.trump", "ask.play", "choice.pass"} <= codes


# The two languages, and what is compiled


@pytest.mark.parametrize("domain", CATALOGUES)
def test_both_languages_say_the_same_things(domain: str) -> None:
    english, russian = (
        {(message.id, message.context) for message in catalogue(domain, language)} for language in LANGUAGES
    )
    assert english == russian


def test_no_language_knows_a_placeholder_that_another_lacks_at_every_length() -> None:
    english, russian = texts("en"), texts("ru")
    for key, _ in english:
        used = [
            set().union(*(placeholders(known[key, length.value]) for length in Length)) for known in (english, russian)
        ]
        assert used[0] == used[1], key


@pytest.mark.parametrize("domain", CATALOGUES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(domain: str, language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(domain, language))
    compiled.seek(0)
    shipped = CATALOGUES[domain] / language / "LC_MESSAGES" / f"{domain}.mo"
    with shipped.open("rb") as file:
        assert messages(file) == messages(compiled), "run `make catalogues`"


@pytest.mark.parametrize("domain", CATALOGUES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_twice(domain: str, language: str) -> None:
    text = (CATALOGUES[domain] / language / "LC_MESSAGES" / f"{domain}.po").read_text(encoding="utf-8")
    assert text.count("\nmsgctxt ") == sum(1 for message in catalogue(domain, language) if message.id)


# What is shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.code)
def test_a_message_is_said_whole(message: Refusal | Notice | TableText, language: str) -> None:
    words = Words(PEPPER, language)
    for length in Length:
        text = words.message(message, length)
        assert text != message.code
        assert "{" not in text
        assert "None" not in text


KINDS: dict[type, str] = {Refusal: "refusal", Notice: "notice", TableText: "table"}


@cache
def messages_of_records() -> dict[str, dict[Refusal | Notice, None]]:
    """What is said, by game, in all the records that the rules are tested with."""
    said: dict[str, dict[Refusal | Notice, None]] = {}
    for path in sorted((ENGINE.parent / "tests" / "records").glob("*/[!b]*.ctr")):
        _, answers = check_record(read_record(path.read_text(encoding="utf-8")))
        for answer in answers:
            brought = [answer.ruling.refusal] if answer.ruling.refusal else answer.ruling.notices
            said.setdefault(path.parent.name, {}).update(dict.fromkeys(brought))
    return said


@pytest.mark.few(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", sorted(set(CATALOGUES) - {"tableref"}))
def test_all_that_is_said_in_a_game_is_said_whole(game: str, language: str) -> None:
    words = Words(games()[game], language)
    for message in messages_of_records()[game]:
        for length in Length:
            text = words.message(message, length)
            assert text != message.code, message
            assert "{" not in text, message
            assert "None" not in text, message


def test_a_message_of_every_code_is_tried() -> None:
    tried = {(KINDS[type(message)], message.code) for message in MESSAGES}
    tried |= {(KINDS[type(message)], message.code) for said in messages_of_records().values() for message in said}
    said = {pair for pair in all_codes() if pair[0] in ("refusal", "notice")}
    assert said - tried == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_fits_its_place_on_a_display(language: str) -> None:
    words = Words(PEPPER, language)
    for scene in message_scenes():
        assert scene.seen.message is not None
        short = words.message(scene.seen.message, Length.OLED)
        assert width(short, Font.TEXT) <= 128, short
        line = words.message(scene.seen.message, Length.LINE)
        assert not wrap(line, Font.TEXT, 126, 2)[-1].endswith("…"), line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["tap", "choose", "hidden-list", "card-to-you"])
def test_a_hint_fits_the_foot_line(code: str, language: str) -> None:
    length = Length.LINE if code == "card-to-you" else Length.OLED
    assert width(Words(PEPPER, language).table(code, length), Font.TINY) <= 126


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("font", [Font.TINY, Font.SMALL, Font.TEXT])
def test_every_letter_has_a_glyph_in_the_fonts_of_long_texts(font: Font, language: str) -> None:
    letters = {letter for (_, length), text in texts(language).items() if length != "sentence" for letter in text}
    lacked = {letter for letter in letters if not has(letter, font)}
    assert lacked <= (set("◀▶") if font is Font.SMALL else set())  # head and foot lines show those


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("font", [Font.BOLD, Font.LARGE])
def test_every_letter_of_a_short_text_has_a_glyph_in_the_large_fonts(font: Font, language: str) -> None:
    letters = {letter for (_, length), text in texts(language).items() if length == "oled" for letter in text}
    assert {letter for letter in letters if not has(letter, font)} <= set("◀▶")


# How facts are worded


def refused(language: str, length: Length, code: str, **facts: Fact) -> str:
    return Words(PEPPER, language).refusal(Refusal(code, "", tuple(facts.items())), length)


def test_cards_and_suits_have_their_signs() -> None:
    card = parse_card("10H")
    assert refused("en", Length.LINE, "must-follow-suit", card=card, suit="D") == "Take 10♥ back, follow\u00a0♦"
    assert (
        refused("ru", Length.LINE, "must-follow-suit", card=card, suit="D") == "Верните 10♥, ходите в\u00a0масть\u00a0♦"
    )


def test_a_bid_is_worded_as_long_as_the_text_around_it() -> None:
    assert refused("en", Length.OLED, "bid-too-low", bid="2", standing="little") == "Above little!"
    assert refused("en", Length.LINE, "bid-too-low", bid="2", standing="little") == "Bid higher than little pepper"


def test_points_have_signs_and_totals_have_none() -> None:
    scored = Notice("deal-scored", (("points", ((1, -6), (2, 3))), ("scores", ((1, 20), (2, -4)))))
    assert Words(PEPPER).notice(scored, Length.LINE) == "Deal -6 : +3, total 20 : -4"


def test_the_winning_sides_are_listed() -> None:
    won = Notice("match-won", (("winners", (1, 3)), ("scores", ((1, 31), (2, 9), (3, 31)))))
    assert Words(PEPPER).notice(won, Length.OLED) == "Side 1, 3 wins"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The game goes on. Lost: reader"), ("ru", "Сбой: считыватель; игра идёт дальше")]
)
def test_a_lost_device_is_named_in_the_language(language: str, said: str) -> None:
    lost = TableText("device-lost", (("device", "seat 2 reader"),), bad=True)
    assert Words(PEPPER, language).message(lost, Length.LINE) == said


@pytest.mark.parametrize(("language", "said"), [("en", "Button stuck: ◀"), ("ru", "Залипла кнопка ◀")])
def test_a_stuck_button_is_named_by_its_sign(language: str, said: str) -> None:
    stuck = TableText("button-stuck", (("button", "left"),), bad=True)
    assert Words(PEPPER, language).message(stuck, Length.OLED) == said


def test_the_dealing_pad_is_no_reader_of_a_seat() -> None:
    lost = TableText("device-lost", (("device", "dealing reader"),), bad=True)
    assert Words(PEPPER).message(lost, Length.LINE) == "The game goes on. Lost: dealing pad"
    assert "площадка для сдачи" in Words(PEPPER, "ru").message(lost, Length.SENTENCE)


def test_a_joker_is_no_suit() -> None:
    words = Words(PEPPER)
    assert words.card(parse_card("JK")).startswith("JK")
    assert words.card(parse_card("JS")) == "J♠"


def test_a_code_without_words_is_said_as_it_is() -> None:
    words = Words(PEPPER)
    assert words.refusal(Refusal("no-such-code", "9"), Length.LINE) == "no-such-code"
    assert words.notice(Notice("no-such-code"), Length.OLED) == "no-such-code"
    assert words.choice("7", Length.OLED) == "7"
    assert words.ask("nothing", Length.OLED) == "nothing"
    assert words.phase("nothing", Length.OLED) == "nothing"
    assert words.table("nothing", Length.OLED) == "nothing"


def test_a_game_words_its_own_codes_before_the_table_does() -> None:
    assert Words(PEPPER).ask("play", Length.OLED) == "Play a card"
    assert Words(PEPPER).ask("menu", Length.OLED) == "Menu"


def test_a_language_without_a_catalogue_gives_codes() -> None:
    assert Words(PEPPER, "xx").refusal(Refusal("match-over", ""), Length.LINE) == "match-over"
