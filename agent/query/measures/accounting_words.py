"""What a word of accounting does with a measure: it selects another, agrees, or makes it one that nobody holds."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from agent.numbers.facts.fact_selection import STAND_IN
from agent.numbers.registry.concept import Concept, PeriodType, Statement, Unit
from agent.numbers.registry.formula import operands
from agent.numbers.registry.registry import Registry
from agent.numbers.registry.registry_schema import Metric
from agent.numbers.registry.row_labels import Fit
from agent.query.measures.metric_formulas import Formulas
from agent.query.words.lexicon import CHANGING, PARENTHESES, Lexicon, Named, accepts, key_of, loose
from agent.query.words.word_classes import connecting, participles, row_words
from agent.state.query import Line, Measure, Row
from agent.words.tokens import stems

_TERMS = frozenset({"current", "noncurrent", "long term"})
_WEIGHTS = frozenset({"basic", "diluted", "weighted average"})
# Qualifiers as the words by which a name may hold them.
_WORDS = {
    "parent": "attributable parent", "common holders": "attributable common shareholder", "cash": "cash",
    "noncontrolling": "attributable noncontrolling interest", "including noncontrolling": "including noncontrolling interest",
    "including current": "including current", "book value": "", "on hand": "", "consumed": "", "consolidated": "",
}  # fmt: skip


class Measures(Formulas):
    """The registry's measures as the reader asks about them."""

    def __init__(self, registry: Registry, lexicon: Lexicon) -> None:
        super().__init__(registry)
        self.lexicon = lexicon

    # --- selecting ---

    def selected(self, words: Iterable[str], named: Named, extra: Iterable[str]) -> Named | None:
        """The other measure that the same words with further ones name, by any name of the first; None for none."""
        words, added = tuple(words), tuple(extra)
        if not added:
            return None
        # "Long-term debt" is a name of its own beside "debt, long-term portion".
        found = self.lexicon.named((*added, *words)) or self._with(words, added)
        if found:
            return found
        others: dict[tuple[str, ...], Named] = {}
        for key in named.keys if len(named.keys) == 1 and ":" not in named.keys[0] else ():
            for alias in self.aliases(key):
                if other := self._with(stems(alias), added):
                    others[other.keys] = other
        return next(iter(others.values())) if len(others) == 1 else None

    def _with(self, words: Iterable[str], added: tuple[str, ...]) -> Named | None:
        """The measure that words name with further ones; behind one that takes out or puts in, they stand apart."""
        place = next((place for place, word in enumerate(added) if word in CHANGING), None)
        if place is None:
            return self.lexicon.told_by((*words, *added))
        return self.lexicon.changed_by((*words, *added[:place]), added[place], added[place + 1 :])

    def qualified(self, words: Sequence[str], typed: str, named: Named, qualifier: str) -> Named | None:
        """A measure with one more word: the one selected, the same where the word agrees, or None."""
        extra = stems(_WORDS.get(qualifier, qualifier))
        other = self.selected(words, named, extra)
        agreeing = self.kept(named, lambda row: self.agrees(row, qualifier, typed))
        if other is None or other.keys == named.keys:
            return other or agreeing
        stays = qualifier in {"total", "net"} and agreeing == named and not set(other.keys) <= set(named.keys)
        return named if stays else other

    def printed_as(self, named: Named, typed: str) -> bool:
        """Whether the whole phrase is one of the labels under which the measure is printed."""
        entries = [self.entry(key) for key in named.keys]
        return bool(entries) and all(isinstance(entry, Concept) and accepts(entry, typed) for entry in entries)

    def kept(self, named: Named, keeps: Callable[[Row], object]) -> Named | None:
        """A name with the readings that are kept; of one alone, no term is declared. None where none is."""
        rows = tuple(filter(keeps, named.asserted))
        if rows == named.asserted:
            return named if rows else None
        if not rows:
            return None
        rows = (rows[0].of(rows[0].measure, term=""),) if len(rows) == 1 else rows
        return replace(named, rows=rows, ask=named.ask and len(rows) > 1)

    def verbed(self, words: Sequence[str], named: Named, verb: str) -> Named | None:
        """A measure under a verb: "pay in income taxes" is what was paid; None where the verb makes it another."""
        if verb == "report":
            return named
        if verb == "earn":
            return self.kept(named, lambda row: self._comes_in(key_of(row.measure)))
        for participle in participles().get(verb, ()) if words else ():
            if other := self.selected(words, named, (participle,)):
                return other
        return self.kept(named, lambda row: self._bears(row.measure, verb))

    def earned(self, named: Named) -> Named:
        """A term as what a company makes, keeps or loses, its other readings beside it: "which made more profit"."""
        if not (named.ask and named.earned in named.keys):
            return named
        rows = sorted(named.rows, key=lambda row: key_of(row.measure) != named.earned)
        told = (row.of(row.measure, mention=key_of(row.measure) != named.earned) for row in rows)
        return replace(named, rows=tuple(told), ask=False)

    def _bears(self, measure: Measure, verb: str) -> bool:
        """Whether a verb says of a measure what it is anyway."""
        if isinstance(measure, Line):
            return bool(_told(measure) & row_words().get(verb, frozenset()))
        return self._is_done(key_of(measure), verb)

    def _is_done(self, key: str, verb: str) -> bool:
        """The same of a measure of the registry."""
        entry = self.entry(key)
        if entry is None:
            return False
        told = self.said(key)
        if verb == "issue" and "outstanding" in told:
            return False  # more were issued than are outstanding
        if any(participle in told for participle in participles().get(verb, ())):
            return True
        if isinstance(entry, Metric):
            # Of a share, what is divided may be spent, and what it is divided by need not.
            among = any if entry.unit == "percent" else all
            return verb in {"pay", "spend"} and among(self._is_done(one, verb) for one in self.parts(key))
        if verb in {"pay", "spend"} and (told & connecting("outflows")):
            paid = entry.statement is Statement.CASHFLOW or "dividend" in told
            return verb == "spend" or paid
        if verb == "flow":
            return entry.period is PeriodType.DURATION
        if verb == "owe":
            return entry.period is PeriodType.INSTANT and entry.statement in {Statement.BALANCE, Statement.NOTE}
        if verb in {"pay", "spend"}:
            return entry.statement is Statement.CASHFLOW and entry.sign == "pos" and "proceed" not in told
        return False

    def _comes_in(self, key: str) -> bool:
        """Whether a measure may be earned: no balance, and no expense."""
        entry = self.entry(key)
        if not isinstance(entry, Concept):
            return True
        told = self.said(key)
        spent = entry.sign == "pos" and bool(told & connecting("outflows")) and "income" not in told
        return entry.period is PeriodType.DURATION and not spent

    def on_statement(self, named: Named, statement: str, words: Sequence[str]) -> Named | None:
        """The row of a statement that is printed under these words, or the readings printed there; None where none is."""
        asserted, printed = named.asserted, self.kept(named, lambda row: self._is_printed_on(row, statement))
        # "Long-term debt" on the balance sheet may be its noncurrent part, "net income" with all holders' share.
        line = self._row_on(statement, (), words)
        if line and set(line.names) <= frozenset().union(*map(self._elements, asserted)):
            line = None
        line = line or (None if printed else self._row_on(statement, asserted, ()))
        return Named((Row(measure=line),)) if line else printed

    def _is_printed_on(self, row: Row, statement: str) -> bool:
        if isinstance(row.measure, Line) and row.measure.statement:
            return row.measure.statement == statement
        return self.stands_on(key_of(row.measure), statement)

    def _elements(self, row: Row) -> frozenset[str]:
        """The elements under which a row is the measure itself, whatever else its statement prints."""
        if isinstance(row.measure, Line):
            return frozenset(row.measure.names)
        entry = self.entry(key_of(row.measure))
        candidates = entry.candidates if isinstance(entry, Concept) else ()
        return frozenset(one.name for one in candidates if one.condition not in STAND_IN)

    def _row_on(self, statement: str, rows: Sequence[Row], words: Sequence[str]) -> Line | None:
        """The one row of a company's statement that words name, or else that is labeled like one of the readings."""
        printed = self.lexicon.placed.get(statement, {})
        entries = [self.entry(key_of(row.measure)) for row in rows]
        named = {
            names: label
            for label, names in printed.items()
            if _of_flow(stems(PARENTHESES.sub("", label))) == _of_flow(words)
        }
        like = {
            names: label
            for label, names in printed.items()
            if any(isinstance(one, Concept) and one.fit(label) is Fit.ACCEPTED for one in entries)
        }
        found = list((named or like).items())
        return Line(label=found[0][1], names=found[0][0], statement=statement) if len(found) == 1 else None

    def stands_on(self, key: str, statement: str) -> bool:
        """Whether a measure is printed on a statement, or made of what is."""
        entry = self.entry(key)
        if entry is None:
            return True  # a printed line: its filing knows
        if isinstance(entry, Metric):
            return any(self.stands_on(part, statement) for part in self.parts(key))
        if statement in {str(one) for one in entry.statements} or str(entry.statement) == statement:
            return True
        parts = [operand.name.key for tree in entry.derivations for operand in operands(tree)]
        return (
            entry.statement is Statement.NOTE and bool(parts) and all(self.stands_on(one, statement) for one in parts)
        )

    def are_balances(self, rows: Sequence[Row]) -> bool:
        """Whether all of these are balances: measures of balances, or lines that the company's balance sheet prints."""
        return bool(rows) and all(map(self._is_balance, rows))

    def _is_balance(self, row: Row) -> bool:
        if not isinstance(row.measure, Line):
            return self.instant(key_of(row.measure))
        placed = [kind for kind, labels in self.lexicon.placed.items() if row.measure.label in labels]
        # The cash flow statement calls so what changed of it.
        first = next((kind for kind in ("income", "balance") if kind in placed), "")
        return (row.measure.statement or first) == "balance"

    # --- what a measure says of itself ---

    def agrees(self, row: Row, qualifier: str, typed: str) -> bool:
        """Whether a word says what the measure is anyway. typed: the whole phrase, in the order typed."""
        key = key_of(row.measure)
        entry = self.entry(key)
        if isinstance(row.measure, Line) and qualifier in row_words():
            return bool(_told(row.measure) & row_words()[qualifier])
        if entry is None:
            return qualifier in {"total", "consolidated", "book value"}
        told = self.said(key)
        if isinstance(entry, Metric):
            if qualifier in {"total", "consolidated"}:
                return entry.unit == "USD"
            if qualifier in _TERMS:
                return False
            if qualifier in _WEIGHTS:
                told = told.union(*(self.said(part) for part in self.parts(key)))
            return set(stems(qualifier)) <= told or (qualifier == "book value" and self.instant(key))
        if entry.rejects(typed):
            return False
        if accepts(entry, typed):
            return True
        instant = entry.period is not PeriodType.DURATION
        match qualifier:
            case "total":
                return not instant or "total" in told
            case "consolidated":
                return True
            case "book value" | "on hand":
                return instant and entry.unit is not Unit.PER_SHARE
            case "outstanding":
                return instant
            case "cash":
                return entry.statement is Statement.CASHFLOW or "cash" in told
            case "per share":
                return entry.unit is Unit.PER_SHARE
            case "common":
                return entry.unit in {Unit.PER_SHARE, Unit.SHARES} or "common" in told
            case "expense":
                return bool(told & connecting("outflows"))
            case "loss":
                return entry.sign == "signed" and "income" in told
            case "paid":
                return entry.statement is Statement.CASHFLOW and bool(told & connecting("bought"))
            case "consumed":
                return bool(told & {"used", "provided"}) or {"cash", "operating"} <= told
            case "parent":
                return (
                    "parent" in told
                    or "shareholder" in told
                    or entry.fit(f"{typed} attributable to parent") is Fit.ACCEPTED
                )
            case "common holders":
                return {"available", "common"} <= told
        if qualifier in _TERMS:
            return False
        words = set(stems(qualifier))
        return bool(words) and words <= told

    def aliases(self, key: str) -> tuple[str, ...]:
        entry = self.entry(key)
        return entry.aliases if entry else ()

    def said(self, key: str) -> frozenset[str]:
        """The folded words of a measure's label and aliases, without those of what it excludes."""
        entry = self.entry(key)
        if entry is None:
            return frozenset()
        names = map(stems, (entry.label, *entry.aliases))
        return frozenset(word for name in names for word in takewhile(lambda one: one != "excluding", name))


def _of_flow(words: Iterable[str]) -> frozenset[str]:
    """The telling words of a row; the changes of balances are printed with that word or without it."""
    return loose(words) - {"change", "increase", "decrease"}


def _told(line: Line) -> frozenset[str]:
    """The folded words of a printed line's label and of the names of its elements."""
    names = (re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.partition(":")[2]) for name in line.names)
    return frozenset(word for text in (line.label, *names) for word in stems(text))
