"""Records: the exact round trip, the lenient forms, and writing what was played."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import PACK, deal_line, header, played, random_deal, random_table, verdict

from engine import entries
from engine.answers import check_record
from engine.cards import UNKNOWN, Card
from engine.entries import Entry
from engine.game import Dealt, games
from engine.match import Table, begin, lay_table, legal
from engine.notation import entry_text
from engine.record import deal_lines, header_lines, read_record, write_record
from engine.referee import Referee
from engine.values import Action

# Random records


def random_ruling(random: Random, table: Table) -> Entry:
    seat = random.randint(1, table.seats)
    hand = tuple(random.choice([*PACK, UNKNOWN]) for _ in range(random.randint(0, 7)))
    rulings: list[Entry] = [
        entries.Undo(None),
        entries.Undo(seat),
        entries.SetScore(random.choice(table.sides)[0], random.randint(-20, 40)),
        entries.VoidDeal(),
        entries.VoidMatch(),
        entries.SetDealer(seat),
        entries.SetTurn(seat),
        entries.SetHand(seat, hand),
        entries.SetName(seat, random.choice(["Ann", "Иван = 1", "x, y"])),
        entries.Accept(random.choice(["revoke", "wrong-dealer", "no-such-code"])),
        entries.Penalty("revoke", random.choice(["none", "fail-bid"])),
        Action(seat, "meld", "9C JK=10C"),
        Action(seat, "pass"),
        Action(seat, "bid", random.randint(1, 9)),
        Action(seat, "trump", random.randint(0, 4)),
        Action(seat, "play", random.choice([*PACK, Card("2C"), Card("JK'3"), Card("9D'2")])),
    ]
    return random.choice(rulings)


remarks = st.text(st.characters(exclude_characters="#\n\r", exclude_categories=["Cs"]), max_size=12).map(str.strip)
comments = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=12).map(str.rstrip)
tails = st.one_of(st.just(""), comments.map("#".__add__), comments.map("  # ".__add__).map(str.rstrip))


def random_record(random: Random) -> tuple[list[str], list[Entry], Referee]:
    """The lines of a record as a table writes them, its entries, and the referee who ruled on them."""
    table = random_table(random)
    scores = tuple(random.choice([0, 5, -3]) for _ in table.sides) if table.rules.target > 5 else ()
    names = tuple(f"Name {seat}" for seat in range(table.seats)) if random.random() < 0.5 else ()
    referee = Referee(begin(table, scores, names))
    lines, written = header_lines(table, scores, names), list[Entry]()
    for _ in range(random.randint(0, 4)):
        deal = random_deal(random, table, random.randint(1, table.seats))
        referee.rule(deal)
        lines += deal_lines(deal)
        written.append(deal)
        for _ in range(random.randint(0, 30)):
            entry: Entry = next(legal(referee.match), entries.Undo(1))
            if random.random() < 0.3:
                entry = random_ruling(random, table)
            referee.rule(entry)
            lines.append(entry_text(table, entry))
            written.append(entry)
    return lines, written, referee


@given(st.integers(0, 10**6), st.data())
def test_a_record_read_and_written_again_gives_the_same_bytes(seed: int, data: st.DataObject) -> None:
    lines, written, referee = random_record(Random(seed))
    decorated = []
    for line in lines:
        remark = data.draw(remarks) if line[0] in "1234" or line.startswith(("deal", "director")) else ""
        decorated.append(line + (f" ; {remark}" if remark else "") + data.draw(tails))
        if data.draw(st.booleans()):
            decorated.append(data.draw(tails))
    text = "".join(line + "\n" for line in decorated)
    record = read_record(text)
    assert write_record(record) == text
    assert [line.entry for line in record.lines if line.entry is not None] == written
    again, answers = check_record(record)
    assert all(decorated[answer.line - 1] for answer in answers)
    assert again.match == referee.match


@pytest.mark.parametrize("seed", range(20))
def test_what_a_table_accepted_and_wrote_is_checked_without_a_refusal(seed: int) -> None:
    random = Random(seed)
    _, _, referee = random_record(random)
    table = referee.match.table
    first = referee._parts[0].before
    lines = header_lines(table, first.scores, first.names)
    for entry, _ in referee.accepted:
        lines += deal_lines(entry) if isinstance(entry, entries.Deal) else [entry_text(table, entry)]
    text = "\n".join(lines) + "\n"
    record = read_record(text)
    again, answers = check_record(record)
    assert [answer.ruling.refusal for answer in answers] == [None] * len(referee.accepted)
    assert again.match._replace(notices=()) == referee.match._replace(notices=())
    assert write_record(record) == text


# Lenient forms


HEAD = "game: pepper\nseats: 4\nhands: concealed\n"


def written(body: str, head: str = HEAD) -> str:
    """A body as it is written again after it was read."""
    text = write_record(read_record(head + body))
    return text.removeprefix(HEAD)


@pytest.mark.parametrize(
    ("body", "canonical"),
    [
        ("deal 4\n1 bid 2", "deal 4\n1 bid 2\n"),
        ("  deal   4  \n\t1\tbid  2 ", "deal 4\n1 bid 2\n"),
        ("deal 4\r\n1 bid 2\r\n", "deal 4\n1 bid 2\n"),
        ("deal 4\n1 trump ♥\n1 trump s\n", "deal 4\n1 trump H\n1 trump S\n"),
        ("deal 4\n1 play t♠\n", "deal 4\n1 play 10S\n"),
        ("deal 4\n1 play jk\n1 play JK'3\n", "deal 4\n1 play JK\n1 play JK'3\n"),
        ("deal 4\n1 play 9d'1\n1 play 9d'2\n", "deal 4\n1 play 9D\n1 play 9D'2\n"),
        ("deal 4\nhand  1 :td ?? 9♣\n", "deal 4\nhand 1: 10D ?? 9C\n"),
        ("deal 4\n1 meld   7D   8D\n", "deal 4\n1 meld 7D 8D\n"),
        ("deal 4\n1 pass;why\n", "deal 4\n1 pass ; why\n"),
        ("deal 4\n1 pass  ;   why not  \n", "deal 4\n1 pass ; why not\n"),
        ("deal 4\n1 pass ;\n", "deal 4\n1 pass\n"),
        ("deal 4 ; misdealt\n", "deal 4 ; misdealt\n"),
        ("deal 4\n1 pass ; a ; b # c ; d\n", "deal 4\n1 pass ; a ; b # c ; d\n"),
        ("deal 4\n1 pass# c \n", "deal 4\n1 pass# c\n"),
        ("deal 4\n1 undo\ndirector   undo\n", "deal 4\n1 undo\ndirector undo\n"),
        ("deal 4\ndirector score 1=−5\n", "deal 4\ndirector score 1 = -5\n"),
        ("deal 4\ndirector score  2  =  005\n", "deal 4\ndirector score 2 = 5\n"),
        ("deal 4\n director void   match\n", "deal 4\ndirector void match\n"),
        ("deal 4\ndirector dealer=3\ndirector turn  = 2\n", "deal 4\ndirector dealer = 3\ndirector turn = 2\n"),
        ("deal 4\ndirector hand 2:9c T♦\n", "deal 4\ndirector hand 2: 9C 10D\n"),
        ("deal 4\ndirector name 1=Ann  B, C\n", "deal 4\ndirector name 1 = Ann  B, C\n"),
        ("deal 4\ndirector accept  revoke\n", "deal 4\ndirector accept revoke\n"),
        ("deal 4\ndirector penalty revoke=none\n", "deal 4\ndirector penalty revoke = none\n"),
        ("\n  \n# c\n  # d\ndeal 4\n", "\n\n# c\n  # d\ndeal 4\n"),
        ("  rules :  bowers\noption:target=31\n", "rules: bowers\noption: target = 31\n"),
        ("x-club:  Иванов клуб\n", "x-club: Иванов клуб\n"),
        ("x-empty:\n", "x-empty:\n"),
    ],
)
def test_lenient_forms_are_read_and_written_in_the_first_form(body: str, canonical: str) -> None:
    assert written(body) == canonical
    assert written(canonical) == canonical


def test_a_byte_order_mark_is_allowed() -> None:
    assert read_record("\ufeff" + HEAD) == read_record(HEAD)


def test_a_record_without_a_deal_is_one() -> None:
    record = read_record(HEAD)
    assert [line.entry for line in record.lines] == [None] * 3
    assert list(check_record(record)[1]) == []


@pytest.mark.parametrize(
    ("lines", "seats", "rules", "tracked"),
    [
        ("game: pepper\nseats: 2\n", 2, "standard", True),
        ("seats: 3\nhands: tracked\nrules: bowers\ngame: pepper\n", 3, "bowers", True),
        ("hands: concealed\nseats: 4\nrules: standard\ngame: pepper\n", 4, "standard", False),
    ],
)
def test_the_rules_are_standard_and_the_hands_tracked_where_the_header_does_not_say(
    lines: str, seats: int, rules: str, tracked: bool
) -> None:
    table = read_record(lines).table
    assert (table.seats, table.rule_set, table.tracked) == (seats, rules, tracked)


def test_names_and_scores_are_those_at_the_start() -> None:
    record = read_record(HEAD + "names: Ann,  Ben Two ,Cleo, Дан\nscores: −3 29\n")
    assert record.names == ("Ann", "Ben Two", "Cleo", "Дан")
    assert record.scores == (-3, 29)


def test_the_hand_lines_of_a_deal_stand_in_any_order() -> None:
    done = played(
        "deal 3 / hand 3: 9H 10H JH QH KH AH / hand 1: 9C 10C JC QC KC AC / hand 2: 9D 10D JD QD KD AD", seats=3
    )
    assert done.verdicts == ["ok"]


def test_a_remark_is_kept_with_its_line() -> None:
    record = read_record(HEAD + "deal 4\n1 bid 2 ; he meant three\n")
    assert [line.remark for line in record.lines] == ["", "", "", "", "he meant three"]


def test_the_dealer_is_left_out_after_the_first_deal() -> None:
    done = played("deal 2 / director void / deal", hands="concealed")
    assert done.verdicts == ["ok", "ok thrown-in", "ok"]
    assert done.match.dealer == 2


def test_a_written_dealer_that_was_left_out_stays_left_out() -> None:
    assert written("deal 2\ndirector void\ndeal\n") == "deal 2\ndirector void\ndeal\n"


def test_lines_are_numbered_from_one_with_blanks_and_comments() -> None:
    text = "# a record\n\n" + HEAD + "\ndeal 4\n# nothing yet\n1 bid 2\n"
    _, answers = check_record(read_record(text))
    assert [answer.line for answer in answers] == [7, 9]


# Writing


def table(seats: int = 4, tracked: bool = True, **options: int | str | bool) -> Table:
    return lay_table(games()["pepper"], seats, "standard", tracked, options)


def test_the_header_names_the_game_the_rules_the_seats_and_the_hands() -> None:
    assert header_lines(table()) == ["game: pepper", "rules: standard", "seats: 4", "hands: tracked"]
    assert header_lines(table(tracked=False))[3] == "hands: concealed"


def test_the_header_has_names_scores_and_options_where_there_are_any() -> None:
    options = table(target=31, partners=False, failed="all")
    assert header_lines(options, (1, -2, 0, 0), ("A", "B", "C", "D"))[4:] == [
        "names: A, B, C, D",
        "scores: 1 -2 0 0",
        "option: target = 31",
        "option: partners = false",
        "option: failed = all",
    ]


def test_scores_of_nothing_are_not_written() -> None:
    assert header_lines(table(), (0, 0)) == header_lines(table())


def cards(text: str) -> Sequence[Card]:
    return tuple(map(Card, text.split()))


def test_a_deal_is_written_with_the_hands_that_are_known() -> None:
    hands = (tuple(cards("9C ?? 10D")), None, tuple(cards("?? ?? ??")), None)
    assert deal_lines(entries.Deal(3, Dealt(hands))) == ["deal 3", "hand 1: 9C ?? 10D", "hand 3: ?? ?? ??"]


def test_a_deal_is_written_with_its_turn_up_its_stock_and_the_buried_card() -> None:
    dealt = Dealt((tuple(cards("9C")),), tuple(cards("JK 9D")), tuple(cards("AS KS")), Card("2C"))
    assert deal_lines(entries.Deal(1, dealt)) == [
        "deal 1",
        "buried: 2C",
        "turn-up: JK 9D",
        "hand 1: 9C",
        "stock: AS KS",
    ]


def test_the_verdicts_of_a_record_are_those_of_its_canonical_form() -> None:
    text = f"{header()}\n{deal_line(4)}\n1 bid big\n1 trump ♣\n1 play t♣\n2 play 9c\n".replace(" / ", "\n")
    first = [verdict(answer.ruling) for answer in check_record(read_record(text))[1]]
    second = [verdict(answer.ruling) for answer in check_record(read_record(write_record(read_record(text))))[1]]
    assert first == second == ["ok", "ok auction-won", "ok", "ok", "not-in-hand"]
