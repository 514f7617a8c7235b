"""Every leaf of a JSON value, and what a forger would make of it."""

import copy
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all values that are no object and no list, without empty ones."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(one, (*path, name))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from leaves(one, (*path, number))
    elif value not in (None, ""):
        yield path


def at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def changed(value: dict[str, Any], path: Path, new: Any) -> dict[str, Any]:
    """A copy with one leaf replaced."""
    found = copy.deepcopy(value)
    at(found, path[:-1])[path[-1]] = new
    return found


def forgeries(leaf: Any) -> Iterator[Any]:
    """Other values of a leaf that have its form: a digit, a sign, a day, a letter."""
    if isinstance(leaf, bool):
        yield not leaf
    elif isinstance(leaf, int):
        yield leaf + 1
    elif as_date(leaf):
        yield (date.fromisoformat(leaf) + timedelta(days=1)).isoformat()
    elif is_number(leaf):
        yield leaf[1:] if leaf.startswith("-") else f"-{leaf}"
        yield from with_digit(leaf)
    elif any(one.isdigit() for one in leaf):
        yield from with_digit(leaf)
    else:
        # One character in the middle, which leaves marks and spaces at the ends alone.
        middle = next(n for n in sorted(range(len(leaf)), key=lambda n: abs(n - len(leaf) // 2)) if leaf[n] != " ")
        yield leaf[:middle] + ("x" if leaf[middle] != "x" else "y") + leaf[middle + 1 :]


def with_digit(text: str) -> Iterator[str]:
    """With its first digit, and its last, as another one."""
    places = [number for number, one in enumerate(text) if one.isdigit()]
    for place in {places[0], places[-1]}:
        yield text[:place] + str((int(text[place]) + 1) % 10 or 2) + text[place + 1 :]


def as_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == 10


def is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal() and text.isascii() and len(text) < 60
