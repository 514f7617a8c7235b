"""The facts of a company's parts beside a figure of the whole, as one filing tags them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.fact_selection import Selection
from agent.numbers.facts.gaps import unchosen
from agent.numbers.facts.selection_result import Choice
from agent.numbers.facts.statement_lines import LineFinder
from agent.numbers.registry.registry_schema import normalise
from agent.state.query import Concept, Line
from filings.models import Fact
from filings.xbrl import member_facts
from filings.xbrl.axes import BESIDE, PARTS

# The consolidation item for a segment's own figures.
OWN = "ConsolidationItemsAxis=OperatingSegmentsMember"
# What each axis of parts divides a company by.
AXES = {
    "segment": ("StatementBusinessSegmentsAxis", "SubsegmentsAxis"),
    "product": ("ProductOrServiceAxis",),
    "region": ("StatementGeographicalAxis",),
}


@dataclass(frozen=True)
class Divided:
    """A figure of the whole company and the facts of its parts.

    whole: a fact of it. names: the elements that may give it. facts: under these elements, with the whole's period and
    unit.
    """

    label: str
    whole: Fact
    names: tuple[str, ...]
    facts: tuple[Fact, ...]

    def of(self, members: Collection[str], name: str = "") -> list[Fact]:
        """The facts of a member under one element, by default the whole's.

        Those tagged with the member alone and as a segment's own figure, which may differ by sales between segments; or
        else within exactly one other part.
        """
        given = [one for one in self.facts if one.name == (name or self.whole.name)]
        alone = [one for one in given if own_members(one) and set(own_members(one)) <= set(members)]
        if alone:
            return alone
        within = [one for one in given if set(own_members(one)) & set(members)]
        if len(within) == 1 and all(axis(told) in PARTS for told in own_members(within[0])):
            return within
        pairs = [one for one in within if len(own_members(one)) == 2]
        return pairs if len(pairs) == 1 and self._is_grouped(pairs[0], given, members) else []

    def _is_grouped(self, fact: Fact, given: Sequence[Fact], members: Collection[str]) -> bool:
        """Whether a part is tagged inside a group of its kind, such as drugs by field, so that its figure there is all
        of it.

        Each part of its axis is in one group, and together they make up most of the whole.
        """
        (own,) = (axis(one) for one in own_members(fact) if one in members)
        (group,) = (axis(one) for one in own_members(fact) if one not in members)
        alike = [one for one in given if {axis(told) for told in own_members(one)} == {own, group}]
        named = [{axis(told): told for told in own_members(one)} for one in alike if len(own_members(one)) == 2]
        once = len(named) == len({one[own] for one in named}) and len({one[group] for one in named}) > 1
        total = sum(one.value for one in alike)
        return once and group not in PARTS and self.whole.value / 2 <= total <= self.whole.value


def divided(
    of: Concept | Line, selection: Selection, company_filings: CompanyFilings, year: int, offset: int = 0
) -> Divided:
    """A measure with its parts as a fiscal year's filing gives them, `offset` years back. Raises Unanswered."""
    names: tuple[str, ...]
    if isinstance(of, Line):
        label, held = LineFinder(of)(company_filings, year, offset)
        whole, names = held.fact, (held.name,)
    else:
        concept = company_filings.registry.concepts[of.key]
        choice = selection.annual(of.key, offset)
        if not isinstance(choice, Choice):
            raise unchosen(choice, company_filings, year + offset, selection)
        label, whole, names = concept.label, choice.candidates[0].fact, concept.names
    wanted = whole.start, whole.end, whole.unit
    given = member_facts.given(selection.filing_figures.filing, names)
    return Divided(label, whole, names, tuple(one for one in given if (one.start, one.end, one.unit) == wanted))


def is_row_of_another(fact: Fact) -> bool:
    """Whether a figure is printed in the row of another member of its axis."""
    own, labels = set(own_members(fact)), member_facts.labels(fact.filing)
    axes, row = {axis(one) for one in own}, normalise(fact.label)
    called = {told for told, label in labels.items() if axis(told) in axes and normalise(label) == row}
    # Every table has its own "Other".
    return bool(row not in ("", "other") and called) and not called & own


def axis(told: str) -> str:
    """The axis of a dimension written "Axis=Member"."""
    return told.partition("=")[0]


def own_members(fact: Fact) -> tuple[str, ...]:
    """The members of a segment's own figure, or of one without a consolidation item; none for eliminations."""
    return tuple(part_members(fact)) if set(consolidation_members(fact)) <= {OWN} else ()


def part_members(fact: Fact) -> Iterator[str]:
    return (told for told in fact.dimensions.split(";") if told.partition("=")[0] not in BESIDE)


def consolidation_members(fact: Fact) -> Iterator[str]:
    return (told for told in fact.dimensions.split(";") if told.partition("=")[0] in BESIDE)
