"""From the passages that search found to the few that are read: by the sentences in them, not by the rank alone."""

from collections.abc import Sequence

from agent.prose.questions.weights import asked
from agent.prose.ranking.scoring import Nearness, best_row, judged
from agent.prose.text.candidate_sentences import is_debris, read_units, texts
from agent.state import FilingRef, Passage, SubQuery, Topic

# What its place in the search adds to the worth of a passage's best sentence, as RANK / (SMOOTHING + place).
RANK, SMOOTHING = 6.0, 20


def narrowed(
    topic: Topic,
    queries: Sequence[SubQuery],
    focuses: Sequence[str],
    filing: FilingRef,
    passages: Sequence[Passage],
    model: str,
    most: int,
) -> list[Passage]:
    """The `most` passages of the greatest worth, best first, each search with its share; and the one with the best row.

    focuses: what is embedded for each search. passages: best first.
    """
    if len(passages) <= 1:
        return list(passages)
    read = texts({one.section for one in passages})
    every = read_units(passages, read)
    units = [unit for unit in every if not is_debris(unit)]
    nearness = Nearness(focuses, passages, read, model)
    worth: list[list[float]] = []
    rows: dict[int, None] = {}
    for part, query in enumerate(queries):
        best = [RANK / (SMOOTHING + place) for place in range(len(passages))]
        seen: set[int] = set()
        told = asked(query, filing.filing)
        if (row := best_row(every, topic, told, nearness, part, filing.fiscal_year)) is not None:
            rows[row.unit.place] = None
        for one in judged(units, topic, told, nearness, part, filing.fiscal_year):
            if one.unit.place not in seen:
                seen.add(one.unit.place)
                best[one.unit.place] += one.total
        worth.append(best)
    chosen = shared(worth, most)
    return [passages[place] for place in dict.fromkeys((*chosen, *rows))]


def shared(worth: Sequence[Sequence[float]], most: int) -> list[int]:
    """The places of the best of each part in turn until there are enough."""
    orders = [sorted(range(len(of)), key=lambda place: -of[place]) for of in worth]
    chosen: list[int] = []
    for row in zip(*orders, strict=True):
        for place in row:
            if place not in chosen and len(chosen) < most:
                chosen.append(place)
    return chosen
