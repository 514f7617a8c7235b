"""Figures of a part of the company: the fact of a member under the element that gives the whole company's figure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.numbers.facts.cited_facts import reference
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.filing_figures import FilingFigures
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.facts.render import headline
from agent.numbers.facts.share_classes import is_class, of_class
from agent.numbers.parts.part_facts import (
    Divided,
    axis,
    consolidation_members,
    divided,
    is_row_of_another,
    own_members,
    part_members,
)
from agent.numbers.parts.part_names import cleaned
from agent.numbers.parts.part_rows import rows_of
from agent.numbers.printed.printed_finder import PrintedFinder
from agent.numbers.registry.registry_schema import normalise
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first, possessive
from agent.state.query import Concept, Line, Member, Printed
from agent.state.tables import Gap
from filings.models import Fact, Filing
from filings.xbrl import member_facts
from filings.xbrl.axes import BESIDE, words
from filings.xbrl.facts import Value
from filings.xbrl.periods import Place

# How many members with a figure a refusal names.
NAMED = 8


def key_of(key: str, member: str) -> str:
    """The key of a part's measure in formulas."""
    return f"{key}_{re.sub(r'[^a-z0-9]+', '_', normalise(member)).strip('_')}"


def called(member: str, label: str) -> str:
    """A part's measure in words: "Total revenue of iPhone"; only the part, where its name includes the measure."""
    name = cleaned(member)
    return name if _said(name) & _said(label) else f"{label} of {name}"


def _said(label: str) -> set[str]:
    return {word.rstrip("s") for word in label.lower().split()} - {"total", "net", "of"}


def _telling(label: str) -> set[str]:
    """The words of a name, without those that any name may have."""
    return {word.rstrip("s") for word in normalise(label).split()} - _OF_ANY


_OF_ANY = {"segment", "product", "service", "operating", "reportable", "total", "net", "and", "other"}


@dataclass(frozen=True)
class MemberFinder:
    """Finds a member's fact in a filing, with the element, period and unit of the whole company's figure.

    Where the filing has no such fact, another element of the concept is used if exactly one gives it.
    """

    member: Member
    of: Concept | Line

    def __call__(self, company_filings: CompanyFilings, year: int, offset: int) -> tuple[str, Value]:
        """The label and the value, `offset` years back. Raises Unanswered."""
        if is_class(self.member) and isinstance(self.of, Concept):
            label = company_filings.registry.concepts[self.of.key].label
            found = of_class(self.member, self.of, company_filings, year, offset)
            said = f"{label} of {self.member.label}"
            return said, self._one(company_filings, year + offset, label, found)
        selection = company_filings.selection(year)
        if selection is None:
            raise KeyError(f"No {company_filings.report(year)} is held of {company_filings.company.name}.")
        told = divided(self.of, selection, company_filings, year, offset)
        found = told.of(self.member.members)
        if found and all(any(consolidation_members(one)) for one in found):
            # For segments only: the whole company's statement figure under another element is another figure.
            every = [other for name in told.names for other in told.of(self.member.members, name)]
            plain = [other for other in every if not any(consolidation_members(other))]
            if any(other.value != found[0].value for other in plain):
                raise self._two(company_filings, year + offset, told.label, [*found, *plain])
        if not found:
            others = [one for name in told.names if (one := told.of(self.member.members, name))]
            found = others[0] if len(others) == 1 and not _is_split(others[0][0]) else []
        if not found:
            rows = rows_of(self.member.members, told)
            found = list(rows[0].facts) if len(rows) == 1 and len(rows[0].facts) == 1 else []
        if not found and (printed := self._printed(told.label, company_filings, year, offset)):
            return printed
        if not found:
            raise self._absent(company_filings, year + offset, told, selection.filing_figures)
        return self._label(told.label, found[0], selection.filing_figures), self._one(
            company_filings, year + offset, told.label, found
        )

    def _printed(
        self, label: str, company_filings: CompanyFilings, year: int, offset: int
    ) -> tuple[str, Value] | None:
        """The figure as a document prints it under the part's name and the measure's, where no fact gives it."""
        concept = company_filings.registry.concepts[self.of.key] if isinstance(self.of, Concept) else None
        names = (concept.label, *concept.aliases) if concept else (label,)
        part = cleaned(self.member.label)
        if concept is None or not _telling(part):
            return None
        find = PrintedFinder(
            tuple(Printed(words=f"{part} {one}", unit=str(concept.unit)) for one in names), of_part=True
        )
        try:
            return called(part, label), find(company_filings, year, offset)[1]
        except Unanswered:
            return None

    def renamed(self, fact: Fact, filing: Filing) -> str:
        """A note where the filing uses another name for the part, which may have been regrouped; empty where it does
        not.
        """
        labels, own = member_facts.labels(filing), _telling(self.member.label)
        called = [labels[told] for told in own_members(fact) if told in self.member.members and told in labels]
        other = next((one for one in called if _telling(one) != own), "")
        return f"This report calls it {other}." if other else ""

    def _one(self, company_filings: CompanyFilings, year: int, label: str, found: Sequence[Fact]) -> Value:
        """The value that all of the facts give. Raises Unanswered where they differ."""
        if any(one.value != found[0].value for one in found):
            raise self._two(company_filings, year, label, found)
        if any(map(is_row_of_another, found)):
            raise self._two(company_filings, year, label, found, "The filing prints it in the row of another part.")
        return Value(found[0])

    def _label(self, label: str, fact: Fact, filing_figures: FilingFigures) -> str:
        """The figure's label, with the part it is tagged within: "YouTube ads in Google Services"."""
        around = [told for told in own_members(fact) if told not in self.member.members]
        labels = member_facts.labels(filing_figures.filing)
        inside = [labels.get(told, words(told.partition("=")[2])) for told in around]
        return called(" in ".join((self.member.label, *inside)), label)

    def _absent(
        self, company_filings: CompanyFilings, year: int, told: Divided, filing_figures: FilingFigures
    ) -> Unanswered:
        def gap() -> Gap:
            report = f"{possessive(company_filings.company.called)} {company_filings.report(year)}"
            text = f"No {lower_first(told.label)} for {self.member.label} was found in {report}."
            own = dict.fromkeys(
                member
                for one in told.facts
                if one.statement != "equity" and one.dimensions.count("=") == 1
                for member in part_members(one)
            )
            labels = member_facts.labels(filing_figures.filing)
            named = list(dict.fromkeys(labels[one] for one in own if one in labels))
            more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
            detail = f"Reported for {listed(named[:NAMED])}{more}." if named else "It is reported for no part."
            return Gap(code=Code.DIMENSIONAL_ONLY, text=text, detail=detail, looked_for=(("Part", self.member.label),))

        return Unanswered(gap, absent=True)

    def _two(
        self, company_filings: CompanyFilings, year: int, label: str, found: Sequence[Fact], why: str = ""
    ) -> Unanswered:
        def gap() -> Gap:
            what = lower_first(called(self.member.label, label))
            return Gap(
                code=Code.CONFLICT,
                text=f"{company_filings.company.called} gives {'no certain figure' if why else 'two figures'} for {what} in {Place(year, company_filings.period).called}.",
                detail=why or f"{listed([_described(one) for one in found])}.",
                looked_for=(("Part", self.member.label),),
                candidates=tuple(reference(one) for one in found),
            )

        return Unanswered(gap)


