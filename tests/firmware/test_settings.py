"""What a place and the table set holds at once, on the wires, and is known again after a restart."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from at_table import BIDDEN, LED, all_bots, messages, pictures, prompted, seated, standing, take_back, write_journal
from test_lock import open_menu
from test_loop_taps import UNKNOWN_TAG, buzzer_wire, led_wire, writes

from engine import entries
from engine.cards import Card
from engine.game import games
from engine.match import to_act
from engine.notation import parse_entry
from firmware.dialogs import Enter, Pick
from firmware.furnish import furnish
from firmware.glyphs import Font, fit
from firmware.preferences import AT_FIRST, LIGHTS, SOUNDED, SOUNDS, Defaults, cue_name, light_key, sound_key
from firmware.reading import shows
from firmware.settings_menu import BRIGHTNESSES, CONTRASTS
from firmware.simulated import STEP, SimulatedTable
from firmware.words import LANGUAGES, Length, Words
from hal.cues import BUZZER_PATTERNS, LED_PATTERNS, Cue
from hal.events import Button
from hal.idle import DIM_AFTER
from hal.oled import DIM
from hal.panels import CONTRAST
from hal.sim.named_faults import At, Place
from hal.sim.trace import Trace
from hal.strip import COLOURS, WHITE
from hal.wiring import StripWiring


@contextmanager
def table_with(
    folder: Path,
    journal_entries: Sequence[str] = LED,
    trace: Trace | None = None,
    strip: bool = False,
    displays: bool = True,
    **defaults: Any,
) -> Iterator[SimulatedTable]:
    """A table of four with these defaults in its table file, whose match has got so far."""
    file = furnish("pepper", 4, dealer=4)
    wiring = file.wiring
    if strip:
        wiring = msgspec.structs.replace(wiring, strip=StripWiring(leds=8))
    if not displays:
        bare = tuple(msgspec.structs.replace(seat, display=None) for seat in wiring.seats)
        wiring = msgspec.structs.replace(wiring, seats=bare)
    file = file._replace(wiring=wiring, defaults=AT_FIRST._replace(**defaults))
    write_journal(folder / "journal.db", file, journal_entries)
    with SimulatedTable(file, folder / "journal.db", trace=trace) as table:
        for seat in (1, 2, 3, 4):
            table.press(seat, Button.OK)  # the message that the table was restarted
        table.wait(1.5)
        table.heard.clear()
        yield table


def set_at(table: SimulatedTable, place: int, *path: str) -> None:
    """Walk from the menu of a place to a setting, pick what is to be picked, and leave."""
    back = table.button(place, Button.LEFT)
    table.hold(place, back)
    table.release(place, back)
    for choice in ("settings", *path):
        table.choose(place, choice)
    while table.loop.seat_view(place).sheet is not None:
        table.choose(place, "go-on")


def told(table: SimulatedTable, trace: Trace, place: int, card: str) -> tuple[list[int], list[int]]:
    """What the light of a place and the buzzer are written with when a card is shown there."""
    mark = trace.seq
    table.tap(place, Card(card) if len(card) < 4 else card)
    table.wait(2.5)
    return writes(trace, mark, led_wire(table, place)), writes(trace, mark, buzzer_wire(table))


# Cues

WAYS_TO = {Cue.REFUSED: (2, "AH"), Cue.UNKNOWN_TAG: (2, UNKNOWN_TAG), Cue.DUPLICATE: (1, "9C"), Cue.ACCEPTED: (2, "AC")}
"""Where a card is shown, and which, to have a cue."""


@pytest.mark.few(1)
@pytest.mark.parametrize("cue", WAYS_TO)
def test_each_cue_is_set_off_by_light_and_by_sound_and_nothing_else_is(tmp_path: Path, cue: Cue) -> None:
    trace = Trace()
    place, card = WAYS_TO[cue]
    with table_with(tmp_path, trace=trace, sounds=frozenset(SOUNDS) - {Cue.YOUR_TURN}) as table:
        set_at(table, place, "own-settings", "lights", f"cue:{cue_name(cue)}")
        light, sound = told(table, trace, place, card)
        expected = [0] if cue is Cue.ACCEPTED else []  # its turn is over: the lasting light goes
        assert light == expected
        assert sound.count(1) == len([level for _, level in BUZZER_PATTERNS[cue] if level])
        others = [other for other in LIGHTS if not table.loop.preferences.light(place, other)]
        assert others == [cue]
        assert all(table.loop.preferences.light(other, cue) for other in (1, 2, 3, 4) if other != place)


@pytest.mark.few(1)
@pytest.mark.parametrize("cue", WAYS_TO)
def test_a_sound_that_is_set_off_leaves_the_light(tmp_path: Path, cue: Cue) -> None:
    trace = Trace()
    place, card = WAYS_TO[cue]
    with table_with(tmp_path, trace=trace, sounds=frozenset(SOUNDS) - {Cue.YOUR_TURN}) as table:
        set_at(table, 3, "table-settings", "sounds", f"cue:{cue_name(cue)}")
        light, sound = told(table, trace, place, card)
        assert sound == []
        assert len(light) >= 2 * len([level for _, level in LED_PATTERNS[cue] if level]) - 1


def test_without_sound_nothing_sounds_and_with_it_all_that_did_does_again(tmp_path: Path) -> None:
    trace = Trace()
    with table_with(tmp_path, trace=trace) as table:
        set_at(table, 4, "table-settings", "sound")
        for place, card in ((2, "AH"), (2, UNKNOWN_TAG), (1, "9C")):
            assert told(table, trace, place, card)[1] == []
        set_at(table, 1, "table-settings", "sound")
        assert told(table, trace, 2, "AH")[1] == [1, 0, 1, 0]


def test_a_lost_device_is_lit_and_sounded_unless_that_is_set_off(tmp_path: Path) -> None:
    trace = Trace()
    lights = frozenset(LIGHTS) - {Cue.DEVICE_LOST}
    with table_with(tmp_path, trace=trace, lights=lights) as table:
        set_at(table, 4, "table-settings", "sounds", "cue:device-lost")
        mark = trace.seq
        table.faults.begin("unplugged", Place(At.READER, "seat 1 reader"))
        table.wait(6)
        assert "device-lost" in messages(table, 1)
        assert writes(trace, mark, led_wire(table, 1)) == []
        assert writes(trace, mark, buzzer_wire(table)) == []
        assert shows(table.picture(1), "reader")


def test_the_light_of_a_turn_is_off_at_once_and_on_again_at_once(tmp_path: Path) -> None:
    with table_with(tmp_path) as table:
        line = table.file.wiring.seats[1].led
        assert isinstance(line, int)
        assert table.wires.lgpio.level(0, line) == 1
        open_menu(table, 2)
        for choice in ("settings", "own-settings", "lights", "cue:your-turn"):
            table.choose(2, choice)
        table.wait(STEP)
        assert table.wires.lgpio.level(0, line) == 0
        table.choose(2, "cue:your-turn")
        table.wait(STEP)
        assert table.wires.lgpio.level(0, line) == 1


def test_a_sound_that_is_set_on_says_whose_turn_it_is_once_after_what_was_accepted(tmp_path: Path) -> None:
    trace = Trace()
    with table_with(tmp_path, trace=trace) as table:
        assert 1 not in writes(trace, 0, buzzer_wire(table))
        set_at(table, 1, "table-settings", "sounds", "cue:your-turn")
        assert told(table, trace, 2, "AC")[1] == [1, 0, 1, 0]
        assert told(table, trace, 3, UNKNOWN_TAG)[1] == [1, 0]  # nobody else's turn


def test_a_refusal_that_is_neither_lit_nor_sounded_is_read_on_the_display(tmp_path: Path) -> None:
    trace = Trace()
    with table_with(tmp_path, trace=trace, sound=False, lights=frozenset({Cue.ACCEPTED})) as table:
        assert told(table, trace, 2, "AH") == ([], [])
        assert shows(table.picture(2), "Must follow ♣")


def test_a_refusal_that_no_display_shows_is_lit_whatever_was_set(tmp_path: Path) -> None:
    trace = Trace()
    with table_with(tmp_path, trace=trace, sound=False, lights=frozenset(), displays=False) as table:
        light, sound = told(table, trace, 2, "AH")
        assert (light.count(1), sound) == (3, [])
    (tmp_path / "lost").mkdir()
    with table_with(tmp_path / "lost", trace=trace, sound=False, lights=frozenset()) as table:
        table.faults.begin("unplugged", Place(At.DISPLAY, seat=2))
        table.wait(6)
        assert told(table, trace, 2, "AH")[0].count(1) == 3
        assert told(table, trace, 3, "10H")[0] == []  # its display shows it


def test_a_sound_that_is_switched_off_while_it_sounds_ends(tmp_path: Path) -> None:
    with table_with(tmp_path) as table:
        assert table.hardware.buzzer is not None
        table.loop._showing.cue(1, Cue.DEVICE_LOST, table.clock.time)
        table.wait(STEP)
        assert table.file.wiring.buzzer is not None
        line = table.file.wiring.buzzer.line
        assert isinstance(line, int)
        assert table.wires.lgpio.level(0, line) == 1
        table.loop.settings.put("sound", "off")
        table.loop._showing.adjust(table.clock.time)
        table.wait(STEP)
        assert table.wires.lgpio.level(0, line) == 0


def test_a_correction_of_several_entries_gives_one_cue_and_no_light_in_between(tmp_path: Path) -> None:
    """Undone and played anew on a slow disk: what lies between is shown by nothing."""
    trace = Trace()
    with table_with(tmp_path, trace=trace, sounds=frozenset({Cue.ACCEPTED, Cue.YOUR_TURN})) as table:
        again = (entries.Undo(1), parse_entry(table.loop.table, "1 play 10C", 1))
        table.loop._composers[1].open(Pick("menu", ("undo", "go-on"), lambda _: Enter(again)), table.clock.time)
        table.loop.refresh(table.clock.time)
        table.faults.begin("slow-disk", Place(At.DISK), 1.0)
        mark, before = trace.seq, pictures(table)
        table.press(1, Button.OK)
        table.wait(1.5)
        assert to_act(table.match) == (1,)  # undone, and on the way to the other card
        assert pictures(table)[3] == before[3]
        table.wait(4)
        assert to_act(table.match) == (2,)
        assert writes(trace, mark, led_wire(table, 1)).count(1) == 1
        assert 0 not in writes(trace, mark, led_wire(table, 2))
        assert writes(trace, mark, buzzer_wire(table)).count(1) == 2  # one cue is two sounds, and nobody else's turn


def test_the_lights_are_told_anew_what_holds_when_something_is_taken_back(tmp_path: Path) -> None:
    """A chip that has lost what it was told shows it again with the undo, though that changes nothing there."""
    trace = Trace()
    with table_with(tmp_path, trace=trace) as table:
        mark = trace.seq
        take_back(table, 1)
        table.wait(1)
        assert to_act(table.match) == (1,)
        assert {seat: writes(trace, mark, led_wire(table, seat))[-1] for seat in (1, 2, 3, 4)} == {
            1: 1,
            2: 0,
            3: 0,
            4: 0,
        }


def test_a_setting_has_every_light_told_anew_and_a_start_sounds_nobody_s_turn(tmp_path: Path) -> None:
    trace = Trace()
    with table_with(tmp_path, trace=trace, sounds=frozenset({Cue.YOUR_TURN})) as table:
        assert 1 not in writes(trace, 0, buzzer_wire(table))
        mark = trace.seq
        set_at(table, 1, "own-settings", "left-handed")
        assert {seat: writes(trace, mark, led_wire(table, seat)) for seat in (1, 2, 3, 4)} == {
            1: [0],
            2: [1],
            3: [0],
            4: [0],
        }


def test_clearing_a_trick_off_the_readers_plays_nothing_and_changes_no_light(tmp_path: Path) -> None:
    trace = Trace()
    played = (*BIDDEN, "1 play 9C", "2 play AC", "3 play 9S")
    with table_with(tmp_path, played, trace=trace) as table:
        table.place(4, Card("JC"))  # the last card of the trick stays on its reader for a while
        table.wait(2)
        before, mark = standing(table), trace.seq
        winner = to_act(table.match)
        table.lift(4)
        for place in (1, 2, 3):
            table.wires.place(f"seat {place} reader", table.file.deck.uid(Card("9C")))  # type: ignore[union-attr]
            table.wait(0.02)
            table.wires.lift(f"seat {place} reader")
        table.wait(1)
        assert standing(table)[0] == before[0]
        assert to_act(table.match) == winner
        lit = {seat for seat in (1, 2, 3, 4) if table.wires.lgpio.level(0, int(led_wire(table, seat).split()[-1]))}
        assert lit == {*winner}
        assert [writes(trace, mark, led_wire(table, seat)) for seat in (1, 2, 3, 4) if seat not in winner] == [[]] * 3


# Buttons


def test_at_a_left_handed_place_the_buttons_change_places_with_what_holding_them_does(tmp_path: Path) -> None:
    with table_with(tmp_path) as table:
        set_at(table, 2, "own-settings", "left-handed")
        table.hold(2, Button.LEFT)
        assert table.loop.seat_view(2).peeking
        table.release(2, Button.LEFT)
        assert not table.loop.seat_view(2).peeking
        table.hold(2, Button.RIGHT)
        table.release(2, Button.RIGHT)
        assert prompted(table, 2) == "menu"
        table.press(2, Button.LEFT)
        assert table.loop.seat_view(2).cursor == 0  # as ▶ from nowhere
        table.press(2, Button.RIGHT)
        assert table.loop.seat_view(2).cursor == len(table.loop.seat_view(2).ask.choices) - 1  # type: ignore[union-attr]
        open_menu(table, 3)
        assert prompted(table, 3) == "menu"  # the others' are as they were


def test_a_button_that_is_down_while_they_change_places_stays_what_it_was(tmp_path: Path) -> None:
    with table_with(tmp_path) as table:
        table.hold(2, Button.RIGHT)
        assert table.loop.seat_view(2).peeking
        table.loop.settings.put("place:2:left-handed", "on")
        table.release(2, Button.RIGHT)
        assert not table.loop.seat_view(2).peeking


def test_bots_choose_the_same_at_left_handed_places(tmp_path: Path) -> None:
    records = []
    for left_handed in (frozenset[int](), frozenset({1, 2})):
        file = furnish("pepper", 2, readers="none", tracked=False, dealer=1)
        file = file._replace(defaults=AT_FIRST._replace(left_handed=left_handed))
        with SimulatedTable(file) as table:
            all_bots(table).play_until(lambda table=table: len(table.loop.lines) >= 8)  # type: ignore[misc]
            records.append(table.loop.lines[:8])
    assert records[0] == records[1]


# Displays and the strip


def test_a_contrast_reaches_the_chip_of_that_place_at_once_and_no_other(tmp_path: Path) -> None:
    with table_with(tmp_path) as table:
        glasses = table.wires.glasses
        open_menu(table, 2)
        for choice in ("settings", "own-settings", "contrast"):
            table.choose(2, choice)
        for number, contrast in enumerate(CONTRASTS, 1):
            table.choose(2, f"level:{number}")
            assert glasses[2].contrast == contrast
            assert shows(table.picture(2), f"{number}/5")
        assert {glasses[seat].contrast for seat in (1, 3, 4)} == {CONTRAST}
        table.clock.time += DIM_AFTER
        table.wait(2 * STEP)
        assert {glasses[seat].contrast for seat in (1, 2, 3, 4)} == {DIM}


def test_the_table_file_s_contrast_is_there_before_any_picture(tmp_path: Path) -> None:
    trace = Trace()
    with table_with(tmp_path, trace=trace, contrast=40) as table:
        assert {glass.contrast for glass in table.wires.glasses.values()} == {40}
        commands = [entry.data for entry in trace.since(0) if entry.wire.startswith("i2c") and entry.what == "write"]
        contrasts = [data[2] for data in commands if isinstance(data, bytes) and data[:2] == bytes((0x00, 0x81))]
        assert set(contrasts) == {40}


@pytest.mark.long
def test_the_brightness_of_the_strip_is_set_by_any_place_for_all(tmp_path: Path) -> None:
    with table_with(tmp_path, strip=True) as table:
        leds = table.wires.strip
        assert leds is not None
        assert set(leds.brightness) == {8}
        for number, brightness in enumerate(BRIGHTNESSES, 1):
            set_at(table, 3, "table-settings", "strip", f"level:{number}")
            assert set(leds.brightness) == {brightness}
        assert leds.colours[2:4] == [WHITE] * 2
        set_at(table, 2, "own-settings", "lights", "cue:your-turn")
        assert leds.colours[2:4] == [COLOURS[Cue.OFF]] * 2


def test_what_a_table_has_not_got_cannot_be_set(tmp_path: Path) -> None:
    file = furnish("pepper", 2, readers="none", tracked=False)
    seats = tuple(msgspec.structs.replace(seat, led=None) for seat in file.wiring.seats)
    file = file._replace(wiring=msgspec.structs.replace(file.wiring, seats=seats, buzzer=None))
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        for choice, offered in (
            ("own-settings", ("left-handed", "contrast", "go-on")),
            ("table-settings", ("language", "go-on")),
        ):
            open_menu(table, 1)
            table.choose(1, "settings")
            table.choose(1, choice)
            ask = table.loop.seat_view(1).ask
            assert ask is not None
            assert ask.choices == offered
            while table.loop.seat_view(1).sheet is not None:
                table.choose(1, "go-on")


# Remembered


@pytest.mark.long
def test_all_that_was_set_is_known_again_after_a_restart(tmp_path: Path) -> None:
    with table_with(tmp_path, strip=True) as table:
        set_at(table, 2, "own-settings", "left-handed")
        set_at(table, 2, "own-settings", "contrast", "level:1")
        set_at(table, 2, "own-settings", "lights", "cue:refused")
        set_at(table, 2, "table-settings", "sounds", "cue:unknown-tag")
        set_at(table, 2, "table-settings", "sound")
        set_at(table, 2, "table-settings", "strip", "level:5")
        set_at(table, 2, "table-settings", "language", "ru")
        table.restart()
        wanted, glasses = table.loop.preferences, table.wires.glasses
        assert [wanted.left_handed(place) for place in (1, 2)] == [False, True]
        assert (glasses[2].contrast, glasses[1].contrast) == (CONTRASTS[0], CONTRAST)
        assert (wanted.light(2, Cue.REFUSED), wanted.light(1, Cue.REFUSED)) == (False, True)
        assert (wanted.loud, wanted.says(Cue.UNKNOWN_TAG), wanted.says(Cue.REFUSED)) == (False, False, True)
        assert table.wires.strip is not None
        assert set(table.wires.strip.brightness) == {31}
        assert table.loop.words.language == "ru"


def test_what_was_set_goes_before_the_table_file_and_what_is_damaged_does_not(tmp_path: Path) -> None:
    with table_with(tmp_path, contrast=40, left_handed=frozenset({2}), sound=False) as table:
        wanted, settings = table.loop.preferences, table.loop.settings
        assert (wanted.contrast(2), wanted.left_handed(2), wanted.loud) == (40, True, False)
        for key, value in (("place:2:contrast", "90"), ("place:2:left-handed", "off"), ("sound", "on")):
            settings.put(key, value)
        assert (wanted.contrast(2), wanted.left_handed(2), wanted.loud) == (90, False, True)
        for key in (
            "place:2:contrast",
            "place:2:left-handed",
            "sound",
            light_key(2, Cue.REFUSED),
            sound_key(Cue.REFUSED),
        ):
            settings.put(key, "256")
        assert (wanted.contrast(2), wanted.left_handed(2), wanted.loud) == (40, True, False)
        assert wanted.light(2, Cue.REFUSED)
        assert wanted.says(Cue.REFUSED)


def test_a_setting_that_cannot_be_made_durable_does_not_hold(tmp_path: Path) -> None:
    with table_with(tmp_path) as table:
        table.faults.begin("full-disk", Place(At.DISK))
        open_menu(table, 2)
        for choice in ("settings", "own-settings", "left-handed"):
            table.choose(2, choice)
        assert messages(table, 2)[-1] == "disk-full"
        assert not table.loop.preferences.left_handed(2)


@pytest.mark.long
def test_settings_stay_open_while_others_play_and_close_by_themselves(tmp_path: Path) -> None:
    with table_with(tmp_path) as table:
        open_menu(table, 4)
        for choice in ("settings", "table-settings"):
            table.choose(4, choice)
        table.tap(2, Card("AC"))
        assert prompted(table, 4) == "table-settings"
        table.wait(61)
        assert table.loop.seat_view(4).sheet is None


def test_nothing_is_set_by_default() -> None:
    assert Defaults() == AT_FIRST
    assert AT_FIRST.sounds == {*SOUNDED} < {*SOUNDS}
    assert AT_FIRST.lights == {*LIGHTS} == {*Cue} - {Cue.OFF}
    assert {*SOUNDS} == {*LIGHTS}


def test_settings_tell_no_more_of_a_hand_than_the_menu(tmp_path: Path) -> None:
    """Two tables that differ in a hidden hand show the same settings."""
    seen = []
    for number, hands in enumerate(
        (("9S 9D 10D 9H 10H JD", "10S JC QH JH QD KD"), ("10S 9D 10D 9H 10H JD", "9S JC QH JH QD KD"))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        deal = BIDDEN[0].replace("9S 9D 10D 9H 10H JD", hands[0]).replace("10S JC QH JH QD KD", hands[1])
        with seated(folder, (deal, *BIDDEN[1:])) as table:
            open_menu(table, 1)
            for choice in ("settings", "own-settings", "lights", "cue:refused"):
                table.choose(1, choice)
            seen.append(pictures(table)[1])
    assert seen[0] == seen[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_is_to_be_read_whole_where_it_is_picked(language: str) -> None:
    """In a list that goes round the picked one stands in the middle, in large letters."""
    words = Words(games()["pepper"], language)
    said = [f"● {words.short(f'cue-{cue_name(cue)}')}" for cue in LIGHTS]
    said += [f"{words.choice(code, Length.OLED)}: 5" for code in ("contrast", "strip")]
    said += [words.choice(code, Length.OLED) for code in ("sounds", "language", "go-on")]
    assert {text: fit(text, Font.BOLD, 104) for text in said} == {text: text for text in said}
