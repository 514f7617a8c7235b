"""A found number as it will be shown. Every figure of an answer passes here."""

from agent.numbers.answer import exact, headline
from agent.state import Draft, Found, Scale


def draft(number: Found, scale: Scale | None) -> Draft:
    """The number in the scale asked, and in full."""
    figure, unit_word = headline(number.value, number.unit, scale)
    return Draft(
        target=number.target,
        iteration=number.iteration,
        found=number,
        headline=figure,
        unit_word=unit_word,
        exact=exact(number.value, number.unit),
    )
