"""The answer card of a text block: quotations by part of the question, their sources, and how they were found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from django.urls import reverse
from django.utils.http import urlencode

from agent.query.wording.text import SINCE_REPORT
from agent.refusals.grammar import capitalized, lower_first
from agent.state import Block, Claim, FilingDatum, FilingRef, QuestionType, Target, Topic
from agent.web.cards.citations import Citation
from agent.web.cards.nearest_passages import ShownPassage
from filings.models import Filing
from filings.redline.captions import RISKS
from filings.redline.held import item_text, query_of
from filings.sections.item_coverage import Entry, entries
from filings.sections.items import ALL_ITEMS
from filings.web.reader import is_figure

VERBATIM = ("verbatim", "corrected")
# Passages of a part of the question that the page shows at once.
OPEN = 3


class Cell(NamedTuple):
    """A printed cell, and whether it is the asked year's figure."""

    text: str
    span: int
    figure: bool
    asked: bool = False


class Table(NamedTuple):
    """Printed rows, the first ones with the column headings."""

    rows: tuple[tuple[Cell, ...], ...] = ()
    header: int = 0

    @property
    def head(self) -> tuple[tuple[Cell, ...], ...]:
        return self.rows[: self.header]

    @property
    def body(self) -> tuple[tuple[Cell, ...], ...]:
        return self.rows[self.header :]


@dataclass(frozen=True)
class ShownClaim:
    """A claim with its number and the filing it quotes."""

    citation: Citation
    filing: FilingRef | None
    year: bool  # whether to name its fiscal year, where the block quotes several filings
    follows: bool = False  # whether the sentence that opens its list is already shown above

    @property
    def claim(self) -> Claim:
        return self.citation.claim

    @property
    def verbatim(self) -> bool:
        """Whether the text shown is the quotation itself."""
        return self.claim.verdict in VERBATIM

    @property
    def where(self) -> str:
        """Item 1A, Risk Factors, page 14; only the page for text outside any Item."""
        item = ALL_ITEMS[self.claim.item].label if self.claim.item in ALL_ITEMS else ""
        page = f"{'page' if item else 'Page'} {self.claim.page}" if self.claim.page else ""
        year = self.filing.of_period if self.filing and self.year else ""
        return ", ".join(filter(None, (item, page, year)))

    @property
    def before(self) -> tuple[str, ...]:
        """The lines that say what it is about, without the column headings above its row."""
        in_table = {"header"} if self.claim.row else set()
        told = self.claim.model_copy(
            update={"about": tuple(one for one in self.claim.about if one.kind not in in_table)}
        )
        return told.before

    @property
    def table(self) -> Table:
        """The printed cells of a quotation from a table; empty for prose."""
        row = self.claim.row
        if row:
            places = [list(accumulate((span for _, span in cells), initial=0)) for cells in row.rows]
            return Table(
                tuple(
                    tuple(
                        Cell(
                            text,
                            span,
                            is_figure(text),
                            bool(row.figure) and number >= row.header and place == row.place,
                        )
                        for (text, span), place in zip(cells, firsts, strict=False)
                    )
                    for number, (cells, firsts) in enumerate(zip(row.rows, places, strict=True))
                ),
                row.header,
            )
        if "\t" not in self.quoted:
            return Table()
        rows = ([cell.strip() for cell in line.split("\t")] for line in self.quoted.split("\n"))
        return Table(
            tuple(tuple(Cell(one, 1, is_figure(one)) for one in cells if one) for cells in rows if any(cells))
        )

    @property
    def quoted(self) -> str:
        """The filing's words: those shown, or those behind a drafted text."""
        return self.claim.shown if self.verbatim else self.claim.cited

    @property
    def quotation(self) -> str:
        """The filing's words in one line; for a further point of a list without the sentence that opens it."""
        point = self.quoted.partition("\n")[2]
        return f"\u2026 {' '.join(point.split())}" if self.follows and point else " ".join(self.quoted.split())

    @property
    def words(self) -> str:
        """The text shown, in one line."""
        return " ".join(self.claim.shown.split())

    @property
    def plain(self) -> str:
        """For copying: the words with their number, below the lines that say what they are about."""
        shown = f"“{self.words}”" if self.verbatim else self.words
        about = (self.claim.path, *self.claim.before) if self.verbatim else ()
        return "\n".join(filter(None, (*about, f"{shown} {self.citation.mark}", self.claim.as_printed)))

    @property
    def plain_quotation(self) -> str:
        """For copying, below a drafted text: its quotation; empty where that is the text shown."""
        return "" if self.verbatim else f"    “{self.quotation}”"

    @property
    def source(self) -> str:
        """For copying: the source behind the number."""
        of = self.filing
        filing = f"{capitalized(of.called)}, {of.accession}" if of else self.claim.accession
        return f"{self.citation.mark} {filing}, {self.where}"


