"""Growth: over the year before as rows of their own, or one number from the first year to the last."""

from collections.abc import Sequence
from decimal import Decimal

from agent.numbers.registry.concept import Concept as Entry
from agent.query.measures.query_rows import Listed, Rows
from agent.query.periods.parts_of_years import of_quarters, unlike_parts
from agent.query.words.lexicon import key_of
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part
from agent.query.words.word_classes import GROWING, connecting
from agent.refusals.codes import Code
from agent.state.query import (
    Breakdown,
    Change,
    Concept,
    Last,
    Measure,
    Member,
    Operation,
    Over,
    OverYears,
    Periods,
    Row,
    Span,
    Threshold,
    Years,
)
from agent.state.references import Period, PeriodForm
from filings.xbrl.periods import FiscalPeriod

# Comparisons as they are of the negative.
MIRRORED = str.maketrans("<>", "><")


class Growth(Rows):
    """What the measures of one sentence moved by."""

    def _growth(self, listed: Listed, rows: list[Row]) -> tuple[list[Row], list[Operation], Periods]:
        """Changes year by year as rows; over a span, one number from its first year to its last."""
        periods = self._beside_year_before(self.asked.periods)
        # Growth is in percent, and whatever says so.
        marks = [part for name in GROWING for part in self.named[name]]
        rated = "percent" in self.units or any(self.named[name] for name in ("growth", "yoy", "qoq"))
        rated = rated or any(self._is_compared(listed, mark) for mark in marks)
        percent = rated and not self.units & {"points", "bps", "absolute"}
        scope = self._scope(listed, marks)
        changed = [
            self._changed(row, percent) if index in scope else row
            for index, (_, group) in enumerate(listed)
            for row in group
        ]
        if quarterly := self.named["qoq"]:
            if both := self.named["yoy"]:
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(both[0]))
            return changed, [], of_quarters(periods, self.sentence.text(quarterly[0]))
        years = in_order(self.asked.years)
        # The year of the biggest drop is one of them all.
        extreme = self.companies == 1 and bool(self.named["highest"] or self.named["lowest"])
        several = len(years) > 2 or bool(self.named["yoy"] or self.named["each"]) or extreme
        if isinstance(periods, Span) and periods.last and neighbours(periods.first, periods.last):
            return changed, [], Years(periods=(periods.last,))
        if not isinstance(periods, Years) or len(years) > 2:
            if not self.named["growth"] and not self.units and self._asks_how():
                return rows, [], periods  # "how has it changed since": the years themselves tell
            if self.named["growth"] and self._adds(
                listed, marks
            ):  # "revenue with growth": the figures, and their growth
                return [*rows, *(row for row in changed if moves(row))], [], periods
            if several or (isinstance(periods, Last) and self.named["growth"]):
                return changed, [], periods
        adds = self._adds(listed, marks)
        apart = len(years) == 2 and not neighbours(*years)
        if len(years) == 2 and not apart and not adds:
            return changed, [], Years(periods=(years[1],))
        if apart and not any(one.part for one in years):
            periods = Span(first=years[0], last=years[1])
        elif apart and unlike_parts(periods) and (several or not self._are_compared()):
            return [*(rows if adds else ()), *changed], [], periods
        if apart or not isinstance(periods, Years):
            if any(isinstance(row.measure, Breakdown) for row in rows):
                return changed, [], periods  # of each part, year by year
            if len(scope) < len(listed):
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(marks[0]))
            return rows, [OverYears(over=Over.GROWTH if percent else Over.CHANGE)], periods
        if adds:  # "revenue 2024 and yoy growth": the figure, and its growth
            return [*rows, *(self._changed(row, True) for row in listed[-1][1] if not row.mention)], [], periods
        return changed, [], periods

    def _scope(self, listed: Listed, marks: Sequence[Part]) -> frozenset[int]:
        """Which phrases a word of growth is about: of "revenue growth and operating margin" only the first; of "did R&D
        grow faster than revenue" both, as growth is compared with growth.
        """
        scope: set[int] = set()
        for mark in sorted(marks, key=lambda one: one.first):
            before = [
                index for index, (phrase, _) in enumerate(listed) if phrase.last <= mark.first and index not in scope
            ]
            behind = [index for index, (phrase, _) in enumerate(listed) if phrase.first >= mark.last]
            last = listed[before[-1]][0].last if before else mark.first
            beside = before and all(part.stretch for part in self.parts if last <= part.first < mark.first)
            beside = beside and not self._is_compared(listed, mark)
            scope |= set(before) if beside or not behind else set(range(len(listed)))
        return frozenset(scope)

    def _is_compared(self, listed: Listed, mark: Part) -> bool:
        """Whether one measure's growth is set against another's: "grow faster than revenue"."""
        behind = [phrase.first for phrase, _ in listed if phrase.first >= mark.last]
        return "than" in {one.base for one in self.sentence.tokens[mark.last : min(behind, default=mark.last)]}

    def _whether_moved(self, rows: Sequence[Row], operations: Sequence[Operation]) -> Operation | None:
        """ "Did revenue grow": whether it did, beside by how much. What is better, where it improved, no code knows; nor,
        of what may be negative, whether a loss or an outflow that grew has risen or fallen.
        """
        up, down = any(self.named[name] for name in ("growth", "rise")), bool(self.named["fall"])
        marks = [part for name in GROWING for part in self.named[name]]
        over = moved_over(operations)
        asked = [row for row in rows if not row.mention]
        alone = len(asked) == 1 and (moves(asked[0]) if not operations else len(over) == len(operations))
        if not alone or up == down or not self._asks_whether() or self.sentence.words & {"much", "many", "how"}:
            return None
        throughout = any(part.says("keeping") for part in self.parts) or bool(self.named["each"])
        if throughout or any(part.says("bettering") for part in marks) or not self._is_of_size(asked[0].measure):
            return None
        return Threshold(comparison=">" if up else "<", bound=Decimal(0))

    def _bounded_move(
        self, rows: Sequence[Row], operations: Sequence[Operation], bound: Operation | None
    ) -> Operation | None:
        """A bound on what a measure moved by: "fell by more than 5 %" is a growth below -5 %. None where it fell by less
        than so much, which a rise has not done either. Raises Refused where the bound may be of another figure.
        """
        over = moved_over(operations)
        sign = next((part for part in self.parts if part.has("comparator")), None)
        if not isinstance(bound, Threshold) or sign is None:  # "was its growth positive"
            return bound
        asked = [row.measure for row in rows if not row.mention]
        if not (over or any(map(moves, rows))):
            amounts = any(isinstance(one, Concept) and self.measures.unit(key_of(one)) != "percent" for one in asked)
            if amounts and any(part.value("unit") == "percent" for part in self.parts if part.first > sign.first):
                raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(sign))  # "plunged more than 40 %"
            return bound
        falls = self.named["fall"]
        level = self.sentence.tokens[sign.first - 1].base == "to"  # "fell to less than 5 billion"
        if level or (over and self.named["which_year"]) or (falls and (self.named["growth"] or self.named["rise"])):
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(sign))
        if not falls:
            return bound
        if "<" in bound.comparison:
            return None
        return Threshold.model_validate({"comparison": bound.comparison.translate(MIRRORED), "bound": -bound.bound})

    def _is_of_size(self, measure: Measure) -> bool:
        """Whether a measure is never negative: revenue, spending, assets; of a part of the company too."""
        of = measure.of if isinstance(measure, Change | Member) else measure
        if of is not measure:
            return self._is_of_size(of)
        entry = self.measures.entry(key_of(of)) if isinstance(of, Concept) else None
        return isinstance(entry, Entry) and entry.sign != "signed"

    def _asks_whether(self) -> bool:
        """ "Was it negative", "did it cover": a verb begins a clause."""
        return any(clause.parts[0].value("frame") == "aux" for clause in self.sentence.clauses)

    def _asks_how(self) -> bool:
        """ "How has it changed", "has it changed": the years themselves tell; "how much has it changed" is one number."""
        words = self.sentence.words
        return bool({"how", "has", "have"} & words) and not {"much", "many"} & words

    def _adds(self, listed: Listed, marks: Sequence[Part]) -> bool:
        """Whether growth is asked beside the figure: "revenue and its growth", "revenue vs the year before"."""
        if any(part.stretch for part in marks):
            return True
        last, first = listed[-1][0], min(part.first for part in marks)
        if first < last.first:
            return False
        between = [part for part in self.parts if last.last <= part.first < first]
        return any({"and", "plus", "+", "with"} & {*part.bases} for part in between)

    def _changed(self, row: Row, percent: bool) -> Row:
        if row.mention or moves(row):
            return row
        percent = percent and self.measures.unit(key_of(row.measure)) != "percent"
        sequential = bool(self.named["qoq"])
        if isinstance(row.measure, Breakdown) and not row.measure.extreme:  # of each part its growth
            moved = Change(of=row.measure.of, percent=percent, sequential=sequential)
            return row.of(row.measure.model_copy(update={"of": moved}))
        return row.of(Change(of=row.measure, percent=percent, sequential=sequential))

    def _beside_year_before(self, periods: Periods) -> Periods:
        """The year that grew, where only the one is named that it is set against: "grew compared with last year"."""
        match periods:
            case Years(periods=(one,)) if one.form is PeriodForm.PREVIOUS:
                before = self._before_stretches()
                if {*(before[1:] or before)} & connecting("comparing"):
                    return Years(periods=(one.model_copy(update={"form": PeriodForm.LATEST}),))
        return periods

    def _are_compared(self) -> bool:
        """Whether a period is set against another: "Q3 2024 over Q2 2024", and not "Q2 and Q3 2024"."""
        before = self._before_stretches()
        return before[:1] == ["between"] or bool({*before[1:]} & connecting("comparing"))

    def _before_stretches(self) -> list[str]:
        """The word before each period that is named, but for an article."""
        words = [token.base for token in self.sentence.tokens]
        ahead = ([word for word in words[: part.first] if word != "the"] for part in self.parts if part.stretch)
        return [one[-1] if one else "" for one in ahead]


def moves(row: Row) -> bool:
    """Whether a row is of what a measure moved by, or of what that of each part did."""
    measure = row.measure.of if isinstance(row.measure, Breakdown) else row.measure
    return isinstance(measure, Change)


def moved_over(operations: Sequence[Operation]) -> list[OverYears]:
    """The operations that tell what a measure moved by from the first year to the last."""
    return [one for one in operations if isinstance(one, OverYears) and one.over in (Over.GROWTH, Over.CHANGE)]


def in_order(periods: Sequence[Period]) -> list[Period]:
    """Those of which the year is known, oldest first."""

    def place(one: Period) -> tuple[int, int]:
        return one.year or 0, one.part.quarter if isinstance(one.part, FiscalPeriod) else 0

    return sorted((one for one in periods if one.year), key=place)


def neighbours(first: Period, last: Period) -> bool:
    """Whether two years, or the same parts of two years, follow each other."""
    return bool(first.year and last.year and last.year - first.year == 1 and first.part == last.part)
