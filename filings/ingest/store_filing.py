"""Writes one filing's rows, changing only what differs, so that a second run changes nothing."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from filings.edgar.edgar_files import RENDERED, Container, ContainerDocument
from filings.edgar.listing import ListedReport
from filings.models import Company, Document, Element, Fact, Filing, Member, Statement
from filings.models.source_kinds import ANNUAL, SourceKind, kind_of_form
from filings.xbrl.companyfacts import FilingFacts, LabelledElement
from filings.xbrl.faces import Face, Places, ReadFiling
from filings.xbrl.parsed_xbrl import Line, ParsedFact, ParsedStatement
from filings.xbrl.parsed_xbrl import Member as ParsedMember
from filings.xbrl.periods import is_year

if TYPE_CHECKING:
    from filings.ingest.isolated_reading import Reading

# The unique fields of a fact inside a filing and source, and the fields that may be completed later.
IDENTITY = ("taxonomy", "tag", "unit", "start", "end", "dimensions")
TOLD = (
    "raw", "value", "decimals", "statement", "order", "label", "column", "printed", "anchor", "section",
    "text_start", "text_end", "page",
)  # fmt: skip


MOST_DIMENSIONS = 500
ELEMENT = ("taxonomy", "tag", "label", "measured", "instant")


def store_facts(filing: Filing, source: str, parsed: Iterable[tuple[ParsedFact, Document | None]]) -> None:
    """Make the facts of a filing and source equal to `parsed`: (fact, its document).

    Of two facts with one identity the first stays. Must run inside a transaction.
    """
    held = {
        tuple(row[name] for name in IDENTITY): row
        for row in Fact.objects.filter(filing=filing, source=source).values("pk", "document_id", *IDENTITY, *TOLD)
    }
    wanted: dict[tuple[Any, ...], Fact] = {}
    changed = []
    for fact, document in parsed:
        if len(fact.dimensions) > MOST_DIMENSIONS or fact.identity in wanted:
            continue
        section, start, end = fact.place or (None, None, None)
        row = wanted[fact.identity] = Fact(
            company_id=filing.company_id,
            filing_id=filing.pk,
            document_id=document.pk if document else None,
            source=source,
            taxonomy=fact.taxonomy,
            tag=fact.tag,
            unit=fact.unit,
            start=fact.start,
            end=fact.end,
            raw=fact.raw,
            value=fact.value,
            decimals=fact.decimals,
            form=filing.form or filing.kind.called,
            filed=filing.filed,
            statement=fact.statement,
            order=fact.order,
            label=fact.label[:500],
            dimensions=fact.dimensions,
            column=fact.column[:300] or None,
            printed=fact.printed[:60],
            anchor=fact.anchor[:120],
            section=section,
            text_start=start,
            text_end=end,
            page=fact.page[:20] or None,
        )
        before = held.pop(fact.identity, None)
        if before:
            row.pk = before["pk"]
            if any(before[name] != getattr(row, name) for name in ("document_id", *TOLD)):
                changed.append(row)
    Fact.objects.filter(pk__in=[row["pk"] for row in held.values()]).delete()
    Fact.objects.bulk_update(changed, ["document", *TOLD], batch_size=100)
    # `ignore_conflicts` cannot hide a lost row: existing rows were read in this transaction.
    Fact.objects.bulk_create([row for row in wanted.values() if row.pk is None], batch_size=2000)


def store_members(filing: Filing, members: Iterable[ParsedMember]) -> None:
    """Make a filing's member rows equal to those read. Must run inside a transaction."""
    held = {(one.axis, one.member): one for one in filing.members.all()}
    new, changed = [], []
    for one in members:
        row = held.pop((one.axis[:150], one.member[:200]), None)
        told = {"axis_label": one.axis_label[:300], "label": one.label[:300]}
        if row is None:
            new.append(Member(filing=filing, axis=one.axis[:150], member=one.member[:200], **told))
        elif any(getattr(row, name) != value for name, value in told.items()):
            row.axis_label, row.label = told["axis_label"], told["label"]
            changed.append(row)
    filing.members.filter(pk__in=[row.pk for row in held.values()]).delete()
    Member.objects.bulk_update(changed, ["axis_label", "label"], batch_size=200)
    Member.objects.bulk_create(new, batch_size=500)


def store_elements(elements: Iterable[LabelledElement]) -> int:
    """Store new XBRL elements with their labels; returns how many."""
    held = set(Element.objects.order_by().values_list(*ELEMENT))
    wanted = {(one.taxonomy, one.tag[:250], one.label[:500], str(one.measured), one.instant): None for one in elements}
    new = [Element(**dict(zip(ELEMENT, key, strict=True))) for key in wanted if key not in held]
    # Another worker may store the same element at the same time: it is the same row.
    Element.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)
    return len(new)


def store_documents(filing: Filing, container: Container) -> dict[str, Document]:
    """Make a filing's document rows equal to its container's, without renderings; returns rows by filename."""
    held = {document.filename: document for document in filing.documents.all()}
    stored = {}
    for document in container.documents:
        filename = document.filename[:200]
        if document.type in RENDERED or not filename or filename in stored:
            continue
        row = held.pop(filename, None) or Document(filing=filing, filename=filename)
        told = {
            "sequence": document.sequence,
            "type": document.type[:40],
            "size": document.size,
            "sha256": document.sha256,
        }
        if row.pk is None or any(getattr(row, name) != value for name, value in told.items()):
            for name, value in told.items():
                setattr(row, name, value)
            row.save()
        stored[filename] = row
    for row in held.values():
        row.delete()
    return stored


