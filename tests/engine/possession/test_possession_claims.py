"""Possession: claims by draw, pass and show that a later card proves false."""

from possession_tables import Played, played

from engine.cards import Card


def begun(*lines: str, **heading: object) -> Played:
    """Concealed hands; seat 1 is to act on 8C. Without options the actions stand on lines 9, 10, …"""
    return played("deal 2 / turn-up: 8C / 1 show 8D 8S / 2 show 8H", *lines, hands="concealed", **heading)


def test_a_later_card_that_fitted_proves_a_draw_false() -> None:
    done = begun("1 draw 5H / 2 play 9C 10C / 1 draw 5S / 2 draw / 1 play JC")
    assert done.last == "ok false-claim"
    assert done.facts("false-claim") == [{"seat": 1, "claim": 11, "card": Card("JC")}]


def test_the_notice_names_the_line_of_the_claim_and_is_an_irregularity() -> None:
    done = begun("1 draw 5H / 2 play 9C / 1 draw 4S / 2 draw 4H / 1 play 10C")
    assert done.last == "ok false-claim"
    assert done.result["irregularities"] == [{"line": 13, "code": "false-claim", "seat": 1, "claim": 11, "card": "10C"}]


def test_a_second_card_of_a_run_proves_too() -> None:
    done = begun(
        "1 draw 5H / 2 draw 9C / 1 draw 4H / 2 play 9C / 1 draw 3H / 2 play 10C / 1 play JC QC / 2 draw / 1 play KC"
    )
    assert "false-claim" not in " ".join(done.verdicts)
    done = played("deal 4 / turn-up: 8C / 1 show 8D 8S / 2 show 8H / 3 show 8H / 4 show 8D",
                  "1 draw 5H / 2 play 9C 10C JC / 3 draw / 4 draw / 1 play 10C 9C",
                  seats=4, hands="concealed")  # fmt: skip
    assert done.facts("false-claim") == [{"seat": 1, "claim": 11, "card": Card("9C")}]


def test_each_claim_that_a_card_proves_false_has_its_notice() -> None:
    done = begun("1 draw 5H / 2 draw 4H / 1 draw 3H / 2 draw 2H / 1 play 9C 10C")
    assert done.last == "ok false-claim false-claim"
    assert [facts["claim"] for facts in done.facts("false-claim")] == [9, 11]


def test_what_was_proven_is_not_noted_again() -> None:
    done = begun(
        "1 draw 5H / 2 play 9C / 1 draw 4H / 2 draw 3H / 1 play 10C / 2 play 9D / 2 draw 3S / 1 play 9C / 1 play JC"
    )
    assert done.verdicts[-5] == "ok false-claim"
    assert done.last == "ok"


def test_a_card_that_went_in_after_the_claim_proves_nothing() -> None:
    done = begun("1 draw 9C / 2 draw 4H / 1 play 9C")
    assert done.verdicts[-3:] == ["ok", "ok", "ok"]


def test_an_unknown_card_that_went_in_since_excuses_one_card() -> None:
    done = begun("1 draw / 2 draw / 1 play 9C")
    assert done.last == "ok"
    done = begun("1 draw / 2 play 9C 10C JC QC / 1 play KC / 2 draw / 1 draw")
    assert "false-claim" not in " ".join(done.verdicts)
    done = begun("1 draw / 2 draw 9C / 1 play 7C / 2 draw 4S / 1 play 6C / 2 play 5C / 1 draw 4H / 2 play 6C")
    assert done.verdicts[6] == "ok"


def test_more_cards_than_unknown_ones_prove_it() -> None:
    done = played("deal 4 / turn-up: 8C / 1 show 8D 8S / 2 show 8H / 3 show 8H / 4 show 8D",
                  "1 draw / 2 draw 8C / 3 draw 3H / 4 draw 2H / 1 play 9C / 2 play 8C / 3 draw 5H / 4 draw 6H",
                  "1 play 7C", seats=4, hands="concealed")  # fmt: skip
    assert done.verdicts[-5:] == ["ok", "ok", "ok", "ok", "ok false-claim"]
    assert done.facts("false-claim") == [{"seat": 1, "claim": 11, "card": Card("7C")}]


def test_a_pass_is_a_claim() -> None:
    done = played("deal 4 / turn-up: 8C / 1 show 8D 8S / 2 show 8H / 3 show 8H / 4 show 8D", seats=4, hands="concealed")
    done.rule(" / ".join(f"{number % 4 + 1} draw" for number in range(67)))
    assert done.rule("4 pass / 1 play 9C 10C / 2 draw / 3 draw / 4 play 9C") == [
        "ok", "ok", "ok refill", "ok", "ok false-claim",
    ]  # fmt: skip
    assert done.facts("false-claim") == [{"seat": 4, "claim": 1000, "card": Card("9C")}]


