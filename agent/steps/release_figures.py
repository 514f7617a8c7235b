"""What a company's release prints of a measure where its figure is another one: quoted beside the figure, never computed."""

from collections.abc import Iterable

from agent.numbers.registry import Registry
from agent.prose.about import printed_row
from agent.prose.claims import claim
from agent.prose.rows import picked
from agent.prose.told_figures import told_figures
from agent.prose.units import texts
from agent.refusals.grammar import possessive
from agent.state import Claim, Remark, RemarkCode, Target
from agent.state.query import Concept, Metric, Query
from agent.state.tables import Cell, Table
from agent.steps.fetch import reference
from agent.steps.printed_rows import Printed
from filings.models import Filing, Section
from filings.models.source_kinds import CURRENT
from filings.xbrl.periods import TRAILING, FiscalPeriod


def printed_in_release(target: Target, query: Query, table: Table, registry: Registry) -> Printed | None:
    """The row and the sentence by which the release of a period gives the measure asked, of one company and period.

    Only where the question names the release, or companies define the measure themselves; and where none of what the
    release says of it is the figure in the table.
    """
    cells = [one for one in table.cells if one.asked and not one.alternative and not query.rows[one.row].mention]
    if len(query.companies) != 1 or len(cells) != 1 or query.operations:
        return None
    (cell,) = cells
    names = _names(query, cell, registry)
    filings = list(_releases(target, cell)) if names else []
    read = texts(Section.objects.filter(filing__in=filings).values_list("pk", flat=True)).values()
    rows = told_figures(names, read, cell.value, trailing=cell.fiscal_period in TRAILING) if names else []
    held = {one.pk: reference(target, one) for one in filings}
    claims: list[Claim] = []
    for row in rows:
        filing = held[row.text.section.filing_id]
        quoted = printed_row(row.text, row.start, row.end, filing)
        if quoted and quoted.figure and cell.fiscal_period is not FiscalPeriod.YEAR:
            continue  # its column of the year would be marked
        if found := picked(row, target, filing, len(claims)):
            claims.append(claim(target, found, row.text.section))
    if not claims:
        return None
    cited = tuple(one for one in held.values() if one.accession in {quoted.accession for quoted in claims})
    said = f"{possessive(target.company.called)} own release gives this measure as quoted."
    return Printed(cited, tuple(claims), (Remark(target=target.id, code=RemarkCode.PRINTED, text=said),))


def _names(query: Query, cell: Cell, registry: Registry) -> list[str]:
    """How the measure is called, as asked first; nothing where the release is not to be read."""
    row = query.rows[cell.row]
    match row.measure:
        case Metric(key=key):
            measure = registry.metrics[key]
            if not (measure.own or CURRENT.key in query.sources):
                return []
            return [row.text, measure.label, *measure.aliases]
        case Concept(key=key) if CURRENT.key in query.sources:
            return [row.text]
    return []


def _releases(target: Target, cell: Cell) -> Iterable[Filing]:
    """The releases of the quarter that a period ends with."""
    found = Filing.objects.searched().filter(
        company__cik=target.company.cik,
        source=CURRENT.key,
        fiscal_year=cell.fiscal_year,
        fiscal_quarter=cell.fiscal_period.quarter,
    )
    return found.select_related("company").order_by("filed", "pk") if cell.fiscal_year else ()
