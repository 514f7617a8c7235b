"""What kind of question it is, and the refusals that its words decide, in one fixed order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.language.lexicon import Match, about_us, economy
from agent.language.parsing import Parsed
from agent.query.dates import PeriodMatch, can_name
from agent.language.text_refusals import is_beside_company, refusals
from agent.language.texts import ASKING, YES_NO, form_of, subject_of
from agent.words.tokens import stems
from agent.refusals.codes import Code
from agent.state import PeriodForm, QuestionType

# Refused before anything else is read, whatever is asked beside it.
_FIRST = (Code.TRANSCRIPT, Code.ADVICE, Code.PRICE, Code.PREDICTION, Code.EXTERNAL_DATA)
# Names of Diligence, one of which a question about it uses.
_US = frozenset(
    {"you", "your", "yourself", "u", "diligence", "tool", "site", "website", "app", "bot", "database", "example"}
)
# "Quarterly dividends" and "the strongest quarter" are subjects; "Q3" is a time.
_BARE_QUARTERS = frozenset({"quarterly", "quarter", "quarters"})
_MONTH = re.compile(r"^(?:in )?[a-z]+\.?,? (?:of )?(?:19|20)\d\d$", re.IGNORECASE)
_UNTIL = frozenset({"by", "through", "until", "neutral", "zero", "goal", "pledge", "target"})
_OF_FILING = frozenset({"form", "annual", "report", "filing", "10", "k", "sec", "item"})
_TAKES_OUT = frozenset(
    {
        "excluding",
        "exclude",
        "excluded",
        "excl",
        "ex",
        "without",
        "except",
        "minus",
        "before",
        "not",
        "plus",
        "including",
        "incl",
    }
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A refusal the words decide, the type of question it leaves, and the words that decided.

    Without a code nothing is refused: the words ask for text of the filing.
    """

    code: Code | None
    type: QuestionType
    words: tuple[str, ...]


def meta_of(parsed: Parsed) -> str:
    """greeting, thanks or coverage where nothing else is asked; else empty."""
    found = [meaning.value for _, meaning in parsed.having("meta")]
    if _is_about_us(parsed):
        return "coverage"
    if not found or parsed.free or parsed.measures or parsed.periods:
        return ""
    other = [match for match in parsed.phrases if not (any(match.of("meta")) or any(match.of("harmless")))]
    if other or (parsed.mentions and "coverage" not in found):
        return ""
    return next((name for name in ("coverage", "thanks", "greeting") if name in found), "")


def _is_about_us(parsed: Parsed) -> bool:
    """Whether every word is one of a question about Diligence itself, and one of them names it."""
    if parsed.mentions or parsed.measures or parsed.periods or not parsed.free:
        return False
    told = {token.stem for token in parsed.tokens}
    return bool(told & _US) and told <= about_us() and not set(parsed.intents()) - {Code.INTERIM_PERIOD}


def verdict(parsed: Parsed, companies: int, asking: str = "") -> Verdict | None:
    """The first refusal in order of priority, or None where the words decide none.

    companies: how many different companies are named. asking: words that make it a question for text, where the
    caller knows better than its form.
    """
    return next(_verdicts(parsed, companies, asking), None)


