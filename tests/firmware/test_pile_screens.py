"""Displays of games with piles, discard lines and melds: all that matters, whole, in its place, in both languages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from contact_sheet import LONG_NAMES, NAMES, Scene
from lying_cards import RULE_SETS, by_verb, deal_of, lay, some
from PIL import Image

import firmware.drawing
from engine import entries
from engine.asks import END, Ask, Token
from engine.cards import UNKNOWN, Card, parse_card
from engine.entries import Entry
from engine.game import Dealt, games
from engine.match import Match, Standing, Table, ask, begin, lay_table, to_act, view
from engine.pieces import piece
from engine.referee import Referee
from engine.values import Action
from engine.view import Block, Hand, Line, Piles, Score, Turn, View
from firmware.choice_rows import row_width
from firmware.composer import Composer
from firmware.dealing import Dealing
from firmware.drawing import Canvas
from firmware.faces import Size, face_picture
from firmware.glyphs import Font, fit, render, wrap
from firmware.narrowing import card_of, is_step
from firmware.pile_rows import hand_counts, meld_name
from firmware.reading import shows
from firmware.screens import draw
from firmware.seatview import Message, SeatView
from firmware.words import LANGUAGES, Length, Words

Box = tuple[int, int, int, int]


@cache
def words(game: str = "possession", language: str = "en") -> Words:
    return Words(games()[game], language)


def seen_by(
    match: Match,
    seat: int,
    given: tuple[Token, ...] = (),
    cursor: int | None = None,
    names: Sequence[str] = (),
    path: tuple[str, ...] = (),
    **more: Any,
) -> SeatView:
    """What a seat's display is drawn from, in the middle of a deal."""
    answer = ask(match, seat, given)
    composer = Composer()
    composer.path = path
    asked = composer.row(answer).ask if isinstance(answer, Ask) else None
    plain = SeatView(seat, view(match, seat), asked, cursor, given, None, None, False, True, tuple(names), ())
    return plain._replace(**more)


def items(seen: SeatView) -> tuple[Token, ...]:
    return Composer().items(seen.ask) if seen.ask is not None else ()


# Scenes of true deals


def table_of(game: str, rules: str = "standard", seats: int = 2, tracked: bool = True) -> Table:
    return lay_table(games()[game], seats, rules, tracked)


def random_matches(game: str, rules: str, seats: int, tracked: bool, seed: int, most: int) -> Iterator[Match]:
    """The states of one random deal."""
    chance, table = Random(seed), table_of(game, rules, seats, tracked)
    referee = Referee(begin(table))
    assert referee.rule(deal_of(table, 1, lay(chance, table, 1))).refusal is None
    for _ in range(most):
        yield referee.match
        actions = some(referee.match, 200)
        if not actions:
            return
        assert referee.rule(by_verb(chance, actions)).refusal is None


def states_of_asking(match: Match, seat: int, chance: Random) -> Iterator[SeatView]:
    """What the display shows from question to question, while the seat gives what it is offered."""
    given: tuple[Token, ...] = ()
    for _ in range(6):
        seen = seen_by(match, seat, given)
        if seen.ask is None:
            return
        yield seen
        offered = items(seen)
        if not offered:
            return
        for cursor in {0, chance.randrange(len(offered)), len(offered) - 1}:
            yield seen._replace(cursor=cursor)
        token = chance.choice(offered)
        path: tuple[str, ...] = ()
        while isinstance(token, str) and is_step(token):
            path = (*path, token)
            narrowed = seen_by(match, seat, given, cursor=0, path=path)
            yield narrowed
            token = chance.choice(items(narrowed))
        card = card_of(token)
        given = (*given, token if card is None else card)


TABLES = [(game, rules, seats, tracked) for game, rules in RULE_SETS for seats, tracked in ((3, True), (2, False))]


def scenes_of(game: str, rules: str, seats: int, tracked: bool, seed: int, most: int, every: int) -> Iterator[Scene]:
    chance = Random(seed)
    names = {0: (), 1: NAMES[:seats], 2: LONG_NAMES[:seats]}[seed % 3]
    for number, match in enumerate(random_matches(game, rules, seats, tracked, seed, most)):
        if number % every:
            continue
        acting = to_act(match)
        for seat in range(1, seats + 1):
            title = f"{game} {rules} {seats} {number} {seat}"
            if seat in acting:
                for seen in states_of_asking(match, seat, chance):
                    yield Scene(title, seen._replace(names=names))
                    yield Scene(title, seen._replace(names=names, tapping=False))
            else:
                yield Scene(title, seen_by(match, seat, names=names))
        yield Scene(f"{title} peeks", seen_by(match, acting[0] if acting else 1, names=names, peeking=True))


