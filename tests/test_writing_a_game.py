"""The guide `docs/writing-a-game.md`: what it shows is the package, and each of its steps leaves a game that works."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from engine.asks import END, Ask
from engine.cards import CARDS, UNKNOWN, Card, cards_of, mask, parse_card
from engine.entries import Deal, Penalty, SetDealer, SetHand, SetTurn
from engine.game import Dealt, NotationError
from engine.match import Match, Standing, Table, ask, begin, check, lay_table, legal, seen_from, to_act, view
from engine.referee import Referee, Ruling
from engine.trick_game import TrickGame
from engine.values import Action
from engine.view import DIRECTOR, PUBLIC, Hand, Trick, Turn

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "writing-a-game.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples" / "slobberhannes"
MODULE = "slobberhannes/game.py"


class Shown(NamedTuple):
    """A fenced block: its file (none where the line before names none), its language, its text, its place."""

    file: str
    language: str
    text: str
    place: int


def blocks() -> Iterator[Shown]:
    for found in re.finditer(r"^```(\w*)\n((?:(?!```).*\n)*)```$", GUIDE, re.MULTILINE):
        before = GUIDE[: found.start()].rstrip("\n").rpartition("\n")[2]
        label = re.match(r"`([\w./-]+)`.*:$", before)
        file = label[1] if label and found[1] not in ("console", "sh") else ""
        yield Shown(file, found[1], found[2], found.start())


BLOCKS = [*blocks()]
STEPS = [block for block in BLOCKS if block.file == MODULE]
CONSOLES = [block for block in BLOCKS if block.language == "console"]


def module_at(place: int) -> str:
    """The module as far as it is written at this place of the guide."""
    return "".join(step.text for step in STEPS if step.place < place)


# What is shown is what is there


def test_the_blocks_of_the_guide_are_found() -> None:
    assert len(BLOCKS) * 2 == GUIDE.count("\n```")
    assert (len(STEPS), len(CONSOLES)) == (4, 3)
    unnamed = [block.text for block in BLOCKS if not block.file and block.language not in ("console", "sh")]
    assert [text.split()[0] for text in unnamed] == ["pyproject.toml"]  # the folder's list


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.file], ids=lambda block: block.file)
def test_what_the_guide_shows_stands_in_the_package(block: Shown) -> None:
    assert block.text in (EXAMPLE / block.file).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["pyproject.toml", "slobberhannes/__init__.py", MODULE])
def test_who_copies_what_the_guide_shows_has_the_whole_file(name: str) -> None:
    shown = "".join(block.text for block in BLOCKS if block.file == name)
    assert shown == (EXAMPLE / name).read_text(encoding="utf-8")


def test_a_game_is_a_file_of_at_most_150_lines() -> None:
    assert len((EXAMPLE / MODULE).read_text(encoding="utf-8").splitlines()) <= 150


def test_every_answer_that_the_guide_names_is_one_that_a_game_gives() -> None:
    table = GUIDE[GUIDE.index("| answer |") :]
    named = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))
    assert len(named) > 20
    assert [name for name in named if not hasattr(TrickGame, name)] == []


def catalogue(language: str, kind: str) -> dict[tuple[str, str], str]:
    path = EXAMPLE / "slobberhannes" / "locale" / language / "LC_MESSAGES" / f"slobberhannes.{kind}"
    with path.open("rb") as file:
        read = read_po(file, language) if kind == "po" else read_mo(file)
    return {(str(text.id), str(text.context)): str(text.string) for text in read if text.id}


def test_the_catalogues_are_compiled_and_say_the_codes_of_the_guide_in_both_languages() -> None:
    english, russian = catalogue("en", "po"), catalogue("ru", "po")
    assert (english, russian) == (catalogue("en", "mo"), catalogue("ru", "mo"))
    sentence = GUIDE[GUIDE.index("The codes are") : GUIDE.index("the table words the rest")]
    codes = re.findall(r"`([a-z.-]+)`", sentence)
    assert set(english) == set(russian) == {(code, length) for code in codes for length in ("oled", "line", "sentence")}
    assert all([*english.values(), *russian.values()])


def test_the_pages_of_both_languages_have_the_rules_that_the_game_cites() -> None:
    pages = [(EXAMPLE / "slobberhannes" / "rules" / f"{name}.md").read_text(encoding="utf-8") for name in ("en", "ru")]
    assert [re.findall(r"^(\d)\. ", page, re.MULTILINE) for page in pages] == [["1", "2", "3", "4", "5"]] * 2
    assert set(re.findall(r"\(rule (\d)\)", (EXAMPLE / MODULE).read_text(encoding="utf-8"))) <= set("12345")


# What is promised happens


def registered(folder: Path, package: Path) -> dict[str, str]:
    """An environment in which the package is found as an installed one is: by its metadata beside it."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (metadata / "METADATA").write_text(head, encoding="utf-8")
    points = [
        line
        for group, named in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {target}" for name, target in named.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(points) + "\n", encoding="utf-8")
    path = os.pathsep.join([str(folder), str(package), str(ROOT)])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "120"}


