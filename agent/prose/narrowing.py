"""From the passages that search found to the few that are read: by the sentences in them, not by the rank alone."""

from collections.abc import Sequence

from agent.prose.nearness import Nearness
from agent.prose.scoring import ranked
from agent.prose.units import Text, is_debris, read_units
from agent.prose.weights import asked
from agent.state import Passage, Topic
from filings.models import Section

# What each adds to the worth of a passage: its place in the search (as 1/(k + rank)), its best sentence, its Item.
RANK, SENTENCE, NEAR, ITEM = 0.4, 0.5, 2.0, 0.05
SMOOTHING = 4


def narrowed(
    topic: Topic, texts: Sequence[str], filing: int, passages: Sequence[Passage], model: str, most: int
) -> list[Passage]:
    """The `most` passages of the greatest worth, best first, each part of the question with its share.

    texts: what is embedded for each part. passages: best first.
    """
    if len(passages) <= 1:
        return list(passages)
    sections = Section.objects.in_bulk({one.section for one in passages})
    read = {key: Text(section) for key, section in sections.items()}
    units = [unit for unit in read_units(passages, read) if not is_debris(unit)]
    nearness = Nearness(texts, passages, model)
    worth: list[list[float]] = []
    for part, query in enumerate(topic.queries):
        best = [0.0] * len(passages)
        for score in ranked(units, asked(query, filing)):
            best[score.unit.place] = max(best[score.unit.place], score.total)
        worth.append(
            [
                RANK * SMOOTHING / (SMOOTHING + place)
                + SENTENCE * best[place]
                + NEAR
                * max(
                    0.0, (nearness.cosine(one.section, one.ranges[0][0], one.ranges[-1][1], part) or one.cosine or 0.0)
                )
                + ITEM * (one.item in topic.implied)
                for place, one in enumerate(passages)
            ]
        )
    return shared(passages, worth, most)


def shared(passages: Sequence[Passage], worth: Sequence[Sequence[float]], most: int) -> list[Passage]:
    """The best of each part in turn until there are enough."""
    orders = [sorted(range(len(passages)), key=lambda place: -of[place]) for of in worth]
    chosen: list[int] = []
    for row in zip(*orders, strict=True):
        for place in row:
            if place not in chosen and len(chosen) < most:
                chosen.append(place)
    return [passages[place] for place in chosen]
