"""manage.py sections: what is known of every Item, from the database or from a folder of documents."""

import csv
import json
import lzma
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from filings.models import Company, Filing, Section
from filings.sections.items import ITEMS
from tests.support.lantern import balance_sheet, bold, document, p, prose, report

ACCESSION = "0000000001-25-000001"


def lines(*arguments: str) -> list[dict[str, str]]:
    out = StringIO()
    call_command("sections", "--jsonl", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def mirror(folder: Path, content: bytes, **beside: bytes) -> Path:
    """A folder as SEC's tree: filings.csv, and the documents compressed."""
    place = folder / "mirror" / "Archives/edgar/data/1/000000000125000001"
    place.mkdir(parents=True)
    for name, body in {"lantern.htm": content, **{f"{name}.htm": body for name, body in beside.items()}}.items():
        (place / f"{name}.xz").write_bytes(lzma.compress(body))
    with (folder / "filings.csv").open("w", newline="") as listing:
        writer = csv.writer(listing)
        writer.writerow(["accession", "form", "mirror_path"])
        writer.writerow([ACCESSION, "10-K", str(place.relative_to(folder / "mirror") / "lantern.htm")])
    return folder


def test_it_writes_every_item_of_a_mirrored_filing_with_200_characters_at_each_end(tmp_path):
    rows = lines("--mirror", str(mirror(tmp_path, report())))
    assert [row["item"] for row in rows] == list(ITEMS)
    risks = rows[1]
    assert list(risks) == ["accession", "item", "status", "first", "last"]
    assert (risks["accession"], risks["status"]) == (ACCESSION, "extracted")
    assert risks["first"].startswith("Item 1A. Risk Factors")
    assert len(risks["first"]) == len(risks["last"]) == 200


def test_it_reads_the_exhibit_13_beside_a_mirrored_filing(tmp_path):
    stub = p("The statements are incorporated by reference from Exhibit 13.")
    exhibit = document(bold("Management Discussion") + prose("the results"), balance_sheet())
    rows = lines(
        "--mirror", str(mirror(tmp_path, report({"8": stub}), lantern_ex13=exhibit, lantern_ex21=document(p("List"))))
    )
    eight = next(row for row in rows if row["item"] == "8")
    assert eight["status"] == "extracted"
    assert eight["first"].startswith("Report of Independent")


def test_it_leaves_out_filings_that_are_not_asked_for(tmp_path):
    assert lines("--mirror", str(mirror(tmp_path, report())), "--accession", "0000000009-25-000009") == []


def test_it_refuses_a_folder_that_is_no_mirror(tmp_path):
    with pytest.raises(CommandError, match="cannot be read as a mirror"):
        lines("--mirror", str(tmp_path))


@pytest.mark.django_db
def test_it_writes_the_stored_sections():
    company = Company.objects.create(cik=1, name="Lantern Works Limited")
    filing = Filing.objects.create(
        company=company, accession=ACCESSION, form="10-K", filed=date(2025, 2, 1), period_end=date(2024, 12, 31)
    )
    text = "Item 1B. Unresolved Staff Comments\n\nNone."
    Section.objects.create(filing=filing, number=1, item="1B", status="none", text=text)
    Section.objects.create(filing=filing, number=2, item="", status="unverified", text="Cover.")
    assert lines("--accession", ACCESSION) == [
        {"accession": ACCESSION, "item": "1B", "status": "none", "first": text, "last": text}
    ]


def test_it_prints_a_table_for_people(tmp_path):
    out = StringIO()
    call_command("sections", "--mirror", str(mirror(tmp_path, report())), stdout=out)
    assert f"{ACCESSION}  1B  none " in out.getvalue()
