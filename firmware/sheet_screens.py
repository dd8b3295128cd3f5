"""The table's own business on a display: a title, what it is about, and the choices."""

from itertools import product

from firmware.carousel import draw_carousel
from firmware.choice_rows import columns_of, draw_choices
from firmware.drawing import FOOT, HEAD, Align, Canvas
from firmware.glyphs import Font, fit, width, wrap
from firmware.seatview import Sheet, Wording
from firmware.words import Length, Words

_MANY = 99
_MOST = 7
"""Choices beyond which they stand in a list that goes round, however short they are."""
_ROOM = 126
"""Columns of a sentence."""


def labels_of(sheet: Sheet, words: Words) -> list[str]:
    """The words of a sheet's choices."""
    own = dict(sheet.labels)
    return [own.get(choice) or words.choice(choice, Length.OLED) for choice in sheet.ask.choices]


def draw_sheet(canvas: Canvas, sheet: Sheet, words: Words, cursor: int | None) -> None:
    """On 64 rows: the title over everything, big words or what is typed, a sentence where no choices are in the way."""
    canvas.strip(HEAD, words.ask(sheet.ask.prompt, Length.LINE, sheet.facts))
    labels = labels_of(sheet, words)
    top = FOOT - 2
    if labels:
        rows = _rows(canvas, labels)
        top -= 28 if rows == 2 else 17
        if rows == 2:
            draw_choices(canvas, top + 8, labels, cursor)
        elif rows == 1:
            draw_choices(canvas, top + 2, labels, cursor)
        else:
            draw_carousel(canvas, top + 1, labels, cursor)
        canvas.strip(FOOT, words.table("choose", Length.OLED), inverse=False)
    y = 9
    if sheet.typed:
        _big(canvas, y, sheet.typed)
        y += 18
    elif sheet.big is not None:
        _big(canvas, y, _say(words, sheet.big, Length.OLED))
        y += 18
    if sheet.text is not None:
        _sentence(canvas, y, top - y, *(_say(words, sheet.text, length) for length in (Length.LINE, Length.OLED)))


def _sentence(canvas: Canvas, y: int, rows: int, *texts: str) -> None:
    """The first of these texts that so many rows hold whole, in the larger font that does; none where none does."""
    room = canvas.columns - 2
    for text, font in product(texts, (Font.SMALL, Font.TINY)):
        lines = min(3, rows // font.height)
        if lines and len(wrap(text, font, room, _MANY)) <= lines:
            spare = (rows - lines * font.height) // 2
            canvas.paragraph(1, y + spare, text, font, lines=lines, room=room, align=Align.CENTRE)
            return


def draw_low_sheet(canvas: Canvas, sheet: Sheet, words: Words, cursor: int | None) -> None:
    """On 32 rows: the choices, and of the rest what has room."""
    labels = labels_of(sheet, words)
    foot = canvas.rows - 8
    title = words.ask(sheet.ask.prompt, Length.OLED, sheet.facts)
    if not labels or (cursor is None and sheet.big is not None):  # its choices come with the first press
        said = sheet.typed or (_say(words, sheet.big, Length.OLED) if sheet.big else title)
        canvas.text(64, 0, said, _largest(said, canvas), align=Align.CENTRE, room=canvas.columns)
        if sheet.text is not None:
            text = _say(words, sheet.text, Length.LINE)
            canvas.paragraph(0, 16, text, Font.TINY, lines=2, align=Align.CENTRE)
            if said != title and len(wrap(text, Font.TINY, canvas.columns, 2)) == 1:
                canvas.strip(foot, title, inverse=False)
        return
    rows = _rows(canvas, labels)
    if rows == 2 and sheet.big is not None:
        rows = 0  # what it is about needs the foot line
    if rows == 2:
        draw_choices(canvas, 9, labels, cursor)
        return
    if rows == 1:
        draw_choices(canvas, 3, labels, cursor)
    else:
        draw_carousel(canvas, 2, labels, cursor)
    said = sheet.typed or (_say(words, sheet.big, Length.OLED) if sheet.big else "")
    room = canvas.columns - 2 - Font.TINY.cell - min(width(title, Font.TINY), canvas.columns // 2)
    canvas.strip(foot, title, fit(said, Font.TINY, room), inverse=False)


def _fits(text: str, font: Font, height: int) -> bool:
    """Whether a text is shown whole in so many rows."""
    lines = min(3, height // font.height)
    return bool(lines) and not wrap(text, font, _ROOM, lines)[-1].endswith("…")


def _rows(canvas: Canvas, labels: list[str]) -> int:
    """In how many rows the choices stand; 0: in a list that goes round."""
    if len(labels) > _MOST:
        return 0
    if columns_of(labels, Font.TEXT) <= canvas.columns:
        return 1
    widest = (
        max(columns_of(labels[:cut], Font.SMALL), columns_of(labels[cut:], Font.SMALL)) for cut in range(1, len(labels))
    )
    return 2 if min(widest, default=canvas.columns + 1) <= canvas.columns else 0


def _big(canvas: Canvas, y: int, text: str) -> None:
    font = _largest(text, canvas)
    canvas.text(canvas.columns // 2, y + (18 - font.height) // 2, text, font, align=Align.CENTRE, room=canvas.columns)


def _largest(text: str, canvas: Canvas) -> Font:
    fonts = (Font.TITLE, Font.BOLD, Font.TEXT) if canvas.rows > 32 else (Font.BOLD, Font.TEXT)
    return next((font for font in fonts if width(text, font) <= canvas.columns), fonts[-1])


def _say(words: Words, text: Wording, length: Length) -> str:
    return words.table(text.code, length, **dict(text.facts))