# Nothing is cut, nothing runs into another


class Drawn:
    """What was drawn: the texts that were cut or ran off the display, and the box of pixels that each part changed."""

    def __init__(self) -> None:
        self.cut: list[str] = []
        self.past_edge: list[str] = []
        self.texts: set[str] = set()
        self.boxes: list[tuple[str, Box]] = []


PARTS = ("text", "strip", "chip", "chips", "hand", "choices", "mixed", "bar")


@contextmanager
def watched() -> Iterator[Drawn]:
    """While this holds, all that is drawn on canvases is noted, a part as one."""
    drawn, busy, trying = Drawn(), False, False

    def noting(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(canvas: Canvas, *given: Any, **named: Any) -> Any:
            nonlocal busy, trying
            if busy:
                return method(canvas, *given, **named)
            blank, busy, trying = Canvas(canvas.columns, canvas.rows), True, True
            try:
                method(blank, *given, **named)
                trying = False
                result = method(canvas, *given, **named)
            finally:
                busy = trying = False
            box = blank.image.getbbox()
            if box is not None:
                drawn.boxes.append((name, box))
            return result

        return wrapped

    plain_text = Canvas.text

    def writing(canvas: Canvas, x: int, y: int, said: str, *given: Any, **named: Any) -> int:
        end = plain_text(canvas, x, y, said, *given, **named)
        font = given[0] if given else Font.TEXT
        if trying:
            return end
        drawn.texts.add(said)
        if end - render(said, font).width < 0 or end > canvas.columns + 2 or y + font.height > canvas.rows + 4:
            drawn.past_edge.append(said)
        return end

    def fitting(said: str, font: Any, room: int) -> str:
        kept = fit(said, font, room)
        drawn.cut += [said] if kept != said and not trying else []
        return kept

    def wrapping(said: str, font: Any, room: int, lines: int) -> list[str]:
        kept = wrap(said, font, room, lines)
        whole = "".join("".join(kept).split()) == "".join(said.split())
        drawn.cut += [said] if not whole and not trying else []
        return kept

    plain_round = Canvas.going_round

    def going(canvas: Canvas, x: int, y: int, said: str, *given: Any, **named: Any) -> None:
        plain_round(canvas, x, y, said, *given, **named)
        drawn.cut = [cut for cut in drawn.cut if cut != said]  # its end comes round

    parts: dict[str, Any] = {name: noting(name, getattr(Canvas, name)) for name in PARTS}
    parts["text"] = noting("text", writing)
    parts["going_round"] = noting("going_round", going)
    with patch.multiple(Canvas, **parts), patch.multiple(firmware.drawing, fit=fitting, wrap=wrapping):
        yield drawn


def problems(scene: Scene, words: Words) -> list[str]:
    """What is wrong with a picture."""
    with watched() as drawn:
        draw(scene.seen, words)
    names = tuple(name for name in scene.seen.names if name)
    found = [f"cut: {text}" for text in drawn.cut if not (names and text.startswith(names))]
    found += [f"past the edge: {text}" for text in drawn.past_edge]
    found += [] if drawn.boxes else ["nothing drawn"]
    for (one, box), (other, another) in combinations(drawn.boxes, 2):
        replaced = one == other == "strip" and box == another  # a line that is filled as a whole
        apart = replaced or (
            box[2] <= another[0] or another[2] <= box[0] or box[3] <= another[1] or another[3] <= box[1]
        )
        found += [] if apart else [f"{one} {box} over {other} {another}"]
    return found


def assert_whole(scenes: Iterator[Scene], game: str) -> int:
    count = 0
    for scene in scenes:
        for language in LANGUAGES:
            assert problems(scene, words(game, language)) == [], (scene.title, language, scene.seen)
        count += 1
    return count


@pytest.mark.few(1)
@pytest.mark.parametrize(("game", "rules", "seats", "tracked"), TABLES)
def test_nothing_is_cut_and_nothing_runs_into_another(game: str, rules: str, seats: int, tracked: bool) -> None:
    seed = TABLES.index((game, rules, seats, tracked))
    assert assert_whole(scenes_of(game, rules, seats, tracked, seed, most=13, every=4), game) > 10


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("game", "rules", "seats", "tracked"), TABLES)
def test_nothing_is_cut_in_long_deals(game: str, rules: str, seats: int, tracked: bool, seed: int) -> None:
    assert_whole(scenes_of(game, rules, seats, tracked, seed, most=80, every=3), game)


