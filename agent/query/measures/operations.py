"""What is made of the measures: growth, averages, ranks, shares, differences; which rows and operations that gives."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from agent.numbers.registry.concept import Concept
from agent.query.dates.years import number_of
from agent.query.measures.definitions import Phrase
from agent.query.measures.growth import MIRRORED, Growth, in_order, moves
from agent.query.measures.query_rows import Listed
from agent.query.words.lexicon import key_of
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, subtracts_years
from agent.query.words.word_classes import GROWING, connecting
from agent.refusals.codes import Code
from agent.state.query import (
    Breakdown,
    Difference,
    Last,
    Member,
    Operation,
    Over,
    OverYears,
    Periods,
    Printed,
    Rank,
    Row,
    Span,
    Threshold,
    Years,
)
from agent.state.references import PeriodForm

# Years that are shown where a course over time, or a record, is asked and no year named.
COURSE, RECORDS = 5, 10
_NEUTRAL = ("trend", "each", "which_one", "ratio")
_EXTREMES = frozenset({"highest", "lowest", "which_year", "rank"})
# What an operation of the query serves of the words that ask for one.
_SERVED: dict[str, frozenset[str]] = {
    Over.AVERAGE: frozenset({"average"}),
    Over.SUM: frozenset({"sum"}),
    Over.CAGR: frozenset({"cagr", "growth", "average"}),
    Over.GROWTH: frozenset({*GROWING, "difference"}),
    Over.CHANGE: frozenset({*GROWING, "difference"}),
    Over.HIGHEST: _EXTREMES,
    Over.LOWEST: _EXTREMES,
    "rank": frozenset({"highest", "lowest", "rank", "compare"}),
    "difference": frozenset({"difference", "highest", "lowest", "compare"}),
    "threshold": frozenset({"positive", "negative", "which_year"}),
}
_UP_AND_DOWN = {"highest": True, "lowest": False}
BOUND_SCALES = {
    name: Decimal(10) ** power for name, power in {"billions": 9, "millions": 6, "thousands": 3, "units": 0}.items()
}


class Made(NamedTuple):
    """Rows, operations over them, and the periods they ask for."""

    rows: tuple[Row, ...]
    operations: tuple[Operation, ...]
    periods: Periods


class Operations(Growth):
    """The operations of one sentence over its rows."""

    def made(self) -> Made:
        """Rows and operations; refuses what leaves an operation without an object."""
        self._year_before()
        self._unserved_numbers()
        # "Did it top $100 billion" asks for no highest.
        self.named = {
            name: [part for part in parts if part.first not in self.used] for name, parts in self.named.items()
        }
        self._compared_sizes()
        self._years_apart()
        rows = self.rows()
        if self._is_of_losses():  # who lost most has the lowest income
            self.named["highest"], self.named["lowest"] = self.named["lowest"], self.named["highest"]
        # "Free cash flow less dividends" asks for no lowest.
        self.named["lowest"] = [part for part in self.named["lowest"] if part.first not in self.used]
        self._no_sum_of_companies()
        made = self._over(rows)
        self._check_served(made)
        return made

    def _year_before(self) -> None:
        """ "2023 vs the year before" compares with it; "last year, 2023" is one year said twice."""
        if all(one.form is PeriodForm.LATEST and one.part for one in self.asked.years):
            ago = (part for part in self.parts if part.stretch and part.stretch.part and part.stretch.part.ago)
            self.named["yoy"] += ago
        told = [(part, part.period) for part in self.parts if part.period]
        named = [part for part, period in told if period.year or period.end]
        named += [one for one in self.parts if one.stretch and one.stretch.part and one.stretch.part.year]
        for part, period in told:
            if part in named or not named or period.form is not PeriodForm.PREVIOUS:
                continue
            if self.sentence.word_before(part) in connecting("comparing"):
                self.named["yoy"].append(part)
                continue
            between = {token.base for one in named for token in self.sentence.tokens[part.last : one.first]}
            beside = any(one.first == part.last or one.last == part.first for one in named)
            if not beside and connecting("correcting").isdisjoint(between):
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(part))

    def _compared_sizes(self) -> None:
        """ "Is A larger than B": a comparison of companies, where no number is the bound."""
        for part, behind in pairwise(self.parts):
            sign = part.value("comparator")
            plain = len(self.phrases) == 1 and not (behind.number or behind.unknown or behind.has("guard"))
            if self.companies > 1 and sign and plain and part.first not in self.used:
                self.named["highest" if sign[0] == ">" else "lowest"].append(part)
                self.named["compare"].append(part)
                self.use(part)

    def _years_apart(self) -> None:
        """ "Its highest revenue year" asks which year that was; "revenue 2024 minus 2023" for the difference."""
        extremes = [part.first for part in self.named["highest"] + self.named["lowest"]]
        for part, behind in pairwise(self.parts):
            year = behind.bases in {("year",), ("years",)}
            if part.named and year and any(first < part.first for first in extremes) and not self.asked.several:
                self.named["which_year"].append(behind)
        self.named["difference"] += [part for part in self.parts if subtracts_years(self.parts, part)]

    def _no_sum_of_companies(self) -> None:
        """ "Apple and Microsoft combined" is one figure, which no operation makes."""
        for part in self.named["sum"] if self.companies > 1 else ():
            over_years = self.asked.several and part.says("over years")
            if part.first not in self.used and not over_years:
                raise Refused(Code.CROSS_COMPANY, self.sentence.text(part))

    def _check_served(self, made: Made) -> None:
        """An operation that the query does not hold, a bound without number, a unit that no figure has: refused."""
        served = set(_NEUTRAL)
        if self.asked.several or self.companies > 1 or [row.measure.kind for row in made.rows].count("member") > 1:
            served.add("compare")
        if sum(not row.mention for row in made.rows) > 1:
            served.add("compare")  # "total sales versus total revenue"
        if any(map(moves, made.rows)) or not isinstance(made.periods, Years):
            served |= {*GROWING, "compare", "difference"}
        if self.asked.several and self._asks_how():
            served |= set(GROWING)  # "how has it moved through these years"
        for operation in made.operations:
            over = operation.over if isinstance(operation, OverYears) else None
            served |= _SERVED[over or operation.kind]
        kinds = {row.measure.kind for row in made.rows}
        if kinds & {"share", "combined", "formula", "metric"}:
            served |= {"share"} if kinds == {"metric"} else {"share", "sum"}
        if shared := any(isinstance(row.measure, Breakdown) and row.measure.shares for row in made.rows):
            served.add("share")
        for name, parts in self.named.items():
            stray = [
                part for part in parts if part.first not in self.used and not (name == "sum" and part.has("qualifier"))
            ]
            if stray and name not in served and not {"share", "compare"} <= stray[0].values("operation"):
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(stray[0]))
        rated = {self.measures.unit(key) for row in made.rows if (key := key_of(row.measure))} & {"percent", "ratio"}
        moved = shared or kinds & {"change", "share", "formula"} or made.operations
        for part in self.parts:
            bound = part.has("comparator") and not part.has("frame", "operation", "guard")
            if part.first not in self.used and (bound or (part.has("unit") and not (rated or moved))):
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(part))

    # --- operations over years and companies ---

    def _over(self, listed: Listed) -> Made:
        rows, compared = [row for _, group in listed for row in group], self.companies > 1
        tops = list(self._top_periods())
        if tops and compared:
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(tops[0][0]))
        if any(count == self.asked.count for _, count in tops):
            self.asked = replace(self.asked, count=0)  # "its top 3 years" are three of them all
        if self.named["each"] and not self.asked.several and any(isinstance(row.measure, Printed) for row in rows):
            # Of what is due in the years to come, a total that a document prints is not the years.
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(self.named["each"][0]))
        if not self.asked.years and not self.asked.range and not self.asked.count:
            self.asked = replace(self.asked, range=self._open_range(rows))
        periods = self.asked.periods
        operations: list[Operation] = []
        if self.named["cagr"]:
            # "5-year CAGR" is over five steps; "the last five years and their CAGR" over the five that are shown.
            periods = self._stretch(more=0 if self._adds(listed, self.named["cagr"]) else 1)
            operations.append(OverYears(over=Over.CAGR))
        elif self.named["average"]:
            told = self._asks_how() and not (self.named["growth"] or self.named["yoy"])  # the years themselves tell
            if not self.asked.several or (self.grows and not told):  # of each year's growth, or of the whole?
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(self.named["average"][0]))
            operations.append(OverYears(over=Over.AVERAGE))
        elif self.grows:
            rows, operations, periods = self._growth(listed, rows)
        elif self._totals(rows):
            operations.append(OverYears(over=Over.SUM))
        elif self.named["sum"] and self.asked.several and not (self.used & {part.first for part in self.named["sum"]}):
            instant = [row for row in rows if self._is_instant(row)]
            if instant:
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(self.named["sum"][0]))
            operations.append(OverYears(over=Over.SUM))
        operations += self._order(compared, operations)
        bound = self._bounded_move(rows, operations, self._threshold())
        if bounds := bound or self._enough(rows) or self._whether_moved(rows, operations):
            operations.append(bounds)
        if operations or any(map(moves, rows)):
            rows = [row for row in rows if not row.mention]
        return Made(tuple(rows), tuple(operations), periods)

    def _open_range(self, rows: Sequence[Row]) -> Last | None:
        """The years of a course over time that names none; without one, and of a schedule of years to come, the latest."""
        alone = self.companies == 1 and self._top()
        if (self.named["which_year"] or alone) and (self.named["highest"] or self.named["lowest"]):
            return Last(count=RECORDS)
        if self.named["which_year"] and self.companies == 1 and self._threshold():
            return Last(count=RECORDS)
        scheduled = all(isinstance(row.measure, Breakdown) and row.measure.axis == "year" for row in rows)
        return Last(count=COURSE) if self.named["trend"] or (self.named["each"] and not scheduled) else None

    def _stretch(self, more: int = 0) -> Periods:
        """The span that a rate of growth is over; "5-year" counts the steps, which are one fewer than the years."""
        years = in_order(self.asked.years)
        if isinstance(self.asked.range, Span):
            return self.asked.range
        if isinstance(self.asked.range, Last):
            return self.asked.range.model_copy(update={"count": min(self.asked.range.count + more, 20)})
        if len(years) >= 2:
            return Span(first=years[0], last=years[-1])
        if self.asked.count:
            return Last(count=min(self.asked.count + more, 20), until=years[0] if years else None)
        mark = self.named["cagr"][0]
        raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(mark))

    def _totals(self, rows: Sequence[Row]) -> bool:
        """Whether "total" adds years up: over several of them, where it is no part of a name and no balance is asked."""
        free = [part for part in self.parts if not part.named and part.first not in self.used]
        told = any(part.value("qualifier") == "total" for part in free)
        counted = self.asked.count > 1 or any(part.number for part in self.parts)
        told = told or (counted and any(self._only_totals(phrase) for phrase in self.phrases))
        return told and self.asked.several and not self.named["each"] and not any(map(self._is_instant, rows))

    def _only_totals(self, phrase: Phrase) -> bool:
        """Whether a name begins with "total" and is the same without: "total dividends paid over three years"."""
        first, *rest = phrase.part.stems
        plain = self.measures.lexicon.named(tuple(rest))
        return first == "total" and plain is not None and plain.keys == phrase.named.keys

    def _is_instant(self, row: Row) -> bool:
        key = key_of(row.measure)
        return bool(key) and self.measures.entry(key) is not None and self.measures.instant(key)

    def _order(self, compared: bool, operations: Sequence[Operation]) -> list[Operation]:
        """Ranks, extremes and differences."""
        extreme = next((name for name in ("lowest", "highest") if self.named[name]), "")
        if self.named["lowest"] and self.named["highest"] and compared:
            extreme = "highest"  # "larger or smaller than"
        if self.named["difference"] and self.grows:
            return []
        if self.named["difference"]:
            if not (compared or self.asked.several or sum(len(one.members) or 1 for one in self.phrases) > 1):
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(self.named["difference"][0]))
            self.used.update(part.first for part in self.parts if part.has("comparator"))  # "exceed"
            units = {self.measures.unit(key_of(row.measure)) for phrase in self.phrases for row in phrase.named.rows}
            return [Difference(percent="percent" in self.units and not units <= {"percent"})]
        falls = bool(self.named["fall"] and extreme)  # the biggest drop is the lowest change
        if falls and extreme == "lowest":
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(self.named["lowest"][0]))
        extreme = "lowest" if falls else extreme
        named = [extreme] if falls else [name for name in ("highest", "lowest") if self.named[name]]
        extremes = [OverYears(over=Over(name)) for name in named]
        if extremes and not compared and self.asked.several and (places := self._top() or 0) > 1:
            return [Rank(highest=_UP_AND_DOWN[extreme], top=places)]
        if extremes and self.named["which_year"] and not compared:
            if not self.asked.several:
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(self.named["which_year"][0]))
            return [*extremes]
        if compared or ((extreme or self.named["rank"]) and self._are_rankable()):
            chosen = bool(extreme) or bool(self.named["which_one"])
            if chosen or self.named["rank"] or self.named["compare"] or self._versus():
                top = self._top() or (1 if chosen and not self.named["rank"] else None)
                return [Rank(highest=_UP_AND_DOWN.get(extreme, True), top=top)]
            return []
        if extremes and self.asked.several and not operations:
            return [*extremes]
        if self.named["rank"] and self.asked.several:
            return [Rank(highest=_UP_AND_DOWN.get(extreme, True), top=self._top())]
        if (extreme or self.named["rank"]) and not operations and not self.grows:
            part = self.named[extreme or "rank"][0]
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(part))
        return []

    def _are_rankable(self) -> bool:
        """Whether several rows of one company and period can be put in order: one measure of parts, or amounts of money."""
        rows = [row for phrase in self.phrases for row in phrase.named.rows if not (row.mention or row.term)]
        measures = [row.measure for row in rows]
        of = {one.of if isinstance(one, Member) else self.measures.unit(key_of(one)) for one in measures}
        several = len(self.phrases) > 1 or not any(phrase.named.ask for phrase in self.phrases)
        return len(of) == 1 and len(measures) > 1 and several and not self.asked.several

    def _versus(self) -> bool:
        """Whether companies stand against each other: "A or B", "A vs B"."""
        mentions = [part for part in self.parts if part.mention]
        for one, other in pairwise(mentions):
            words = {token.base for token in self.sentence.tokens[one.last : other.first]}
            if words & {"or", "vs", "versus", "against", "than"}:
                return True
        return False

    def _top(self) -> int | None:
        """How many of an order are asked: "top 5", "the best 3 years"."""
        for part in self.named["highest"] + self.named["lowest"]:
            following = next((one for one in self.parts if one.first == part.last and one.number), None)
            if following:
                self.use(following)
                return int(number_of(following.word))
        return next((count for _, count in self._top_periods()), None)

    def _top_periods(self) -> Iterator[tuple[Part, int]]:
        """Words of an extreme behind which so many years or quarters are asked: "top 3 years"."""
        for part in self.named["highest"] + self.named["lowest"]:
            behind = [one for one in self.parts if one.first >= part.last][:2]
            if behind and behind[0].stretch and behind[0].bases[-1:] == ("years",):
                yield part, behind[0].stretch.count
            elif len(behind) == 2 and behind[0].number and behind[1].stretch and behind[1].stretch.interim:
                yield part, int(number_of(behind[0].word))

    # --- bounds ---

    def _threshold(self) -> Operation | None:
        signed = self.named["positive"] or self.named["negative"]
        if signed and (self._asks_whether() or self._screens()):
            return Threshold(comparison=">" if self.named["positive"] else "<", bound=Decimal(0))
        for index, part in enumerate(self.parts):
            sign = part.value("comparator")
            following = self.parts[index + 1 : index + 3]
            if sign and following and following[0].number:
                scale = following[1].value("scale") if len(following) > 1 else None
                rate = len(following) > 1 and following[1].value("unit") == "percent"
                if part.has("operation") and not (scale or rate):
                    continue  # "top 5"
                bound = number_of(following[0].word)
                self.use(part, following[0])
                unit = Decimal(1) if rate else BOUND_SCALES[scale or "units"]
                if self._is_of_losses():  # "lost more than $1 billion"
                    sign, unit = sign.translate(MIRRORED), -unit
                return Threshold.model_validate({"comparison": sign, "bound": bound * unit})
        verbs = [phrase for phrase in self.phrases if phrase.part.value("named_verb") == "net_income"]
        if verbs and self._screens() and not (self.named["highest"] or self.named["lowest"]):
            return Threshold(comparison="<" if self._is_of_losses() else ">", bound=Decimal(0))
        return None

    def _enough(self, rows: Sequence[Row]) -> Operation | None:
        """ "Did cash flow cover the dividend": whether one was at least as much as the other."""
        told = {base for part in self.parts if part.has("operation") for base in part.bases}
        if len(rows) != 1 or told.isdisjoint(connecting("covering a need")) or not self._asks_whether():
            return None
        share = rows[0].measure.kind == "share"
        rated = share or self.measures.unit(key_of(rows[0].measure)) == "ratio"
        return Threshold(comparison=">=", bound=Decimal(100 if share else 1)) if rated else None

    def _is_of_losses(self) -> bool:
        """Whether a measure is asked for that is positive for a gain, by a word for its negative: "lost", "net loss"."""
        words = connecting("losing")
        said = (phrase for phrase in self.phrases if words & set(phrase.part.bases))
        asked = [getattr(one, "of", one) for phrase in said for one in phrase.measures]
        entries = [self.measures.entry(key_of(one)) for one in asked]
        return bool(entries) and all(isinstance(one, Concept) and one.sign == "signed" for one in entries)

    def _screens(self) -> bool:
        """Whether all companies are asked, of which some are wanted."""
        return any(part.mention is not None and part.mention.everyone for part in self.parts)

    @property
    def _years(self) -> int:
        """How many years are named, one by one or from the first to the last."""
        span = self.asked.range
        if isinstance(span, Span) and span.last and span.last.year and span.first.year:
            return span.last.year - span.first.year + 1
        return len(self.asked.years)

    def _unserved_numbers(self) -> None:
        """A number that is neither a year, a count nor a bound could be anything."""
        self._threshold()
        self._top()
        for clause in self.sentence.clauses:
            aside = self.sentence.is_asker(clause) and not clause.measures
            for place, part in enumerate(() if aside else clause.parts):
                counted = part.number and number_of(part.word)
                before = clause.parts[place - 1].bases[-1] if place else "the"
                listed = before in {"the", "these", "those", "all"} and counted in {
                    self.companies,
                    len(self.phrases),
                    self._years,
                } - {1}
                if (
                    part.number and part.first not in (self.used | self.defined) and not listed
                ):  # "these six", "three things:"
                    raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(part))
