"""The table's own business on a display: the question, what it is about, and the choices."""

from itertools import product

from firmware.carousel import draw_carousel
from firmware.choice_rows import columns_of, draw_choices, draw_one_row, room_of, row_holds
from firmware.dialogs import SIGN
from firmware.drawing import FOOT, HEAD, Align, Canvas
from firmware.glyphs import Font, fit, width, wrap
from firmware.seatview import Sheet, Wording
from firmware.words import Length, Words

_MANY = 99
_MOST = 7
"""Choices beyond which they stand in a list that goes round, however short they are."""
_CURSOR = "_"
"""Where the next sign that is typed comes."""
_HIGH = (Font.LARGE, Font.TITLE, Font.BOLD, Font.TEXT)
_LOW = (Font.BOLD, Font.TEXT)


def labels_of(sheet: Sheet, words: Words) -> list[str]:
    """The words of a sheet's choices."""
    own = dict(sheet.labels)
    return [own.get(choice) or words.choice(choice, Length.OLED) for choice in sheet.ask.choices]


def title_of(sheet: Sheet, words: Words, room: int, font: Font = Font.TINY) -> str:
    """The question of a sheet at the length that so many columns hold."""
    whole, short = (words.ask(sheet.ask.prompt, length, sheet.facts) for length in (Length.LINE, Length.OLED))
    return whole if width(whole, font) <= room else short


