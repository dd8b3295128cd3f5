"""Who has not all cards yet is told by name wherever a name has room."""

from collections.abc import Callable

import pytest
from contact_sheet import Play

from engine.game import games
from firmware.drawing import Canvas
from firmware.lacking import lacking
from firmware.low_screens import paint_low
from firmware.reading import shows
from firmware.scanning import SCANNING
from firmware.screens import paint
from firmware.seatview import DealingView, SeatView
from firmware.ways import Way
from firmware.words import LANGUAGES, Length, Words

NAMES = ("Konstantin", "Аполлинария", "Ann", "", "Konstanze", "Cleo")


@pytest.mark.parametrize(
    ("seats", "letters", "said"),
    [
        ((1, 2), 40, "Konstantin:3 Аполлинария:3"),
        ((1, 2), 17, "Konsta:3 Аполли:3"),
        ((1, 2, 3), 19, "Kons:3 Апол:3 Ann:3"),
        ((2, 4), 10, "Апол:3 4:3"),
        ((1, 5), 40, "Konstantin:3 Konstanze:3"),
        ((1, 5), 17, "1:3 5:3"),
        ((1, 2, 3), 15, "Kon:3 Апо:3 …"),
        ((1, 2), 3, "…"),
    ],
)
def test_names_are_cut_alike_so_that_all_have_room(seats: tuple[int, ...], letters: int, said: str) -> None:
    assert lacking([(seat, 3) for seat in seats], NAMES, letters) == said


def test_without_names_there_are_the_numbers_of_seats() -> None:
    assert lacking([(1, 3), (2, 5)], (), 13) == "1:3 2:5"


def test_a_sentence_has_room_for_all_of_them() -> None:
    words = Words(games()["pepper"]).among(("Konstantin", "Аполлинария", "Ann", "Cleo"))
    said = words.table("missing", Length.SENTENCE, missing=((1, 3), (2, 5)))
    assert "Konstantin:3 Аполлинария:5" in said


def scanning(names: tuple[str, ...], counts: tuple[int, ...]) -> SeatView:
    dealing = DealingView(4, 0, counts, 6, way=Way.SCAN_IN, begun=True)
    return Play(4, names=names[:4]).seen(1, dealing=dealing, question=SCANNING)._replace(names=names)


@pytest.mark.few(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("painted", [paint, paint_low])
def test_displays_name_them_and_let_the_rest_come_round(painted: Callable[..., Canvas], language: str) -> None:
    words = Words(games()["pepper"], language)
    two = painted(scanning(NAMES, (6, 3, 1, 6)), words)
    assert any(shows(two.image, f"{name}:3 Ann:5") for name in ("Аполлинар", "Аполлинария"))
    assert two.round == 0
    six = scanning(NAMES, (1, 3, 1, 2, 4, 5))
    images = [painted(six, words, shift).image for shift in range(0, painted(six, words).round, 2)]
    for name in ("Konstantin:5", "Аполлинария:3", "Ann:5", "4:4", "Konstanze:2", "Cleo:1"):
        assert any(shows(image, name) for image in images), name
