"""Figures of a part of a company: the fact of a member under the element that gives the figure of the whole company."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.numbers.book import Book
from agent.numbers.choice import Choice
from agent.numbers.cite import reference
from agent.numbers.gaps import Unanswered, unchosen
from agent.numbers.ledger import Ledger
from agent.numbers.lines import LineFinder
from agent.numbers.schema import normalise
from agent.refusals.codes import Code
from agent.refusals.labels import listed, lower_first
from agent.state.query import Concept, Line, Member
from agent.state.tables import Gap
from filings.document.inline.members import BESIDE, PARTS
from filings.models import Fact
from filings.models import Member as StoredMember
from filings.xbrl import facts
from filings.xbrl.facts import Value

# The consolidation item under which a segment's own figures stand.
OWN = "ConsolidationItemsAxis=OperatingSegmentsMember"
# Of the members that a filing has of a figure, so many are named in a refusal.
NAMED = 8


def key_of(key: str, member: str) -> str:
    """How formulas call a measure of a part."""
    return f"{key}_{re.sub(r'[^a-z0-9]+', '_', normalise(member)).strip('_')}"


def called(member: str, label: str) -> str:
    """A measure of a part in words: "Total revenue of iPhone"; the part's own where it has the measure's words."""
    return member if _said(member) & _said(label) else f"{label} of {member}"


def _said(label: str) -> set[str]:
    return {word.rstrip("s") for word in label.lower().split()} - {"total", "net"}


@dataclass(frozen=True)
class MemberFinder:
    """Finds the fact of a member in a filing: of the element, period and unit of the whole company's figure.

    Where the filing tags no such fact, another element of the concept may give it, if just one does.
    """

    member: Member
    of: Concept | Line

    def __call__(self, ledger: Ledger, year: int, offset: int) -> tuple[str, Value]:
        """What the figure is called and the value, `offset` years back. Raises Unanswered."""
        selection = ledger.selection(year)
        if selection is None:
            raise KeyError(f"No 10-K of fiscal {year} is held of {ledger.company.name}.")
        label, whole, names = self._whole(ledger, year, offset)
        given = _alike(facts.parts(selection.book.filing, names), whole)
        found = self.found([one for one in given if one.name == whole.name])
        if not found:
            told = list(filter(None, (self.found([one for one in given if one.name == name]) for name in names)))
            found = told[0] if len(told) == 1 else []
        if not found:
            raise self._absent(ledger, year + offset, label, given, selection.book)
        if any(one.value != found[0].value for one in found):
            raise self._two(ledger, year + offset, label, found)
        return self._label(label, found[0], selection.book), Value(found[0])

    def given(self, ledger: Ledger, year: int, offset: int) -> tuple[Fact, list[Fact]]:
        """A fact of the whole company's figure, and those of members that its filing gives of it. Raises Unanswered."""
        _, whole, names = self._whole(ledger, year, offset)
        selection = ledger.selection(year)
        return whole, _alike(facts.parts(selection.book.filing, names), whole) if selection else []

    def _whole(self, ledger: Ledger, year: int, offset: int) -> tuple[str, Fact, tuple[str, ...]]:
        """What the measure is called, a fact of the whole company's figure, and the elements that may give it."""
        if isinstance(self.of, Line):
            label, held = LineFinder(self.of)(ledger, year, offset)
            return label, held.fact, (held.name,)
        selection = ledger.selection(year)
        concept = ledger.registry.concepts[self.of.key]
        choice = selection.annual(self.of.key, offset) if selection else None
        if selection is None or not isinstance(choice, Choice):
            raise unchosen(choice, ledger, year + offset, selection)  # type: ignore[arg-type]
        return concept.label, choice.candidates[0].fact, concept.names

    def found(self, given: Sequence[Fact]) -> list[Fact]:
        """The facts of the member: by itself and as a segment's own, which may differ by what segments sell each other;
        else within one other part and no second."""
        alone = [one for one in given if own_members(one) and set(own_members(one)) <= set(self.member.members)]
        if alone:
            return alone
        within = [one for one in given if set(own_members(one)) & set(self.member.members)]
        return within if len(within) == 1 and all(_axis(told) in PARTS for told in own_members(within[0])) else []

    def _label(self, label: str, fact: Fact, book: Book) -> str:
        """What the figure is called; with the part that it is told within: "YouTube ads in Google Services"."""
        around = [told for told in own_members(fact) if told not in self.member.members]
        inside = [labels_of(book).get(told, told.partition("=")[2]) for told in around]
        return called(" in ".join((self.member.label, *inside)), label)

    def _absent(self, ledger: Ledger, year: int, label: str, given: Sequence[Fact], book: Book) -> Unanswered:
        def gap() -> Gap:
            company = ledger.company.called
            text = f"{company} tags no {lower_first(label)} of {self.member.label} for fiscal {year}."
            own = dict.fromkeys(
                told
                for one in given
                if one.statement != "equity" and one.dimensions.count("=") == 1
                for told in _own(one)
            )
            labels = labels_of(book)
            named = list(dict.fromkeys(labels[one] for one in own if one in labels))
            more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
            detail = f"It gives it for {listed(named[:NAMED])}{more}." if named else "It gives it for no part."
            return Gap(code=Code.DIMENSIONAL_ONLY, text=text, detail=detail, looked_for=(("Part", self.member.label),))

        return Unanswered(gap, absent=True)

    def _two(self, ledger: Ledger, year: int, label: str, found: Sequence[Fact]) -> Unanswered:
        def gap() -> Gap:
            return Gap(
                code=Code.CONFLICT,
                text=f"{ledger.company.called} gives two figures for {lower_first(called(self.member.label, label))} in fiscal {year}.",
                detail=" ".join(f"{one.dimensions}: {one.raw}." for one in found),
                looked_for=(("Part", self.member.label),),
                candidates=tuple(reference(one) for one in found),
            )

        return Unanswered(gap)


def labels_of(book: Book) -> dict[str, str]:
    """What a filing calls its members, by "Axis=Member"."""
    return {f"{one.axis}={one.member}": one.label for one in StoredMember.objects.filter(filing=book.filing)}


def _axis(told: str) -> str:
    return told.partition("=")[0]


def _alike(given: Iterable[Fact], whole: Fact) -> list[Fact]:
    """Those of the period and unit of the whole."""
    wanted = whole.start, whole.end, whole.unit
    return [one for one in given if (one.start, one.end, one.unit) == wanted]


def own_members(fact: Fact) -> tuple[str, ...]:
    """The members of a segment's own figure, or of one without a consolidation item; none of an elimination."""
    return tuple(_own(fact)) if set(_beside(fact)) <= {OWN} else ()


def _own(fact: Fact) -> Iterator[str]:
    return (told for told in fact.dimensions.split(";") if told.partition("=")[0] not in BESIDE)


def _beside(fact: Fact) -> Iterator[str]:
    return (told for told in fact.dimensions.split(";") if told.partition("=")[0] in BESIDE)
