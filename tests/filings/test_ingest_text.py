"""The text of filings at ingestion: sections, chunks, vectors and index, and that a failure of one costs no other."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from filings.ingest import store_text
from filings.models import Chunk, Company, Filing, RawFile, Section
from filings.models.section import chunk_text
from filings.search import active_indexes, indexing, maintenance
from filings.search.index import Query
from filings.text.chunking.contextual import embedded_texts
from filings.text.embeddings import forget
from filings.text.embeddings.endpoint import Endpoint
from filings.text.embeddings.vectors import VectorCache
from tests.support.annual_report import SUPPLY, prose
from tests.support.edgar import Filer, LocalEdgar, filer
from tests.support.embeddings import Fault, LocalEmbeddings
from tests.support.ingestion import run

TABLES = (Section, Chunk)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What tests of this module have embedded is embedded once."""
    return tmp_path_factory.mktemp("vectors")


@pytest.fixture
def storied(edgar: LocalEdgar, settings: Settings, vectors: Path) -> Filer:
    """A fictional filer with two annual reports that have something to say."""
    settings.VECTORS_DIR = vectors
    made = filer(2023, 2024)
    for report in made.reports:
        report.prose = prose()
    made.publish(edgar)
    return made


@pytest.fixture
def unembedded(storied: Filer, settings: Settings, data_dir: Path) -> Filer:
    """The same, of which no vector is held."""
    settings.VECTORS_DIR = data_dir
    return storied


def stored(company: Company) -> dict[str, list[dict[str, Any]]]:
    """Every row of the text of a company, keys included."""
    return {
        model.__name__: list(model.objects.filter(filing__company=company).order_by("pk").values()) for model in TABLES
    }


def read_again(company: Company) -> None:
    """Make the next ingestion read every filing, as after a change of the reading code."""
    company.filings.update(reader=0, facts_sha256="")


def test_it_stores_a_section_an_item_and_chunks_that_are_ranges_of_it(storied: Filer) -> None:
    company, _ = run(storied)
    filing = company.filings.get(fiscal_year=2024)
    status = {section.item: section.status for section in filing.sections.exclude(item="")}
    assert len(status) == 23
    assert (status["1A"], status["1B"], status["7"], status["8"]) == ("extracted", "none", "extracted", "omitted")
    section = filing.sections.get(item="1A")
    assert section.document is not None
    assert section.document.type == "10-K"
    assert section.text.startswith("Item 1A. Risk Factors")
    chunks = list(filing.chunks.all())
    assert [chunk.pk for chunk in chunks] == [filing.pk * 100_000 + number for number in range(len(chunks))]
    assert filing.chunks_stored == len(chunks) > 5
    holding = [chunk for chunk in chunks if SUPPLY in chunk.text]
    assert [chunk.item for chunk in holding] == ["1A"]
    assert holding[0].headings == ["Risk 1: something we depend on may fail us."]
    assert holding[0].text == chunk_text(section.text, holding[0].ranges)
    table = filing.chunks.get(kind="table", item="7")
    assert table.text.endswith("Clocks\t$ 612\t3 %\nScales\t$ 315\t(8)%\nTotal\t$ 927\t—")
    assert table.page_first == table.page_last
    assert holding[0].page_first is not None
    assert table.page_first is not None
    assert holding[0].page_first < table.page_first


def test_it_embeds_every_window_and_indexes_every_filing(unembedded: Filer) -> None:
    company, _ = run(unembedded)
    chunks = Chunk.objects.filter(filing__company=company).select_related("section")
    store_text = embedded_texts((chunk, chunk.section.text) for chunk in chunks)
    # Of a text that stands in both reports the vector is computed once.
    assert VectorCache().count() == len(set(store_text)) < len(store_text)
    (index,) = active_indexes.indexes()
    for filing in company.filings.all():
        assert filing.indexed.startswith("embedded:")
        assert not filing.indexed.endswith(":words")
        assert filing.pk in index.held()


def test_a_second_run_changes_nothing_of_the_text(storied: Filer) -> None:
    company, _ = run(storied)
    before, indexed = stored(company), list(company.filings.values_list("pk", "indexed", "chunks_stored"))
    run(storied)
    assert stored(company) == before
    assert list(company.filings.values_list("pk", "indexed", "chunks_stored")) == indexed


def test_reading_the_same_document_again_writes_no_row_of_the_text(storied: Filer) -> None:
    company, _ = run(storied)
    before, indexed = stored(company), list(company.filings.values_list("pk", "indexed"))
    read_again(company)
    with CaptureQueriesContext(connection) as queries:
        run(storied)
    assert stored(company) == before
    assert list(company.filings.values_list("pk", "indexed")) == indexed
    written = {
        query["sql"].split('"')[1] for query in queries if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))
    }
    assert written.isdisjoint({"filings_section", "filings_chunk"})


