"""What the run of mutants reads: the difference that each made, and the page that explains those that live."""

from page import NOTHING, Mutant, explained, mutant

DIFF = """--- mutation diff ---
--- aengine/tricks.py
+++ bengine/tricks.py
@@ -61,3 +61,3 @@
         card = cards[index]
-        if power[card] > best_power:
+        if power[card] >= best_power:
"""
PAGE = """# Faults

    - not yet below a heading
    + this counts nowhere

## Tricks: engine/tricks.py

Why:

    - if power[card] > best_power:
    + if power[card] >= best_power:
    + if power[card] != best_power:

## Melds: engine/melds.py

    - @cache
    + (nothing)
"""


def test_a_mutant_is_the_line_that_went_and_what_came_for_it() -> None:
    assert mutant(DIFF) == Mutant("tricks", "if power[card] > best_power:", "if power[card] >= best_power:")


def test_a_line_that_went_for_nothing() -> None:
    gone = "--- aengine/melds.py\n+++ bengine/melds.py\n-\n-\n-@cache\n+\n"
    assert mutant(gone) == Mutant("melds", "@cache", NOTHING)


def test_the_page_explains_mutants_by_module_and_several_of_one_line() -> None:
    line = "if power[card] > best_power:"
    assert explained(PAGE) - {Mutant("", "not yet below a heading", "this counts nowhere")} == {
        Mutant("tricks", line, "if power[card] >= best_power:"),
        Mutant("tricks", line, "if power[card] != best_power:"),
        Mutant("melds", "@cache", NOTHING),
    }