def run(command: list[str], cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.few(1)
@pytest.mark.parametrize("block", CONSOLES, ids=lambda block: block.text.splitlines()[0])
def test_the_commands_of_the_guide_print_what_it_shows(block: Shown, tmp_path: Path) -> None:
    """With the module as far as it is written there, and no words yet."""
    package = tmp_path / "slobberhannes"
    (package / "slobberhannes").mkdir(parents=True)
    shutil.copytree(EXAMPLE / "tests", package / "tests")
    for name in ("pyproject.toml", "slobberhannes/__init__.py"):
        (package / name).write_text((EXAMPLE / name).read_text(encoding="utf-8"), encoding="utf-8")
    (package / MODULE).write_text(module_at(block.place), encoding="utf-8")
    prompt, _, expected = block.text.partition("\n")
    found = re.fullmatch(r"\$ tableref (check \S+\.ctr)(?: \| tail -n (\d+))?", prompt)
    assert found is not None
    environment = registered(tmp_path, package)
    done = run([sys.executable, "-m", "firmware", *found[1].split()], package, environment)
    assert done.stderr == ""
    assert "".join(done.stdout.splitlines(keepends=True)[-int(found[2] or 0) :]) == expected


@pytest.mark.long
@pytest.mark.parametrize("deselected", ["match.table", pytest.param("", marks=pytest.mark.soak)])
def test_the_tests_of_the_package_pass(deselected: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", f"--basetemp={tmp_path / 'base'}"]
    if deselected:
        command.append(f"--ignore=tests/{deselected}")
    done = run(command, EXAMPLE, registered(tmp_path, EXAMPLE))
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


@pytest.mark.soak
def test_the_package_installs_as_the_guide_says(tmp_path: Path) -> None:
    """Building needs hatchling, from an index or a folder of wheels."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    folder = str(tmp_path / "site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, str(EXAMPLE)]
    assert run(command, tmp_path, environment).returncode == 0
    environment["PYTHONPATH"] = os.pathsep.join([folder, str(ROOT)])
    checked = str(EXAMPLE / "tests" / "first.ctr")
    done = run([sys.executable, "-m", "firmware", "check", "--lang", "ru", checked], tmp_path, environment)
    assert "11  2 play JC  ok revoke trick-won" in done.stdout
    names = {path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()}
    assert {"slobberhannes/rules/ru.md", "slobberhannes/locale/ru/LC_MESSAGES/slobberhannes.mo"} <= names


# The game at each step, and what it stands on


def game_of(source: str) -> TrickGame:
    names: dict[str, Any] = {}
    exec(compile(source, MODULE, "exec"), names)
    return cast("TrickGame", names["Slobberhannes"]())


GAME = game_of((EXAMPLE / MODULE).read_text(encoding="utf-8"))
EVERY_STEP = [game_of(module_at(step.place + 1)) for step in STEPS]
SEEDS = range(8)


def shuffled(random: Random, table: Table) -> list[list[Card]]:
    pack = table.game.pack(table.rules)
    cards = random.sample(pack, len(pack))
    return [cards[seat :: table.seats] for seat in range(table.seats)]


def dealt(random: Random, table: Table, hands: list[list[Card]]) -> Dealt:
    """The hands as this table knows them: all, or some cards of them, or nothing."""
    share = 1.0 if table.tracked else random.choice((0.0, 0.5))
    return Dealt(tuple(tuple(card if random.random() < share else UNKNOWN for card in hand) for hand in hands))


def a_table(random: Random, game: TrickGame = GAME, tracked: bool | None = None) -> Table:
    return lay_table(game, random.choice((3, 4)), tracked=random.random() < 0.5 if tracked is None else tracked)


def states(seed: int, game: TrickGame = GAME) -> Iterator[tuple[Match, Random]]:
    """The states of some deals in which legal cards are played at random."""
    random = Random(seed)
    for _ in range(4):
        table = a_table(random, game)
        referee = Referee(begin(table))
        assert referee.rule(Deal(1, dealt(random, table, shuffled(random, table)))).refusal is None
        while referee.match.standing is Standing.RUNNING:
            yield referee.match, random
            assert referee.rule(random.choice(list(legal(referee.match)))).refusal is None
        yield referee.match, random


@pytest.mark.few(2)
@pytest.mark.parametrize("game", EVERY_STEP, ids=["cards", "points", "end", "notices"])
@pytest.mark.parametrize("seed", range(2))
def test_after_each_step_check_accepts_what_legal_lists_and_every_deal_ends(game: TrickGame, seed: int) -> None:
    for match, _ in states(seed, game):
        seats = range(1, match.table.seats + 1)
        every = [Action(seat, "play", card) for seat in seats for card in (*CARDS[:56], CARDS[-1])]
        listed = list(legal(match))
        assert [action for action in every if check(match, action) is None] == listed
        assert bool(listed) is (match.standing is Standing.RUNNING) is bool(to_act(match))
    assert match.deals == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_is_in_one_place_and_every_trick_somebody_s(seed: int) -> None:
    for match, _ in states(seed):
        deal = match.deal
        gone = [card for trick in (*deal.tricks, deal.plays) for _, card in trick]
        places = [mask(gone), deal.hands.unseen, *deal.hands.known]
        assert all(not one & other for one, other in combinations(places, 2))
        assert sum(place.bit_count() for place in places) == len(match.table.game.pack(match.table.rules))
        assert sum(deal.hands.unknown) + deal.hands.hidden == deal.hands.unseen.bit_count()
        assert sum(deal.won) == len(deal.tricks) == len(gone) // match.table.seats


@pytest.mark.parametrize("seed", SEEDS)
def test_the_three_cost_a_point_each_and_all_of_them_one_more(seed: int) -> None:
    for match, _ in states(seed):
        if match.deal.outcome is not None:
            takers = [seat for _, seat in cast("Any", match.table.game).forfeits(match.deal)]
            assert len(takers) == 3
            assert sum(match.scores) == (4 if len(set(takers)) == 1 else 3)
            assert [seat for seat, score in enumerate(match.scores, 1) if score] == sorted(set(takers))


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_legal_card_is_offered_and_makes_its_action(seed: int) -> None:
    for match, _ in states(seed):
        for seat in range(1, match.table.seats + 1):
            question = ask(match, seat, ())
            if seat not in to_act(match):
                assert question is None
                continue
            assert isinstance(question, Ask)
            assert (question.prompt, question.source, question.end) == ("play", "hand", False)
            assert [ask(match, seat, (card,)) for card in question.cards] == list(legal(seen_from(match, seat)))
            for action in legal(match):
                (token,) = match.table.game.tokens(match.deal, action)
                assert token in question.cards
                assert ask(match, seat, (token,)) == action
            assert [ask(match, seat, (token,)) for token in (UNKNOWN, END)] == [None, None]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_seat_sees_does_not_depend_on_the_hands_of_others(seed: int) -> None:
    random = Random(seed)
    table = a_table(random, tracked=True)
    hands, seat = shuffled(random, table), random.randint(1, table.seats)
    others = [card for number, hand in enumerate(hands, 1) for card in hand if number != seat]
    random.shuffle(others)
    size = len(hands[0])
    swapped = [hand if number == seat else [others.pop() for _ in range(size)] for number, hand in enumerate(hands, 1)]
    one, two = (Referee(begin(table)) for _ in range(2))
    for referee, held in ((one, hands), (two, swapped)):
        referee.rule(Deal(1, Dealt(tuple(map(tuple, held)))))
    compared = 0
    while same := sorted(set(legal(one.match)) & set(legal(two.match))):
        for viewer in (seat, PUBLIC):
            assert view(one.match, viewer) == view(two.match, viewer)
        assert seen_from(one.match, seat) == seen_from(two.match, seat)
        compared += 1
        action = random.choice(same)
        one.rule(action)
        two.rule(action)
    assert compared > 0
    assert view(one.match, DIRECTOR) != view(two.match, DIRECTOR)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_follows_is_never_refused_and_every_revoke_that_shows_itself_is_noted(seed: int) -> None:
    """Against true hands, of which the table knows a part."""
    random = Random(seed)
    shown = 0
    for _ in range(4):
        table = a_table(random, tracked=False)
        hands = shuffled(random, table)
        referee = Referee(begin(table))
        referee.rule(Deal(1, dealt(random, table, hands)))
        revoked: list[tuple[int, int, Card, str]] = []  # seat, trick, card, suit that was not followed
        while referee.match.standing is Standing.RUNNING:
            deal = referee.match.deal
            hand = hands[deal.turn - 1]
            led = CARDS[deal.plays[0][1]].suit if deal.plays else ""
            able = [card for card in hand if card.suit == led]
            card = random.choice(hand if random.random() < 0.3 or not able else able)
            ruling = referee.rule(Action(deal.turn, "play", card))
            if ruling.refusal is not None:
                assert ruling.refusal.code == "must-follow-suit"
                assert able
                assert card not in able
                continue
            due = [entry for entry in revoked if entry[0] == deal.turn and entry[3] == card.suit]
            noted = [dict(notice.facts) for notice in ruling.notices if notice.code == "revoke"]
            assert noted == [
                {"seat": seat, "trick": trick, "played": played, "card": card} for seat, trick, played, _ in due
            ]
            revoked = [entry for entry in revoked if entry not in due]
            shown += len(due)
            if able and card not in able:
                revoked.append((deal.turn, len(deal.tricks) + 1, card, led))
            hand.remove(card)
        assert revoked == []  # in the end every card has been seen
    assert shown > 0


# The view


def test_a_view_shows_turn_trick_and_the_hands_from_the_viewer_on() -> None:
    referee = three_seats()
    for card in ("9C", "10C", "JC", "8D"):
        (seat,) = to_act(referee.match)
        assert referee.rule(Action(seat, "play", parse_card(card))).refusal is None
    blocks = {type(block): block for block in view(referee.match, 2).blocks if not isinstance(block, Hand)}
    assert blocks[Turn] == Turn((1,), "play", 3)
    first = ((1, Card("9C")), (2, Card("10C")), (3, Card("JC")))
    assert blocks[Trick] == Trick(2, ((3, Card("8D")),), first, 3, (0, 0, 1))
    hands = [block for block in view(referee.match, 2).blocks if isinstance(block, Hand)]
    assert [(hand.seat, len(hand.cards), hand.unknown) for hand in hands] == [(2, 9, 0), (3, 0, 8), (1, 0, 9)]


# Notation, deals, the director


FOUR = lay_table(GAME, 4)
HANDS = ["9C QC 7D 9D JH 8H AS 9S QS KS", "10C KC 8C 10D QD 7H 10H KH 8S JS", "JC AC 8D JD KD AD 9H QH AH 10S"]
"""The 30 cards of three seats."""


def three_seats(tracked: bool = True) -> Referee:
    table = lay_table(GAME, 3, tracked=tracked)
    hands = [[parse_card(word) for word in hand.split()] for hand in HANDS]
    known = tuple(tuple(hand) for hand in hands) if tracked else (None,) * 3
    referee = Referee(begin(table))
    assert referee.rule(Deal(3, Dealt(known))).refusal is None
    return referee


def code(ruling: Ruling) -> str:
    return ruling.refusal.code if ruling.refusal else "ok"


def test_a_card_is_read_and_written() -> None:
    assert GAME.parse("play", ["9d'1"]) == Card("9D")
    assert GAME.text(Action(1, "play", Card("10S"))) == "play 10S"
    assert GAME.text(Action(1, "play")) == "play"


@pytest.mark.parametrize(
    ("words", "word", "problem"),
    [
        ([], 0, "expected a card"),
        (["9D", "10D"], 1, "expected nothing more"),
        (["9X"], 0, "expected a suit"),
        (["??"], 0, r"\?\? cannot be played"),
    ],
)
def test_what_is_no_card_is_no_action(words: list[str], word: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as error:
        GAME.parse("play", words)
    assert error.value.word == word


@pytest.mark.parametrize(
    ("seat", "card", "expected"),
    [(1, "9C", "ok"), (2, "10C", "not-your-turn"), (1, "10C", "not-in-hand"), (1, "JK", "not-in-hand")],
)
def test_a_lead_is_judged_in_order(seat: int, card: str, expected: str) -> None:
    assert code(three_seats().rule(Action(seat, "play", parse_card(card)))) == expected
    assert code(three_seats().rule(Action(1, "play", None))) == "unknown-action"


def test_a_hand_that_is_known_in_part_must_follow_with_what_is_certain() -> None:
    referee = three_seats(tracked=False)
    referee.rule(SetHand(2, (Card("10C"), *[UNKNOWN] * 9)))
    referee.rule(Action(1, "play", Card("9C")))
    assert code(referee.rule(Action(2, "play", Card("7H")))) == "must-follow-suit"
    assert code(referee.rule(Action(2, "play", Card("KC")))) == "ok"  # it may be there too


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, None),
        ({"9C": "10C"}, ("duplicate-card", "2")),
        ({"9C": "??"}, ("wrong-count", "2")),
        ({"9C": ""}, ("wrong-count", "2")),
        ({"9C": "2C"}, ("not-in-pack", "1")),
        ({"9C": "7C"}, ("not-in-pack", "1")),
    ],
)
def test_a_deal_that_cannot_be_is_refused(change: dict[str, str], expected: tuple[str, str] | None) -> None:
    words = [[change.get(word, word) for word in hand.split()] for hand in HANDS]
    hands = tuple(tuple(parse_card(word) for word in hand if word) for hand in words)
    refusal = GAME.check_deal(lay_table(GAME, 3).rules, 1, Dealt(hands))
    assert (None if refusal is None else (refusal.code, refusal.rule)) == expected


def test_the_cards_go_round_from_the_dealer_s_left() -> None:
    assert GAME.places(FOUR.rules, 3) == (4, 1, 2, 3) * 8
    assert GAME.wanted(FOUR.rules, Dealt(((),) * 4)) is None
    assert GAME.required_lines(FOUR.rules) == frozenset()


def test_the_director_moves_the_deal_before_the_first_card_only() -> None:
    referee = three_seats()
    assert code(referee.rule(SetDealer(1))) == "ok"
    assert to_act(referee.match) == (2,)
    referee.rule(Action(2, "play", Card("10C")))
    assert code(referee.rule(SetDealer(1))) == "wrong-phase"


def test_who_was_passed_over_by_the_director_plays_later_to_the_same_trick() -> None:
    referee = three_seats()
    referee.rule(Action(1, "play", Card("9C")))
    assert code(referee.rule(SetTurn(3))) == "ok"
    assert code(referee.rule(SetTurn(1))) == "wrong-phase"
    referee.rule(Action(3, "play", Card("JC")))
    assert to_act(referee.match) == (2,)
    referee.rule(Action(2, "play", Card("KC")))
    assert referee.match.deal.winners == (2,)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (HANDS[0], "ok"),
        (HANDS[0].replace("9C", "??"), "ok"),
        (HANDS[0].replace("9C ", ""), "wrong-count"),
        (HANDS[0].replace("9C", "QC"), "duplicate-card"),
        (HANDS[0].replace("9C", "10C"), "duplicate-card"),
        (HANDS[0].replace("9C", "2C"), "not-in-pack"),
    ],
)
def test_a_hand_that_the_director_names_must_be_possible(hand: str, expected: str) -> None:
    referee = three_seats()
    cards = tuple(parse_card(word) for word in hand.split())
    assert code(referee.rule(SetHand(1, cards))) == expected
    if expected == "ok":
        assert set(cards_of(referee.match.deal.hands.known[0])) >= set(cards) - {UNKNOWN}


def test_a_revoke_has_no_price_that_the_director_could_name() -> None:
    assert GAME.penalties == {}
    assert code(three_seats().rule(Penalty("revoke", "none"))) == "wrong-phase"


# What a game need not say


class Plain(TrickGame):
    """A game that says its name only."""

    name = "plain"


def test_a_game_must_say_its_rules() -> None:
    with pytest.raises(NotImplementedError, match="plain does not say its rules"):
        Plain().rules(4, True, {})


@pytest.mark.parametrize(
    ("scores", "winners", "losers"),
    [((9, 8, 0, 4), (), ()), ((10, 12, 0, 4), (1,), (0, 2, 3)), ((11, 11, 0, 4), (), ())],
)
def test_the_highest_total_wins_if_no_other_has_it(
    scores: tuple[int, ...], winners: tuple[int, ...], losers: tuple[int, ...]
) -> None:
    assert (Plain().winners(FOUR.rules, scores), Plain().losers(FOUR.rules, scores)) == (winners, losers)


def test_partners_score_their_tricks_together() -> None:
    rules = FOUR.rules._replace(sides=((1, 3), (2, 4)))
    deal, _ = Plain().deal(rules, 1, Dealt((None,) * 4))
    assert Plain().points(deal._replace(winners=(1, 3, 3, 2, 1, 4, 4, 1))) == (5, 3)
