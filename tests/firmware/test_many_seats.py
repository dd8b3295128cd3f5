"""However many seats there are, and however high the totals: the sentence that a screen is about is whole."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest
from test_pile_screens import random_matches, seen_by, states_of_asking, watched, words

from engine.match import to_act
from engine.values import Notice
from engine.view import Block, Notices, Score
from firmware.drawing import Canvas
from firmware.low_screens import draw_low, paint_low
from firmware.reading import shows
from firmware.screens import draw, paint
from firmware.seatview import DealingView, SeatView, TableText
from firmware.totals import totals_beside
from firmware.ways import Way
from firmware.words import LANGUAGES, Words

NAMES = ("Konstantin", "Аполлинария", "Maximilian", "Valentina", "Александр", "Cleo")
TOTALS = (120, -95, 1340, 1405, -55, 1999)
TABLES = [
    *(("possession", "melds", seats) for seats in range(2, 5)),
    *(("vazhushal", "wipe", seats) for seats in range(2, 7)),
]


def with_totals(seen: SeatView, *more: Block, over: bool = False) -> SeatView:
    """The same late in a match."""
    blocks = (
        block._replace(totals=TOTALS[: len(block.sides)], over=over, winners=(1,) if over else ())
        if isinstance(block, Score)
        else block
        for block in seen.view.blocks
        if not isinstance(block, Notices)
    )
    return seen._replace(view=seen.view._replace(blocks=(*blocks, *more)))


def scenes(game: str, rules: str, seats: int, named: bool) -> Iterator[SeatView]:
    """What all seats see in a deal, before it, and when it went wrong."""
    names = NAMES[:seats] if named else ()
    points = tuple(enumerate(TOTALS[:seats], 1))
    scored = Notices((Notice("deal-scored", (("points", points), ("scores", points))),))
    for number, match in enumerate(random_matches(game, rules, seats, True, 3, 18)):
        if number % 6:
            continue
        acting = to_act(match)
        for seat in range(1, seats + 1):
            plain = seen_by(match, seat, names=names)
            asked = states_of_asking(match, seat, Random(1)) if seat in acting else (plain,)
            yield from (with_totals(seen._replace(names=names)) for seen in asked)
            if number:
                continue
            yield with_totals(plain._replace(message=TableText("restarted", bad=True)))
            for way in Way:
                for dealer in (1, 2):
                    dealing = DealingView(dealer, 2 if way is Way.PAD else 0, (0,) * seats, 13, way=way)
                    for begun in (False, True):
                        now = dealing._replace(begun=begun)
                        yield with_totals(plain._replace(ask=None, dealing=now))
                        yield with_totals(plain._replace(ask=None, dealing=now), scored)


@cache
def all_scenes(game: str, rules: str, seats: int, named: bool) -> tuple[SeatView, ...]:
    return tuple(scenes(game, rules, seats, named))


@pytest.mark.few(2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(("game", "rules", "seats"), TABLES)
def test_no_total_cuts_a_sentence(game: str, rules: str, seats: int, named: bool, language: str) -> None:
    for seen in all_scenes(game, rules, seats, named):
        for drawing in (draw, draw_low):
            with watched() as drawn:
                drawing(seen, words(game, language))
            assert (drawn.cut, drawn.past_edge) == ([], []), drawing


def at_six(seat: int) -> SeatView:
    match = next(random_matches("vazhushal", "wipe", 6, True, 3, 1))
    return with_totals(seen_by(match, seat, names=NAMES))


@pytest.mark.parametrize("seat", range(1, 7))
def test_the_own_total_stays_beside_a_sentence(seat: int) -> None:
    assert shows(draw(at_six(seat), words("vazhushal")).crop((64, 0, 128, 8)), str(TOTALS[seat - 1]))


@pytest.mark.parametrize("painted", [paint, paint_low])
def test_all_totals_are_there_for_who_peeks(painted: Callable[[SeatView, Words], Canvas]) -> None:
    seen = at_six(2)._replace(peeking=True)
    low = tuple(
        block._replace(totals=(5, 12, 0, 31, 7, 18)) if isinstance(block, Score) else block
        for block in seen.view.blocks
    )
    short = seen._replace(view=seen.view._replace(blocks=low))
    assert shows(painted(short, words("vazhushal")).image, "12:5:0:31:7:18")
    assert painted(seen, words("vazhushal")).round > 128, "too long for the line: it goes round"


def test_all_totals_are_there_when_the_match_is_over() -> None:
    seen = with_totals(at_six(2)._replace(ask=None), over=True)
    picture = draw(seen, words("vazhushal"))
    assert shows(picture, "-95 : 120 : 1340")
    assert shows(picture, "1405 : -55 : 1999")
    assert paint_low(seen, words("vazhushal")).round > 128


@pytest.mark.parametrize(
    ("letters", "said"), [(12, "20:10:30→100"), (16, "20:10:30"), (18, "20→100"), (22, "20"), (23, "")]
)
def test_what_is_said_of_the_score_gets_shorter_with_the_room(letters: int, said: str) -> None:
    score = Score(((1,), (2,), (3,)), (10, 20, 30), 100, 1, False, ())
    assert totals_beside(score, 2, "x" * letters, 128) == said