def test_the_watch_sees_a_cut_and_an_overlap() -> None:
    with watched() as drawn:
        canvas = Canvas()
        canvas.strip(0, "far too long a line for a display of so few columns")
        canvas.mixed(20, ["one"], ["9♣"], None)
        canvas.text(3, 22, "two")
        canvas.text(120, 40, "three")
    assert len(drawn.cut) == 1
    assert drawn.past_edge == ["three"]
    assert [name for name, _ in drawn.boxes] == ["strip", "mixed", "text", "text"]


# What stands there


class Game:
    """A match that is entered entry by entry."""

    def __init__(self, game: str, rules: str = "standard", seats: int = 2, tracked: bool = True) -> None:
        self.referee = Referee(begin(table_of(game, rules, seats, tracked)))

    def enter(self, *given: Entry) -> "Game":
        for entry in given:
            assert self.referee.rule(entry).refusal is None, entry
        return self

    def deal(self, turn_up: str, *hands: str, buried: str = "", dealer: int = 1) -> "Game":
        seats = self.referee.match.table.seats
        dealt = tuple(tuple(map(parse_card, hand.split())) for hand in hands) or (None,) * seats
        turned = tuple(map(parse_card, turn_up.split()))
        return self.enter(entries.Deal(dealer, Dealt(dealt, turned, buried=parse_card(buried) if buried else None)))

    def act(self, *lines: str) -> "Game":
        game = self.referee.match.table.game
        for line in lines:
            seat, verb, *rest = line.split()
            self.enter(Action(int(seat), verb, game.parse(verb, rest)))
        return self

    def seen(self, seat: int, *given: str, **more: Any) -> SeatView:
        match = self.referee.match
        tokens: tuple[Token, ...] = ()
        for word in given:
            answer = ask(match, seat, tokens)
            assert isinstance(answer, Ask)
            tokens = (*tokens, word if word in (*answer.choices, END) else parse_card(word))
        return seen_by(match, seat, tokens, **more)


def shown(seen: SeatView, *texts: str, game: str = "possession", language: str = "en") -> bool:
    picture = draw(seen, words(game, language))
    return all(shows(picture, text) for text in texts)


def shows_card(picture: Image.Image, face: str) -> bool:
    """Whether a card lies in one of the rows where cards are drawn, in any size, lit or not."""
    for size, selected in product(Size, (False, True)):
        chip = face_picture(face, size, selected=selected)
        wanted = chip.tobytes()
        for y, x in product((9, 10, 19, 28, 37), range(picture.width - chip.width + 1)):
            if picture.crop((x, y, x + chip.width, y + chip.height)).tobytes() == wanted:
                return True
    return False


def texts(seen: SeatView, game: str = "possession") -> set[str]:
    """The texts on a display that stand in no strip and no box."""
    with watched() as drawn:
        draw(seen, words(game))
    return drawn.texts


BUILDING = ("9C 10C 2H 3H 4H 5D 7D 9S KS", "6C 5C 2D 3D 4D 5H 7H 9D KD")
LINED = (
    "4D 5D 6D 7D 9C 9H 2S 3S 5S 10H JH KC AC",
    "4H 5H 6H 7C 8S 9S 2C 3C 5C 10D JD KS AS",
)


def building() -> Game:
    """Possession: the eight of clubs lies open, seat 1 is to build on it."""
    return Game("possession").deal("8C", *BUILDING)


def wiping() -> Game:
    """Vazhushal: seat 1 is in the middle of its turn."""
    return Game("vazhushal").deal("QC", *LINED).act("1 exchange 2S 8C")


def test_the_top_card_what_is_left_to_draw_and_the_hands_are_shown() -> None:
    play = building()
    acting = to_act(play.referee.match)[0]
    for seat in (1, 2):
        assert {"stock 33", "9:9"} <= texts(play.seen(seat))
    assert shown(play.seen(3 - acting), f"Seat {acting} to act")


def test_the_question_stands_in_large_letters_and_in_the_head_line_while_one_chooses() -> None:
    play = building()
    acting = to_act(play.referee.match)[0]
    for language, question in (("en", "Your turn"), ("ru", words("possession", "ru").ask("turn", Length.OLED))):
        assert shown(play.seen(acting), question, language=language)
        picture = draw(play.seen(acting, cursor=0), words("possession", language))
        assert shows(picture.crop((0, 0, 128, 8)), question)


