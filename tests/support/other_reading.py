"""A section as another reading of its document has it: other characters, five of them before all others."""

import hashlib

from django.db.models import F

from filings.document.blocks import read_blocks, stored_blocks
from filings.models import PrintedTable, Section

FURTHER = 5


def read_anew(section: Section, before: str = "", after: str = "") -> None:
    """Store a section with five spaces in front, and with one text for another of the same length."""
    assert len(before) == len(after)
    section.text = " " * FURTHER + (section.text.replace(before, after) if before else section.text)
    section.sha256 = hashlib.sha256(section.text.encode()).hexdigest()
    section.blocks = stored_blocks(one.moved(FURTHER) for one in read_blocks(section.blocks))
    section.pages = [[start + FURTHER, *more] for start, *more in section.pages]
    section.save()
    tables = PrintedTable.objects.filter(filing=section.filing, section=section.number)
    tables.update(start=F("start") + FURTHER, end=F("end") + FURTHER)
