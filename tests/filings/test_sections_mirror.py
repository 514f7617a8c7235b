"""Facts of a handful of real filings: how they are laid out is what notes/edgar.md warns of."""

import csv
import lzma
from functools import cache
from pathlib import Path

import pytest

from filings.document.blocks import page_at
from filings.sections import ParsedSection, SourceDocument, read_sections

SHARED = Path(__file__).resolve().parents[2] / "../shared/edgar"
pytestmark = pytest.mark.skipif(
    not (SHARED / "filings.csv").exists(), reason="needs the real filings of ../shared/edgar, which are not here"
)
APPLE, TESLA_AMENDED, NVIDIA = "0000320193-24-000123", "0001104659-25-042659", "0001045810-24-000029"
GENERAL_ELECTRIC, MCDONALDS, WELLS_FARGO = "0000040545-25-000015", "0000063908-24-000072", "0000072971-24-000064"
AMERICAN_EXPRESS, MICROSOFT = "0001193125-09-041008", "0001193125-13-310206"


@cache
def items(accession: str) -> dict[str, ParsedSection]:
    with (SHARED / "filings.csv").open(newline="") as listing:
        filing = next(row for row in csv.DictReader(listing) if row["accession"] == accession)
    content = lzma.decompress((SHARED / "mirror" / f"{filing['mirror_path']}.xz").read_bytes())
    found = read_sections([SourceDocument(Path(filing["mirror_path"]).name, filing["form"], content)])
    return {section.item: section for section in found if section.item}


def status(accession: str, *keys: str) -> list[str]:
    return [items(accession)[key].status for key in keys]


def test_it_reads_apples_answer_on_staff_comments_and_not_its_cybersecurity():
    assert status(APPLE, "1B", "1C", "6", "10") == ["none", "extracted", "omitted", "by_reference"]
    assert items(APPLE)["1B"].text == "Item 1B. Unresolved Staff Comments\n\nNone."
    staff = items(APPLE)["1B"]
    page = page_at(staff.pages, 0)
    assert page is not None
    assert page.printed == "17"


@pytest.mark.parametrize("accession", [APPLE, NVIDIA, MICROSOFT])
def test_it_extracts_the_great_items(accession):
    assert status(accession, "1", "1A", "7", "8") == ["extracted"] * 4
    assert len(items(accession)["8"].text) > 50_000


def test_it_finds_nvidias_statements_in_item_15():
    eight, fifteen = items(NVIDIA)["8"].text, items(NVIDIA)["15"].text
    assert "Total assets" in eight
    assert "Total assets" not in fifteen
    assert len(fifteen) < 20_000


@pytest.mark.parametrize("accession", [GENERAL_ELECTRIC, MCDONALDS])
def test_it_reads_index_filers_by_their_pages(accession):
    assert status(accession, "1", "1A", "7", "8", "1B", "7A") == [*["extracted"] * 4, "none", "by_reference"]
    assert "risk factors" in items(accession)["1A"].text[:60].casefold()
    assert "discussion and analysis" in items(accession)["7"].text[:60].casefold()
    assert "7A" not in {key for key, section in items(accession).items() if section.text}


def test_it_says_where_wells_fargos_and_american_express_discussion_is():
    assert status(WELLS_FARGO, "7", "8") == ["by_reference", "by_reference"]
    assert "Annual Report to Shareholders" in items(WELLS_FARGO)["8"].where
    assert status(AMERICAN_EXPRESS, "1A", "7", "8", "1B") == ["extracted", "by_reference", "by_reference", "none"]


def test_it_reads_teslas_amendment_as_part_three_only():
    assert {key for key, section in items(TESLA_AMENDED).items() if section.status == "extracted"} == {
        "10",
        "11",
        "12",
        "13",
        "15",
    }
    assert set(status(TESLA_AMENDED, "1", "1A", "7", "8")) == {"omitted"}


@pytest.mark.parametrize("accession", [APPLE, NVIDIA, GENERAL_ELECTRIC, MCDONALDS, WELLS_FARGO, MICROSOFT])
def test_it_gives_no_long_paragraph_to_two_items(accession):
    seen: dict[str, str] = {}
    for key, section in items(accession).items():
        for part in section.text.split("\n\n"):
            if len(part) > 1_500:
                assert seen.setdefault(part, key) == key
