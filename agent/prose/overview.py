"""An Item asked about as a whole: its first captions or headings, each with the sentence it begins with."""

from collections.abc import Sequence

from agent.prose.quotations import refers
from agent.prose.units import Unit, is_boilerplate, stands

MOST = 6


def first_sentences(units: Sequence[Unit]) -> list[Unit]:
    """The first sentence under each of the first headings, in the filing's order."""
    found: list[Unit] = []
    seen: set[tuple[str, ...]] = set()
    for unit in sorted(units, key=lambda one: one.start):
        heading = unit.headings[:1]
        if not stands(unit) or is_boilerplate(unit) or refers(unit.text) or unit.text.rstrip().endswith(":"):
            continue
        if heading in seen:
            continue
        seen.add(heading)
        found.append(unit)
    return found[:MOST]


def opening(units: Sequence[Unit], most: int = 3) -> list[Unit]:
    """The first sentences of an Item that say something of themselves."""
    told = (unit for unit in sorted(units, key=lambda one: one.start) if stands(unit) and not is_boilerplate(unit))
    return [unit for unit in told if not refers(unit.text)][:most]