def test_of_a_corrected_document_only_what_changed_is_replaced(edgar: LocalEdgar, storied: Filer) -> None:
    company, _ = run(storied)
    filing = company.filings.get(fiscal_year=2024)
    before = {section.item: section.pk for section in filing.sections.exclude(item="")}
    marker = filing.indexed
    report = storied.reports[1]
    report.prose = prose(risks=("Our plant floods each spring.",))
    edgar.put(storied.container_path(report), storied.container(report))
    RawFile.objects.all().delete()
    read_again(company)
    run(storied)
    after = {section.item: section.pk for section in filing.sections.exclude(item="")}
    assert {item for item in after if after[item] != before[item]} == {"1A"}
    held = [chunk.text for chunk in filing.chunks.select_related("section")]
    assert any("floods" in text for text in held)
    assert not any(SUPPLY in text for text in held)
    filing.refresh_from_db()
    assert filing.indexed not in ("", marker)
    assert filing.chunks_stored == len(held)


@pytest.mark.parametrize("rename", [{"name": "Aldworth Gauges Inc."}, {"symbols": ("ALDWORTH",)}])
def test_a_company_that_was_renamed_is_found_by_its_new_name(
    edgar: LocalEdgar, storied: Filer, rename: dict[str, Any]
) -> None:
    company, _ = run(storied)
    if "symbols" in rename:
        company.tickers.all().delete()
    for name, value in rename.items():
        setattr(storied, name, value)
    storied.publish(edgar)
    run(storied)
    (index,) = active_indexes.indexes()
    for filing in company.filings.all():
        assert filing.indexed
        assert index.lists([Query("Aldworth", filings=(filing.pk,))])[0].lexical
        assert filing.pk not in maintenance.compare(index).differ


