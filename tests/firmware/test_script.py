"""Table scripts: every word does what it says, and what goes wrong is said with its line."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import firmware
from engine.match import to_act
from firmware.bench import Bench, ExpectationError
from firmware.errors import FileError
from firmware.script import HEADING, parse_script, read_script, run_script
from firmware.script_words import FORMS, parse_words
from firmware.seatview import MESSAGES
from firmware.simulated import SimulatedTable
from firmware.table_option import example
from hal.wiring import CommonRole

GUIDE = Path(__file__).parents[2] / "docs" / "table-script.md"
HANDS = "deal JS AS KS QS 9C 10C / AC KC QC AH KH AD / 9S 9D 10D 9H 10H JD / 10S JC QH JH QD KD"
HIDDEN = "hands concealed\nseats 2\ndealer 2\n"
BUTTONS = HIDDEN + "readers none\n"
LED = (HANDS, "choose 1 4", "choose 2 pass", "choose 3 pass", "choose 4 pass", "choose 1 S", "tap 1 9C")


def play(text: str) -> None:
    run_script(parse_script(text))


def failure(text: str) -> str:
    """What is said when a script is played."""
    script = parse_script(text)
    with pytest.raises(FileError) as caught:
        run_script(script)
    return str(caught.value)


def misread(text: str, folder: Path = Path()) -> str:
    """What is said of a script that cannot be read; it is one line."""
    with pytest.raises(FileError) as caught:
        parse_script(text, folder=folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def do(bench: Bench, *lines: str) -> None:
    for line in lines:
        parse_words(line, bench.table.file.table.seats)(bench)


@pytest.fixture(scope="module")
def led() -> Iterator[Bench]:
    """Four seats; seat 1 has led the nine of clubs, seat 2 was refused a heart. Only looked at."""
    script = parse_script("dealer 4\nnames Ann, Ben, Cleo, Dan\n")
    with SimulatedTable(script.table) as table:
        bench = Bench(table)
        do(bench, *LED, "tap 2 AH")
        yield bench


@pytest.fixture
def hidden() -> Iterator[Bench]:
    """Two seats and concealed hands, before the deal."""
    script = parse_script(HIDDEN)
    with SimulatedTable(script.table) as table:
        yield Bench(table)


# Headings


def test_a_script_without_headings_is_played_at_four_seats_with_readers() -> None:
    file = parse_script("").table
    assert (file.table.game.name, file.table.seats, file.table.rule_set, file.table.tracked) == (
        "pepper", 4, "standard", True)  # fmt: skip
    assert (file.dealer, file.names, file.language) == (1, (), "en")
    assert len(list(file.wiring.readers())) == 5


def test_headings_say_which_table() -> None:
    script = parse_script(
        "game pepper\nseats 3\nrules bowers\nhands concealed\noption target = 12\noption rebid=false\n"
        "readers centre\ndealer 0\nnames Ann,  Ben B. , Cleo\nlanguage ru\nseed 77\n"
    )
    file = script.table
    assert (file.table.seats, file.table.rule_set, file.table.tracked) == (3, "bowers", False)
    assert dict(file.table.options) == {"target": 12, "rebid": False}
    assert {reader.role for reader in file.wiring.readers()} == {CommonRole.CENTRE, CommonRole.DEALING}
    assert (file.dealer, file.names, file.language, script.seed) == (0, ("Ann", "Ben B.", "Cleo"), "ru", 77)


@pytest.mark.parametrize("written", ["seats 3", "Seats: 3", "  seats   3   # so many", "SEATS 3", "seats\t3"])
def test_a_heading_may_be_written_as_people_write(written: str) -> None:
    assert parse_script(written).table.table.seats == 3


def test_a_table_file_beside_the_script_is_the_table(tmp_path: Path) -> None:
    for name in ("four-seats.toml", "deck-24.csv"):
        (tmp_path / name).write_bytes(example(name).read_bytes())
    (tmp_path / "one.table").write_text("table four-seats.toml\nseed 3\nexpect turn nobody\n", encoding="utf-8")
    script = read_script(tmp_path / "one.table")
    assert script.table.deck is not None
    assert script.seed == 3


def test_scripts_of_any_editor_are_read(tmp_path: Path) -> None:
    file = tmp_path / "one.table"
    file.write_bytes(b"\xef\xbb\xbf# \xd1\x8f\r\nseats 2\r\n\r\nexpect turn nobody   # nobody\r\n")
    script = read_script(file)
    assert [(one.line, one.text) for one in script.statements] == [(4, "expect turn nobody")]
    assert script.name == str(file)


def test_a_hash_between_quotes_is_no_comment() -> None:
    assert parse_script('expect no display 1 "#1"  # "x"').statements[0].text == 'expect no display 1 "#1"'


# What cannot be read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dance 2", "script:1: no word 'dance'; expected one of tap, lay, place, draw, lift, press, hold"),
        ("# one\n\ntap 2", "script:3: cannot read 'tap 2'; expected tap SEAT CARD"),
        ("tap 2 11X", "script:1: '11X' is no card; expected"),
        ("tap 2 ??", "script:1: ?? is no card that can be shown"),
        ("tap 2 tag:12", "script:1: 'tag:12' is no tag; expected tag: and 4 to 10 bytes in hex"),
        ("tap 5 9D", "script:1: no seat 5; expected 1 to 4"),
        ("seats 2\npress 3 ok", "script:2: no seat 3; expected 1 to 2"),
        ("bots 1 5", "script:1: no seat 5; expected 1 to 4"),
        ("expect turn 9", "script:1: no seat 9; expected 1 to 4"),
        ("press 2 up", "script:1: cannot read 'press 2 up'; expected press SEAT left|ok|right [xTIMES]"),
        ("press 2 ok x0", "script:1: cannot read 'press 2 ok x0'"),
        ("wait", "script:1: cannot read 'wait'; expected wait SECONDS"),
        ("wait long", "script:1: cannot read 'wait long'; expected wait SECONDS"),
        ("wait -1", "script:1: cannot read 'wait -1'"),
        ("deal 9D", "script:1: cannot read 'deal 9D'; expected deal HAND / HAND / … or deal"),
        ("deal 9D / XX", "script:1: 'XX' is no card"),
        ("deal 9D / 9D", "script:1: 9D twice; expected each card once"),
        ("expect", "script:1: cannot read 'expect'; expected expect ruling SEAT ok|refused"),
        ("expect display 2 Your bid?", 'expect [no] display SEAT "TEXT"'),
        ('expect display 2 ""', 'expect [no] display SEAT "TEXT"'),
        ("expect score 3", "expect score SCORE SCORE …"),
        ("play tennis", "script:1: cannot read 'play tennis'; expected play deal|match"),
        ("restart now", "script:1: cannot read 'restart now'; expected restart"),
        ("seats two", "script:1: seats is 'two'; expected a whole number"),
        ("seats 7", "script:1: pepper has no 7 seats; expected 2 to 4"),
        ("game whist", "script:1: game is 'whist'; expected pepper"),
        ("rules mine", "script:1: rules is 'mine'; expected standard or bowers"),
        ("hands open", "script:1: hands is 'open'; expected tracked or concealed"),
        ("readers many", "script:1: readers is 'many'; expected seats or centre or none"),
        ("deal-by cut", "script:1: deal-by is 'cut'; expected pad or scan-in or concealed"),
        ("seats 2\nhands tracked\ndeal-by concealed", "script:3: deal by concealed, but hands are tracked"),
        ("readers centre\ndeal-by scan-in", "script:1: a deal that is scanned in needs a reader at each seat"),
        ("seats 2\nreaders none", "script:2: tracked hands need a dealing pad"),
        ("language de", "script:1: language is 'de'; expected en or ru"),
        ("seats 3\nnames Ann, Ben", "script:2: 2 names; expected 3, one for each seat"),
        ("names Ann,, Ben, Cleo", 'script:1: "" is no name'),
        ("seed 1\nseats 2\ndealer 3", "script:3: no seat 3; expected 1 to 2, or 0 for a lot"),
        ("seats 2\nseats 3", "script:2: `seats` a second time; expected it once"),
        ("option target = 3\noption target = 4", "script:2: `option` a second time; expected it once"),
        ("option goal = 3", "script:1: no option 'goal'; expected one of"),
        ("option target = 0", "script:1: option target cannot be '0'; expected a whole number"),
        ("expect turn nobody\nseats 3", "script:2: `seats` stands after the first action; expected it at the top"),
        ("table no.toml", "script:1: no.toml: No such file or directory; expected a table file"),
        ("table no.toml\nseats 2", "script:1: `table` and `seats`; expected a table file, or a table made to order"),
        ("table no.toml\noption target = 2", "script:1: `table` and `target`"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(text: str, said: str) -> None:
    problem = misread(text)
    assert said in problem
    assert "expected" in problem


def test_a_mistake_in_the_table_file_names_the_table_file(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[game]\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"bad\.toml:\d+: "):
        parse_script("table bad.toml", folder=tmp_path)


def test_a_script_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "one.table").write_bytes(b"seats 2\n\xff\n")
    with pytest.raises(FileError, match=r"one\.table:2: not UTF-8"):
        read_script(tmp_path / "one.table")


def test_nothing_is_played_when_a_later_line_cannot_be_read() -> None:
    assert misread("expect turn 1\ndance").startswith("script:2:")


# Ways to write a line


@pytest.mark.parametrize(
    "written",
    [
        "tap 2 9D", "tap 2 9d", "TAP seat 2 9♦", "tap 2: 9D", "tap 9D at 2", "tap 9D at seat 2", "tap  2   9D",
        "tap dealing 9D", "tap dealing pad 9D", "tap centre 9D", "tap center 9D", "tap centre reader 9D",
        "tap 2 tag:04a1b2c3", "tap 2 tag:04:A1:B2:C3", "tap 2 10S", "tap 2 TS",
        "lay 2 9D", "place 2 9D", "lay 9D on 2", "lift 2", "lift seat 2", "lift dealing",
        "press 2 ok", "press 2 OK", "press seat 2 left", "press 2 right x3", "press 2 right 3 times",
        "hold 2 right", "hold 2 right 2s", "hold 2 right 2", "hold 2 right for 2 seconds", "release 2 right",
        "choose 2 pass", "choose seat 2 9D", "choose 2: S", "deal", "deal 9D 10D / AS KS",
        "unplug reader 2", "unplug 2 reader", "unplug seat 2 reader", "unplug reader dealing", "unplug dealing reader",
        "plug reader 2", "plug 2 reader", "unplug display 2", "unplug 2 display", "plug seat 2 display",
        "wait 2", "wait 2s", "wait 2 s", "wait 0.5", "wait 1.25 seconds", "bots 2 3 4", "bots 2, 3, 4", "bot 2",
        "bots 1 2 mistakes 10%", "bots 1 2 mistakes 10", "play deal", "play match", "restart",
        "expect ruling 2 ok", "expect ruling 2 refused must-follow-suit", "expect refused 2 must-follow-suit",
        "expect ok 2", "expect accepted 2", "expect 2 refused not-your-turn", "expect ruling seat 2 ok trick-won",
        "expect ruling refused 2", "expect ruling 2 ok trick-won, deal-scored", "expect message 2 unknown-tag",
        'expect display 2 "text"', 'expect text 2 "text"', 'expect display seat 2 "text"', 'expect display 2 shows "t"',
        'expect "text" on 2', 'expect text "text" on display 2', 'expect no display 2 "text"', 'expect no text 2 "t"',
        'expect display 2 no "text"', 'expect no "text" on display 2', "expect dark 2", "expect display 2 dark",
        "expect led 2 on", "expect LED 2 off", "expect turn 2", "expect turn nobody", "expect turn none",
        "expect score 3 -4", "expect score 3:4", "expect score 3 : 4 : -5", "expect over", "expect record",
    ],
)  # fmt: skip
def test_a_line_may_be_written_as_people_write(written: str) -> None:
    assert callable(parse_words(written, 4))


@pytest.mark.parametrize("word", ["plug", "place", "no", "lay", "bots", "mend"])
def test_every_word_that_begins_a_line_is_known_by_it(word: str) -> None:
    with pytest.raises(FileError, match=f"cannot read '{word}'; expected [a-z|]*{word}"):
        parse_script(word)
    with pytest.raises(FileError, match=rf"no word 'frob'; expected one of (?:.*, )?{word}\b"):
        parse_script("frob")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("expect message 1 unknown-tagg", "no message 'unknown-tagg'; expected one of asked-already, assent-lost, "),
        ("expect ruling 1 refused must-folow", "no refusal 'must-folow' in pepper; expected one of "),
        ("expect refused 1 trick-won", "no refusal 'trick-won' in pepper; expected one of "),
        ("expect ruling 1 ok trick-won, dealscored", "no notice 'dealscored' in pepper; expected one of "),
        ("game possession\nexpect ruling 1 refused must-follow-suit", "no refusal 'must-follow-suit' in possession"),
    ],
)
def test_a_code_that_there_is_not_is_refused_before_anything_is_played(line: str, said: str) -> None:
    """Such an expectation would fail, or hold for the wrong reason, wherever it stands."""
    with pytest.raises(FileError) as caught:
        parse_script(line)
    assert said in str(caught.value)


def test_the_codes_of_all_messages_are_known_and_in_the_guide() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in Path(firmware.__file__).parent.glob("*.py"))
    said = set(re.findall(r'\bTableText\(\s*"([a-z-]+)"', sources)) | {
        "disk-full",
        "not-saved",
        "match-over",
        "disk-low",
        "log-lost",
    }
    assert said == set(MESSAGES)
    guide = GUIDE.read_text(encoding="utf-8")
    assert [code for code in MESSAGES if f"`{code}`" not in guide] == []


def test_every_form_is_in_the_guide() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    words = {word for form in FORMS for word in form.words if word != "expect"}
    words |= {" ".join(form.usage.split()[:2]).replace("[no]", "no") for form in FORMS if form.words == ["expect"]}
    missing = [word for word in words if f"`{word}" not in guide]
    assert missing == []
    assert [heading for heading in HEADING if f"`{heading}" not in guide] == []


# Hands


def test_a_tap_shows_a_card_and_takes_it_away(hidden: Bench) -> None:
    do(hidden, "choose 2 dealt", "choose 1 1", "choose 2 pass", "choose 1 C", "tap 1 9D")
    assert to_act(hidden.table.match) == (2,)
    assert hidden.table.wires.readers["seat 1 reader"].field == []


def test_a_card_that_is_laid_down_lies_until_it_is_lifted(hidden: Bench) -> None:
    do(hidden, "choose 2 dealt", "lay 1 9D")
    assert len(hidden.table.wires.readers["seat 1 reader"].field) == 1
    do(hidden, "lay 1 10D")
    do(hidden, "expect message 1 one-at-a-time", "lift 1")
    assert hidden.table.wires.readers["seat 1 reader"].field == []


def test_a_tag_of_no_card_can_be_shown(hidden: Bench) -> None:
    do(hidden, "choose 2 dealt", "tap 1 tag:04FFEE01", "expect message 1 unknown-tag")


def test_presses_move_and_take(hidden: Bench) -> None:
    do(hidden, "choose 2 dealt", "press 1 right x2", "press 1 left", "press 1 ok", "expect ruling 1 ok")
    assert hidden.table.loop.lines[-1] == "1 bid 1"


def test_a_button_that_is_held_for_a_time_is_let_go(hidden: Bench) -> None:
    do(hidden, "hold 1 left 2s", 'expect display 1 "Menu"')
    assert hidden.table.clock.now() > 2.0
    do(hidden, "press 1 right", "press 1 right", "press 1 ok", 'expect display 1 "What went wrong?"')


def test_a_button_that_is_held_stays_down_until_it_is_released(hidden: Bench) -> None:
    do(hidden, "choose 2 dealt", "hold 1 right", 'expect display 1 "Your hand"', "wait 20")
    do(hidden, 'expect display 1 "Your hand"', "release 1 right", 'expect no display 1 "Your hand"')


def test_choose_finds_choices_cards_and_the_tables_own(hidden: Bench) -> None:
    do(hidden, "choose 2 DEALT", "choose 1 Little", "choose 2 pass", "choose 1 s", "choose 1 9d")
    assert hidden.table.loop.lines[-1] == "1 play 9D"
    do(hidden, "hold 1 left 1", "choose 1 undo", "choose 2 agree", "expect turn 1")


@pytest.mark.few(1)
@pytest.mark.parametrize("line", ["choose 2 pass", "choose 2 JD", "choose 2 AH"])
def test_choose_takes_only_what_is_offered(led: Bench, line: str) -> None:
    before = led.table.loop.lines[:]
    with pytest.raises(ValueError, match=r"is no card; expected|seat 2 is offered AC QC KC, not"):
        do(led, line)
    assert led.table.loop.lines == before


# Dealing


def test_hands_that_are_dealt_are_known_to_a_table_that_tracks_them(led: Bench) -> None:
    first, *hands = led.table.loop.lines[:5]
    assert first == "deal 4"
    assert set(hands[0].split()[2:]) == {"JS", "AS", "KS", "QS", "9C", "10C"}
    assert set(hands[3].split()[2:]) == {"10S", "JC", "QH", "JH", "QD", "KD"}


def test_a_shuffled_deal_is_the_same_for_a_seed() -> None:
    def hands(seed: int) -> list[str]:
        script = parse_script(f"seats 2\nseed {seed}")
        with SimulatedTable(script.table, seed=script.seed) as table:
            do(Bench(table, script.seed), "deal")
            return table.loop.lines

    first = hands(1)
    assert first == hands(1)
    assert first != hands(2)


def test_a_concealed_deal_gives_the_players_their_cards_and_the_table_none(hidden: Bench) -> None:
    do(hidden, "deal AC KC QC JC 10C 9C / AD KD QD JD 10D 9D")
    assert [str(card) for card in hidden.cards.hands[2]] == ["AD", "KD", "QD", "JD", "10D", "9D"]
    assert hidden.table.loop.lines == ["deal 2"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("deal AC / AD", "hands of 1, 1 cards; this deal needs 2 hands of 6"),
        ("deal AC / AD / AS", "hands of 1, 1, 1 cards; this deal needs 2 hands of 6"),
        ("deal 2C KC QC JC 10C 9C / AD KD QD JD 10D 9D", "2C is not used in this game"),
    ],
)
def test_hands_that_do_not_fit_are_not_dealt(hidden: Bench, line: str, said: str) -> None:
    with pytest.raises(ExpectationError, match=said):
        do(hidden, line)
    assert hidden.table.loop.lines == []


@pytest.mark.parametrize("line", ["deal", "deal AC KC QC JC 10C 9C / AD KD QD JD 10D 9D"])
def test_there_is_no_second_deal(hidden: Bench, line: str) -> None:
    do(hidden, "choose 2 dealt")
    with pytest.raises(ExpectationError, match="no deal is due"):
        do(hidden, line)


# What is not there


@pytest.mark.parametrize(
    "line", ["tap 1 9D", "lay 1 9D", "lift 1", "unplug reader 1", "tap dealing 9D", "tap centre 9D"]
)
def test_a_reader_that_is_not_there(line: str) -> None:
    assert re.search(
        r"script:5: .*: no (seat 1|dealing|centre) reader; this table has no reader", failure(BUTTONS + line)
    )


def test_a_card_that_is_not_in_the_deck(hidden: Bench) -> None:
    with pytest.raises(ExpectationError, match="2C is not in the deck of this table"):
        do(hidden, "tap 1 2C")


# The world around


def test_an_unplugged_reader_is_told_and_comes_back(hidden: Bench) -> None:
    do(hidden, "choose 2 dealt", "unplug reader 1", "wait 3", "expect message 1 device-lost")
    do(hidden, 'expect display 1 "No reader"', "plug 1 reader", "wait 10", "choose 1 1", "choose 2 pass", "choose 1 C")
    do(hidden, "tap 1 9D", "expect ruling 1 ok")


def test_an_unplugged_display_is_dark_and_comes_back(hidden: Bench) -> None:
    do(hidden, "choose 2 dealt", 'expect display 1 "Your bid?"', "unplug display 1", "press 1 right", "wait 9")
    do(hidden, "expect message 1 device-lost", "press 1 ok", "expect ruling 1 ok", "plug display 1")
    do(hidden, "wait 10", 'expect display 1 "1: 1"', "expect turn 2")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("plug reader 1",), "the seat 1 reader is in already"),
        (("unplug reader 1", "unplug reader 1"), "the seat 1 reader is out already"),
        (("plug display 1",), "the seat 1 display is in already"),
        (("unplug display 1", "unplug display 1"), "the seat 1 display is out already"),
    ],
)
def test_a_cable_that_is_so_already(hidden: Bench, lines: tuple[str, ...], said: str) -> None:
    do(hidden, *lines[:-1])
    with pytest.raises(ExpectationError, match=said):
        do(hidden, lines[-1])


def test_waiting_takes_the_tables_time_alone(hidden: Bench) -> None:
    before = hidden.table.clock.now()
    do(hidden, "wait 2.5 s")
    assert hidden.table.clock.now() == pytest.approx(before + 2.5)


def test_after_a_restart_the_match_goes_on_and_so_do_the_bots(hidden: Bench) -> None:
    do(
        hidden,
        "bots 1 2",
        "choose 2 dealt",
        "choose 1 1",
        "restart",
        'expect display 1 "Is this right?"',
        "expect turn 2",
    )
    do(hidden, "play deal", "expect record")
    assert hidden.table.match.deals == 1


# Bots


def test_a_deal_or_a_match_is_played_by_bots() -> None:
    play(
        "seats 2\nhands concealed\noption target = 1\nseed 5\nbots 1 2\nplay deal\nplay match\nexpect over\n"
        "expect record"
    )


def test_without_bots_nobody_plays(hidden: Bench) -> None:
    with pytest.raises(ExpectationError, match="nobody plays; expected `bots` before it"):
        do(hidden, "play deal")


# Expectations that hold


@pytest.mark.parametrize(
    "line",
    [
        "expect ruling 1 ok",
        "expect ruling 2 refused must-follow-suit",
        "expect refused 2",
        "expect ruling 4 ok auction-won",
        'expect display 2 "Must follow ♣"',
        'expect display 2 "Take A♥ back, follow ♣"',
        'expect display 1 "Ben to act"',
        'expect no display 1 "Must follow"',
        "expect led 2 on",
        "expect led 1 off",
        "expect turn 2",
        "expect score 0 0",
        "expect record",
    ],
)
def test_what_is_so_can_be_expected(led: Bench, line: str) -> None:
    do(led, line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("expect ruling 2 ok", "the ruling was refused must-follow-suit"),
        ("expect ruling 2 refused not-your-turn", "the ruling was refused must-follow-suit"),
        ("expect ruling 1 refused", "the ruling was ok"),
        ("expect ruling 4 ok trick-won", "the ruling was ok auction-won"),
        ("expect message 3 unknown-tag", "the last message to seat 3 was none"),
        ('expect display 1 "Must follow"', "the display shows\n"),
        ('expect no display 1 "Ben to act"', "the display shows\n"),
        ("expect dark 1", "the display shows\n"),
        ("expect led 1 on", "the LED of seat 1 is off"),
        ("expect led 2 off", "the LED of seat 2 is on"),
        ("expect turn 1", "to act: 2"),
        ("expect turn nobody", "to act: 2"),
        ("expect score 0 1", "the score is 0 0"),
        ("expect over", "the match goes on, 0 : 0"),
    ],
)
def test_what_is_not_so_fails_with_what_was_found(led: Bench, line: str, said: str) -> None:
    with pytest.raises(ExpectationError) as caught:
        do(led, line)
    assert str(caught.value).startswith(said)


def test_a_seat_where_nothing_was_ruled() -> None:
    assert failure("seats 2\nexpect ruling 1 ok") == "script:2: expect ruling 1 ok: nothing was ruled at seat 1"


def test_nobody_is_to_act_between_deals() -> None:
    assert failure("seats 2\nexpect turn 1") == "script:2: expect turn 1: to act: nobody"


def test_a_table_that_is_switched_off_is_dark(hidden: Bench) -> None:
    hidden.table.close()
    do(hidden, "expect dark 1", "expect display 2 dark")


def test_a_failing_expectation_names_the_line_and_shows_the_display() -> None:
    said = failure('# test\nseats 2\n\nexpect display 1 "Hello"   # nobody says so')
    first, *rest = said.splitlines()
    assert first == 'script:4: expect display 1 "Hello": the display shows'
    assert len(rest) == 16
    assert all(len(line) == 64 for line in rest)
    assert any(line.strip("\u2800") for line in rest)


# As a whole


def test_a_script_ends_at_its_first_failure() -> None:
    assert failure("seats 2\nexpect turn nobody\nexpect over\nexpect turn 1").startswith("script:3: expect over:")


def test_the_journal_of_a_script_can_be_kept(tmp_path: Path) -> None:
    run_script(parse_script(HIDDEN + "choose 2 dealt"), tmp_path / "journal.db")
    assert (tmp_path / "journal.db").stat().st_size > 0


def examples(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.few(1)
@pytest.mark.parametrize("text", examples("table"))
def test_the_examples_of_the_guide_are_true(text: str) -> None:
    play(text)


def test_the_guide_says_what_a_command_prints() -> None:
    lines = len(parse_script(examples("table")[0]).statements)
    assert f"follow.table: ok, {lines} lines" in GUIDE.read_text(encoding="utf-8")
    assert len(examples("table")) >= 3


@pytest.mark.parametrize("line", ['" expect foo', '"expect over', 'expect display 1 "foo', 'wait 1 "', '"'])
def test_a_quote_without_another_is_a_mistake_in_writing(line: str) -> None:
    assert misread(f"seats 2\n{line}\n").startswith("script:2: ")
    assert "quote without another" in misread(f"seats 2\n{line}\n")