def draw_sheet(canvas: Canvas, sheet: Sheet, words: Words, cursor: int | None, under: str = "") -> None:
    """On 64 rows: the question large where nothing else is to be said, what there is to say, the choices.

    The head line has the question where the room is taken by other things, else `under`: what the sheet was opened
    from.
    """
    labels, signs = labels_of(sheet, words), is_typed(sheet)
    top = FOOT - 2
    place = ""
    if labels:
        rows = _rows(canvas, labels)
        top -= 28 if rows == 2 else 17
        if rows == 2:
            draw_choices(canvas, top + 8, labels, cursor)
        elif rows == 1:
            draw_choices(canvas, top + 2, labels, cursor)
        else:
            draw_carousel(canvas, top + 1, labels, cursor)
            place = "" if signs or cursor is None else f"{cursor + 1}/{len(labels)}"
        canvas.strip(FOOT, how_to_choose(words, labels, cursor), inverse=False)
    title = words.ask(sheet.ask.prompt, Length.LINE, sheet.facts)
    y = HEAD + 9
    if signs:
        question, font = _largest(canvas, (title, words.ask(sheet.ask.prompt, Length.OLED, sheet.facts)), (Font.TEXT,))
        canvas.text(canvas.columns // 2, y, question, font, align=Align.CENTRE, room=room_of(canvas))
        _draw_big(canvas, y + 12, (_typed(sheet),), Font.TITLE)
        canvas.strip(HEAD, under or title, place)
        return
    if sheet.big is not None:
        big = _say(words, sheet.big, Length.OLED)
        long = width(big, Font.TEXT) > room_of(canvas)  # its end may be what matters, such as a card
        if sheet.text is not None or not long or not _sentence(canvas, y, top - y, big):
            _draw_big(canvas, y, (big,), Font.TITLE)
        y += 18
    elif _draw_question(canvas, sheet, words, y, top):
        canvas.strip(HEAD, under or title, place)
        return
    if sheet.text is not None:
        _sentence(canvas, y, top - y, *_lengths(words, sheet.text))
    canvas.strip(HEAD, title, place)


def is_typed(sheet: Sheet) -> bool:
    """Whether signs are typed on it."""
    return bool(sheet.typed) or any(choice.startswith(SIGN) for choice in sheet.ask.choices)


def how_to_choose(words: Words, labels: list[str], cursor: int | None) -> str:
    """What the buttons do now: while none of several choices is picked out, OK alone takes none."""
    return words.short("choose-first" if cursor is None and len(labels) > 1 else "choose")


def _typed(sheet: Sheet) -> str:
    """What was typed, and where the next sign comes, if one may."""
    return sheet.typed + _CURSOR * any(choice.startswith(SIGN) for choice in sheet.ask.choices)


def _lengths(words: Words, text: Wording) -> tuple[str, str]:
    return _say(words, text, Length.LINE), _say(words, text, Length.OLED)


def _draw_question(canvas: Canvas, sheet: Sheet, words: Words, y: int, end: int) -> bool:
    """The question in large letters, and below it what there is to say; whether both have room."""
    titles = [words.ask(sheet.ask.prompt, length, sheet.facts) for length in (Length.LINE, Length.OLED)]
    if sheet.text is None:
        text, font = _largest(canvas, titles, _HIGH)
        canvas.text(canvas.columns // 2, y + (end - y - font.height) // 2, text, font, align=Align.CENTRE,
                    room=room_of(canvas))  # fmt: skip
        return True
    if not _sentence(canvas, y + 17, end - y - 17, _say(words, sheet.text, Length.LINE)):
        return False
    _draw_big(canvas, y, titles, Font.TITLE)
    return True


def _sentence(canvas: Canvas, y: int, rows: int, *texts: str) -> bool:
    """The first of these texts that so many rows hold whole, in the larger font that does; none where none does.
    Whether one does.
    """
    room = room_of(canvas)
    for text, font in product(texts, (Font.SMALL, Font.TINY)):
        lines = min(3, rows // font.height)
        if lines and len(wrap(text, font, room, _MANY)) <= lines:
            spare = (rows - lines * font.height) // 2
            canvas.paragraph(2, y + spare, text, font, lines=lines, room=room, align=Align.CENTRE)
            return True
    return False


def draw_low_sheet(canvas: Canvas, sheet: Sheet, words: Words, cursor: int | None) -> None:
    """On 32 rows: the choices in one row, and in the foot line the question and what has room beside it."""
    labels = labels_of(sheet, words)
    foot, most = canvas.rows - 8, canvas.columns - 2
    if not labels or (cursor is None and sheet.big is not None):  # its choices come with the first press
        title = title_of(sheet, words, room_of(canvas), Font.TEXT)
        said = sheet.typed or (_say(words, sheet.big, Length.OLED) if sheet.big else title)
        below = _say(words, sheet.text, Length.LINE) if sheet.text is not None else ""
        if below or width(said, Font.TEXT) <= room_of(canvas) or not _sentence(canvas, 0, foot, said):
            font = next((font for font in _LOW if width(said, font) <= room_of(canvas)), _LOW[-1])
            canvas.going_round(2, 0, said, font, room_of(canvas))
        canvas.paragraph(2, 16, below, Font.TINY, lines=2, room=room_of(canvas), align=Align.CENTRE)
        if len(wrap(below, Font.TINY, room_of(canvas), 2)) < 2:
            more = words.short("more-choices") if labels else ""
            room = most - width(more, Font.TINY) - Font.TINY.cell
            canvas.strip(foot, title_of(sheet, words, room) if said != title else "", more, inverse=False)
        return
    signs, rows = is_typed(sheet), _rows(canvas, labels)
    said = _typed(sheet) if signs else _say(words, sheet.big, Length.OLED) if sheet.big else ""
    if rows == 1:
        draw_choices(canvas, 3, labels, cursor)
    elif rows == 2 and row_holds(canvas, labels):
        draw_one_row(canvas, 3, labels, cursor)
    else:
        draw_carousel(canvas, 2, labels, cursor)
        said = said or (f"{cursor + 1}/{len(labels)}" if cursor is not None else "")
    if cursor is None and len(labels) > 1:
        hints = (words.short("choose-first"), words.short("more-choices"))
        short = width(words.ask(sheet.ask.prompt, Length.OLED, sheet.facts), Font.TINY)
        said = next((hint for hint in hints if short + width(hint, Font.TINY) + 8 <= most), said)
    taken = min(width(said, Font.TINY), canvas.columns // 2) + Font.TINY.cell if said else 0
    title = title_of(sheet, words, most - taken)
    room = most - Font.TINY.cell - min(width(title, Font.TINY), canvas.columns // 2)
    if width(said, Font.TINY) <= room:
        canvas.strip(foot, title, said, inverse=False)
        return
    canvas.strip(foot, fit(title, Font.TINY, most - Font.TINY.cell - room), inverse=False)
    canvas.going_round(canvas.columns - 1 - room, foot, said, Font.TINY, room)


def _rows(canvas: Canvas, labels: list[str]) -> int:
    """In how many rows the choices stand; 0: in a list that goes round."""
    if len(labels) > _MOST:
        return 0
    if columns_of(labels, Font.TEXT) <= room_of(canvas):
        return 1
    widest = (
        max(columns_of(labels[:cut], Font.SMALL), columns_of(labels[cut:], Font.SMALL)) for cut in range(1, len(labels))
    )
    return 2 if min(widest, default=canvas.columns + 1) <= room_of(canvas) else 0


def _draw_big(canvas: Canvas, y: int, texts: tuple[str, ...] | list[str], largest: Font) -> None:
    """One of these texts, the longest first, in the middle of 18 rows."""
    text, font = _largest(canvas, texts, _HIGH[_HIGH.index(largest) :])
    room = room_of(canvas)
    canvas.going_round((canvas.columns - room) // 2, y + (18 - font.height) // 2, text, font, room)


def _largest(canvas: Canvas, texts: tuple[str, ...] | list[str], fonts: tuple[Font, ...]) -> tuple[str, Font]:
    """The first of these texts that some font holds, in the largest that does; else the last one in the smallest."""
    found = ((text, font) for text in texts for font in fonts if width(text, font) <= room_of(canvas))
    return next(found, (texts[-1], fonts[-1]))


def _say(words: Words, text: Wording, length: Length) -> str:
    return words.table(text.code, length, **dict(text.facts))
