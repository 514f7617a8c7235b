"""What each sentence is judged by: its words, its meaning beside the question, where it stands, the reason that it gives."""

from collections.abc import Sequence
from dataclasses import replace

from agent.prose import calibration, ranking
from agent.prose.nearness import Nearness
from agent.prose.reasons import asks_reason, dated, reason_traits
from agent.prose.scoring import Score, scored
from agent.prose.stretches import refers
from agent.prose.units import Unit, is_named_row
from agent.prose.weights import Asked
from agent.state import Topic

# Sentences that are read beside a question, and at least beside one part of several; and how much of each.
READ, FEWEST, LONGEST = 24, 8, 400
# Of rows of tables so many.
ROWS = 12
# The log odds of most sentences: of all where none can be read, and then none is likely enough to be called an answer.
USUAL = -4.0


def judged(
    units: Sequence[Unit],
    topic: Topic,
    asked: Asked,
    nearness: Nearness,
    part: int,
    fiscal_year: int,
    most: int = READ,
) -> list[Score]:
    """Sentences that can answer one part of a question, the best first. most: so many are read beside the question."""
    why = asks_reason(topic.text)
    found = []
    for one in scored(units, asked):
        told = traits(one, nearness, part)
        told["dated"] = dated(one.unit, fiscal_year)
        if why:
            told |= reason_traits(one.unit, topic.text)
        found.append(replace(one, traits=told, total=calibration.worth(told)))
    found.sort(key=_order)
    read = found[: max(FEWEST, most // len(topic.queries))]
    likely = _likely(nearness.focuses[part], [told_by(one.unit)[:LONGEST] for one in read])
    # What is not read is no likelier than what is.
    likely += [min(likely, default=USUAL)] * (len(found) - len(likely))
    for place, (one, score) in enumerate(zip(found, likely, strict=True)):
        told = {**one.traits, "likely": score / 10}
        found[place] = replace(one, traits=told, total=calibration.worth(told))
    return sorted(found, key=_order)


def best_row(
    units: Sequence[Unit], topic: Topic, asked: Asked, nearness: Nearness, part: int, fiscal_year: int
) -> Score | None:
    """The row of a table that is nearest to one part of a question; None where none is near, or where a reason is asked:
    no row gives one.

    A row has few words: what answers a question for a figure seldom stands before all sentences.
    """
    if topic.form != "explain" or asks_reason(topic.text):
        return None
    rows = judged([one for one in units if is_named_row(one)], topic, asked, nearness, part, fiscal_year, ROWS)
    return rows[0] if rows and calibration.is_near(rows[0].total) else None


def _likely(question: str, sentences: Sequence[str]) -> list[float]:
    """The log odds of each sentence; none where the ranker cannot be had now, as on a full disk."""
    # Models belong to the worker.
    from filings.text.embeddings import EmbeddingUnavailable

    try:
        return ranking.scores(question, sentences)
    except EmbeddingUnavailable:
        return []


def told_by(unit: Unit) -> str:
    """What a sentence means: itself, behind the one that it refers back to and is quoted with."""
    return f"{unit.before} {unit.text}" if unit.order and refers(unit.text) else unit.text


def _order(one: Score) -> tuple[float, int, int]:
    return -one.total, one.unit.passage.section, one.unit.start


def traits(score: Score, nearness: Nearness, part: int) -> dict[str, float]:
    """What a sentence is judged by, each about between 0 and 1.

    covered: share of the question's words that it and its heading have. cosine: of its window to the question, passage: of
    its passage's best window; 0 where meaning was not searched. lexical: 1/rank of its passage by words, 0 where it is not
    found by them. likely, which `judged` adds: a tenth of its log odds by agent.prose.ranking, between -1 and 1.
    """
    unit, passage = score.unit, score.unit.passage
    near = passage.cosine or 0.0
    cosine = nearness.cosine(passage.section, unit.start, unit.end, part)
    return {
        "covered": score.covered,
        "cosine": near if cosine is None else cosine,
        "passage": near,
        "lexical": 1 / passage.ranks["lexical"] if "lexical" in passage.ranks else 0.0,
        "row": float(unit.kind == "table"),
        "title": float(unit.kind == "heading"),
        "statements": float(passage.annual_item == "8"),
    }
