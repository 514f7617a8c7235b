"""Writing one filing: only what differs from the rows held, so that a second run changes nothing."""

from collections.abc import Iterable
from typing import Any

from filings.edgar_files import RENDERED, Container
from filings.faces import Face
from filings.models import Document, Fact, Filing, Statement
from filings.statements import ParsedFact

# What a fact is unique by inside a filing and source, and what may be learned about it later.
IDENTITY = ("taxonomy", "tag", "unit", "start", "end")
TOLD = ("raw", "value", "decimals", "statement", "order", "label", "printed", "anchor")


def store_facts(filing: Filing, source: str, parsed: Iterable[tuple[ParsedFact, Document | None]]) -> None:
    """Make the facts of a filing and source equal to `parsed`: (fact, document it stands in).

    Of two facts of one identity the first stays. Must run inside a transaction.
    """
    held = {
        tuple(row[name] for name in IDENTITY): row
        for row in Fact.objects.filter(filing=filing, source=source).values("pk", "document_id", *IDENTITY, *TOLD)
    }
    wanted: dict[tuple[Any, ...], Fact] = {}
    changed = []
    for fact, document in parsed:
        key = (fact.taxonomy, fact.tag, fact.unit, fact.start, fact.end)
        if key in wanted:
            continue
        row = wanted[key] = Fact(
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
            form=filing.form,
            filed=filing.filed,
            statement=fact.statement,
            order=fact.order,
            label=fact.label[:500],
            printed=fact.printed[:60],
            anchor=fact.anchor[:120],
        )
        before = held.pop(key, None)
        if before:
            row.pk = before["pk"]
            if any(before[name] != getattr(row, name) for name in ("document_id", *TOLD)):
                changed.append(row)
    Fact.objects.filter(pk__in=[row["pk"] for row in held.values()]).delete()
    Fact.objects.bulk_update(changed, ["document", *TOLD], batch_size=100)
    # `ignore_conflicts` cannot hide a lost row here: the rows held were read in this transaction.
    Fact.objects.bulk_create([row for row in wanted.values() if row.pk is None], batch_size=2000)


def store_documents(filing: Filing, container: Container) -> dict[str, Document]:
    """Make the document rows of a filing equal to those of its container, renderings left out; rows by filename."""
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
            "size": len(document.content),
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
    """Make the statement rows of a filing equal to its faces."""
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
