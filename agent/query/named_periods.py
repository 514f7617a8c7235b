"""The periods of a question whose words for them are known already, and how its figures are wanted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.query.answer_form import alignment_of, basis_of, scale_asked
from agent.query.checks import check_alike
from agent.query.companies import own_periods
from agent.query.dates import full_year
from agent.query.interim import with_parts
from agent.query.periods import Asked, Stretch, asked
from agent.query.reading import Reading
from agent.query.refused_question import Refused
from agent.query.sentence_periods import day_named
from agent.query.word_classes import connecting
from agent.refusals.codes import Code
from agent.state.query import Alignment, Basis, Operation, Own, Span, Years
from agent.state.references import Period, PeriodForm, Scale

# A year of two digits, or two with what makes them a span: "24", "21-25".
_SHORT = re.compile(r"(?P<first>\d\d)(?:\s*(?:-+>?|\u2013|to|through|thru)\s*(?P<last>\d\d))?")


@dataclass(frozen=True)
class NamedPeriods:
    """What a question says of periods: the general ones, a company's own, how they are aligned, which report gives them."""

    asked: Asked
    own: tuple[Own, ...]
    align: Alignment | None
    basis: Basis | None
    scale: Scale | None
    stretches: tuple[Stretch, ...]

    def check(self, made: Asked, operations: Sequence[Operation]) -> None:
        """Raises Refused where something is computed of parts of unlike length."""
        check_alike(self.asked.periods, made.periods, operations, self.stretches)


def named_periods(reading: Reading, said: Sequence[tuple[int, int]], *, instant: bool) -> NamedPeriods:
    """The periods that words of one reading name. said: where these words begin and end. instant: whether all measures
    are balances.

    Raises Refused for words that are no period of which figures are given, or say more of it than is read, and for a day
    by which reports were filed.
    """
    sentence = reading.sentence
    found = [one for one in reading.stretches if any(_within(reading, one, span) for span in said)]
    bare = [span for span in said if not any(_within(reading, one, span) for one in found)]
    found = _spanned(reading, found, said)
    found = sorted((*found, *(_short_year(reading, span) for span in bare)), key=lambda one: one.first)
    reading.stretches = found
    if day := day_named(found):
        raise Refused(Code.NOT_UNDERSTOOD, day.stretch.text)
    if blank := [one.text for one in found if one.blank]:
        raise Refused(Code.NOT_UNDERSTOOD, blank[0])
    if unread := next(_unread(reading, said), ""):
        raise Refused(Code.NOT_UNDERSTOOD, unread)
    reading.asked = with_parts(asked(found), found, sentence, None)
    dated = reading.dated(instant)
    own, general = own_periods(sentence, found, dated) if len(reading.refs) > 1 else ([], dated)
    align = alignment_of(sentence, len(reading.refs))
    return NamedPeriods(general, tuple(own), align, basis_of(sentence), scale_asked(sentence), tuple(found))


def _spanned(reading: Reading, found: Sequence[Stretch], said: Sequence[tuple[int, int]]) -> list[Stretch]:
    """The periods; years of one piece that its words bound are one span: "from the pandemic year (2020) until now"."""
    made = list(found)
    for span in said:
        inside = [one for one in made if _within(reading, one, span)]
        places = [place for place, token in enumerate(reading.sentence.tokens) if span[0] <= token.start < span[1]]
        read = {place for one in inside for place in one.places}
        words = [reading.sentence.tokens[place].base for place in places if place not in read]
        years = [one.period for one in inside if one.period and one.period.year and one.period.part is None]
        newest = any(one.period and one.period.form is PeriodForm.LATEST for one in inside)
        open_ended = newest or bool(connecting("up to now") & {*words}) or (words[:1] == ["since"] and len(years) == 1)
        begins = bool(words) and words[0] in connecting("since")
        if not begins or not years or len(years) + newest != len(inside) or (len(years) > 1) is open_ended:
            continue
        text = reading.sentence.question[slice(*span)]
        periods = Span(first=years[0], last=None if open_ended else years[-1])
        whole = Stretch(places[0], places[-1] + 1, text, periods=periods)
        made = [one for one in made if one not in inside] + [whole]
    return made


def _within(reading: Reading, one: Stretch, span: tuple[int, int]) -> bool:
    tokens = reading.sentence.tokens
    return tokens[one.first].start < span[1] and span[0] < tokens[one.last - 1].end


def _short_year(reading: Reading, span: tuple[int, int]) -> Stretch:
    """Words as years of two digits. Raises Refused."""
    sentence, text = reading.sentence, reading.sentence.question[slice(*span)].lower().strip(" '\u2019")
    hit = _SHORT.fullmatch(text)
    places = [place for place, token in enumerate(sentence.tokens) if token.start < span[1] and span[0] < token.end]
    if not hit or not places:
        raise Refused(Code.NOT_UNDERSTOOD, text)
    first, last = (_year(hit[name]) if hit[name] else None for name in ("first", "last"))
    periods = Span(first=first, last=last) if first and last else Years(periods=tuple(filter(None, (first,))))
    return Stretch(places[0], places[-1] + 1, text, periods=periods)


def _year(digits: str) -> Period:
    return Period(form=PeriodForm.BARE, year=full_year(digits), text=digits)


def _unread(reading: Reading, said: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Words beside a period that make of it another, and that are not read with it: "2020 until now", "early 2023"."""
    read = {place for one in reading.stretches for place in one.places}
    unknown = {place for part in reading.sentence.parts if part.unknown for place in part.places}
    for place, token in enumerate(reading.sentence.tokens):
        beside = place not in read and any(start <= token.start < end for start, end in said)
        narrows = place in unknown and place + 1 in read
        if beside and (narrows or token.base in connecting("bounding")):
            yield token.text
