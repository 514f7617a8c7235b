"""What a question behind a table changes of it: companies and measures added or removed, other years, another form."""

from collections.abc import Callable, Sequence
from typing import Any

from agent.query import table_periods
from agent.query.closed import changing, classes
from agent.query.follow_up import CHANGE, is_single
from agent.query.lexicon import key_of
from agent.query.measures import Measures
from agent.query.misread import Misread
from agent.query.reading import Reader
from agent.query.row_forms import base_of, grown, level_of
from agent.query.rows import distinct
from agent.query.table_display import bare, display_of, key_words
from agent.refusals.codes import Code
from agent.registrants.mentions import Mention
from agent.state.query import (
    MOST_COMPANIES,
    MOST_MEASURES,
    Breakdown,
    Change,
    Difference,
    Display,
    Measure,
    Member,
    Operation,
    Query,
    Rank,
    Role,
    Row,
    Share,
    Threshold,
    Word,
)
from agent.words.tokens import Token

Open = Callable[[tuple[Token, ...], Query | None], Reader]
# Slots that a change names something for.
_SLOTS = frozenset({Role.COMPANY, Role.MEASURE, Role.PERIOD})
# Misreadings of what is to be added or removed that say more than that it was not understood.
_TELLING = frozenset(
    {Code.AMBIGUOUS_COMPANY, Code.AMBIGUOUS_CONCEPT, Code.CONCEPT_UNKNOWN, Code.NON_GAAP, Code.UNKNOWN_COMPANY}
)


