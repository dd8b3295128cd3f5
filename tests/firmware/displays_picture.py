"""The first picture of the README: four displays of a simulated table in the middle of a trick."""

from PIL import Image

from firmware.bench import Bench
from firmware.script import parse_script
from firmware.simulated import SimulatedTable

SCRIPT = """
dealer 4
names Ann, Ben, Cleo, Dan
deal JS AS KS QS 9C 10C / AC KC QC AH KH AD / 9S 9D 10D 9H 10H JD / 10S JC QH JH QD KD
choose 1 4
choose 2 pass
choose 3 pass
choose 4 pass
choose 1 S
tap 1 9C
tap 2 AH
tap 4 JC
hold 3 right
"""
SCALE, GAP, GLASS, GLOW = 3, 12, (16, 18, 22), (190, 230, 255)


def displays() -> Image.Image:
    """A trick, two refusals, a hand that is peeked at."""
    script = parse_script(SCRIPT)
    with SimulatedTable(script.table) as table:
        bench = Bench(table)
        for statement in script.statements:
            statement.act(bench)
        pictures = [table.picture(seat) for seat in range(1, 5)]
    wide, high = 128 * SCALE + 2 * GAP, 64 * SCALE + 2 * GAP
    sheet = Image.new("RGB", (2 * wide + GAP, 2 * high + GAP), "white")
    for place, picture in enumerate(pictures):
        glass = Image.new("RGB", (wide, high), GLASS)
        mask = picture.resize((128 * SCALE, 64 * SCALE)).convert("L")
        glass.paste(GLOW, (GAP, GAP), mask)
        sheet.paste(glass, (place % 2 * (wide + GAP), place // 2 * (high + GAP)))
    return sheet.quantize(16)