def test_own_cards_show_only_while_the_cursor_is_on_them() -> None:
    play = building()
    acting = to_act(play.referee.match)[0]
    seen, chosen, other = play.seen(acting), play.seen(acting, cursor=0), play.seen(3 - acting)
    assert seen.ask is not None
    own = [words().card(card) for card in seen.ask.cards]
    assert own
    for face in own:
        assert shows_card(draw(chosen, words()), face)
        assert not shows_card(draw(seen, words()), face)
        assert not shows_card(draw(other, words()), face)


def test_what_was_given_stands_above_what_is_offered() -> None:
    play = wiping()
    seen = play.seen(1, "meld", "4D", "5D", cursor=0)
    picture = draw(seen, words("vazhushal"))
    above = picture.crop((0, 8, 128, 30))
    assert shows(above, "meld")
    assert shows(above, "4♦")
    assert shows(above, "5♦")
    assert not shows(above, "6♦")
    assert shown(play.seen(1, "meld", "4D", "5D"), "2", game="vazhushal")


def test_how_many_cards_were_given_is_told_before_one_chooses() -> None:
    seen = wiping().seen(1, "meld", "4D", "5D")
    for count in (1, 2):
        picture = draw(seen._replace(given=seen.given[: count + 1]), words("vazhushal"))
        foot = picture.crop((0, 56, 128, 64))
        assert [number for number in (1, 2) if shows(foot, f"{number} given")] == [count]


def test_the_line_ends_with_the_newest_card() -> None:
    play = wiping().act("1 discard AC", "2 exchange 2C 8D", "2 discard AS")
    picture = draw(play.seen(2), words("vazhushal")).crop((0, 8, 128, 24))
    right = Canvas()
    faces = [words("vazhushal").card(parse_card(card)) for card in ("QC", "AC", "AS")]
    right.chips(128 - row_width(faces, Size.MEDIUM), 9, faces, Size.MEDIUM)
    assert picture.tobytes() == right.image.crop((0, 8, 128, 24)).tobytes()


def piled(cards: Sequence[Card], stock: int | None = 20, hands: Mapping[int, int] = {1: 3, 2: 4}) -> SeatView:
    """What seat 1 sees of a line of cards while seat 2 is to act."""
    blocks: tuple[Block, ...] = (
        Score(((1,), (2,)), (0, 0), 5, 0, False, ()),
        Turn((2,), "draw", 1),
        Piles(stock, len(cards), cards[-1] if cards else None),
        Line(tuple(cards)),
        *(Hand(seat, (), count) for seat, count in hands.items()),
    )
    return SeatView(1, View(1, blocks), None, None, (), None, None, False, True, (), ())


@pytest.mark.few(1)
@pytest.mark.parametrize("count", [2, 5, 7, 12])
def test_what_is_further_back_in_a_long_line_is_hinted_at(count: int) -> None:
    cards = [Card(f"{rank}{suit}") for rank in ("9", "10", "J") for suit in "CDHS"][:count]
    faces = [words("vazhushal").card(card) for card in cards]
    seen = piled(cards)
    picture = draw(seen, words("vazhushal"))
    there = [face for face in faces if shows_card(picture, face)]
    assert len(there) >= min(count, 4)
    assert there == faces[-len(there) :]
    box = picture.crop((0, 9, 128, 23)).getbbox()
    assert box is not None
    assert box[2] == 128
    hinted = box[0] < 128 - row_width(there, Size.MEDIUM)
    assert hinted == (len(there) < count)
    assert problems(Scene("a line", seen), words("vazhushal")) == []


@pytest.mark.parametrize("cards", [[], [Card("10D")], [Card("JK'1")], [Card("JK'1"), Card("10D")]])
@pytest.mark.parametrize("stock", [None, 0, 68])
def test_piles_of_any_size_are_drawn(cards: list[Card], stock: int | None) -> None:
    seen = piled(cards, stock, {1: 13, 2: 13, 3: 13, 4: 13})
    assert problems(Scene("piles", seen), words("vazhushal")) == []
    assert shown(seen, "68", game="vazhushal") == (stock == 68)
    assert "13:13:13:13" in texts(seen, "vazhushal")


