"""The worthiest sentences are judged by what they say themselves; the others by the window they stand in."""

from typing import cast

from agent.prose.fit import READ, reread
from agent.prose.nearness import Nearness
from agent.prose.scoring import Score
from agent.prose.units import Unit
from agent.state import Passage


class Known:
    """Nearness of which only the sentences' own cosines are known."""

    def __init__(self, cosines: dict[int, float]) -> None:
        self.cosines = cosines

    def sentences(self, units: list[Unit], part: int) -> list[float]:
        return [self.cosines.get(unit.start, 0.3) for unit in units] if self.cosines else []


def score(start: int, total: float) -> Score:
    passage = Passage(
        chunk=1, filing=1, cik=1, accession="memory", section=1, sha256="", item="1A", kind="prose", ranges=(), text=""
    )
    unit = Unit(
        kind="paragraph",
        start=start,
        end=start + 1,
        text="",
        words=(),
        roots=frozenset(),
        order=0,
        block=0,
        passage=passage,
        place=0,
    )
    return Score(unit, 0.0, 0.0, True, total, {"cosine": 0.3, "sentence": 0.3})


def starts(scores: list[Score], cosines: dict[int, float]) -> list[int]:
    return [one.unit.start for one in reread(scores, cast("Nearness", Known(cosines)), 0)]


def test_the_nearer_sentence_comes_first() -> None:
    assert starts([score(0, 0.5), score(1, 0.5)], {1: 0.9}) == [1, 0]


def test_only_the_first_are_read() -> None:
    many = [score(start, 0.5) for start in range(READ + 1)]
    assert starts(many, {READ - 1: 0.9, READ: 1.0})[0] == READ - 1


def test_without_meaning_the_order_stays() -> None:
    assert starts([score(0, 0.6), score(1, 0.5)], {}) == [0, 1]