def _verdicts(parsed: Parsed, companies: int, asking: str) -> Iterator[Verdict]:
    text = asking or form_of(parsed) or subject_of(parsed, companies)
    intents = refusals(parsed) if text else parsed.intents()
    measured = bool(parsed.measures)

    def refused(code: Code, kind: QuestionType = QuestionType.REFUSE) -> Verdict:
        match = intents.get(code)
        return Verdict(code, kind, (parsed.words(match),) if match else ())

    off = intents.get(Code.OFF_TOPIC)
    if off and not measured and not is_beside_company(parsed, off):
        yield refused(Code.OFF_TOPIC)
    named = companies or measured or parsed.periods or parsed.having("unknown")
    # An estimate of, or a change until, a year to come is a prediction, whoever makes it.
    ahead = next((code for code in (Code.EXTERNAL_DATA, Code.YEAR_OVER_YEAR) if code in intents), None)
    if ahead and Code.TRANSCRIPT not in intents and _names_the_future(parsed):
        yield Verdict(Code.PREDICTION, QuestionType.REFUSE, refused(ahead).words)
    for code in _FIRST:
        if code is Code.EXTERNAL_DATA and not companies and not measured and _of_economy(parsed, intents):
            yield Verdict(Code.OFF_TOPIC, QuestionType.REFUSE, refused(code).words)
        if code in intents:
            yield refused(code)
    if text:
        yield from _of_text(parsed, intents, text)
    quantity = QuestionType.NUMERIC
    if Code.NON_GAAP in intents:
        yield refused(Code.NON_GAAP, quantity)
    if companies > 1 or Code.CROSS_COMPANY in intents:
        yield refused(Code.CROSS_COMPANY, quantity)
    if Code.YEAR_OVER_YEAR in intents:
        yield refused(Code.YEAR_OVER_YEAR, quantity)
    if series := several_years(parsed):
        yield Verdict(Code.YEAR_OVER_YEAR, quantity, series)
    if Code.RATIO in intents and not named:
        yield Verdict(Code.OFF_TOPIC, QuestionType.REFUSE, refused(Code.RATIO).words)
    metrics = [match for match, found in parsed.measures if _needs_metric(parsed, match)]
    if metrics or Code.RATIO in intents:
        words = tuple(parsed.words(match) for match in metrics) or refused(Code.RATIO).words
        yield Verdict(Code.RATIO, quantity, words)
    interim = tuple(parsed.sentence.text(places) for places, period in parsed.periods if period.interim)
    if interim or Code.INTERIM_PERIOD in intents:
        yield Verdict(Code.INTERIM_PERIOD, quantity, interim or refused(Code.INTERIM_PERIOD).words)
    # "excluding services" asks for a difference, which is more than a part.
    takes_out = [parsed.tokens[place].text for place in parsed.free if parsed.tokens[place].stem in _TAKES_OUT]
    if Code.DIMENSIONAL_ONLY in intents and takes_out and measured:
        yield Verdict(Code.NOT_UNDERSTOOD, quantity, (*takes_out[:1], *refused(Code.DIMENSIONAL_ONLY).words))
    # "Amazon Prime members" asks for a count that nobody holds, of a part or of the whole.
    counted = not measured and bool(parsed.having("unknown"))
    if Code.DIMENSIONAL_ONLY in intents and not counted:
        yield refused(Code.DIMENSIONAL_ONLY, quantity)


def _names_the_future(parsed: Parsed) -> bool:
    """Whether a year is named that no 10-K can report yet."""
    years = [period.period.year for _, period in parsed.periods if period.period]
    return any(year is not None and year > parsed.sentence.today.year for year in years)


def _of_economy(parsed: Parsed, intents: dict[Code, Match]) -> bool:
    match = intents.get(Code.EXTERNAL_DATA)
    return match is not None and " ".join(stems(parsed.words(match))) in economy()


def _of_text(parsed: Parsed, intents: dict[Code, Match], text: str) -> Iterator[Verdict]:
    """What refuses a question for text, and else that it is one."""
    kind = QuestionType.PROSE
    for code in (Code.CROSS_COMPANY, Code.YEAR_OVER_YEAR):
        if code in intents:
            yield Verdict(code, kind, (parsed.words(intents[code]),))
    subjects = attributive(parsed)
    others = [one for one in parsed.periods if one not in subjects]
    if (series := several_years(parsed, others)) and not year_explained(parsed):
        yield Verdict(Code.YEAR_OVER_YEAR, kind, series)
    # "Quarterly dividends" are a subject; a quarter is a period.
    fiscal = any(found.period for _, found in parsed.periods)
    interim = [parsed.sentence.text(places) for places, period in parsed.periods if period.interim and not fiscal]
    interim = [
        words for words in interim if words.lower().split()[-1] not in _BARE_QUARTERS and not _MONTH.search(words)
    ]
    if interim or Code.INTERIM_PERIOD in intents:
        yield Verdict(Code.INTERIM_PERIOD, kind, tuple(interim) or (parsed.words(intents[Code.INTERIM_PERIOD]),))
    yield Verdict(None, kind, (text,))


