"""The text of each kind of document is read as its row of the table of kinds says."""

from dataclasses import replace
from datetime import date

import pytest

from filings.ingest.isolated_reading import Reading, read
from filings.models import Filing
from filings.models.source_kinds import KINDS, PROXY, SourceKind
from filings.sections.schemes import SCHEMES
from tests.support.edgar import Other, filer
from tests.support.lantern import bold, document, prose
from tests.support.lantern_quarter import quarter
from tests.support.other_filings import foreign_report, proxy, release

DAY = date(2025, 5, 4)


def reading(filed: Other) -> Reading:
    made = filer(2024)
    return read(made.accession(filed), made.container(filed))


def items(found: Reading) -> list[str]:
    return [section.item for section, _ in found.text.sections]


def test_every_kind_has_a_scheme() -> None:
    assert {kind.scheme for kind in KINDS.values()} <= SCHEMES.keys()


def test_an_8k_is_read_with_its_release_and_without_figures() -> None:
    found = reading(release(DAY))
    assert items(found)[:3] == ["2.02", "9.01", "99.1"]
    primary = found.filing.primary
    assert primary is not None
    assert (primary.type, found.filing.problem) == ("8-K", "")
    assert (found.filing.facts, found.filing.faces, found.filing.period_end) == ((), (), None)
    assert all(chunks for section, chunks in found.text.sections if section.item == "99.1")


def test_an_amended_8k_is_read_as_one() -> None:
    assert items(reading(release(DAY, form="8-K/A")))[:3] == ["2.02", "9.01", "99.1"]


@pytest.mark.parametrize("filed", [proxy(DAY), foreign_report(2024)])
def test_a_proxy_statement_and_a_20f_are_their_primary_documents(filed: Other) -> None:
    found = reading(filed)
    primary = found.filing.primary
    assert primary is not None
    assert (primary.type, found.filing.problem) == (filed.form, "")
    assert found.text.chunks


def test_a_certificate_as_exhibit_13_of_a_20f_is_neither_its_report_nor_its_text() -> None:
    filed = foreign_report(2024)
    filed.documents.insert(
        0,
        ("EX-13.1", "certificate.htm", "<html><body><p>A certificate of two officers of the works.</p></body></html>"),
    )
    found = reading(filed)
    assert found.filing.primary is not None
    assert found.filing.primary.type == "20-F"
    assert not any("certificate" in section.text for section, _ in found.text.sections)


def test_a_10q_is_read_by_its_items() -> None:
    content = quarter().decode().replace("Consolidated Balance Sheets", "What the works own")
    found = reading(Other("10-Q", DAY, date(2025, 3, 31), [("10-Q", "lantern-10q.htm", content)]))
    assert items(found)[:4] == ["I.1", "I.2", "I.3", "I.4"]
    statements = [
        made.statement for section, chunks in found.text.sections if section.item == "I.1" for made in chunks
    ]
    assert "balance" in statements


def test_a_10k_in_plain_text_is_read() -> None:
    lines = ["LANTERN WORKS LIMITED", "", "ITEM 1.  BUSINESS", ""]
    lines += [
        "We make lanterns of brass and glass for harbours, and sell them through dealers",
        "in nine countries.",
        "",
    ] * 40
    lines += [
        "ITEM 2.  PROPERTIES",
        "",
        "Our works in Lowfield have three halls and a tower, from which lamps are tried.",
        "",
    ]
    found = reading(Other("10-K/A", DAY, date(2024, 12, 31), [("10-K/A", "lantern.txt", "\n".join(lines))]))
    texts = {section.item: section.text for section, _ in found.text.sections}
    assert "three halls" in texts["2"]
    assert "three halls" not in texts["1"]
    assert "through dealers in nine countries" in texts["1"]


def test_a_form_that_is_not_held_has_no_text() -> None:
    assert (
        reading(
            Other("S-8", DAY, DAY, [("S-8", "s8.htm", "<html><body><p>A registration of shares.</p></body></html>")])
        ).text.sections
        == ()
    )


def test_adding_a_kind_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    letter: SourceKind = replace(
        PROXY,
        key="letter",
        label="Letter",
        called="letter",
        plural="letters",
        mark="L",
        forms=("ARS",),
        words=("letter",),
    )
    monkeypatch.setitem(KINDS, letter.key, letter)
    text = document(
        bold("To Our Shareholders") + prose("the year", 3_000), bold("The Harbours") + prose("harbours", 3_000)
    ).decode()
    found = reading(Other("ARS", DAY, DAY, [("ARS", "letter.htm", text)]))
    assert [section.heading for section, _ in found.text.sections] == ["To Our Shareholders", "The Harbours"]
    assert all(chunks for _, chunks in found.text.sections)
    assert found.filing.primary is not None


def test_a_10q_read_before_its_text_was_is_read_again_and_a_10k_is_not() -> None:
    assert Filing(source="10-Q").current_reader > Filing(source="10-K").current_reader