def test_more_passages_than_a_filing_has_ids_for_are_cut_and_said(
    storied: Filer, settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.INGEST_FILING_DEADLINE = 0
    monkeypatch.setattr(store_text, "CHUNKS_A_FILING", 3)
    company, outcome = run(storied, (2024, None))
    filing = company.filings.get(fiscal_year=2024)
    assert not outcome.failed
    assert [chunk.number for chunk in filing.chunks.all()] == [0, 1, 2]
    assert SUPPLY in filing.sections.get(item="1A").text
    assert re.search(r"twi-20241231.htm, Item 1A: of its \d+ passages 0 are held and searched", caplog.text)


def test_it_says_how_far_it_is(edgar: LocalEdgar, unembedded: Filer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filings.ingest.ingestion.TELL_SECONDS", 0.0)
    for report in unembedded.reports:
        report.prose = prose(risks=(f"In {report.period_end.year} our plant was flooded.",))
    unembedded.publish(edgar)
    said: list[str] = []
    run(unembedded, say=said.append)
    assert any("Filing 1 of 2: embedding" in line and line.endswith("texts") for line in said)
    assert any("Filing 2 of 2: embedding" in line for line in said)


def test_it_can_be_stopped_while_it_embeds_and_nothing_of_the_filing_is_written(unembedded: Filer) -> None:
    stopped = Company.objects.get_or_create(cik=unembedded.cik, defaults={"name": unembedded.name})[0]

    def cancel(line: str) -> None:
        if "embedding" in line:
            Company.objects.cancel(stopped.pk)

    company, outcome = run(unembedded, say=cancel)
    assert outcome.status == company.status == Company.Status.CANCELLED
    assert not Section.objects.filter(filing__company=company).exists()
    assert not company.filings.exclude(reader=0).exists()
    _, outcome = run(unembedded)
    assert outcome.status == Company.Status.DONE
    assert Section.objects.filter(filing__company=company).exists()


@pytest.fixture
def endpoint(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalEmbeddings]:
    monkeypatch.setattr(Endpoint, "first_wait", 0.01)
    with LocalEmbeddings() as server:
        settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = server.url, "test-model"
        settings.EMBEDDING_DIMENSIONS = server.dimensions
        yield server
        forget()


def only_waits(company: Company) -> None:
    """Beside it the whole sample would be embedded by the endpoint, which it was not."""
    Filing.objects.exclude(company=company).update(chunks_stored=0)
    assert set(indexing.waiting()) == set(company.filings.all())


def test_while_there_is_no_embedding_the_passages_are_stored_and_wait(
    endpoint: LocalEmbeddings, unembedded: Filer
) -> None:
    endpoint.faults = [Fault(times=10_000, status=500)]
    said: list[str] = []
    company, outcome = run(unembedded, say=said.append)
    assert outcome.status == Company.Status.DONE
    assert any("answers 500" in line and "wait" in line for line in said)
    assert all(filing.chunks_stored > 5 for filing in company.filings.all())
    assert set(indexing.waiting().filter(company=company)) == set(company.filings.all())
    assert all(filing.facts_stored for filing in company.filings.all())
    endpoint.faults = []
    only_waits(company)
    indexing.index_waiting()
    assert not indexing.waiting().filter(company=company).exists()


def test_passages_that_take_too_long_to_embed_are_left_to_the_sweep(
    edgar: LocalEdgar, endpoint: LocalEmbeddings, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = filer(2024)
    made.reports[0].prose = prose()
    made.publish(edgar)
    monkeypatch.setattr("filings.text.embeddings.BATCH", 8)
    clock = count(10**12)
    monkeypatch.setattr("filings.text.embeddings.time", SimpleNamespace(monotonic=lambda: next(clock)))
    said: list[str] = []
    company, outcome = run(made, say=said.append)
    assert outcome.status == Company.Status.DONE
    assert any("passages were embedded" in line for line in said)
    assert company.filings.get().chunks_stored
    assert indexing.waiting().filter(company=company).exists()
    monkeypatch.undo()
    only_waits(company)
    indexing.index_waiting()
    assert not indexing.waiting().filter(company=company).exists()


def test_vectors_of_a_wrong_length_fail_no_ingestion(
    endpoint: LocalEmbeddings, settings: Settings, unembedded: Filer
) -> None:
    settings.EMBEDDING_DIMENSIONS = 32
    said: list[str] = []
    company, outcome = run(unembedded, say=said.append)
    assert outcome.status == Company.Status.DONE
    assert any("64 dimensions" in line for line in said)
    assert all(filing.chunks_stored for filing in company.filings.all())


def test_an_index_that_fails_fails_no_ingestion(storied: Filer, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("disk on fire")

    with monkeypatch.context() as patched:
        patched.setattr(indexing, "index_filing", broken)
        company, outcome = run(storied)
    assert outcome.status == Company.Status.DONE
    assert set(company.filings.values_list("indexed", flat=True)) == {""}
    # The next run of the company puts it right, as the sweep does.
    run(storied)
    assert "" not in company.filings.values_list("indexed", flat=True)


def test_text_that_breaks_the_reader_costs_the_text_alone(
    storied: Filer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.INGEST_FILING_DEADLINE = 0

    def broken(*args: object) -> None:
        raise ValueError("no such thing")

    monkeypatch.setattr(store_text, "chunk", broken)
    company, outcome = run(storied)
    assert outcome.status == Company.Status.DONE
    assert set(company.filings.values_list("facts_stored", "chunks_stored", "document_status")) == {(16, 0, "held")}


@pytest.mark.parametrize("body", [b"%PDF-1.7 nothing", b""])
def test_a_document_that_cannot_be_read_has_figures_and_no_text(
    edgar: LocalEdgar, storied: Filer, body: bytes
) -> None:
    report = storied.reports[0]
    document = storied.document(report).encode()
    edgar.put(storied.container_path(report), storied.container(report).replace(document, body))
    company, outcome = run(storied)
    filing = company.filings.get(fiscal_year=2023)
    assert outcome.status == Company.Status.DONE
    assert (filing.document_status, filing.facts_stored, filing.indexed) == ("unreadable", 3, "")
    assert not filing.sections.exclude(text="").exclude(item="").exists()


def test_a_document_that_was_cut_keeps_what_came_before(edgar: LocalEdgar, storied: Filer) -> None:
    report = storied.reports[1]
    whole = storied.document(report)
    cut = whole[: whole.index("Item 7.") + 200]
    edgar.put(storied.container_path(report), storied.container(report).replace(whole.encode(), cut.encode()))
    company, outcome = run(storied)
    filing = company.filings.get(fiscal_year=2024)
    assert outcome.status == Company.Status.DONE
    assert filing.sections.get(item="1A").status == "extracted"
    assert filing.sections.get(item="7").status != "extracted"


def test_co_registrants_have_texts_of_their_own(edgar: LocalEdgar, storied: Filer) -> None:
    company, _ = run(storied)
    twin = filer(2024, cik=9_000_000_002, name="Tiny Widgets Capital LLC", symbols=())
    report = twin.reports[0]
    report.prose = prose()
    twin.accession = storied.accession  # type: ignore[method-assign]
    twin.publish(edgar)
    other, _ = run(twin)
    ours, theirs = company.filings.get(fiscal_year=2024), other.filings.get()
    assert ours.accession == theirs.accession
    assert ours.sections.get(item="1A").text == theirs.sections.get(item="1A").text
    assert set(ours.chunks.values_list("pk", flat=True)).isdisjoint(theirs.chunks.values_list("pk", flat=True))
    assert ours.chunks.count() == theirs.chunks.count() > 5


def test_a_filing_whose_year_was_learned_late_is_indexed_with_it(storied: Filer) -> None:
    company, _ = run(storied)
    filing = company.filings.get(fiscal_year=2024)
    Company.objects.filter(pk=company.pk).update(label_offset=1)
    run(storied)
    moved = Filing.objects.get(pk=filing.pk)
    assert moved.fiscal_year == 2025
    assert moved.indexed
    (index,) = active_indexes.indexes()
    assert index.lists([Query("FY2025", filings=(filing.pk,))])[0].lexical
    assert not index.lists([Query("FY2024", filings=(filing.pk,))])[0].lexical
