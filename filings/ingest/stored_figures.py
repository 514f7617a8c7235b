"""Read the figures of tables and sentences anew from the text that is stored; nothing is fetched."""

from django.db import transaction
from django.db.models import QuerySet

from filings.ingest.store_printed import Printed, printed_in, store_tables
from filings.models import Filing, Section
from filings.models.report import FIGURES_READER
from filings.tables.read_again import StoredText, subject_of


def waiting() -> QuerySet[Filing]:
    """The filings with text whose figures were not read, or by other code than this."""
    held = Section.objects.exclude(text="").values("filing")
    return Filing.objects.filter(pk__in=held).exclude(figures_reader=FIGURES_READER).order_by("pk")


def read_stored(filing: Filing) -> Printed:
    """Read the tables of a filing from its stored sections and store them; returns them."""
    texts = [StoredText(one.text, one.parsed_blocks, one.parsed_pages) for one in filing.sections.order_by("number")]
    read = printed_in(str(filing), texts, subject_of(filing), lambda: None, apart=True, statements=False)
    with transaction.atomic():
        held = Filing.objects.select_for_update().get(pk=filing.pk)
        store_tables(held, read.tables, whole=read.whole)
        held.save(update_fields=["figures_reader"])
    return read
