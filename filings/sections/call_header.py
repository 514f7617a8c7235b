"""Company, quarter and date of an earnings call as its title or its first words state them; what they do not, is None."""

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass

from filings.document.layout import Layout
from filings.document.sentences import sentence_spans
from filings.document.speaker_labels import Turn, opening, speaker_turns

QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
NAMED = "|".join(QUARTERS)
YEAR = r"(?:(?:fiscal|financial|calendar)\s+)?(?:years?\s+)?(?:FY\s*)?(?P<{name}>(?:19|20)\d\d|['\u2019]?\d\d(?!\d|%))"
SHORT = r"\b(?:Q(?P<{a}>[1-4])|(?P<{b}>[1-4])Q)"
# "Q3 2020", "3Q20", "Q4 FY2020", "third quarter of fiscal 2020", "2020 third quarter", "fiscal 2020 Q3".
PERIODS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        SHORT.format(a="a", b="b") + r"(?:\s+(?:of\s+)?|\s*[,/-]\s*)?" + YEAR.format(name="year") + r"\b",
        rf"\b(?P<name>{NAMED})[\s-]+(?:fiscal\s+)?quarter(?:['\u2019]s)?,?(?:\s+and\s+(?:full|fiscal)[\s-]+year)?\s+(?:of\s+)?(?:the\s+|our\s+)?"
        + YEAR.format(name="year").replace(r"|['\u2019]?\d\d(?!\d|%)", "") + r"\b",
        r"\b(?:fiscal\s+)?(?:year\s+)?(?:FY\s*)?(?P<year>(?:19|20)\d\d)['\u2019s]*,?\s+(?:fiscal\s+)?(?:"
        + rf"(?P<name>{NAMED})[\s-]+(?:fiscal\s+)?quarter|" + SHORT.format(a="a", b="b") + r")",
    )
)  # fmt: skip
QUARTER_ALONE = re.compile(
    rf"\b(?P<name>{NAMED})[\s-]+(?:fiscal\s+)?quarter|" + SHORT.format(a="a", b="b") + r"\b", re.IGNORECASE
)
# "The first and second quarter" is none of them.
SEVERAL = re.compile(rf"\b(?:{NAMED})\s+(?:and|or|to|through)\s+(?:the\s+)?(?:{NAMED})\s+quarters?\b", re.IGNORECASE)
ABOUT_CALL = re.compile(
    r"\b(?:calls?|conference|webcast|earnings|results|release|recorded|transcript)\b", re.IGNORECASE
)
OF_CALL = re.compile(r"\b(?:calls?|conference|webcast)\b", re.IGNORECASE)
DATES = (
    re.compile(rf"\b{MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>(?:19|20)\d\d)\b", re.IGNORECASE),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH},?\s+(?P<year>(?:19|20)\d\d)\b", re.IGNORECASE),
    re.compile(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b"),
)  # fmt: skip
# A period's end or another day, not the day of the call.
OTHER_DAY = re.compile(
    r"\b(?:ended|ending|through|since|until|as\s+of|at|on\s+or\s+before|was|issued|filed)\s+$", re.IGNORECASE
)
TODAY = re.compile(r"\b(?:today|recorded|taking\s+place|being\s+held)\b", re.IGNORECASE)
# What a title says beside the company.
SYMBOL = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
OF_TITLES = re.compile(
    r"\b(?:edited|final|full[\s-]+year|preliminary|earnings|conference|calls?|transcripts?|results|quarter(?:ly|s)?|fiscal|years?|"
    r"webcast|teleconference|financial|half|annual|presentation|of|the|for|and|FY)\b|['\u2019]s\b",
    re.IGNORECASE,
)
TIME_OF_DAY = re.compile(
    r"\b\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\.?)?(?:\s*(?:[ECMP][SD]?T|GMT|UTC|eastern|central|pacific)(?:\s+time)?)\b|\b\d{1,2}(?::\d\d)?\s*[ap]\.?m\b\.?",
    re.IGNORECASE,
)
WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b,?", re.IGNORECASE)
WELCOME = re.compile(
    r"\b[Ww]elcome(?:\s+\w+){0,3}?\s+to\s+(?:the\s+|our\s+)?"
    rf"(?:(?:(?i:{NAMED})\s+quarter|Q[1-4]|[1-4]Q)\s+(?:of\s+)?(?:fiscal\s+)?(?:20\d\d\s+)?)?(?P<name>[A-Z0-9][^,.;:?!]{{1,80}}?)(?:['\u2019]s?)?,?\s+"
    rf"(?:(?i:{NAMED})\b|(?i:fiscal|earnings|conference|quarterly|results|investor|webcast|full|year-end)\b|Q[1-4]|[1-4]Q|(?:19|20)\d\d)"
)
NAME_WORD = re.compile(r"[\w&.'\u2019-]+")
SMALL = frozenset({"of", "and", "the", "for", "de", "&"})
MOST_WORDS = 8
TITLE_BLOCKS = 8
OPENING = 6_000  # characters of the call that may say which it is