@dataclass(frozen=True)
class Group:
    """The claims that answer one part of the question. The label is empty where there is only one part."""

    label: str
    claims: tuple[ShownClaim, ...]


@dataclass(frozen=True)
class NearGroup:
    """The passages nearest to one part of the question. The label is empty where there is only one part."""

    label: str
    passages: tuple[ShownPassage, ...]

    @property
    def open(self) -> tuple[ShownPassage, ...]:
        return self.passages[:OPEN]

    @property
    def folded(self) -> tuple[ShownPassage, ...]:
        """What is shown on demand: of these two in three are not worth reading."""
        return self.passages[OPEN:]


@dataclass(frozen=True)
class Source:
    """A quoted filing, and the citation numbers of each of its Items."""

    filing: FilingRef
    items: tuple[tuple[str, tuple[ShownClaim, ...]], ...]


@dataclass(frozen=True)
class Prose:
    """A text block as the card shows it."""

    block: Block
    groups: tuple[Group, ...]
    sources: tuple[Source, ...]
    of: str = ""  # whose filing it is, where the answer quotes several
    captions: str = ""  # address of the complete list of risks, where some are quoted
    compared: str = ""  # address of what changed in the Item between two years, where that is asked
    near: tuple[NearGroup, ...] = ()

    @property
    def title(self) -> str:
        """The heading, which says whose words these are."""
        if self.block.outcome == "passages":
            kind = "Closest passages"
        elif not self.claims:
            kind = "Filing data"
        elif self.word_for_word:
            imported = any(filing.kind.imported for filing in self.block.filings)
            kind = f"In the {'document' if imported else 'filing'}'s own words"
        else:
            kind = "Drafted by a model, checked against the filing"
        return f"{self.of}: {lower_first(kind)}" if self.of else kind

    @property
    def claims(self) -> tuple[ShownClaim, ...]:
        return tuple(claim for group in self.groups for claim in group.claims)

    @property
    def particulars(self) -> tuple[FilingDatum, ...]:
        return self.block.particulars

    @property
    def data(self) -> tuple[tuple[FilingDatum, str], ...]:
        """The data of filings; of what came since a report each with the address of its risks, where it has some."""
        of = {one.accession: one.filing for one in self.block.filings}
        return tuple(
            (one, risks_of(of.get(one.accession, 0)) if one.key == SINCE_REPORT else "") for one in self.particulars
        )

    @property
    def claims_checked(self) -> int:
        """The number of claims checked: shown and dropped."""
        return len(self.block.claims) + len(self.block.dropped)

    @property
    def word_for_word(self) -> bool:
        return all(claim.verbatim for claim in self.claims)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader: on the answer, then on the search."""
        searched = self.block.retrieval.notes if self.block.retrieval else ()
        return tuple(dict.fromkeys((*self.block.notes, *searched)))

    @property
    def plain(self) -> str:
        """The answer in lines of text with its sources, for copying."""
        lines = [*self.block.missing, self.block.heading] if self.block.heading else [f"{self.of}:"] if self.of else []
        lines += [self.block.text] if self.block.text else []
        for group in self.groups:
            lines += [group.label] if group.label else []
            lines += [line for claim in group.claims for line in (claim.plain, claim.plain_quotation) if line]
        lines += [f"{one.label}: {one.value} ({one.source}, {one.accession})" for one in self.particulars]
        lines += [claim.source for claim in self.claims]
        near = [one.plain for group in self.near for one in group.passages]
        return "\n".join([*lines, self.block.above_passages, *near] if near else lines)


def is_prose(block: Block) -> bool:
    """Whether a block has quotations, passages or data about a filing rather than figures."""
    return bool(block.claims or block.particulars or block.passages) or (
        block.type is QuestionType.PROSE and block.table is None
    )


def prose(
    block: Block,
    target: Target | None,
    citations: Sequence[Citation],
    passages: Sequence[ShownPassage] = (),
    axes: Sequence[str] = (),
    of: str = "",
) -> Prose:
    """A block with its claims grouped by sub-query or reading, and numbered through the whole answer.

    citations: the block's, in the order shown. passages: the block's. axes: the readings of an ambiguous question. of:
    whose filing it is, where the answer quotes several.
    """
    filings = {filing.accession: filing for filing in block.filings}
    several = len(filings) > 1
    # Readings of the question are numbered after its parts: see agent.steps.drafting.in_part.
    labels = [query.label for query in target.topic.queries] if target and target.topic else []
    labels += axes
    grouped: dict[int, list[ShownClaim]] = {}
    for one in citations:
        above = grouped.setdefault(one.claim.query, [])
        follows = bool(above) and goes_on(one.claim, above[-1].claim)
        above.append(ShownClaim(one, filings.get(one.claim.accession), several, follows))
    parted = len(labels) > 1

    def label(query: int) -> str:
        return labels[query] if parted and query < len(labels) else ""

    groups = tuple(Group(label(query), tuple(claims)) for query, claims in grouped.items())
    cited = sources(block.filings, [claim for group in groups for claim in group.claims])
    topic = target.topic if target else None
    listed = topic is not None and topic.form == "risks" and not topic.compares
    captions = next((captions_of(one) for one in citations if listed and one.claim.item == "1A"), "")
    compared = comparison_of(target, topic, block) if target and topic and topic.compares else ""
    return Prose(block, groups, cited, of, captions, compared, near_groups(passages, label))


def risks_of(filing: int) -> str:
    """The address of a report's risks: compared with the year before, or alone; empty where none are held."""
    held = Filing.objects.select_related("company").filter(pk=filing).first()
    section = item_text(held, RISKS) if held else None
    if section is None:
        return ""
    cik = section.filing.company.cik
    query = query_of(section)
    return f"{reverse('redline', args=[cik])}?{query}" if query else f"{section.get_absolute_url()}?cik={cik}"


