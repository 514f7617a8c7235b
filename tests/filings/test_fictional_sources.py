"""What a fictional issuer of the sample has besides annual reports: 10-Q, 8-K, proxy statement, call and fact sheet."""

import json
import lzma
import re
from datetime import date
from decimal import Decimal
from functools import cache

import pytest

from evals.prose_golden import SOURCES, ProseGolden, read
from evals.sample.fictional.figures import Figures, read_figures
from evals.sample.fictional.filing import Filed, filed
from evals.sample.fictional.imported import imported, manifest
from evals.sample.fictional.issuer import read_issuer
from evals.truths.prose_truth import fingerprint, locate
from filings.document.inline import read_inline
from filings.models.report import imported_accession
from filings.models.source_kinds import KINDS, kind_of_form
from filings.sample import FOLDER
from filings.sections import ParsedSection, SourceDocument, read_sections
from filings.xbrl.companyfacts import parse_companyfacts

ISSUER = read_issuer("larkfield")
FORMS = tuple(filing.form for filing in ISSUER.filings)
BROUGHT = {document.kind: document for document in ISSUER.imports}


@cache
def made(form: str) -> tuple[Filed, tuple[SourceDocument, ...]]:
    filing, documents = next(found for found in filed(ISSUER) if found[0].form == form)
    return filing, tuple(SourceDocument(name, kind, content) for name, (kind, content) in documents.items())


@cache
def sections(source: str) -> tuple[str, tuple[ParsedSection, ...]]:
    """The key of a document, and its sections. source: a form, or a kind that is brought."""
    if source in BROUGHT:
        content = imported(ISSUER, BROUGHT[source])
        read_by = KINDS[source].scheme
        return imported_accession(content), read_sections([SourceDocument(BROUGHT[source].file, "", content)], read_by)
    kind = kind_of_form(source)
    assert kind
    return made(source)[0].accession, read_sections(made(source)[1], kind.scheme)


def text_of(source: str, item: str | None = None) -> str:
    return "\n\n".join(section.text for section in sections(source)[1] if item in (None, section.item))


@cache
def quarter() -> Figures:
    return read_figures(ISSUER.folder / "first-quarter.yaml")


# --- read into sections ---


def test_the_10_q_has_every_item_of_both_parts() -> None:
    found = {section.item: section.status for section in sections("10-Q")[1] if section.item}
    assert found == {
        "I.1": "extracted",
        "I.2": "extracted",
        "I.3": "by_reference",
        "I.4": "extracted",
        "II.1": "extracted",
        "II.1A": "extracted",
        "II.2": "extracted",
        "II.3": "none",
        "II.4": "none",
        "II.5": "none",
        "II.6": "extracted",
    }
    assert "Tri-County Benefit Fund" in text_of("10-Q", "II.1")
    assert "Liquidity and capital resources" in text_of("10-Q", "I.2")


def test_the_8_k_has_its_items_and_its_release() -> None:
    items = [section.item for section in sections("8-K")[1] if section.item]
    assert items == ["2.02", "5.07", "8.01", "9.01", "99.1"]
    release = next(section for section in sections("8-K")[1] if section.item == "99.1")
    assert release.heading.startswith("Larkfield Health reports first quarter of fiscal 2026")
    assert "Adjusted net income per diluted share" in release.text


def test_the_proxy_statement_is_divided_at_its_headings() -> None:
    headings = [section.heading for section in sections("DEF 14A")[1]]
    assert "PROPOSAL 1. ELECTION OF DIRECTORS" in headings
    assert "COMPENSATION OF OFFICERS AND DIRECTORS" in headings


def test_the_call_is_divided_into_remarks_and_questions_with_its_speakers() -> None:
    prepared, questions = sections("call")[1]
    assert (prepared.item, questions.item) == ("prepared", "questions")
    speakers = [
        {section.text[block.start : block.end] for block in section.blocks if block.opens}
        for section in (prepared, questions)
    ]
    assert speakers[0] == {"Operator", "Samuel Okonkwo-Reyes", "Dorothea Lindqvist"}
    assert speakers[1] == {*speakers[0], "Renata Bellweather", "Desmond Achterberg"}


def test_the_fact_sheet_is_a_pdf_file_of_two_pages_with_one_table() -> None:
    ((section,), content) = sections("report")[1], imported(ISSUER, BROUGHT["report"])
    assert content.startswith(b"%PDF-")
    assert [page.number for page in section.pages] == [1, 2]
    (table,) = [block for block in section.blocks if block.kind == "table"]
    rows = [row.split("\t") for row in section.text[table.start : table.end].split("\n")]
    assert rows[0] == ["", "2025", "2024", "2023", "2022"]
    assert rows[1] == ["Revenue", "1,214", "1,172", "1,106", "1,037"]
    assert "• Nutriva, tube feeds and drinkable supplements" in section.text