def yes_or_no(parsed: Parsed) -> str:
    """The verb that makes a question about a measure one for yes or no, or empty."""
    stems = [token.stem for token in parsed.tokens]
    if stems[0] not in YES_NO or ASKING & set(stems) or not parsed.measures:
        return ""
    first = next((match for match in parsed.phrases if match.first == 0), None)
    # "Do you know ..." and "Can you tell me ..." only lead to the question.
    return parsed.tokens[0].text if first is None or len(first) == 1 else ""


def _needs_metric(parsed: Parsed, match: Match) -> bool:
    """Whether words stand for metrics only; such measures are computed, and not available yet."""
    return all(meaning.value.kind == "metric" for meaning in match.of("measure"))


def attributive(parsed: Parsed) -> list[tuple[range, PeriodMatch]]:
    """Years that only name a thing where another one says when: "the 2018 award" beside "FY2023"."""
    found = [
        (places, match)
        for places, match in parsed.periods
        if match.period and match.period.form is PeriodForm.BARE and places.stop < len(parsed.tokens)
        if places.start and parsed.tokens[places.start - 1].stem in {"the", "its", "their", "a"}
        if not any(places.stop == other.start for other, _ in parsed.periods)
    ]
    things = [one for one in parsed.periods if _names_thing(parsed, *one)]
    return [*(found if len(found) < len(parsed.periods) else []), *(one for one in things if one not in found)]


def _names_thing(parsed: Parsed, places: range, match: PeriodMatch) -> bool:
    """Whether a bare year is one of a plan or of a name: "carbon neutral by 2040", "its 2022 Global Productivity Initiative"."""
    year = match.period.year if match.period and match.period.form is PeriodForm.BARE else None
    if year is None:
        return False
    tokens = parsed.tokens
    before = tokens[places.start - 1].stem if places.start else ""
    if year > parsed.sentence.today.year - 1 and before in _UNTIL:
        return True
    named = tokens[places.stop : places.stop + 2]
    small = sum(token.text.islower() for token in tokens) > 1
    return small and len(named) > 1 and all(one.capital and one.stem not in _OF_FILING for one in named)


def several_years(parsed: Parsed, among: Sequence[tuple[range, PeriodMatch]] | None = None) -> tuple[str, ...]:
    """The words of a range or of two different years, or none. among: the periods looked at, all where not given."""
    stretches = parsed.periods if among is None else among
    series = [parsed.sentence.text(places) for places, period in stretches if period.series]
    if series:
        return tuple(series)
    named: dict[int, str] = {}
    periods = [(places, found.period) for places, found in stretches if found.period]
    ends = [period for _, period in periods if period.form is PeriodForm.ENDED]
    for places, period in periods:
        if any(can_name(period, ended) for ended in ends):
            continue
        year = period.year or (period.end.year if period.end else 0)
        year = year or (1 if period.form is PeriodForm.PREVIOUS else 0)
        if year:
            named.setdefault(year, parsed.sentence.text(places))
    return tuple(named.values()) if len(named) > 1 else ()


def year_explained(parsed: Parsed) -> int | None:
    """The year of a change that a question asks the reason of: of two neighbouring years the later, or None."""
    told = {token.stem for token in parsed.tokens}
    if not told & {
        "why",
        "drove",
        "drive",
        "drives",
        "driver",
        "driven",
        "caused",
        "cause",
        "reason",
        "explain",
        "explains",
    }:
        return None
    years = {found.period.year for _, found in parsed.periods if found.period and found.period.year}
    if len(years) != 2 or max(years) - min(years) != 1 or any(found.series for _, found in parsed.periods):
        return None
    return max(years)
