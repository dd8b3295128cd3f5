"""What a table is installed with: one version of each package, with sums, within what pyproject.toml allows."""

import re
import tomllib
from importlib.metadata import requires
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = ("web", "pi")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


class Pin(NamedTuple):
    """A package in one version, with the sums of its files; `marker`: where it is wanted."""

    wanted: Requirement
    version: Version
    sums: list[str]

    def at(self, python: str) -> bool:
        """Whether it is wanted there."""
        there = {"python_version": python, "python_full_version": f"{python}.5"}
        return self.wanted.marker is None or self.wanted.marker.evaluate(there)


def pins(name: str) -> dict[str, Pin]:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8").replace("\\\n", " ")
    found: dict[str, Pin] = {}
    for line in text.splitlines():
        words, *sums = line.split("--hash=")
        wanted = Requirement(words)
        (pinned,) = wanted.specifier
        assert pinned.operator == "=="
        found[canonicalize_name(wanted.name)] = Pin(wanted, Version(pinned.version), [one.strip() for one in sums])
    return found


@pytest.mark.parametrize("name", ["pi.txt", "build.txt"])
def test_every_package_has_one_version_and_the_sums_of_its_files(name: str) -> None:
    found = pins(name)
    assert found
    for pin in found.values():
        assert pin.sums
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in pin.sums)


@pytest.mark.parametrize("python", PYTHONS)
def test_what_the_project_asks_for_is_pinned_within_its_ranges(python: str) -> None:
    asked = PROJECT["project"]["dependencies"] + [
        one for extra in EXTRAS for one in PROJECT["project"]["optional-dependencies"][extra]
    ]
    found = pins("pi.txt")
    for one in map(Requirement, asked):
        if one.marker is None or one.marker.evaluate({"python_version": python}):
            pin = found[canonicalize_name(one.name)]
            assert pin.at(python)
            assert one.specifier.contains(pin.version, prereleases=True), one


def test_what_the_wheel_is_built_with_is_pinned() -> None:
    found = pins("build.txt")
    for one in map(Requirement, PROJECT["build-system"]["requires"]):
        assert one.specifier.contains(found[canonicalize_name(one.name)].version)


@pytest.mark.parametrize("name", ["pi.txt", "build.txt"])
def test_what_a_package_asks_for_is_pinned_too(name: str) -> None:
    """As far as the packages are installed here: pip would refuse what has no sum."""
    found = pins(name)
    for pin in found.values():
        try:
            asked = requires(pin.wanted.name) or []
        except ModuleNotFoundError:
            continue
        for one in map(Requirement, asked):
            if one.marker is None or one.marker.evaluate({"extra": ""}):
                assert canonicalize_name(one.name) in found, f"{pin.wanted.name} asks for {one}"


def test_lgpio_is_taken_from_the_index_only_where_it_has_a_wheel_there() -> None:
    pin = pins("pi.txt")["lgpio"]
    assert [python for python in PYTHONS if pin.at(python)] == ["3.11", "3.12"]


def test_no_package_is_for_tests_only() -> None:
    tests = {canonicalize_name(Requirement(one).name) for one in PROJECT["project"]["optional-dependencies"]["test"]}
    assert not tests & pins("pi.txt").keys() - {"tableref"}
