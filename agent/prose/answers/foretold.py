"""What a company expects of a time to come: the questions for it, and the sentences that say it, which answer no question
for a period that is over.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache

from agent.prose.ranking.scoring import Score
from agent.prose.text.candidate_sentences import is_boilerplate, texts
from agent.query.words.word_classes import connecting
from agent.state import FilingRef, Passage, Period, Topic
from agent.words.printed_words import said
from agent.words.stems import roots
from agent.words.tokens import tokenise
from filings.models import PrintedTable
from filings.models.source_kinds import CALL, CURRENT
from filings.tables.column_periods import Subject
from filings.tables.outlook_tables import OUTLOOK, to_come
from filings.tables.sentence_dates import Calendar, dates_in
from filings.tables.sentence_tokens import NOUN, TAGS, WORDS, Token, tags_of, tokens_of
from filings.xbrl.periods import FiscalPeriod

_LAST_QUARTER = 4
# Items in which a 10-K says what is expected, the likeliest first; and that which says what could be.
TELLING, _RISKS = ("7", "1"), "1A"
# Sentences of which it is known whether they look forward: those of the passages of a few questions.
KEPT = 2_000
# A sentence is shown where it is worth so much of the best one.
WORTH = 0.4
_OWN, _WE, _WILL, _BE, _TO = (TAGS[one] for one in ("own", "we", "will", "be", "to"))
# A verb of expectation, and one that stands as a noun or participle: see filings.tables.sentence_tokens.
_EXPECT = f"[{TAGS['expect']}G]"
# Between a subject and its verb: "we do not currently expect", "are also expected to".
_BETWEEN = f"(?:{NOUN}?{TAGS['negation']})?{TAGS['adverb']}*"
_SAYS = re.compile(
    f"{_WE}{_BETWEEN}(?:{_BE}{_BETWEEN})?{_EXPECT}|{_WE}{_BETWEEN}{_WILL}|{_BE}{_BETWEEN}{_EXPECT}{_TO}"
    f"|{_WE}{TAGS['supposed']}[^{TAGS['boundary']}]*{_WILL}"
)
_NAMED = re.compile(f"{NOUN}{_EXPECT}")
_ASKS = re.compile(f"[{_WE}{_OWN}]{NOUN}?{TAGS['adverb']}*{_EXPECT}")
_OUTLOOK = re.compile(f"{_OWN}{NOUN}{{0,3}}[{TAGS['outlook']}{NOUN}]|^.?{TAGS['outlook']}.{_WE}{NOUN}")


def asks_ahead(question: str) -> bool:
    """Whether a question, with "the company" for its name, is for what the company itself expects, plans or guides."""
    tokens, tags = _read(question)
    words = [one.said.lower() for one in tokens]
    verbs, nouns = {*said("guided").split()} - WORDS["expect nouns"], WORDS["outlook headings"]
    for match in _ASKS.finditer(tags):
        last = match.end() - 1
        means = words[last] in verbs or words[last + 1 : last + 2] in (["to"], ["for"])
        who = [words[place] for place in range(*match.span()) if tags[place] == NOUN]
        if means and {*who} <= {*said("who_guides").split()}:
            return _WILL not in tags[: match.start()]
    for match in _OUTLOOK.finditer(tags):
        last = match.end() - 1
        asked = words[last] in nouns if tags[match.start()] == _OWN else words[last] in said("around_guided").split()
        if asked and not {_WILL, TAGS["expect"]} & {*tags[: match.start()]}:
            return True
    return False


@lru_cache(maxsize=KEPT)
def looks_forward(sentence: str) -> bool:
    """Whether a sentence says what the company expects, plans or will do, and not what could be."""
    tokens, tags = _read(sentence)
    told = [
        one
        for one in _SAYS.finditer(tags)
        if _is_present([token.said.lower() for token in tokens[slice(*one.span())]])
    ]
    named = [one for one in _NAMED.finditer(tags) if tokens[one.start()].said[:1].isupper()]
    told += [
        one for one in named if tokens[one.end() - 1].said.endswith("s")
    ]  # "Halden expects"; not "Customers expect"
    # "The goods which we expect to be returned" says something of the goods.
    told = [one for one in told if tokens[one.start() - 1].said.lower() not in _relative() or not one.start()]
    supposed = WORDS["supposed"] - connecting("saying")
    return any(supposed.isdisjoint(token.said.lower() for token in tokens[: one.end()]) for one in told)


def _is_present(words: Sequence[str]) -> bool:
    """Whether a subject and its verb are of now: "is expected to" and "we expect", not "was expected to" and "we expected"."""
    being = [word for word in words if word in WORDS["be"]]
    return WORDS["present"].issuperset(being) if being else not words[-1].endswith("ed")


@cache
def _relative() -> frozenset[str]:
    return WORDS["relative"] | {*said("relative").split()}


def passage_looks_forward(passage: Passage) -> bool:
    """Whether a sentence of a passage does, of those that stand in no other filing alike."""
    read = texts({passage.section})[passage.section].within(passage.ranges)
    return any(looks_forward(one.text) and not is_boilerplate(one) for one in read)


@cache
def expecting() -> frozenset[str]:
    """Words that say only that it is asked what is expected, in the compared form."""
    return roots(said("not_expected"))


def forward(scores: Sequence[Score], filing: FilingRef, *, whole: bool) -> list[Score]:
    """The sentences that say what is expected: those of Item 7 first, then those of Item 1, and in each first those that
    name a time to come. What could go wrong is none.

    scores: the best first. whole: whether nothing is named of which it is asked; then all are worth the same, but for what
    is said of accounting standards.
    """
    found = [
        one
        for one in scores
        if one.unit.kind in {"paragraph", "bullet"}
        and one.unit.passage.annual_item != _RISKS
        and looks_forward(one.unit.text)
    ]
    if whole:
        standard = roots(said("no_outlook"))
        found = [replace(one, total=1.0) for one in found if standard.isdisjoint(roots(" ".join(one.unit.headings)))]
        found.sort(key=lambda one: (one.unit.passage.section, one.unit.start))
    subject = Subject(filing.period_end, filing.fiscal_year, annual=True)
    calendar = Calendar.of(subject)

    def order(one: Score) -> tuple[int, bool]:
        item = one.unit.passage.annual_item
        place = TELLING.index(item) if item in TELLING else len(TELLING)
        return place, to_come(dates_in(one.unit.text, calendar), subject) is None

    return sorted((one for one in found if one.total >= WORTH * found[0].total), key=order)


def _read(text: str) -> tuple[list[Token], str]:
    tokens = tokens_of(text, 0, len(text), Calendar.of(Subject()), "USD")
    return tokens, tags_of(tokens)


def asks_of_past(topic: Topic, period: Period, filing: FilingRef) -> bool:
    """Whether a period that a document reports is named, and nothing that a company expects of it."""
    if not period.text or not {*said("guided").split(), *said("to_come").split()}.isdisjoint(
        token.base for token in tokenise(topic.text)
    ):
        return False
    if period.end:
        return period.end <= filing.period_end
    part = period.part.quarter if isinstance(period.part, FiscalPeriod) else None
    if period.year is None and part is None:
        return True
    asked = (period.year or filing.fiscal_year, part or _LAST_QUARTER)
    return asked <= (filing.fiscal_year, filing.fiscal_quarter or _LAST_QUARTER)


class Foretold:
    """Where a document guides: by the figures that were read of it, and in a release or a call by the heading above."""

    def __init__(self, filing: FilingRef) -> None:
        self.is_headed = filing.source in {CURRENT.key, CALL.key}
        self.places: dict[int, list[int]] = {}
        for table in PrintedTable.objects.filter(filing=filing.filing, kind=PrintedTable.Kind.SENTENCES):
            for _, _, cells, *guidance in table.content["rows"]:
                if guidance:
                    self.places.setdefault(table.section, []).extend(table.start + cell[1] for cell in cells)
        for places in self.places.values():
            places.sort()

    def holds(self, section: int, start: int, end: int, heading: str) -> bool:
        """Whether a stretch of a section, by number, states guidance, or stands under its heading."""
        places = self.places.get(section, [])
        place = bisect_left(places, start)
        return (place < len(places) and places[place] < end) or bool(self.is_headed and OUTLOOK.search(heading))