@dataclass(frozen=True, slots=True)
class CallHeader:
    """What a call's opening says of it. `year` is the fiscal year as it is said there, `date` the day of the call."""

    company: str | None = None
    quarter: int | None = None
    year: int | None = None
    date: datetime.date | None = None


def read_call_header(layout: Layout) -> CallHeader:
    """Company, quarter, year and day of a call. Two different statements in one place are none."""
    turns = speaker_turns(layout)
    titles = _titles(layout, turns)
    spoken = [sentence for turn in turns for sentence in _sentences(layout, turn, turns[0].label[0] + OPENING)]
    about = [sentence for sentence in spoken if ABOUT_CALL.search(sentence)]
    quarter, year = _period(["\n".join(titles), *about])
    return CallHeader(
        _company(titles, spoken), quarter, year, _day(["\n".join(titles)], [one for one in about if TODAY.search(one)])
    )


def _titles(layout: Layout, turns: tuple[Turn, ...]) -> list[str]:
    end = opening(layout, turns)[1] if turns else 0
    return [layout.of(block) for block in layout.blocks[:TITLE_BLOCKS] if block.end <= end and block.kind != "table"]


def _sentences(layout: Layout, turn: Turn, limit: int) -> Iterator[str]:
    end = max(min(turn.body[1], limit), turn.body[0])
    for start, stop in sentence_spans(layout.text, turn.body[0], end):
        yield " ".join(layout.text[start:stop].split())


def _period(places: list[str]) -> tuple[int | None, int | None]:
    """The quarter and year of the first place that states one; else the quarter of the first that states one alone."""
    for place in places:
        if SEVERAL.search(place):
            return None, None
        found = {_quarter_and_year(match) for pattern in PERIODS for match in pattern.finditer(place)}
        if len(found) == 1:
            return found.pop()
        if found:
            return None, None
    for place in places[:1] + [place for place in places[1:] if OF_CALL.search(place)]:
        alone = {_quarter(match) for match in QUARTER_ALONE.finditer(place)}
        if alone:
            return (alone.pop() if len(alone) == 1 else None), None
    return None, None


def _quarter(match: re.Match[str]) -> int:
    groups = match.groupdict()
    return QUARTERS[groups["name"].lower()] if groups.get("name") else int(groups.get("a") or groups["b"])


def _quarter_and_year(match: re.Match[str]) -> tuple[int, int]:
    digits = match["year"].lstrip("'\u2019")
    return _quarter(match), int(digits) if len(digits) == 4 else 2000 + int(digits)


def _day(titles: list[str], spoken: list[str]) -> datetime.date | None:
    for place in (*titles, *spoken):
        found = {day for pattern in DATES for match in pattern.finditer(place) if (day := _date(place, match))}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _date(place: str, match: re.Match[str]) -> datetime.date | None:
    if OTHER_DAY.search(place[: match.start()]):
        return None
    month = match["month"].lower()[:3]
    try:
        return datetime.date(
            int(match["year"]), MONTHS.index(month) + 1 if month in MONTHS else int(month), int(match["day"])
        )
    except ValueError:
        return None


def _company(titles: list[str], spoken: list[str]) -> str | None:
    """The company that the first speakers welcome to; or what a title has beside period and day, where they say it too,
    or where the title names the call.
    """
    said = " ".join(spoken).casefold()
    for title in titles:
        name = _without_period(title)
        words = NAME_WORD.findall(name)
        if not words or len(words) > MOST_WORDS or not any(word[0].isupper() for word in words):
            continue
        names_call = ABOUT_CALL.search(title) or any(period.search(title) for period in PERIODS)
        if names_call and name != " ".join(title.split()):
            return name
        longest = max(words, key=len).casefold()
        if len(longest) > 2 and re.search(rf"\b{re.escape(longest)}", said):
            return name
    for sentence in spoken:
        found = WELCOME.search(sentence)
        if found and all(word[0].isupper() or word[0].isdigit() or word in SMALL for word in found["name"].split()):
            return found["name"].strip()
    return None


def _without_period(title: str) -> str:
    """A title without period, day, symbol, and the words that calls are called by."""
    for pattern in (*DATES, WEEKDAY, TIME_OF_DAY, *PERIODS, QUARTER_ALONE, SYMBOL):
        title = pattern.sub(" ", title)
    ends = [match.span() for match in OF_TITLES.finditer(title)]
    # Such words are cut at the ends alone: a company may have one in its name.
    start, stop = 0, len(title)
    for first, last in ends:
        if not re.search(r"\w", title[start:first]):
            start = last
    for first, last in reversed(ends):
        if first >= start and not re.search(r"\w", title[last:stop]):
            stop = first
    return " ".join(title[start:stop].split()).strip(" ,;:|-\u2013\u2014/")