def store_statements(filing: Filing, faces: Iterable[Face]) -> None:
    """Make a filing's statement rows equal to its faces."""
    held = {statement.kind: statement for statement in filing.statements.all()}
    for face in faces:
        row = held.pop(face.statement.kind, None) or Statement(filing=filing, kind=face.statement.kind)
        told = {
            "basis": str(face.basis),
            "title": face.statement.title[:300],
            "lines": face.statement.stored_lines(),
        }
        if row.pk is None or any(getattr(row, name) != value for name, value in told.items()):
            for name, value in told.items():
                setattr(row, name, value)
            row.save()
    for row in held.values():
        row.delete()


def forget_documents(filing: Filing) -> None:
    """Remove a filing's documents with the statements and facts that were read from them."""
    filing.documents.all().delete()
    filing.statements.all().delete()
    filing.facts.exclude(source=Fact.Source.COMPANYFACTS).delete()
    store_members(filing, ())


def report_of(filing: Filing) -> ListedReport:
    """A stored filing as a listed report."""
    return ListedReport(
        accession=filing.accession,
        form=filing.form,
        filed=filing.filed,
        report_date=filing.report_date,
        primary_document=filing.primary_document,
        fiscal_year_focus=filing.fiscal_year_focus,
        period_end=filing.period_end,
        is_transition=filing.is_transition,
        is_primary=filing.is_primary,
        fiscal_year=filing.fiscal_year,
        fiscal_quarter=filing.fiscal_quarter,
        items=tuple(filing.items.split(",")) if filing.items else (),
    )


LISTED = (
    "form",
    "filed",
    "report_date",
    "period_end",
    "fiscal_year",
    "fiscal_quarter",
    "is_primary",
    "is_transition",
    "fiscal_year_focus",
    "primary_document",
)


def listed_fields(report: ListedReport) -> dict[str, Any]:
    """A report's values for the fields of `Filing` that come from the list of filings."""
    return {name: getattr(report, name) for name in LISTED} | {"items": ",".join(report.items)[:100]}


def store_reports(company: Company, reports: list[ListedReport]) -> None:
    """Make a company's filing rows equal to the list; filings no longer listed stay."""
    held = {filing.accession: filing for filing in company.filings.all()}
    new, changed = [], []
    for report in reports:
        filing, told = held.get(report.accession), listed_fields(report)
        if filing is None:
            source = (kind_of_form(report.form) or ANNUAL).key
            new.append(Filing(company=company, source=source, accession=report.accession, **told))
        elif any(getattr(filing, name) != value for name, value in told.items()):
            indexed_with = (report.form, report.fiscal_year, report.fiscal_quarter)
            if (filing.form, filing.fiscal_year, filing.fiscal_quarter) != indexed_with:
                # Passages are indexed with these.
                filing.indexed = ""
            for name, value in told.items():
                setattr(filing, name, value)
            changed.append(filing)
    # Only one filing may be primary for a period end: the old one is unset first.
    company.filings.filter(pk__in=[filing.pk for filing in changed], is_primary=True).update(is_primary=False)
    Filing.objects.bulk_update(changed, [*LISTED, "items", "indexed"], batch_size=100)
    Filing.objects.bulk_create(new)


def primary_of(found: "Reading", kind: SourceKind) -> ContainerDocument | None:
    """The document of a container that a filing is: the one with its figures, else the first of a form of its kind."""
    forms = [one for one in found.container.documents if kind_of_form(one.type) is kind]
    return found.filing.primary or next(iter(forms), None)


def apply(filing: Filing, read: ReadFiling) -> None:
    """Set the filing's fields from its documents. Dates of companyfacts and submissions take precedence."""
    filing.cover = read.cover
    filing.primary_document = read.primary.filename if read.primary else filing.primary_document
    filing.period_end = filing.period_end or read.period_end
    filing.fiscal_year_focus = filing.fiscal_year_focus or read.fiscal_year_focus
    filing.named_year = read.named_year


def placed(filing: Filing, held: FilingFacts | None) -> list[tuple[ParsedFact, None]]:
    """A filing's rows from companyfacts; rows of its own period also get their line in its statements."""
    places = Places(
        ParsedStatement(
            statement.kind,
            statement.title,
            tuple(
                Line(line["order"], line["tag"], line["label"])
                for line in statement.lines
                if not line.get("dimensional")
            ),
        )
        for statement in filing.statements.all()
    )
    facts = []
    for row in held.rows if held else ():
        statement, order, label = "", None, ""
        if row.taxonomy == "dei" or (
            row.end == filing.period_end and (row.start == row.end or is_year(row.start, row.end))
        ):
            statement, order, label = places.find(f"{row.taxonomy}:{row.tag}")
        facts.append(
            (
                ParsedFact(
                    row.taxonomy,
                    row.tag,
                    row.unit,
                    row.start,
                    row.end,
                    row.raw,
                    row.value,
                    None,
                    statement=statement,
                    order=order,
                    label=label,
                ),
                None,
            )
        )
    return facts