def comparison_of(target: Target, topic: Topic, block: Block) -> str:
    """The address of the page that compares the Item asked in both filings; empty where there is one."""
    years = sorted(one.fiscal_year for one in block.filings)
    query = f"item={topic.items[0]}&from={years[0]}&to={years[-1]}"
    return f"{reverse('redline', args=[target.company.cik])}?{query}" if len(years) > 1 else ""


def goes_on(claim: Claim, above: Claim) -> bool:
    """Whether two quotations are points of one list, each with the sentence that opens it."""

    def opening(one: Claim) -> tuple[int, int] | None:
        lead = next((about for about in one.about if about.kind == "lead" and "\n" not in about.text), None)
        if lead is None or one.verdict not in VERBATIM or not one.text.startswith(f"{lead.text}\n"):
            return None
        return one.section, lead.start

    return opening(claim) is not None and opening(claim) == opening(above)


def captions_of(one: Citation) -> str:
    """The address of the list of all risks that a claim is from; empty where it is no longer stored."""
    if one.section is None:
        return ""
    scope = f"?{urlencode({'cik': one.claim.cik})}" if one.co_filed else ""
    return f"{reverse('captions', args=[one.claim.accession, one.section.key])}{scope}"


def near_groups(passages: Sequence[ShownPassage], label: Callable[[int], str]) -> tuple[NearGroup, ...]:
    """Passages by the part of the question that they are near."""
    near: dict[int, list[ShownPassage]] = {}
    for one in passages:
        near.setdefault(one.passage.query, []).append(one)
    return tuple(NearGroup(label(query), tuple(of_part)) for query, of_part in near.items())


def sources(filings: Sequence[FilingRef], claims: Sequence[ShownClaim]) -> tuple[Source, ...]:
    """Each filing with its quotations, by Item in the form's order."""
    order = list(ALL_ITEMS)
    found = []
    for filing in dict.fromkeys(filings):
        of_filing = [claim for claim in claims if claim.claim.accession == filing.accession]
        items = sorted(
            {claim.claim.item for claim in of_filing},
            key=lambda item: order.index(item) if item in order else len(order),
        )
        found.append(
            Source(
                filing,
                tuple(
                    (
                        f"Item {item}" if item else "Text outside any Item",
                        tuple(c for c in of_filing if c.claim.item == item),
                    )
                    for item in items
                ),
            )
        )
    return tuple(found)


@dataclass(frozen=True)
class Shelf:
    """The filing of a refused part and the Items asked, for reading."""

    filing: Filing
    entries: tuple[Entry, ...]


def shelf(block: Block, target: Target | None) -> Shelf | None:
    """The filing of a refused text part, if one was reached."""
    if block.refusal is None or target is None or target.topic is None:
        return None
    named = [filing.accession for filing in block.filings] + list(block.refusal.accessions)
    filing = Filing.objects.filter(accession__in=named).of_companies([target.company.cik]).first()
    if filing is None:
        return None
    asked = set(target.topic.items)
    return Shelf(filing, tuple(entry for entry in entries(filing) if entry.section.item in asked))