def test_hands_are_counted_from_the_viewer_s_own() -> None:
    own = Hand(3, (Card("9C"), Card("9D")), 1)
    assert hand_counts([own, Hand(1, (), 13), Hand(2, (), 0)]) == "3:13:0"
    assert hand_counts([]) == ""


def test_an_own_meld_is_named_by_its_number_and_its_ends() -> None:
    run = (int(Card("9D")), piece(int(Card("JK'1")), Card("10D").face), int(Card("JD")))
    assert meld_name(words("vazhushal"), 2, run) == "2: 9♦–J♦"
    joker_first = (piece(int(Card("JK'1")), Card("8D").face), *run[:1], int(Card("10D")))
    assert meld_name(words("vazhushal"), 1, joker_first) == "1: 8♦–10♦"


def test_the_meld_to_add_to_is_chosen_by_its_ends() -> None:
    hand = "4D 5D 6D 7D 9C 10C JC QC 2S 3S 5S 10H JH"
    play = Game("vazhushal").deal("KD", hand, "4H 5H 6H 7C 8S 9S 2C 3C 5C 10D JD KS AS")
    play.act("1 exchange 2S 8D", "1 meld 4D 5D 6D", "1 meld 9C 10C JC")
    seen = play.seen(1, "add", cursor=0)
    assert seen.ask is not None
    assert seen.ask.choices == ("to:1", "to:2")
    assert shown(seen, "1: 4♦–6♦", "2: 9♣–J♣", game="vazhushal")
    assert problems(Scene("to which meld", seen), words("vazhushal")) == []


def test_all_of_a_hand_of_twenty_is_seen_at_a_peek() -> None:
    cards = tuple(Card(f"{rank}{suit}") for rank in ("A", "9", "10", "J", "Q") for suit in "CDHS")
    seen = piled([Card("KD")], hands={2: 4})
    seen = seen._replace(view=View(1, (*seen.view.blocks, Hand(1, cards, 0))), peeking=True)
    picture = draw(seen, words())
    assert shows(picture, "20")
    lacking = [card for card in cards if not shows(picture, words().card(card))]
    assert lacking == []


@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_deal_still_needs_is_asked_for_in_words(game: str, rules: str, language: str) -> None:
    table = table_of(game, rules, tracked=False)
    deal = Dealing(table, 1)
    deal.give("dealt")
    match = begin(table)
    while (line := deal.wanted) is not None:
        said = words(game, language).ask(line, Length.OLED)
        assert said != line
        for seat, cursor in ((1, None), (2, None), (1, 0)):
            asked = Composer().row(deal.question).ask if seat == 1 and deal.question is not None else None
            seen = SeatView(seat, view(match, seat), asked, cursor, (), None, deal.view(), False, seat == 1, (), ())
            assert shown(seen, said, game=game, language=language)
            assert problems(Scene(line, seen), words(game, language)) == []
        deal.tap(Card("9D") if line == "buried" else Card("8D"))


@pytest.mark.few(2)
@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_choice_and_phase_of_a_random_deal_has_words(game: str, rules: str, language: str) -> None:
    told, lacking = words(game, language), set()
    for tracked in (True, False):
        chance = Random(tracked)
        for match in random_matches(game, rules, 2, tracked, 5, 12):
            for seat in to_act(match):
                for seen in states_of_asking(match, seat, chance):
                    assert seen.ask is not None
                    codes = [code for code in seen.ask.choices if ":" not in code]
                    lacking |= {code for code in codes if told.choice(code, Length.OLED) == code}
                    lacking |= {seen.ask.prompt} if told.ask(seen.ask.prompt, Length.OLED) == seen.ask.prompt else set()
            phase = match.deal.phase.value
            lacking |= {phase} if told.phase(phase, Length.OLED) == phase else set()
    assert {code for code in lacking if language == "ru" or code not in ENGLISH} == set()


ENGLISH = frozenset(
    ("draw", "take", "meld", "add", "pass", "play", "discard", "out", "show", "return", "declare", "end")
)
"""Codes that are the English words for what they stand for."""


def test_a_message_is_shown_instead_of_the_piles() -> None:
    play = building()
    acting = to_act(play.referee.match)[0]
    refusal = play.referee.check(Action(acting, "pass"))
    assert refusal is not None
    message: Message = refusal
    seen = play.seen(acting, message=message)
    assert shown(seen, words().message(message, Length.OLED))
    assert not shown(seen, "33")
    assert play.referee.match.standing is Standing.RUNNING
    assert UNKNOWN not in play.referee.match.deal.discards
