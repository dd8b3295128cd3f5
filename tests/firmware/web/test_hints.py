"""What a page says of the next thing to do, and the line at its foot: for as long as it is so."""

import pytest
from hands import deal, look, own, playing, show, until_asked, wait

from firmware.bench import Bench
from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from firmware.web import deeds
from firmware.web.hints import hint
from firmware.web.playing import STUCK, Playing
from firmware.web.sayings import Sayings
from hal.events import Button


def code(played: Playing, seat: int = 1) -> object:
    return hint(played, seat)["code"]


def lines(sayings: Sayings, viewer: int = 1) -> list[tuple[str, bool]]:
    """The lines of a viewer in English, and whether each is bad."""
    sayings.changed()
    heard: list[list[object]] = sayings.lines(viewer)["lines"]  # type: ignore[assignment]
    return [(said["en"], bool(bad)) for _, _, said, bad in heard]  # type: ignore[index]


def unplug(played: Playing, on: bool = True) -> None:
    """Pull the plug of the reader at seat 1, or put it back."""
    places = played.bench.table.faults.places("unplugged")
    number = next(at for at, place in enumerate(places) if place.reader == "seat 1 reader")
    played.do(deeds.Fault("unplugged", number, on=on), 1)


def test_a_refusal_is_told_at_the_foot_until_the_message_is_gone() -> None:
    with playing(furnish("pepper", 4, dealer=1)) as played:
        sayings = Sayings(played.bench)
        deal(played)
        assert until_asked(played)
        show(played, own(played)[0])
        wait(played, 0.5)
        assert code(played) == "refused"
        assert lines(sayings)[-1][1]
        played.bench.table.press(1, Button.OK)
        assert not any(bad for _, bad in lines(sayings))
        assert code(played) == "answer"


@pytest.mark.long
def test_without_a_reader_the_hint_names_the_buttons_and_the_line_goes_when_it_is_plugged_in() -> None:
    with playing(furnish("pepper", 4, dealer=1)) as played:
        sayings = Sayings(played.bench)
        deal(played)
        assert until_asked(played)
        while not look(played).offered:
            played.bench.table.choose(1, "pass" if "pass" in look(played).ask.choices else look(played).ask.choices[0])  # type: ignore[union-attr]
            assert until_asked(played)
        unplug(played)
        wait(played, 3.0)
        assert code(played) == "device-lost"
        assert lines(sayings)[-1] == ("No answer from: reader. The game goes on without.", True)
        played.bench.table.press(1, Button.OK)
        wait(played, 0.5)
        assert code(played) == "no-reader"
        assert not hint(played, 1)["reads"]
        assert not any(bad for _, bad in lines(sayings))
        unplug(played, on=False)
        wait(played, 6.0)
        assert code(played) in ("show", "show-or-answer")


def test_a_mended_device_is_no_longer_told_of_though_nobody_took_the_message_away() -> None:
    with playing() as played:
        sayings = Sayings(played.bench)
        unplug(played)
        wait(played, 2.0)
        assert any(bad for _, bad in lines(sayings))
        unplug(played, on=False)
        wait(played, 4.0)
        assert not any(bad for _, bad in lines(sayings))


def test_after_the_plug_was_pulled_the_table_is_to_be_compared() -> None:
    with playing(furnish("pepper", 4, dealer=1)) as played:
        sayings = Sayings(played.bench)
        deal(played)
        assert until_asked(played)
        show(played, own(played)[0])
        wait(played, 0.5)
        played.do(deeds.Restart(), 1)
        sayings.listen()
        wait(played, 1.0)
        assert code(played) in ("restarted", "compare")
        assert not any(bad for _, bad in lines(sayings))
        if code(played) == "restarted":
            played.bench.table.press(1, Button.OK)
            assert code(played) == "compare"


@pytest.mark.long
def test_a_card_of_the_stock_that_is_shown_at_the_wrong_time_was_not_drawn() -> None:
    with playing(furnish("possession", 4, dealer=4), seed=5) as played:
        deal(played)
        assert until_asked(played)
        played.bench.table.choose(1, "draw")
        show(played, played.bench.cards.stock[-1])
        wait(played, 1.0)
        assert until_asked(played)
        show(played, played.bench.cards.stock[-1])
        wait(played, 0.3)
        assert code(played) == "not-drawn"
        wait(played, 1.0)
        assert code(played) == "not-drawn"
        played.bench.table.press(1, Button.OK)
        show(played, next(card for card in own(played) if card not in look(played).offered))
        wait(played, 0.3)
        assert code(played) == "refused"


def test_the_line_has_whole_words_in_both_languages_and_the_names_of_players() -> None:
    file = furnish("vazhushal", 2, names=("Ann", "Ben"), dealer=1)
    with SimulatedTable(file, seed=3) as table:
        bench = Bench(table, 3)
        for seat in (1, 2):
            bench.seat_bot(seat)
        sayings = Sayings(bench)
        bench.play_until(lambda: sum(line[:1].isdigit() for line in table.loop.lines) > 4)
        heard: list[list[dict[str, str]]] = sayings.lines(0)["lines"]  # type: ignore[assignment]
        english, russian = [line[2]["en"] for line in heard], [line[2]["ru"] for line in heard]
        assert any(said.startswith("Ann: exchange") for said in english)
        assert any(said.startswith("Ann: discard") for said in english)
        assert not any("exch." in said or "disc." in said or "Seat" in said for said in english)
        assert "Ann: обменять" in russian


@pytest.mark.long
def test_a_bot_that_gets_no_further_is_named() -> None:
    with playing(furnish("pepper", 4, dealer=1)) as played:
        deal(played)
        played.bench.bots[2].poll = lambda now: None  # type: ignore[method-assign]
        wait(played, STUCK / 2)
        assert code(played) == "wait"
        wait(played, STUCK)
        assert hint(played, 1) | {"reads": True} == {"seat": 1, "code": "stuck", "of": 2, "reads": True}
