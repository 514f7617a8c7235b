"""Guidance as an answer: a question for what a company expects of a measure, as the rows of guidance that documents print."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, product

from django.db.models import Max

from agent.numbers.printed.guided_figures import Guided, guided, is_near, is_period, is_spoken_of, pairs, with_earlier
from agent.numbers.printed.printed_figures import PrintedFigure
from agent.numbers.registry.registry import Concept, Metric, Registry
from agent.numbers.registry.registry_schema import normalise
from agent.numbers.registry.units import in_formulas
from agent.query.words.refused_question import Misread
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code
from agent.state import Query
from agent.state.measure_operands import is_guided, leaves
from agent.state.query import Change, Combined, Measure, Printed, Row
from agent.state.question_words import Role, Word
from agent.steps.deps import Deps
from agent.words.printed_words import said
from agent.words.stems import STOP
from agent.words.tokens import tokenise
from filings.models import Filing
from filings.models.source_kinds import CALL, CURRENT, NEWS
from filings.tables.column_periods import NEAR, QUARTER, Period
from filings.tables.read_again import subject_of
from filings.tables.sentence_dates import Calendar, Dated, dates_in
from filings.tables.sentence_figures import SENTENCES

# Names that are tried for what is asked: those of each measure in it, for each other.
_MOST_NAMES = 100
# Words between a verb of change and the guidance that it changes: "raise its full year revenue guidance".
_MOST_BETWEEN = 8
_APART = frozenset({Role.COMPANY, Role.PERIOD, Role.SOURCE})
_LEADING = re.compile(r"(?:in|during|for|over|within|of|as|at|on|both|the|our|each)\b\s*", re.IGNORECASE)
_LAST_WORD = re.compile(r"([a-z]+)(?:['\u2019]s)?\W*$", re.IGNORECASE)
_SKIPPED = re.compile(r"\b(?:the|its|their|our|a|an|latest|last|most recent|newest)\s*$", re.IGNORECASE)


def as_guided(half: Query | Misread, question: str, deps: Deps) -> Query | Misread:
    """A half that asks for guidance as a query for what documents guide; as it is where none certainly does.

    Without a word of guidance a question for a period to come is one where a document guides just its measure and period.
    """
    if isinstance(half, Query) and half.rows and not half.is_nearest:
        return _again(half, question, deps.registry) if is_guided(half) else half
    query = half if isinstance(half, Query) else half.sourced or half.told
    if query is None or len(query.companies) != 1 or query.own or len(query.topics) > 1 or query.particulars:
        return half
    asked = _Asked(query, question, deps.registry)
    if not asked.of_guidance and not (isinstance(half, Misread) and half.code is Code.PREDICTION):
        return half
    rows = asked.rows()
    left = {"unheld": (), "left_out": (), "near_name": "", "several_meanings": "", "operations": ()}
    return query.model_copy(update={"rows": rows, **left}) if rows else half


def _again(half: Query, question: str, registry: Registry) -> Query | Misread:
    """A question that goes on from one for guidance: of its own period and company, or refused."""
    names = {one.words for row in half.rows for one in leaves(row.measure) if isinstance(one, Printed)}
    rows: tuple[Row, ...] = ()
    if len(names) == 1 and not half.operations and len(half.companies) == 1:
        rows = _Asked(half, question, registry, names.pop()).rows()
    if rows:
        return half.model_copy(update={"rows": rows})
    return Misread(code=Code.PREDICTION, words=tuple(names), companies=half.companies, read=half.words)


@dataclass(frozen=True)
class _Asked:
    """What a question asks of guidance: under which names, of which periods, in which documents.

    carried: the name, where the question before has it.
    """

    query: Query
    question: str
    registry: Registry
    carried: str = ""

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return self.query.words

    @cached_property
    def _bases(self) -> list[str]:
        return [token.base for word in self.words for token in tokenise(word.text)]

    @cached_property
    def of_guidance(self) -> bool:
        """Whether a word says that it is asked what the company guides."""
        return bool(self.carried) or not {*said("guided").split()}.isdisjoint(self._bases)

    @cached_property
    def of_change(self) -> bool:
        """Whether the change of guidance is asked: "raise its full year guidance", "guidance increase"."""
        verbs, nouns = {*said("guidance_changed").split()}, {*said("guidance_nouns").split()}
        places = [place for place, base in enumerate(self._bases) if base in nouns]
        return any(verbs.intersection(self._bases[max(0, place - _MOST_BETWEEN) : place + 2]) for place in places)

    @cached_property
    def names(self) -> tuple[Printed, ...]:
        """What is asked for, with each name of a measure in it: "EPS growth", "earnings per share growth"."""
        if not (self.of_change or {*said("previous").split()}.isdisjoint(self._bases)):
            return ()  # "previous guidance" is not what is guided now
        pieces = [self._names_of(self.carried) or [self.carried]] if self.carried else list(self._pieces())
        if any(token.base in STOP for one in pieces for token in tokenise(one[0])):
            return ()  # "why", "not", "other": a name never drops these
        unit = ""
        if len(pieces) == 1 and (keys := self.registry.aliases.get(normalise(pieces[0][0]))):
            unit = str(self._entry(keys[0]).unit)
            unit = unit if unit in {"USD", "percent", "shares", "USD/shares"} else ""
        named = [" ".join(one) for one in islice(product(*pieces), _MOST_NAMES)] if pieces else []
        told = {token.base for one in chain.from_iterable(pieces) for token in tokenise(one)}
        if not told.isdisjoint(said("not_gaap").split()):
            named += [f"{one} non-GAAP" for one in named]  # "organic revenue (non-GAAP) growth"
        return tuple(Printed(words=one, unit=unit, guidance=True) for one in dict.fromkeys(named))

    def _pieces(self) -> Iterator[list[str]]:
        around = {*said("around_guided").split()}
        if self.of_change:
            around |= {*said("guidance_changed").split(), *said("by_how_much").split()}
        for word in self.words:
            if word.role in _APART:
                continue
            if word.role is Role.MEASURE and (names := self._names_of(word.text)):
                yield names
                continue
            for token in tokenise(word.text):
                if token.base not in around or (token.upper and len(token.text) > 1):
                    yield [token.text]

    def _names_of(self, text: str) -> list[str]:
        keys = self.registry.aliases.get(normalise(text), ())
        if len(keys) != 1:
            return []
        entry = self._entry(keys[0])
        return [text, entry.label, *entry.aliases]

    def _entry(self, key: str) -> Concept | Metric:
        return self.registry.concepts.get(key) or self.registry.metrics[key]

    @cached_property
    def text(self) -> str:
        """The words of the question without companies and names of documents."""
        first = min((word.start for word in self.words), default=0)
        last = max((word.end for word in self.words), default=len(self.question))
        text = self.question[:last]
        for word in (word for word in self.words if word.role in {Role.COMPANY, Role.SOURCE}):
            filler = ("|" if word.role is Role.SOURCE else "_") * (word.end - word.start)
            if word.role is Role.SOURCE and tokenise(word.text)[0].base in connecting("before a source"):
                filler = f";{filler[1:]}"  # "2026 from the release": the year is not the release's
            text = text[: word.start] + filler + text[word.end :]
        return text[first:]

    def rows(self) -> tuple[Row, ...]:
        """A row for each period that is guided so; none where it is not certain."""
        if not self.names or not self._is_dated:
            return ()
        readings = [found for either in (False, True) if (found := self._found(documents=either))]
        found = readings[0] if readings else []
        if not found or any(one != found for one in readings) or not all(one.figures for one in found):
            return ()
        if not self.of_guidance and not self._is_to_come(found):
            return ()
        return tuple(row for one in found for row in self._rows_of(one))

    @cached_property
    def _is_dated(self) -> bool:
        """Whether every word of a period stands in one that documents are read by, or says that the newest is asked."""
        dates = dates_in(self.text, Calendar.of(subject_of(self._filings[0]))) if self._filings else []
        read = {token.base for one in dates for token in tokenise(self.text[one.start : one.end])}
        told = {token.base for word in self.words if word.role is Role.PERIOD for token in tokenise(word.text)}
        return told <= read | {*said("around_guided").split()}

    @cached_property
    def _filings(self) -> list[Filing]:
        """The documents that may guide, the newest first."""
        held = Filing.objects.of_companies([self.query.companies[0].cik]).filter(withdrawn=None)
        held = held.filter(printed_tables__kind=SENTENCES).exclude(source=NEWS.key).select_related("company")
        if self.query.document is not None:
            held = held.filter(pk=self.query.document)
        elif self.query.sources:
            held = held.filter(source__in=self.query.sources)
        return list(held.distinct().order_by("-filed", "-pk"))

    def _found(self, *, documents: bool) -> list[Guided]:
        """What the newest document guides, with what was guided before. documents: whether a period that may be either is
        the document's.
        """
        for place, filing in enumerate(self._filings):
            periods = self._periods(filing, documents=documents)
            if periods is None:
                continue
            held = [one for one in guided(filing, self.names) if not periods or is_period(one.period, periods)]
            told = [one.period for one in held]
            if not held or not all(is_period(period, told) for period in periods):
                if is_near(filing, self.names, periods):
                    return []
                continue
            if any(self._is_renewed(one, filing, documents=documents) for one in held):
                return []
            if not self.of_change:
                return held
            older = [one for other in self._filings[place + 1 :] for one in guided(other, self.names) if one.figures]
            return [with_earlier(one, older) for one in held]
        return []

    def _is_renewed(self, one: Guided, filing: Filing, *, documents: bool) -> bool:
        """Whether a newer release or call, given before the period ended, speaks of the same in words that were not read."""
        newer = Filing.objects.filter(company=filing.company, withdrawn=None, source__in=(CURRENT.key, CALL.key))
        newer = newer.filter(filed__gt=filing.filed, filed__lte=one.period.end).select_related("company")
        told = (other for other in newer if self._periods(other, documents=documents) is not None)
        return any(is_spoken_of(other, self.names, one.place) for other in told)

    def _periods(self, filing: Filing, *, documents: bool) -> list[Period] | None:
        """The periods to come of which guidance is asked of a document, none for any; None where it is not the one asked."""
        subject = subject_of(filing)
        asked: list[Period] = []
        for one in dates_in(self.text, Calendar.of(subject)):
            if self._is_of_document(one, documents=documents):
                if not _is_dated(filing, one):
                    return None
                continue
            ahead = one.ahead or next((period for period in one.periods if period.months >= QUARTER), None)
            if ahead is None or subject.end is None or ahead.end <= subject.end:
                return None
            asked.append(ahead)
        return asked

    def _is_of_document(self, dated: Dated, *, documents: bool) -> bool:
        """Whether a period says which document is asked: "as of Q1", "in its Q3 2024 release"."""
        inside = self.text[dated.start : dated.end]
        leading = []
        while match := _LEADING.match(inside):
            leading.append(match[0].strip().lower())
            inside = inside[match.end() :]
        before = self.text[: dated.start]
        while match := _SKIPPED.search(before):
            before = before[: match.start()]
        if self.text[dated.end :].lstrip().startswith("|") or before.rstrip().endswith("|"):
            return True
        if "for" in leading:
            return False
        last = _LAST_WORD.search(before)
        word = last[1].lower() if last else ""
        if {*leading, word} & {*said("of_a_document").split()} and word != "for":
            return True
        if word in said("of_either").split() and (behind := _LAST_WORD.search(before[: last.start()] if last else "")):
            leading, word = [word, *leading], behind[1].lower()
        either = {*leading} & {*said("of_either").split()}
        return documents and bool(either) and word in said("guidance_nouns").split()

    def _is_to_come(self, found: Sequence[Guided]) -> bool:
        """Whether the question names the periods, and no report of them is held."""
        held = Filing.objects.of_companies([self.query.companies[0].cik]).filter(withdrawn=None)
        newest = held.aggregate(newest=Max("period_end"))["newest"]
        named = any(word.role is Role.PERIOD for word in self.words)
        return named and newest is not None and all(one.period.end > newest for one in found)

    def _rows_of(self, one: Guided) -> Iterator[Row]:
        now = self._pinned(one.figures[0])
        if not self.of_change:
            yield self._row(now)
        elif one.before:
            before = self._pinned(one.before[0])
            if pairs(one.figures, one.before):
                yield self._row(Combined(sign="-", parts=(now, before)))
            yield self._row(now)
            yield self._row(before)
        else:
            yield self._row(Change(of=now))

    def _row(self, measure: Measure) -> Row:
        return Row(measure=measure, text=self.names[0].words)

    def _pinned(self, figure: PrintedFigure) -> Printed:
        place = {"accession": figure.filing.accession, "section": figure.table.section, "start": figure.cell.start}
        return self.names[0].model_copy(update={**place, "unit": in_formulas(figure.cell.unit)})


def _is_dated(filing: Filing, dated: Dated) -> bool:
    """Whether a document is of a period or was filed on its day or in its month."""
    periods = [*dated.periods, *((dated.ahead,) if dated.ahead and not dated.periods else ())]
    end = filing.period_end
    return any(
        (end is not None and abs(one.end - end) <= NEAR and one.months != 0)
        or (one.months < QUARTER and one.start <= filing.filed <= one.end)
        for one in periods
    )
