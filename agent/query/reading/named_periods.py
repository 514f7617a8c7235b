"""The periods of a question whose words for them are known already, and how its figures are wanted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.query.companies.asked_companies import own_periods
from agent.query.dates.dates import full_year
from agent.query.dates.years import Asked, Stretch, asked
from agent.query.periods.interim_periods import with_parts
from agent.query.periods.parts_of_years import check_alike
from agent.query.periods.sentence_periods import day_named
from agent.query.reading.reading import Reading
from agent.query.wording.answer_form import alignment_of, basis_of, scale_asked
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, breaks
from agent.query.words.word_classes import classes, connecting
from agent.refusals.codes import Code
from agent.state.query import Alignment, Basis, Operation, Own, Span, Years
from agent.state.references import Period, PeriodForm, Scale

_NEUTRAL = frozenset({"compare", "trend", "each"})
# The first year of which figures are given by two digits.
_OLDEST = 2005
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
    """Words as years of two digits. Raises Refused for what may be another number, or a year to come."""
    sentence, text = reading.sentence, reading.sentence.question[slice(*span)].lower().strip(" '\u2019")
    hit = _SHORT.fullmatch(text)
    places = [place for place, token in enumerate(sentence.tokens) if token.start < span[1] and span[0] < token.end]
    if not hit or not places or _is_counted(reading, places):
        raise Refused(Code.NOT_UNDERSTOOD, text)
    first, last = (_year(hit[name]) if hit[name] else None for name in ("first", "last"))
    today = reading.question.today.year
    if any(one is not None and not _OLDEST <= (one.year or 0) <= today for one in (first, last)):
        raise Refused(Code.NOT_UNDERSTOOD, text)
    periods = Span(first=first, last=last) if first and last else Years(periods=tuple(filter(None, (first,))))
    return Stretch(places[0], places[-1] + 1, text, periods=periods)


def _is_counted(reading: Reading, places: Sequence[int]) -> bool:
    """Whether a number counts something, or is a sum or a bound: "12 gadgets", "$25", "top 10", "above 20 billion"."""
    sentence, first = reading.sentence, places[0]
    before = sentence.tokens[first - 1].base if first else ""
    mark = sentence.question[: sentence.tokens[first].start].rstrip()[-1:]
    bound = any(one.kind in {"comparator", "operation", "guard"} for one in classes().get((before,), ()))
    bound = bound and before not in connecting("comparing")
    following = next((part for part in sentence.parts if part.first == places[-1] + 1), None)
    apart = places[-1] + 1 in breaks(sentence.question, sentence.tokens)
    counts = following is not None and not apart and (following.has("scale", "unit") or _is_noun(following))
    return mark in {"$", "\u20ac", "\u00a3"} or bound or counts


def _is_noun(part: Part) -> bool:
    """Whether a word is unknown, and no short one that joins."""
    return part.unknown and len(part.word) > len("and")


def _year(digits: str) -> Period:
    return Period(form=PeriodForm.BARE, year=full_year(digits), text=digits)


def _unread(reading: Reading, said: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Words in the spans of periods that are not read with them, and may make of one another: "early 2023", "5 years ago"."""
    read = {place for one in reading.stretches for place in one.places}
    for part in reading.sentence.parts:
        for place in part.places:
            token = reading.sentence.tokens[place]
            inside = place not in read and any(start <= token.start < end for start, end in said)
            if inside and not _says_nothing(part, token.base):
                yield token.text


def _says_nothing(part: Part, word: str) -> bool:
    """Whether a word beside a year says nothing of it: "the end of their 2023 year", "2023 and 2022"."""
    if word in connecting("bounding"):
        return False
    plain = part.has("frame") and not part.has("guard", "non_gaap", "currency", "interim", "qualifier")
    neutral = part.values("operation") <= _NEUTRAL and not part.has("comparator", "guard")
    return (
        part.mention is not None
        or part.only_says("determiners")
        or part.has("statement")
        or ((plain or part.has("operation")) and neutral)
    )
