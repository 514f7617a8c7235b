"""A question asked after another: what it leaves out is taken from the one before."""

from agent.query.definitions import Phrase
from agent.query.lexicon import Named
from agent.query.periods import Asked
from agent.state.query import Query, Years
from agent.query.sentence import Sentence


def periods_of(previous: Query) -> Asked:
    """The periods of the question before, for one that names none."""
    if isinstance(previous.periods, Years):
        return Asked(years=previous.periods.periods)
    return Asked(range=previous.periods)


def phrases_of(previous: Query, sentence: Sentence) -> list[Phrase]:
    """The measures of the question before, for one that names none; none where a word of it is unknown.

    "And in 2022?", "what about Microsoft?", "and the growth?" leave the measure out; "and the risks?" does not.
    """
    parts = sentence.parts
    if not previous.rows or any(part.unknown or part.has("text", "part") for part in parts):
        return []
    return [Phrase(parts[0], Named((row,)), 0, last=parts[0].first) for row in previous.rows]