@pytest.mark.parametrize("source", [*FORMS, *BROUGHT])
def test_each_says_that_it_is_fictional_and_shows_no_mark_of_its_source(source: str) -> None:
    text = text_of(source)
    assert re.search(r"\b(?:registrant|company|everything in this release|Corporation) (?:is|are) fictional\b", text)
    assert not re.search(r"\{|\}|\[\[|\]\]|\*\*|@all|:end|page 0\b", text)


# --- the figures ---


def test_the_figures_of_the_quarter_add_up_and_begin_where_the_10_k_ends() -> None:
    annual = read_figures(ISSUER.folder / "figures.yaml")
    quarter().check([2025])
    balances = [line.key for line in quarter().lines.values() if line.is_instant and line.key in annual.lines]
    assert len(balances) > 25
    assert [key for key in balances if quarter().value(key, 2024) != annual.value(key, 2025)] == []


@pytest.mark.parametrize(
    ("key", "year", "value"),
    [("revenue", 2024, "297"), ("eps_diluted", 2024, "0.49"), ("dividend", 2024, "0.28"), ("dividend", 2025, "0.29")],
)
def test_the_quarters_agree_with_the_table_of_the_10_k(key: str, year: int, value: str) -> None:
    assert quarter().value(key, year) == Decimal(value)


def test_companyfacts_say_what_the_10_q_prints() -> None:
    filing, (document,) = made("10-Q")
    raw = lzma.decompress((FOLDER / f"api/xbrl/companyfacts/CIK{ISSUER.cik:010d}.json.xz").read_bytes())
    held = parse_companyfacts(raw).interim[filing.accession]
    told = {(row.tag, row.start, row.end): row.value for row in held.rows}
    parsed = read_inline(document.content, [])
    printed = {(fact.tag, fact.start, fact.end): fact.value for fact in parsed.facts}
    assert len(printed) > 100
    assert {key: told.get(key) for key in printed} == printed
    assert {"income", "balance", "cashflow"} <= {statement.kind for statement in parsed.statements}
    assert told["Revenues", date(2025, 10, 1), date(2025, 12, 31)] == 293_000_000
    cash = {end: value for (tag, _, end), value in told.items() if tag == "CashAndCashEquivalentsAtCarryingValue"}
    assert cash == {date(2025, 9, 30): 223_000_000, date(2025, 12, 31): 217_000_000}


@pytest.mark.parametrize("said", ["293 million", "0.54", "1.02"])
@pytest.mark.parametrize("source", ["10-Q", "8-K", "call"])
def test_the_documents_of_one_quarter_say_the_same(source: str, said: str) -> None:
    assert said in text_of(source)


# --- the files ---


def test_the_list_of_filings_names_them() -> None:
    record = json.loads(lzma.decompress((FOLDER / f"submissions/CIK{ISSUER.cik:010d}.json.xz").read_bytes()))
    recent = record["filings"]["recent"]
    listed = dict(zip(recent["form"], recent["items"], strict=True))
    assert recent["form"] == ["10-Q", "8-K", "DEF 14A", "10-K", "10-K"]
    assert listed["8-K"] == "2.02,5.07,8.01,9.01"


def test_the_files_to_import_are_beside_what_is_written_of_them() -> None:
    listing = json.loads(lzma.decompress((FOLDER / f"imports/CIK{ISSUER.cik:010d}.json.xz").read_bytes()))
    assert listing == manifest(ISSUER)
    for document in ISSUER.imports:
        content = lzma.decompress((FOLDER / "imports" / f"{document.file}.xz").read_bytes())
        assert content == imported(ISSUER, document)


# --- the goldens ---


@pytest.mark.parametrize("golden", read(SOURCES), ids=lambda golden: golden.id)
def test_each_passage_of_a_golden_is_found_where_it_says(golden: ProseGolden) -> None:
    held = dict(sections(source) for source in (*FORMS, *BROUGHT))
    assert golden.accession in held
    for truth in golden.truths:
        assert fingerprint(truth.text) == (truth.words, truth.sha256)
        texts = [section.text for section in held[truth.accession] if section.item == truth.item]
        assert any(locate(text, truth.words, truth.sha256) for text in texts), truth.text