@dataclass(frozen=True)
class PartFinder:
    """Finds the fact of a part in a filing by the dimensions that another filing, or this one, tags the part with.

    part: its name. label: its measure, in words. element: the tag used where several give a figure. Of another concept than the one divided,
    such as the revenue of a segment for its margin, the figure of the part's member is used, however it is tagged.
    """

    part: str
    label: str
    of: Concept | Line
    dimensions: str
    element: str

    def __call__(self, company_filings: CompanyFilings, year: int, offset: int) -> tuple[str, Value]:
        """The label and the value, `offset` years back. Raises Unanswered."""
        selection = company_filings.selection(year)
        if selection is None:
            raise KeyError(f"No {company_filings.report(year)} is held of {company_filings.company.name}.")
        told = divided(self.of, selection, company_filings, year, offset)
        exact = [one for one in told.facts if one.dimensions == self.dimensions]
        members = [one for one in self.dimensions.split(";") if axis(one) not in BESIDE]
        names = dict.fromkeys((self.element, told.whole.name, *told.names))
        found = sorted(exact, key=lambda one: list(names).index(one.name))
        if not found and self.element not in told.names:
            found = next(filter(None, (told.of(members, name) for name in names)), [])
        if not found:
            when = Place(year + offset, company_filings.period).called
            report = f"{possessive(company_filings.company.called)} {company_filings.report(year)}"
            text = f"No {lower_first(told.label)} for {self.part} in {when} was found in {report}."
            raise Unanswered(
                lambda: Gap(code=Code.DIMENSIONAL_ONLY, text=text, looked_for=(("Part", self.part),)), absent=True
            )
        return self.label, Value(found[0])


def _described(fact: Fact) -> str:
    """A figure with the parts it is tagged with: $485,599 million (Acme U.S., operating segments)."""
    amount = " ".join(filter(None, headline(fact.value, fact.unit))) if fact.value is not None else fact.raw
    return f"{amount} ({', '.join(one.label for one in member_facts.named(fact.filing, fact.dimensions))})"


def _is_split(fact: Fact) -> bool:
    """Whether a part has a second figure under another element, such as sales and revenue from collaborations."""
    kind = words(fact.tag).split()[0].removesuffix("s")
    alike = Fact.objects.filter(
        filing=fact.filing_id,
        source=fact.source,
        dimensions=fact.dimensions,
        unit=fact.unit,
        start=fact.start,
        end=fact.end,
    )
    return alike.filter(tag__startswith=kind).exclude(tag=fact.tag).exists()
