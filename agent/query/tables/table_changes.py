"""What a question behind a table changes of it: companies and measures added or removed, other years, another form."""

from typing import Any

from agent.query.measures.named_parts import on_one_axis
from agent.query.measures.query_rows import distinct, with_shares
from agent.query.tables import table_periods
from agent.query.tables.change_phrases import around, before, behind, says
from agent.query.tables.changed_table import ChangedTable, Open
from agent.query.tables.table_forms import bare, base_of, display_of, grown, key_words, level_of
from agent.query.words.lexicon import key_of
from agent.query.words.refused_question import Misread
from agent.query.words.word_classes import classes, connecting
from agent.refusals.codes import Code
from agent.state.query import (
    MOST_COMPANIES,
    MOST_MEASURES,
    Breakdown,
    Change,
    Measure,
    Member,
    Operation,
    OverYears,
    Periods,
    Query,
    Rank,
    Row,
    Share,
    Statement,
)
from agent.state.question_words import Role
from agent.words.tokens import Token

# How the years change that are shown up to, back to or as far as one.
_MOVED = (
    ("up to", table_periods.until),
    ("back to", table_periods.beginning),
    ("extending", table_periods.extended_to),
)


class TableChange:
    """One question, read as a change of the table before it."""

    def __init__(self, question: str, tokens: tuple[Token, ...], previous: Query, opened: Open) -> None:
        """opened: a reader of some of the tokens, behind the table."""
        self.table = ChangedTable(question, tokens, previous, opened)
        core = bare(tokens)
        self.instead = before("instead", core)
        self.core = self.instead or core
        self.certain = True

    @property
    def previous(self) -> Query:
        """The query of the table."""
        return self.table.previous

    def read(self) -> Query | Misread | None:
        """The query of the table, changed; None where the question asks for no change of a table.

        A Misread says why a change cannot be made; where it is not `certain`, the words may mean something else.
        """
        if not self.core or not self.previous.rows:
            return None
        if shown := self._and_displayed():
            return shown
        if display := display_of(self.core):  # "as a chart", "show it in a grid"
            return self.table.having(display=display)
        for change in (self._by_time, self._by_part, self._in_form, self._of_years):
            if found := change():
                return found
        return self._of_names()

    # --- how it is shown ---

    def _and_displayed(self) -> Query | None:
        """ "Two more years as a chart": a change, and in what form it is shown."""
        for place in range(1, len(self.core)):
            display = display_of(self.core[place:])
            if self.core[place].base == "as" and display:
                change = TableChange(self.table.question, self.core[:place], self.previous, self.table.opened).read()
                if isinstance(change, Query):
                    self.table.named = tuple(word for word in change.words if word.role is not Role.OPERATION)
                    return change.model_copy(update={"display": display, "words": self.table.words()})
        return None

    def _by_time(self) -> Query | None:
        """ "Quarterly", "by year"."""
        if says("by quarter", self.core):
            over = tuple(one for one in self.previous.operations if not isinstance(one, OverYears))
            return self.table.having(periods=table_periods.by_quarter(self.previous.periods), own=(), operations=over)
        if says("by year", self.core):
            return self.table.having(periods=table_periods.by_year(self.previous.periods), own=())
        return None

    def _by_part(self) -> Query | None:
        """ "By segment", "split it US / international": the one measure of the table, divided."""
        rest = behind("dividing", self.core) or self.core
        parts = self.table.of_parts(rest) if self.core[0].base in connecting("dividing") else ()
        if parts and on_one_axis(row.measure.members for row in parts if isinstance(row.measure, Member)):
            return self.table.having(rows=parts, operations=())
        axis = next((one.value for one in classes().get(key_words(rest), ()) if one.kind == "axis"), "")
        if not axis or (base := self.table.divisible()) is None:
            return None
        divided = Breakdown.model_validate({"of": base, "axis": axis})
        return self.table.having(rows=(Row(measure=divided),), operations=())

    def _in_form(self) -> Query | Misread | None:
        """ "Year over year", "as a percentage of revenue"; "in percent" may be either."""
        if all(isinstance(row.measure, Statement) for row in self.previous.rows):
            return self._statements_in_form()
        if any(base_of(row.measure).kind in {"statement", "combined"} for row in self.previous.rows):
            return None
        if says("growth", self.core):
            return self.table.having(rows=distinct([grown(row) for row in self.previous.rows]), operations=())
        if says("levels", self.core):
            levels = [row.of(level_of(row.measure)) for row in self.previous.rows]
            return self.table.having(rows=distinct(levels), operations=())
        if says("percent", self.core) and all(isinstance(row.measure, Breakdown) for row in self.previous.rows):
            return self.table.having(rows=tuple(map(with_shares, self.previous.rows)))
        if says("percent", self.core):
            rated = all(self.table.unit(row.measure) == "percent" for row in self.previous.rows)
            return self.table.having() if rated else self._without_whole()
        whole = behind("share of", self.core)
        return self._as_share(whole) if whole else None

    def _statements_in_form(self) -> Query | None:
        """Whole statements "as common size", "in percent", "year over year", "in dollars"."""
        told = {one.value for one in classes().get(key_words(behind("showing as", self.core) or self.core), ())}
        if "common_size" in told or says("percent", self.core):
            form = "common_size"
        elif "growth" in told or says("growth", self.core):
            form = "growth"
        elif says("levels", self.core):
            form = ""
        else:
            return None
        rows = [row.of(row.measure.model_copy(update={"form": form})) for row in self.previous.rows]
        return self.table.having(rows=tuple(rows), operations=())

    def _as_share(self, tokens: tuple[Token, ...]) -> Query | Misread | None:
        found, named = self.table.operand(tokens)
        if not isinstance(found, Query) or named != {Role.MEASURE}:
            return None
        wholes = [base_of(row.measure) for row in found.rows if not row.mention]
        parts = [row for row in self.previous.rows if not row.mention and level_of(row.measure) not in wholes]
        if len(wholes) != 1 or not parts or any(self.table.unit(level_of(row.measure)) != "USD" for row in parts):
            return self._without_whole()
        shares = [row.of(Share(part=level_of(row.measure), whole=wholes[0])) for row in parts]
        return self.table.having(rows=distinct(shares), operations=())

    def _without_whole(self) -> Misread:
        """A percentage of nothing that is named, or of what no figure of the table is a part of."""
        revenue = any(key_of(level_of(row.measure)) == "revenue" for row in self.previous.rows)
        return self.table.refused(Code.PERCENTAGE_OF, self.core, measures=("total_assets" if revenue else "revenue",))

    # --- periods ---

    def _of_years(self) -> Query | Misread | None:
        """ "Two more years", "up to 2022", "back to 2018"."""
        words = [token.base for token in self.core]
        if more := table_periods.years_more(words):
            return self._over(table_periods.extended(self.previous.periods, more))
        for name, moved in _MOVED:
            if not (rest := behind(name, self.core)):
                continue
            found, named = self.table.operand(rest)
            if not isinstance(found, Query) or named != {Role.PERIOD} or not table_periods.is_year(found.periods):
                return None
            return self._over(moved(self.previous.periods, found.periods))
        if table_periods.are_quarters(self.previous.periods):
            # The years of a table by quarter are asked by quarter.
            found, named = self.table.operand(behind("and", self.core) or self.core)
            if isinstance(found, Query) and named == {Role.PERIOD} and not found.interim:
                return self.table.having(periods=table_periods.by_quarter(found.periods), own=())
        return None

    def _over(self, periods: Periods | None) -> Query | Misread:
        """The table over other periods, or why there are none."""
        if periods is None:
            return self.table.refused(Code.NOT_UNDERSTOOD, self.core)
        return self.table.having(periods=periods, own=())

    # --- companies and measures ---

    def _of_names(self) -> Query | Misread | None:
        """Companies, measures and years that are added, removed, or all that is left."""
        then = behind("and", self.core) or self.core
        if rest := around("removing", then) or behind("removing", then) or behind("without", self.core):
            return self._removed(rest)
        if rest := behind("only", self.core) or before("only", self.core) or self.instead:
            return self._alone(rest)
        if rest := behind("replacing", self.core):
            return self._replaced(rest)
        if rest := behind("comparing", self.core):
            return self._compared(rest)
        if rest := around("adding", self.core) or behind("adding", self.core):
            return self._with_more(*self.table.operand(before("too", rest) or rest))
        # "And Microsoft" goes on with the table; "and Microsoft?" asks about another company.
        rest = behind("and", self.core) or self.core
        told = before("too", rest)
        goes_on = rest != self.core and "?" not in self.table.question and not any(token.possessive for token in rest)
        if not (told or goes_on):
            return self._alone(rest) if self.table.of_parts(rest) else None
        found, named = self.table.operand(told or rest)
        # "And 2022" is another year; "2022 too" is one more.
        if not isinstance(found, Query) or (Role.PERIOD in named and not told):
            return None
        return self._with_more(found, named)

    def _compared(self, tokens: tuple[Token, ...]) -> Query | Misread | None:
        """The companies of the table and others, in the order of the measure."""
        found, named = self.table.operand(tokens)
        if not isinstance(found, Query) or self.table.of_parts(tokens):
            return self._with_more(found, named)
        # "Compared with the year before" asks for growth.
        return self._with_more(found, named, (Rank(),)) if Role.COMPANY in named else None

    def _with_more(
        self, found: Query | Misread | None, named: set[Role], ranking: tuple[Operation, ...] = ()
    ) -> Query | Misread | None:
        """The table with the companies, measures or years that are named."""
        if not isinstance(found, Query):
            return found
        table = self.previous
        companies = (*table.companies, *found.companies) if Role.COMPANY in named else table.companies
        companies = tuple(dict.fromkeys(companies))
        added = [self._alike(row) for row in found.rows] if Role.MEASURE in named else []
        rows = distinct((*table.rows, *added))
        if len(companies) > MOST_COMPANIES or len(rows) > MOST_MEASURES * 2:
            return self.table.refused(Code.TOO_LONG, self.core)
        periods = table.periods
        if Role.PERIOD in named:
            alone = named == {Role.PERIOD}
            joined = table_periods.joined(table.periods, found.periods) if alone else found.periods
            if joined is None:
                return None
            periods = joined
        return self.table.having(ranking, companies=companies, rows=rows, periods=periods)

    def _removed(self, tokens: tuple[Token, ...], *, last: bool = False) -> Query | Misread | None:
        """The table without what is named. last: whether nothing need be left."""
        found, named = self.table.operand(tokens)
        if isinstance(found, Misread) and found.code is Code.AMBIGUOUS_CONCEPT:
            # Of several measures so called, the one that the table shows.
            rows = tuple(row for row in self.previous.rows if key_of(base_of(row.measure)) in found.measures)
            if rows:
                found, named = self.previous.model_copy(update={"rows": rows}), {Role.MEASURE}
        if not isinstance(found, Query):
            return found
        table = self.previous
        update: dict[str, Any] = {}
        if Role.COMPANY in named:
            if set(found.companies) - set(table.companies):
                return self.table.not_in_table(tokens)
            update["companies"] = tuple(one for one in table.companies if one not in found.companies)
            update["own"] = tuple(one for one in table.own if one.cik not in {ref.cik for ref in found.companies})
        if Role.MEASURE in named:
            gone = {row.measure for row in found.rows if not row.mention}
            terms = {row.term for row in found.rows if row.term}
            held = {base for row in table.rows for base in (row.measure, base_of(row.measure))}
            if not gone & held:
                self.certain = not behind("without", self.core)
                return self.table.not_in_table(tokens)
            update["rows"] = tuple(row for row in table.rows if not self._is_of(row, gone, terms))
        if Role.PERIOD in named:
            alone = named == {Role.PERIOD}
            left = table_periods.without(table.periods, found.periods, self.table.today) if alone else found.periods
            if left is None:
                return self.table.not_in_table(tokens)
            update["periods"] = left
        rows = update.get("rows", table.rows)
        if not last and (not update.get("companies", table.companies) or all(row.mention for row in rows)):
            return self.table.refused(Code.LAST_IN_TABLE, tokens)
        return self.table.having(**update)

    def _alone(self, tokens: tuple[Token, ...]) -> Query | Misread | None:
        found, named = self.table.operand(tokens)
        if not isinstance(found, Query):
            return None
        update: dict[str, Any] = {
            slot: value
            for role, slot, value in (
                (Role.COMPANY, "companies", found.companies),
                (Role.MEASURE, "rows", found.rows),
                (Role.PERIOD, "periods", found.periods),
            )
            if role in named
        }
        if table_periods.are_quarters(self.previous.periods) and "periods" in update:
            update["periods"] = table_periods.by_quarter(found.periods)
        return self.table.having(**update)

    def _replaced(self, tokens: tuple[Token, ...]) -> Query | Misread | None:
        """ "Replace A with B"."""
        place = next((place for place, token in enumerate(tokens) if token.base in {"with", "by", "for"}), 0)
        gone, (found, named) = self._removed(tokens[:place], last=True), self.table.operand(tokens[place + 1 :])
        if not isinstance(gone, Query) or not isinstance(found, Query):
            return gone if isinstance(gone, Misread) else found
        self.table.previous = gone
        return self._with_more(found, named)

    def _is_of(self, row: Row, gone: set[Measure], terms: set[str]) -> bool:
        return row.measure in gone or base_of(row.measure) in gone or (row.mention and row.term in terms)

    def _alike(self, row: Row) -> Row:
        """A measure in the form that every row of the table has: growth, or a share of the same whole."""
        forms = [one.measure for one in self.previous.rows if not one.mention]
        if all(isinstance(one, Change) and one.percent for one in forms):
            return grown(row)
        wholes = {one.whole for one in forms if isinstance(one, Share)}
        shared = len(wholes) == 1 and all(isinstance(one, Share) for one in forms)
        if shared and self.table.unit(row.measure) == "USD" and row.measure not in wholes:
            return row.of(Share(part=row.measure, whole=next(iter(wholes))))
        return row
