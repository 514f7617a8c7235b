"""Files that people bring, of fictional companies."""

from filings.importing.document_fields import DocumentFields, fields_of
from filings.importing.importing import Imported, import_document
from filings.models import Filing
from filings.models.company import Origin
from filings.models.report import FilingQuerySet

CALL = b"""Halden Optics, Inc. (HLDN)

Third quarter fiscal 2024 earnings call

November 6, 2024

Operator

Good afternoon, and welcome to the earnings call of Halden Optics.

Mara Ellison, Chief Executive Officer

We shipped more lenses than in any quarter before. Our lead times fell from nine weeks to five, and backlog came down.

Jon Price, Fernhill Research

How should we think about grinding capacity next year?
"""
QUARTERLY = b"""<html><body><h1>FORM 10-Q</h1><p>For the quarterly period ended September 30, 2024</p>
<p>Halden Optics, Inc.</p><p>Lens blanks come from two furnaces in Tromsdal, and no third furnace is planned.</p></body></html>"""
PLAIN = b"Minutes of a meeting.\n\nThe committee looked at the coating line and found nothing to change.\n"


def given(**written: str) -> DocumentFields:
    return fields_of(written)


WHOLE = {"company": "HLDN", "kind": "report", "period": "2024", "date": "2025-02-01"}


def imported() -> FilingQuerySet:
    """The documents that a test has imported; those of the sample were there before."""
    return Filing.objects.imported().exclude(origin=Origin.SAMPLE)


def brought(content: bytes = CALL, filename: str = "call.txt", **written: str) -> Imported:
    """A file imported with what is written of it."""
    return import_document(content, filename, given(**written))
