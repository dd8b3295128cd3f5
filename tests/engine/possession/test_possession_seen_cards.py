"""What everybody saw of the cards in a hand: nobody can enter that it holds one of them itself."""

from possession_tables import Played, header

from engine.cards import Card
from engine.match import check_action, seen_from
from engine.notation import parse_entry
from engine.possession import GAME
from engine.values import Action
from engine.view import Hand

SHOWN = "deal 1 / turn-up: 8C / 2 show 7S / 1 show 9D"


def played(*lines: str, **heading: object) -> Played:
    text = " / ".join(lines).replace(" / ", "\n")
    return Played(f"{header(hands='concealed', **heading)}\n{text}\n")  # type: ignore[arg-type]


def by_buttons(table: Played, line: str) -> str:
    """What is ruled on an action that no reader saw: the ruling on what its seat may know."""
    action = parse_entry(table.match.table, line, 1)
    assert isinstance(action, Action)
    refusal = check_action(seen_from(table.match, action.seat), action)
    return "ok" if refusal is None else refusal.code


def test_a_card_that_was_shown_is_where_everybody_saw_it() -> None:
    table = played(SHOWN)
    assert [by_buttons(table, line) for line in ("2 draw 9D", "2 draw 10D", "2 draw")] == ["not-in-hand", "ok", "ok"]


def test_a_card_that_was_taken_from_the_discards_is_where_everybody_saw_it() -> None:
    table = played(
        "deal 1 / turn-up: 8C / 1 show 7S / 2 show 9D / 1 take / 1 meld 7C 8C 9C / 1 discard KH", rules="melds"
    )
    table.rule("2 take / 2 meld JH QH KH / 2 discard 2D / 1 take / 1 discard 3S")
    assert table.last == "take-not-used"
    table.rule("1 meld AD 2D 3D / 1 discard 4S")
    assert [by_buttons(table, line) for line in ("2 draw 7S", "2 draw 9D")] == ["not-in-hand", "not-in-hand"]
    table.rule("2 take")
    assert table.deal.open >> Card("4S") & 1


def test_a_card_drawn_out_of_an_order_that_everybody_knows() -> None:
    """Two cards are under the top one when the stock is empty: the older is drawn, and all know which that is."""
    table = played(SHOWN, *["2 draw", "1 draw"] * 16, "2 draw", "1 play 9C 10C")
    assert not table.deal.stock.places
    table.rule("2 draw")
    assert table.verdicts[-1] == "ok refill"
    assert GAME.seen_from(table.deal, 1).hands.known[1] == 1 << Card("8C") | 1 << Card("7S")
    assert by_buttons(table, "1 draw 8C") == "not-next"


def test_which_card_of_a_shuffled_pile_was_drawn_is_not_seen() -> None:
    table = played(SHOWN, *["2 draw", "1 draw"] * 16, "2 draw", "1 play 9C 10C", shuffle_on_refill="true")
    table.rule("2 draw 8C")
    assert GAME.seen_from(table.deal, 1).hands.known[1] == 1 << Card("7S")


def test_one_card_is_no_shuffle() -> None:
    table = played(SHOWN, *["2 draw", "1 draw"] * 16, "2 draw", "1 play 9C", shuffle_on_refill="true")
    table.rule("2 draw")
    assert GAME.seen_from(table.deal, 1).hands.known[1] == 1 << Card("8C") | 1 << Card("7S")


def test_displays_show_no_card_of_another_hand() -> None:
    table = played(SHOWN)
    hand = next(block for block in GAME.blocks(table.deal, 2) if isinstance(block, Hand) and block.seat == 1)
    assert hand == Hand(1, (), 9)
