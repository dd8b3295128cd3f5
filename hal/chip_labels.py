"""The labels that drivers of the kernel give to gpiochips: by these chips are found, letter by letter."""

import re
from collections.abc import Container

LABELS = frozenset(
    {
        "mcp23008",
        "mcp23017",
        "mcp23018",
        "mcp23s08",
        "mcp23s17",
        "mcp23s18",
        "pcf8574",
        "pcf8574a",
        "pca8574",
        "pca9670",
        "pca9672",
        "pca9674",
        "pcf8575",
        "pca8575",
        "pca9671",
        "pca9673",
        "pca9675",
        "max7328",
        "max7329",
    }
)
"""Labels that drivers of the kernel give: pinctrl-mcp23s08 and gpio-pcf857x."""
_BY_PLACE = re.compile(r"\d+-[0-9a-f]{4}")
"""The label that gpio-pca953x gives, by bus and address: ``1-0020``."""


def is_known(label: str) -> bool:
    """Whether a driver is known to give this label."""
    return label in LABELS or bool(_BY_PLACE.fullmatch(label))


def meant(label: str, labels: Container[str] = LABELS) -> str:
    """The one of these labels that is meant by another one: its signs are wrong, or its case. Empty where there is
    none.

    >>> meant("MCP 23017")
    'mcp23017'
    """
    bare = re.sub(r"[^a-z0-9]", "", label.lower())
    return bare if bare != label and bare in labels else ""
