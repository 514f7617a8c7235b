"""Words of real filings are found in their documents, as the script looks for them."""

import csv
import lzma

import pytest

from agent.certificates.verify_certificate import Document
from evals import mirror
from filings.sections import SourceDocument, read_sections
from tests.support.mirror import ABSENT

FEW = 4
LONG = 30


def test_paragraphs_and_tables_of_real_reports_are_found() -> None:
    if not mirror.is_there():
        pytest.skip(ABSENT)
    with (mirror.SHARED / "filings.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["form"] == "10-K" and row["shape"] == "standard"]
    found = missed = 0
    for row in rows[:: len(rows) // FEW][:FEW]:
        raw = lzma.decompress((mirror.SHARED / "mirror" / f"{row['mirror_path']}.xz").read_bytes())
        document = Document(raw)
        for section in read_sections([SourceDocument(row["primary_doc"], "10-K", raw)], "annual"):
            texts = [section.text[block.start : block.end] for block in section.blocks]
            held = [document.holds(text) for text in texts if len(text) > LONG]
            found, missed = found + sum(held), missed + held.count(False)
    assert found > 500
    assert missed <= found // 500