def test_with_voluntary_draw_a_draw_is_no_claim() -> None:
    assert begun("1 draw 5H / 2 draw 4H / 1 play 9C", voluntary_draw="true").last == "ok"


def test_a_declining_pass_is_no_claim_and_blocks_nothing() -> None:
    done = begun("1 draw / 1 pass / 2 draw / 2 pass / 1 draw / 1 play 9C", play_drawn_card="true")
    assert done.last == "ok"
    assert set(done.verdicts[4:]) == {"ok"}


def test_a_show_vouches_for_all_distances_since_the_show_before() -> None:
    done = played(
        "deal 2 / turn-up: 8C / 1 show 10D / 2 show 10H / 1 show JD / 2 show QH / 1 play 9C", hands="concealed"
    )
    assert done.last == "ok false-claim"
    assert done.facts("false-claim") == [{"seat": 1, "claim": 7, "card": Card("9C")}]
    done = played("deal 2 / turn-up: 8C / 1 show 9D / 2 show 9H / 1 show JC / 2 show QH",
                  "1 draw 2S / 2 play 9C / 1 play 10C", hands="concealed")  # fmt: skip
    assert done.facts("false-claim", -2) == [{"seat": 2, "claim": 8, "card": Card("9C")}]
    assert done.facts("false-claim") == [{"seat": 1, "claim": 9, "card": Card("10C")}]


def test_a_show_in_the_melding_game_is_proven_false_by_melds_and_discards() -> None:
    done = played("deal 2 / turn-up: 8C / 1 show 10D / 2 show QH / 1 draw 2S / 1 meld 9C 10C JC / 1 discard 8D",
                  hands="concealed", rules="melds")  # fmt: skip
    assert done.verdicts[-2] == "ok false-claim"
    assert [facts["card"] for facts in done.facts("false-claim", -2)] == [Card("9C")]
    assert done.last == "ok"
    done = played("deal 2 / turn-up: 8C / 1 show 10D / 2 show QH / 1 draw 9C / 1 meld 9C 10C JC / 1 discard 8D",
                  hands="concealed", rules="melds")  # fmt: skip
    assert done.verdicts[-2:] == ["ok false-claim", "ok"]
    done = played("deal 2 / turn-up: 8C / 1 show 10D / 2 show QH / 1 draw / 1 discard 8D / 2 draw / 2 discard QH",
                  "1 draw 2C / 1 discard 8H", hands="concealed", rules="melds")  # fmt: skip
    assert done.verdicts[5] == "ok"
    assert done.last == "ok false-claim"


def test_cards_that_the_director_named_count_as_unknown_until_then() -> None:
    done = begun("1 draw 5H / 2 draw 4H / director hand 1: 9C ?? ?? ?? ?? ?? ?? ?? ?? ?? / 1 draw / 1 play 9C")
    assert done.verdicts[-3:] == ["ok", "can-play", "ok false-claim"]


def test_in_a_tracked_deal_a_corrected_hand_can_prove_a_claim_false() -> None:
    done = played("deal 2 / turn-up: 8C / hand 1: 8D 8S 2D 2S 3D 3S 4D 4S 5D / hand 2: 8H KD KS QD QS JD JS 10D 10S",
                  "1 draw 2C / 2 draw 3C / director hand 1: 8D 8S 2D 2S 3D 3S 4D 9C 5D 2C / 1 play 9C")  # fmt: skip
    assert done.last == "ok false-claim"


def test_a_drawn_card_that_the_director_corrects_counts_as_one_that_nobody_saw() -> None:
    done = played("deal 2 / turn-up: 8C / hand 1: 8D 8S 2D 2S 3D 3S 4D 4S 5D / hand 2: 8H KD KS QD QS JD JS 10D 10S",
                  "1 draw 2C / 2 draw 3C / director hand 1: 8D 8S 2D 2S 3D 3S 4D 4S 5D 9C / 1 play 9C")  # fmt: skip
    assert done.last == "ok"


def test_what_was_taken_back_is_neither_claimed_nor_proven() -> None:
    done = begun("1 draw 5H / 1 undo / 1 play 9C")
    assert done.last == "ok"
    done = begun("1 draw 5H / 2 draw 4H / 1 play 9C / 1 undo")
    assert done.result["irregularities"] == []


def test_an_equal_card_of_the_other_pack_fits_as_well() -> None:
    done = played("deal 4 / turn-up: 8C / 1 show 8D 8S / 2 show 8H / 3 show 8H / 4 show 8D",
                  "1 draw 9C'1 / 2 draw 4H / 3 draw 3H / 4 draw 2H / 1 play 9C'2",
                  seats=4, hands="concealed")  # fmt: skip
    assert done.last == "ok false-claim"


def test_the_director_signs_a_false_claim() -> None:
    done = begun("1 draw 5H / 2 draw 4H / 1 play 9C / director accept false-claim / director accept false-claim")
    assert done.verdicts[-3:] == ["ok false-claim", "ok", "wrong-phase"]
