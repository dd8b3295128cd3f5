"""Following suit and trick winners against OpenSpiel itself, on random deals; run by `make oracle`."""

from itertools import islice
from types import ModuleType

import pytest
from openspiel import FOLDER, GAMES, Deal, card_text, deals, lines

from engine.cards import SUITS, Card, cards_of, mask
from engine.tricks import NO_TRUMP, TrickOrder, may_follow, trick_order, winner

pytestmark = pytest.mark.oracle

FULL = (*range(1, 13), 0)
PEPPER = (8, 9, 10, 11, 12, 0)
PEPPER_TRUMPS = (8, 9, 11, 12, 0, 10)
OTHER_JACK = {"C": "JS", "S": "JC", "D": "JH", "H": "JD"}

SEEDS = (1, 2, 3)
DEALS = {"euchre": 1000, "oh_hell": 150, "bridge": 100}


@pytest.fixture(autouse=True)
def spiel() -> ModuleType:
    """OpenSpiel; without it the test is skipped."""
    module = pytest.importorskip("pyspiel")
    assert isinstance(module, ModuleType)
    return module


def order_of(game: str, trump: str) -> TrickOrder:
    number = NO_TRUMP if trump == "none" else SUITS.index(trump)
    if game == "euchre":
        return trick_order(number, PEPPER, PEPPER_TRUMPS, left_bower=True)
    return trick_order(number, FULL, FULL, left_bower=False)


def sample(game: str, seed: int) -> list[Deal]:
    return list(islice(deals(game, seed), DEALS[game]))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_the_same_cards_may_follow(game: str, seed: int) -> None:
    follows = [follow for deal in sample(game, seed) for follow in deal.follows]
    assert len(follows) > 3000
    for follow in follows:
        order = order_of(game, follow.trump)
        legal = may_follow(order, mask(map(Card, follow.hand)), order.suit[Card(follow.trick[0])])
        assert set(map(str, cards_of(legal))) == set(follow.legal), follow


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_the_same_card_wins(game: str, seed: int) -> None:
    tricks = [trick for deal in sample(game, seed) for trick in deal.tricks]
    assert len(tricks) > 600
    for trick in tricks:
        cards = [Card(card) for card in trick.cards]
        assert winner(order_of(game, trick.trump), cards) == trick.winner, trick


def test_the_bowers_are_the_cards_that_euchre_names_so(spiel: ModuleType) -> None:
    state = spiel.load_game("euchre").new_initial_state()
    while state.current_phase().name != "PLAY":
        state.apply_action(state.legal_actions()[-1])
    right, left = (card_text(state.action_to_string(0, bower)) for bower in (state.right_bower(), state.left_bower()))
    order = order_of("euchre", right[-1])
    trumps = sorted(cards_of(order.suits[SUITS.index(right[-1])]), key=order.power.__getitem__)
    first_pack = [str(card) for card in trumps if card.pack == 1]
    assert first_pack[-2:] == [left, right]
    assert left == OTHER_JACK[right[-1]]


def test_tricks_of_every_number_of_seats_come() -> None:
    """Two and three seats when someone goes alone in euchre; three to seven in Oh Hell."""
    sizes = {game: {len(trick.cards) for deal in sample(game, 1) for trick in deal.tricks} for game in GAMES}
    assert sizes == {"euchre": {2, 3, 4}, "oh_hell": {3, 4, 5, 6, 7}, "bridge": {4}}


def test_every_trump_comes() -> None:
    trumps = {game: {trick.trump for deal in sample(game, 1) for trick in deal.tricks} for game in GAMES}
    suits = set("CDHS")
    assert trumps == {"euchre": suits, "oh_hell": suits, "bridge": suits | {"none"}}


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_deals(game: str) -> None:
    assert list(islice(deals(game, 5), 5)) == list(islice(deals(game, 5), 5))
    assert list(islice(deals(game, 5), 5)) != list(islice(deals(game, 6), 5))


@pytest.mark.parametrize("game", GAMES)
def test_the_file_is_what_its_script_writes(game: str) -> None:
    stored = (FOLDER / f"positions-{game}.jsonl").read_text(encoding="utf-8").splitlines()
    written = list(lines(game))
    if stored[0] != written[0]:
        pytest.skip(f"the file comes from {stored[0]}, here is {written[0]}")
    assert stored == written


@pytest.mark.parametrize(("text", "card"), [("HT", "10H"), ("♠10", "10S"), ("♦A", "AD"), ("C9", "9C")])
def test_cards_are_read_as_openspiel_prints_them(text: str, card: str) -> None:
    assert card_text(text) == card


@pytest.mark.parametrize("text", ["", "4", "Pass", "Clubs", "S", "4♥", "S1", "X9"])
def test_a_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no card of OpenSpiel"):
        card_text(text)
