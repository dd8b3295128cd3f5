"""What becomes of bytes that are damaged, cut, mixed up or typed by somebody in a hurry."""

from collections.abc import Sequence
from random import Random

MOST = 1 << 19
ODD = (
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\r\n", b"\n", b" ", b"\t", b"\xc2\xa0", b"\xe2\x80\xa8", b"'", b'"', b"[", b"]",
    b"{", b"}", b"=", b":", b",", b"#", b"-1", b"0", b"99999999999999999999", b"1e999", b"NaN", b"null", b"true", b"??",
    b"10", "Дама".encode(),
)  # fmt: skip
"""Bytes that have another meaning somewhere."""


def mutated(seeds: Sequence[bytes], chance: Random) -> bytes:
    """One of the seeds, changed in one place or in a few."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        at, end = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        match chance.randrange(8):
            case 0 if data:
                data[min(at, len(data) - 1)] ^= 1 << chance.randrange(8)
            case 1:
                del data[at:]
            case 2:
                del data[at : min(end, at + 40)]
            case 3:
                data[at:at] = data[at : min(end, at + 200)] * chance.choice((1, 2, 30))
            case 4:
                data[at:at] = chance.choice(ODD) * chance.choice((1, 1, 1, 200))
            case 5:
                other = chance.choice(seeds)
                cut = chance.randint(0, len(other))
                data[at:] = other[cut : cut + 2000]
            case 6:
                lines = bytes(data).split(b"\n")
                one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
                lines[one], lines[two] = lines[two], lines[one]
                data = bytearray(b"\n".join(lines))
            case _:
                data[at : at + 4] = bytes(chance.randrange(256) for _ in range(4))
    return bytes(data[:MOST])
