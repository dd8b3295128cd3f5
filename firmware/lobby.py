"""The lobby: before a match, those who want to play join, and agree on the displays on what is played.

Whoever has joined may change anything. What was agreed is remembered for the next time.
"""

import json
from collections.abc import Callable
from functools import cache

from engine.game import games
from engine.options import Choice, OptionError, option_text
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Close, Dialog, Keep, Leave, Open, Outcome, Pick, Say, Share, Start, Stay, Typing
from firmware.high_card import HighCard
from firmware.known_names import NAMES, known_names, remembered, texts_of, type_name
from firmware.menu import Menu
from firmware.plan import BY_CARD, BY_LOT, Plan, plan_from, plan_of, setup_from
from firmware.seatview import Sheet, TableText, Wording
from firmware.settings import LANGUAGE
from firmware.ways import Way
from firmware.ways_here import ways_here
from firmware.words import LANGUAGE_NAMES, LANGUAGES, Words, heading

PLAN, SITTING = "plan", "sitting"
"""What is remembered: the plan, and who sat where."""


class Lobby(Dialog):
    """One lobby of the whole table."""

    lasts = True

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.plan = plan_of(desk.settings.get(PLAN), plan_from(desk.setup))
        self.joined: dict[int, str] = {}
        """The names of those who play, by place; empty: none was given."""
        self._before = texts_of(desk.settings.get(SITTING), dict[str, str])

    # What places see

    def sheet(self, place: int) -> Sheet:
        """What is planned and who plays; to one who has joined, what can be changed."""
        words = self._game_words()
        facts = (("game", words.title()), ("rules", words.rule_set(self.plan.rules)))
        count = len(self.joined)
        if place not in self.joined:
            prompt = Pick("lobby", ("join",), lambda _: self._join(place)).sheet(place)
            text = Wording("lobby-join")
        else:
            begin = ("begin",) if count in self.plan.played.seats else ()
            choices = (*begin, "name", "game", "rules", "options", "deal-way", "dealer", "language", "leave")
            prompt = Pick("lobby", choices, lambda _: Stay()).sheet(place)
            least, most = self.plan.played.seats[0], self.plan.played.seats[-1]
            text = Wording("lobby-wait", (("least", least), ("most", most)))
            if begin:
                text = Wording("lobby-ready", (("way", self._way().value),))
        return prompt._replace(facts=facts, big=self._big(place, count), text=text)

    def _big(self, place: int, count: int) -> Wording:
        name = self.joined.get(place, "")
        return Wording("lobby-name", (("name", name),)) if name else Wording("lobby-count", (("count", count),))

    def give(self, place: int, token: object) -> Outcome:
        """Join, change something, or begin."""
        if token == "join":
            return self._join(place)
        if place not in self.joined:
            return Stay()
        return {
            "begin": self._begin,
            "name": self._pick_name,
            "game": self._pick_game,
            "rules": self._pick_rules,
            "options": self._pick_option,
            "deal-way": self._pick_way,
            "dealer": self._pick_dealer,
            "language": self._pick_language,
            "leave": self._leave,
        }[str(token)](place)

    def back(self, place: int) -> Outcome:
        """The menu of the place."""
        return Open(Menu(self._desk, place))

    # Joining

    def _join(self, place: int) -> Outcome:
        name = self._before.get(str(place), "")
        self.joined[place] = "" if name in self.joined.values() else name
        return Stay()

    def _leave(self, place: int) -> Outcome:
        del self.joined[place]
        return Stay()

    def _pick_name(self, place: int) -> Outcome:
        free = [name for name in known_names(self._desk) if name not in self.joined.values()]
        labels = {f"name:{name}": name for name in free}
        nameless = ("no-name",) if self.joined[place] else ()
        return Open(Pick("name", ("new-name", *labels, *nameless, GO_ON), lambda choice: self._name(place, choice),
                         start=1 if free else 0, labels=labels))  # fmt: skip

    def _name(self, place: int, choice: str) -> Outcome:
        if choice == "new-name":
            return Open(type_name(self._desk, lambda name: self._type_name(place, name), lasts=False))
        name = choice.removeprefix("name:") if choice != "no-name" else ""
        if self._is_taken(place, name):
            return Say(TableText("name-taken", (("name", name),), bad=True))
        self.joined[place] = name
        return Close()

    def _is_taken(self, place: int, name: str) -> bool:
        return bool(name) and name in [held for other, held in self.joined.items() if other != place]

    def _type_name(self, place: int, name: str) -> Outcome:
        if self._is_taken(place, name):
            return Say(TableText("name-taken", (("name", name),), bad=True))
        self.joined[place] = name
        return Keep(NAMES, remembered(self._desk, name))

    # What is played

    def _game_words(self) -> Words:
        return _words(self.plan.game, self._desk.words.language)

    def _pick_game(self, place: int) -> Outcome:
        places = len(self._desk.places)
        names = [name for name, game in games().items() if game.seats[0] <= places]

        def labels() -> dict[str, str]:
            return {name: _words(name, self._desk.words.language).title() for name in names}

        return Open(Pick("game", names, self._set_game, labels=labels, start=names.index(self.plan.game)))

    def _set_game(self, name: str) -> Outcome:
        if name != self.plan.game:
            rules = next(iter(games()[name].rule_sets))
            self.plan = self.plan._replace(game=name, rules=rules, options=())
        return Close()

    def _pick_rules(self, place: int) -> Outcome:
        names, game = [*self.plan.played.rule_sets], self.plan.game

        def labels() -> dict[str, str]:
            return {name: _words(game, self._desk.words.language).rule_set(name) for name in names}

        then = self._unless_changed(self._set_rules, lambda plan: plan.game)
        return Open(Pick("rules", names, then, labels=labels, start=names.index(self.plan.rules)))

    def _unless_changed(self, then: Callable[[str], Outcome], of: Callable[[Plan], object]) -> Callable[[str], Outcome]:
        """What comes of a choice, unless somebody else has changed meanwhile what it is about."""
        about = of(self.plan)

        def picked(choice: str) -> Outcome:
            return then(choice) if of(self.plan) == about else Leave(TableText("not-asked", bad=True))

        return picked

    def _set_rules(self, name: str) -> Outcome:
        self.plan = self.plan._replace(rules=name, options=())
        return Close()

    def _pick_option(self, place: int) -> Outcome:
        plan = self.plan

        def labels() -> dict[str, str]:
            words = _words(plan.game, self._desk.words.language)
            return {name: f"{words.option(name)}: {words.value(plan.value(name))}" for name in plan.played.options}

        then = self._unless_changed(self._pick_value, _options_of)
        return Open(Pick("options", [*plan.played.options, GO_ON], then, labels=labels))

    def _pick_value(self, option: str) -> Outcome:
        kind, game = self.plan.played.options[option], self.plan.game
        values = kind.values if isinstance(kind, Choice) else ()

        def words() -> Words:
            return _words(game, self._desk.words.language)

        def facts() -> dict[str, str]:
            return {"option": heading(words().option(option))}

        def labels() -> dict[str, str]:
            return {option_text(value): words().value(value) for value in values}

        def put(text: str) -> Outcome:
            value = kind.parse(text)
            if value is None:
                return Say(TableText("value-out-of-range", (("expected", kind.expected),), bad=True))
            self.plan = self.plan.with_option(option, value)
            return Close()

        then = self._unless_changed(put, _options_of)
        if not isinstance(kind, Choice):
            most = len(str(kind.most))
            value = str(self.plan.value(option))
            return Open(Typing("number", "0123456789", then, most=most, typed=value, facts=facts))
        start = kind.values.index(self.plan.value(option))
        return Open(Pick("value", [*labels()], then, labels=labels, facts=facts, start=start))

    # How it begins

    def _ways(self) -> list[Way]:
        """The ways of dealing that this table has for those who sit."""
        return ways_here(self._desk, self.plan, self.joined)

    def _way(self) -> Way:
        """The way that is planned, or the first that can be."""
        ways = self._ways()
        return self.plan.way if self.plan.way in ways else ways[0]

    def _pick_way(self, place: int) -> Outcome:
        ways = self._ways()
        return Open(Pick("deal-way", [f"way:{way}" for way in ways], self._set_way, start=ways.index(self._way())))

    def _set_way(self, choice: str) -> Outcome:
        self.plan = self.plan._replace(way=Way(choice.removeprefix("way:")))
        return Close()

    def _pick_dealer(self, place: int) -> Outcome:
        joined = sorted(self.joined.items())

        def labels() -> dict[str, str]:
            unnamed = self._desk.words.short("seat-name")
            return {f"place:{other}": name or f"{unnamed} {other}" for other, name in joined}

        cards = (BY_CARD,) if self._desk.deck is not None and any(self._desk.readers) else ()
        return Open(Pick("first-dealer", (BY_LOT, *cards, *labels()), self._set_dealer, labels=labels))

    def _set_dealer(self, choice: str) -> Outcome:
        self.plan = self.plan._replace(dealer=choice.removeprefix("place:"))
        return Close()

    def _pick_language(self, place: int) -> Outcome:
        start = LANGUAGES.index(self._desk.words.language)
        return Open(
            Pick("language", LANGUAGES, lambda choice: Keep(LANGUAGE, choice), labels=LANGUAGE_NAMES, start=start)
        )

    def _begin(self, place: int) -> Outcome:
        try:
            self.plan = self.plan._replace(way=self._way())
            setup = setup_from(self.plan, self.joined, self._desk.words.short("seat-name"))
        except OptionError:
            return Say(TableText("options-clash", bad=True))
        sitting = {str(place): name for place, name in self.joined.items() if name}
        start = Start(setup, ((PLAN, self.plan.text()), (SITTING, json.dumps(sitting, ensure_ascii=False))))
        return Share(HighCard(start, self)) if self.plan.dealer == BY_CARD else start


def _options_of(plan: Plan) -> object:
    """What options there are depends on the game, and what they are by themselves on the rule set."""
    return plan.game, plan.rules


@cache
def _words(game: str, language: str) -> Words:
    """The words of a game: every refresh of every display asks for them."""
    return Words(games()[game], language)