class TableChange:
    """One question, read as a change of the table before it."""

    def __init__(self, question: str, tokens: tuple[Token, ...], previous: Query, opened: Open) -> None:
        """opened: a reader of some of the tokens, behind the table."""
        self.question, self.previous, self.opened = question, previous, opened
        self.all, self.core = tokens, bare(tokens)
        self.named: tuple[Word, ...] = ()  # the words that name what is added, removed or left
        reader = opened(tokens, previous)
        self.measures = Measures(reader.registry, reader.shared)
        self.certain = True

    def read(self) -> Query | Misread | None:
        """The query of the table, changed; None where the question asks for no change of a table.

        A Misread says why a change cannot be made; where it is not `certain`, the words may mean something else.
        """
        if not self.core or not self.previous.rows:
            return None
        if shown := self._and_displayed():
            return shown
        for change in (self._displayed, self._by_time, self._by_part, self._in_form, self._of_years):
            if found := change():
                return found
        return self._of_names()

    # --- how it is shown ---

    def _displayed(self) -> Query | None:
        """ "As a chart", "show it in a grid"."""
        display = display_of(self.core)
        return self._with(display=display) if display else None

    def _and_displayed(self) -> Query | None:
        """ "Two more years as a chart": a change, and in what form it is shown."""
        for place in range(1, len(self.core)):
            display = display_of(self.core[place:])
            if self.core[place].base == "as" and display:
                change = TableChange(self.question, self.core[:place], self.previous, self.opened).read()
                if isinstance(change, Query):
                    self.named = tuple(word for word in change.words if word.role is not Role.OPERATION)
                    return change.model_copy(update={"display": display, "words": self._words()})
        return None

    def _by_time(self) -> Query | None:
        """ "Quarterly", "by year"."""
        if self._is("by quarter"):
            return self._with(periods=table_periods.by_quarter(self.previous.periods), own=())
        if self._is("by year"):
            return self._with(periods=table_periods.by_year(self.previous.periods), own=())
        return None

    def _by_part(self) -> Query | None:
        """ "By segment": the one measure of the table, divided."""
        rest = self._behind("dividing") or self.core
        axis = next((one.value for one in classes().get(key_words(rest), ()) if one.kind == "axis"), "")
        bases = {base_of(row.measure) for row in self.previous.rows if not row.mention}
        if not axis or len(bases) != 1 or (base := bases.pop()).kind not in {"concept", "metric", "line"}:
            return None
        divided = Breakdown.model_validate({"of": base, "axis": axis})
        return self._with(rows=(Row(measure=divided),), operations=())

    def _in_form(self) -> Query | Misread | None:
        """ "Year over year", "as a percentage of revenue"; "in percent" may be either."""
        if any(base_of(row.measure).kind in {"statement", "combined"} for row in self.previous.rows):
            return None
        if self._is("growth"):
            rows = [grown(row) for row in self.previous.rows]
            return self._with(rows=distinct(rows), operations=())
        if self._is("levels"):
            rows = [row.model_copy(update={"measure": level_of(row.measure)}) for row in self.previous.rows]
            return self._with(rows=distinct(rows), operations=())
        if self._is("percent"):
            rated = all(self._unit(row.measure) == "percent" for row in self.previous.rows)
            return self._with() if rated else self._without_whole()
        whole = self._behind("share of")
        return self._as_share(whole) if whole else None

    def _as_share(self, tokens: tuple[Token, ...]) -> Query | Misread | None:
        found, named = self._operand(tokens)
        if not isinstance(found, Query) or named != {Role.MEASURE}:
            return None
        wholes = [row.measure for row in found.rows if not row.mention]
        rows = [row for row in self.previous.rows if not row.mention]
        parts = [row for row in rows if level_of(row.measure) not in wholes]
        if len(wholes) != 1 or not parts or any(self._unit(level_of(row.measure)) != "USD" for row in parts):
            return self._without_whole()
        shares = [
            row.model_copy(update={"measure": Share(part=level_of(row.measure), whole=wholes[0])}) for row in parts
        ]
        return self._with(rows=distinct(shares), operations=())

    def _without_whole(self) -> Misread:
        """A percentage of nothing that is named, or of what no figure of the table is a part of."""
        revenue = any(key_of(level_of(row.measure)) == "revenue" for row in self.previous.rows)
        return self._refused(Code.PERCENTAGE_OF, self.core, measures=("total_assets" if revenue else "revenue",))

    # --- periods ---

    def _of_years(self) -> Query | Misread | None:
        """ "Two more years", "up to 2022", "back to 2018"."""
        words = [token.base for token in self.core]
        if more := table_periods.years_more(words):
            periods = table_periods.extended(self.previous.periods, more)
            return self._with(periods=periods, own=()) if periods else self._refused(Code.NOT_UNDERSTOOD, self.core)
        for name, moved in (("up to", table_periods.until), ("back to", table_periods.beginning)):
            if not (rest := self._behind(name)):
                continue
            found, named = self._operand(rest)
            if not isinstance(found, Query) or named != {Role.PERIOD}:
                return None
            periods = moved(self.previous.periods, found.periods)
            return self._with(periods=periods, own=()) if periods else self._refused(Code.NOT_UNDERSTOOD, self.core)
        if table_periods.are_quarters(self.previous.periods):
            # The years of a table by quarter are asked by quarter.
            found, named = self._operand(self._behind("and") or self.core)
            if isinstance(found, Query) and named == {Role.PERIOD} and not found.interim:
                return self._with(periods=table_periods.by_quarter(found.periods), own=())
        return None

    # --- companies and measures ---

    def _of_names(self) -> Query | Misread | None:
        """Companies, measures and years that are added, removed, or all that is left."""
        if rest := self._behind("removing") or self._behind("without"):
            return self._removed(rest)
        if rest := self._behind("only"):
            return self._alone(rest)
        if rest := self._behind("comparing"):
            return self._compared(rest)
        if rest := self._behind("adding"):
            return self._added(rest)
        # "And Microsoft" goes on with the table; "and Microsoft?" asks about another company.
        rest = self._behind("and") or self.core
        told = self._before("too", rest)
        goes_on = rest != self.core and "?" not in self.question and not any(token.possessive for token in rest)
        if not (told or goes_on):
            return None
        found, named = self._operand(told or rest)
        return self._with_more(found, named) if isinstance(found, Query) and Role.PERIOD not in named else None

    def _added(self, tokens: tuple[Token, ...]) -> Query | Misread | None:
        found, named = self._operand(tokens)
        return self._with_more(found, named) if isinstance(found, Query) else found

    def _compared(self, tokens: tuple[Token, ...]) -> Query | Misread | None:
        """The companies of the table and others, in the order of the measure."""
        found, named = self._operand(tokens)
        if not isinstance(found, Query):
            return found
        # "Compared with the year before" asks for growth.
        return self._with_more(found, named, (Rank(),)) if Role.COMPANY in named else None

    def _with_more(
        self, found: Query, named: set[Role], ranking: tuple[Operation, ...] = ()
    ) -> Query | Misread | None:
        """The table with the companies, measures or years that are named."""
        before = self.previous
        companies = (*before.companies, *found.companies) if Role.COMPANY in named else before.companies
        companies = tuple(dict.fromkeys(companies))
        added = [self._alike(row) for row in found.rows] if Role.MEASURE in named else []
        rows = distinct((*before.rows, *added))
        if len(companies) > MOST_COMPANIES or len(rows) > MOST_MEASURES * 2:
            return self._refused(Code.TOO_LONG, self.core)
        periods = before.periods
        if Role.PERIOD in named:
            alone = named == {Role.PERIOD}
            joined = table_periods.joined(before.periods, found.periods) if alone else found.periods
            if joined is None:
                return None
            periods = joined
        return self._with(ranking, companies=companies, rows=rows, periods=periods)

    def _removed(self, tokens: tuple[Token, ...]) -> Query | Misread | None:
        found, named = self._operand(tokens)
        if not isinstance(found, Query):
            return found
        before = self.previous
        update: dict[str, Any] = {}
        if Role.COMPANY in named:
            if set(found.companies) - set(before.companies):
                return self._refused(Code.NOT_IN_TABLE, tokens, measures=self._shown())
            update["companies"] = tuple(one for one in before.companies if one not in found.companies)
            update["own"] = tuple(one for one in before.own if one.cik not in {ref.cik for ref in found.companies})
        if Role.MEASURE in named:
            gone = {row.measure for row in found.rows if not row.mention}
            terms = {row.term for row in found.rows if row.term}
            held = {base for row in before.rows for base in (row.measure, base_of(row.measure))}
            if not gone & held:
                self.certain = not self._behind("without")
                return self._refused(Code.NOT_IN_TABLE, tokens, measures=self._shown())
            update["rows"] = tuple(row for row in before.rows if not self._is_of(row, gone, terms))
        if Role.PERIOD in named:
            periods = table_periods.without(before.periods, found.periods) if named == {Role.PERIOD} else found.periods
            if periods is None:
                return self._refused(Code.NOT_IN_TABLE, tokens, measures=self._shown())
            update["periods"] = periods
        rows = update.get("rows", before.rows)
        if not update.get("companies", before.companies) or all(row.mention for row in rows):
            return self._refused(Code.LAST_IN_TABLE, tokens)
        return self._with(**update)

    def _alone(self, tokens: tuple[Token, ...]) -> Query | Misread | None:
        found, named = self._operand(tokens)
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
        return self._with(**update)

    def _operand(self, tokens: tuple[Token, ...]) -> tuple[Query | Misread | None, set[Role]]:
        """What words that are added or removed name, read behind the table; and which slots they name something for.

        None where they name none, or ask for more than that.
        """
        if not tokens or tokens[0].base in {key[0] for key in changing("binding")}:
            return None, set()
        reader = self.opened(tokens, self.previous)
        found = reader.read()
        if isinstance(found, Misread):
            return (self._refused(found.code, tokens, found) if found.code in _TELLING else None), set()
        self.named, named = found.words, {word.role for word in found.words} & _SLOTS
        if found.topics:
            return self._of_nobody(reader, tokens), set()
        plain = not (found.topics or found.particulars or found.unheld or found.meta) and found.rows
        made = any(word.role is Role.OPERATION for word in found.words)
        return (found, named) if plain and named and not made else (None, set())

    def _of_nobody(self, reader: Reader, tokens: tuple[Token, ...]) -> Misread | None:
        """Words nobody knows, written as a name: of no company. None for other words, which may ask for text."""
        free = all(part.unknown or part.has("frame") for part in reader.sentence.parts)
        if not free or not tokens[0].capital:
            return None
        word = reader.text(Mention(0, len(reader.tokens), ()))
        near = Misread(code=Code.UNKNOWN_COMPANY, words=(word,), companies=reader.companies.near(word))
        return self._refused(Code.UNKNOWN_COMPANY, tokens, near)

    def _is_of(self, row: Row, gone: set[Measure], terms: set[str]) -> bool:
        return row.measure in gone or base_of(row.measure) in gone or (row.mention and row.term in terms)

    def _alike(self, row: Row) -> Row:
        """A measure in the form that every row of the table has: growth, or a share of the same whole."""
        forms = [one.measure for one in self.previous.rows if not one.mention]
        if all(isinstance(one, Change) and one.percent for one in forms):
            return grown(row)
        wholes = {one.whole for one in forms if isinstance(one, Share)}
        shared = len(wholes) == 1 and all(isinstance(one, Share) for one in forms)
        if shared and self._unit(row.measure) == "USD" and row.measure not in wholes:
            return row.model_copy(update={"measure": Share(part=row.measure, whole=next(iter(wholes)))})
        return row

    # --- the query ---

    def _with(self, ranking: tuple[Operation, ...] = (), **update: Any) -> Query:
        """The query of the table with another part, and what is made of it where it still can be."""
        found = self.previous.model_copy(update={"topics": (), "particulars": (), **update})
        if "operations" not in update:
            kept = _kept(self.previous, found)
            found = found.model_copy(update={"operations": kept or ranking})
        if "display" not in update:
            found = found.model_copy(update={"display": Display.TABLE})
        return found.model_copy(update={"words": self._words()})

    def _refused(
        self, code: Code, tokens: Sequence[Token], near: Misread | None = None, measures: tuple[str, ...] = ()
    ) -> Misread:
        """Why a change is not made: the words that decided, and the table as it stays. near: what the words are near to."""
        text = self.question[tokens[0].start : tokens[-1].end]
        return Misread(
            code=code,
            words=near.words if near and near.words else (text,),
            companies=near.companies if near else self.previous.companies,
            measures=near.measures if near else measures,
            table=self.previous,
            read=self._words(),
        )

    def _shown(self) -> tuple[str, ...]:
        """Registry keys of the measures that the table shows."""
        bases = [base_of(row.measure) for row in self.previous.rows if not row.mention]
        return tuple(dict.fromkeys(key_of(one) for one in bases if one.kind in {"concept", "metric"}))

    def _words(self) -> tuple[Word, ...]:
        """The words of the question: those that say how the table changes, and those that name what."""
        start, end = self.all[0].start, self.all[-1].end
        if not self.named:
            return (self._change(start, end),)
        first, last = self.named[0].start, self.named[-1].end
        before = (self._change(start, first),) if start < first else ()
        return (*before, *self.named, *((self._change(last, end),) if last < end else ()))

    def _change(self, start: int, end: int) -> Word:
        text = self.question[start:end].strip()
        return Word(start=start, end=end, text=text, role=Role.OPERATION, meaning=CHANGE)

    def _unit(self, measure: Measure) -> str:
        """USD, percent, …; empty for one without a unit of the registry."""
        match measure:
            case Change(percent=True) | Share():
                return "percent"
            case Change(of=of) | Member(of=of) | Breakdown(of=of):
                return self._unit(of)
        return self.measures.unit(key_of(measure)) or ""

    # --- words ---

    def _is(self, name: str) -> bool:
        return key_words(self.core) in changing(name)

    def _behind(self, name: str) -> tuple[Token, ...]:
        """The tokens behind the longest phrase of a class that the question begins with; empty for none."""
        lengths = range(len(self.core) - 1, 0, -1)
        size = next((size for size in lengths if key_words(self.core[:size]) in changing(name)), 0)
        return self.core[size:] if size else ()

    @staticmethod
    def _before(name: str, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
        """The tokens before a phrase of a class that they end with; empty for none."""
        size = next((size for size in range(len(tokens) - 1, 0, -1) if key_words(tokens[-size:]) in changing(name)), 0)
        return tokens[:-size] if size else ()


def _kept(before: Query, after: Query) -> tuple[Operation, ...]:
    """What was made of the table before, where it still can be of the table after: a rank of several companies, a sum
    of several years. A difference is of what was set against each other.
    """
    alike = (len(before.companies) > 1) == (len(after.companies) > 1)
    alike = alike and is_single(before.periods) == is_single(after.periods)
    same = (before.companies, before.rows) == (after.companies, after.rows)
    return tuple(
        one
        for one in before.operations
        if isinstance(one, Threshold) or (alike and (same or not isinstance(one, Difference)))
    )
