"""The bundled sample: what it holds, what it must not hold, and that loading it again is free."""

import json
import lzma
from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from django.core.management import call_command

from evals.sample.build import build
from evals.sample.fictional.filing import FIRST_CIK
from filings.edgar.client import Edgar
from filings.edgar.local_folder import FolderTransport
from filings.ingest import queue
from filings.models import Company, Corpus, Fact, Filing, Origin, Section, Statement, Ticker
from filings.models.report import imported_accession
from filings.sample import FOLDER, VECTORS
from filings.sample.bundled import is_loaded, version
from filings.sample.load import NotLoaded, bundled_files, load, load_files
from tests.support.edgar import Filer, LocalEdgar, filer
from tests.support.sample import Sample

SHARED = Path(__file__).resolve().parents[2] / "../shared"
COMPANYFACTS = sorted(FOLDER.glob("api/xbrl/companyfacts/*.xz"))


def folder_of(made: Filer, folder: Path) -> Path:
    """A filer published as a sample folder."""
    edgar = LocalEdgar()
    made.publish(edgar)
    edgar.server.server_close()
    for path, content in edgar.files.items():
        file = folder / f"{path}.xz"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(lzma.compress(content))
    return folder


# --- what is in the files ---


def test_it_is_small_and_holds_enough_companies() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.xz")) <= 4_000_000
    assert len(COMPANYFACTS) >= 12


def test_it_has_secs_own_paths_files_to_import_and_nothing_else() -> None:
    folders = {path.relative_to(FOLDER).parts[0] for path in FOLDER.rglob("*.xz")}
    assert folders == {"files", "submissions", "api", "Archives", "imports", VECTORS.name}


@pytest.mark.parametrize("path", COMPANYFACTS, ids=lambda path: path.name[3:13])
def test_its_facts_are_figures_and_labels_without_other_words(path: Path) -> None:
    content = json.loads(lzma.decompress(path.read_bytes()))
    assert set(content) == {"cik", "entityName", "facts"}
    for tags in content["facts"].values():
        for concept in tags.values():
            assert set(concept) <= {"label", "units"}
            for rows in concept["units"].values():
                assert all(set(row) <= {"start", "end", "val", "accn", "fy", "form", "filed"} for row in rows)
                assert all(isinstance(row["val"], int | float) for row in rows)
                assert all(row["form"].startswith(("10-K", "10-Q")) for row in rows)


def test_its_containers_of_real_companies_hold_an_order_of_tags_and_no_text_of_a_filing() -> None:
    containers = [path for path in FOLDER.glob("Archives/**/*.xz") if f"/data/{str(FIRST_CIK)[:9]}" not in str(path)]
    assert len(containers) >= 50
    for path in containers:
        text = lzma.decompress(path.read_bytes()).decode()
        assert text.count("<DOCUMENT>") == 1
        assert "<TYPE>EX-101.PRE" in text
        assert "http://diligence.example/role/" in text
        assert not {"<p", "<div", "<table", "labelLink", "footnote"} & set(text.lower().split())


def test_its_filing_lists_of_real_companies_name_annual_and_quarterly_reports_only() -> None:
    for path in FOLDER.glob("submissions/*.xz"):
        record = json.loads(lzma.decompress(path.read_bytes()))
        forms = {form.removesuffix("/A") for form in record["filings"]["recent"]["form"]}
        assert forms <= {"10-K", "10-KT", "10-Q"} or int(record["cik"]) >= FIRST_CIK
        assert not record["phone"]
        assert not any(record["addresses"]["business"].values())


@pytest.mark.soak
def test_building_it_again_gives_the_same_bytes(tmp_path: Path) -> None:
    mirror, registry = SHARED / "edgar/mirror", FOLDER.parents[1] / "agent/numbers/registry/registry.yaml"
    if not mirror.is_dir():
        pytest.skip("../shared/edgar is not there")
    list(build(mirror, registry, tmp_path))
    built = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.xz")}
    # Vectors are another command's.
    bundled = {path.relative_to(FOLDER): path.read_bytes() for path in FOLDER.rglob("*/*.xz")}
    assert built.keys() == bundled.keys()
    assert [path for path in built if built[path] != bundled[path]] == []


# --- what it becomes ---


@pytest.mark.parametrize(
    ("ticker", "year", "tag", "value"),
    [
        ("AAPL", 2024, "RevenueFromContractWithCustomerExcludingAssessedTax", 391_035_000_000),
        ("AAPL", 2024, "ResearchAndDevelopmentExpense", 31_370_000_000),
        ("AAPL", 2024, "CommonStockSharesOutstanding", 15_116_786_000),
        ("NVDA", 2024, "Revenues", 60_922_000_000),
        ("TSLA", 2023, "Revenues", 96_773_000_000),
    ],
)
def test_it_holds_the_figures_people_ask_for(sample: Sample, ticker: str, year: int, tag: str, value: int) -> None:
    filing = sample.filing(ticker, year)
    facts = Fact.objects.filter(filing=filing, tag=tag, end=filing.period_end, dimensions="")
    assert Decimal(value) in {fact.value for fact in facts}


def test_it_holds_the_share_count_of_the_cover(sample: Sample) -> None:
    fact = Fact.objects.get(filing=sample.filing("AAPL", 2024), tag="EntityCommonStockSharesOutstanding")
    assert (fact.end, fact.raw) == (date(2024, 10, 18), "15115823000")


def test_years_are_labelled_as_the_companies_do(sample: Sample) -> None:
    assert sample.filing("NVDA", 2024).period_end == date(2024, 1, 28)
    assert sample.filing("LOW", 2023).period_end == date(2024, 2, 2)
    assert sample.filing("NKE", 2025).period_end == date(2025, 5, 31)


def test_most_companies_have_ten_years(sample: Sample) -> None:
    years = {
        company.symbols[0]: company.filings.filter(is_primary=True, facts_stored__gt=0).count()
        for company in Company.objects.filter(in_sample=True)
    }
    assert len(years) >= 12
    # The mirror has five years of Lowe's, the documents it was rebuilt from; of the fictional ones we wrote two.
    assert {ticker: held for ticker, held in years.items() if held < 10} == {"LOW": 5, "NWND": 2, "LRKF": 2, "CLDP": 2}


def test_every_registrant_of_the_ticker_list_is_known(sample: Sample) -> None:
    assert Company.objects.count() > 7_000
    assert Ticker.objects.get(symbol="F").company.status == Company.Status.KNOWN
    assert sample["GOOGL"] == sample["GOOG"]
    assert sample["GOOGL"].symbols[:2] == ["GOOGL", "GOOG"]
    assert sample["TSM"].foreign


def test_faces_of_the_sample_have_order_and_no_words(sample: Sample) -> None:
    income = Statement.objects.get(filing=sample.filing("AAPL", 2024), kind="income")
    assert income.basis == "linkbase"
    assert income.lines[0]["tag"] == "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax"
    assert not any(line["label"] for line in income.lines)
    fact = Fact.objects.get(
        filing=sample.filing("AAPL", 2024), tag="ResearchAndDevelopmentExpense", end=date(2024, 9, 28)
    )
    assert (fact.statement, fact.label) == ("income", "")
    assert fact.order is not None


def test_a_document_of_a_real_company_was_never_asked_for(sample: Sample) -> None:
    real = Filing.objects.filter(company__in_sample=True, company__cik__lt=FIRST_CIK)
    assert set(real.values_list("document_status", flat=True)) == {"pending"}
    assert not Section.objects.filter(filing__in=real).exists()


def test_the_documents_of_the_fictional_companies_are_held(sample: Sample) -> None:
    fictional = Filing.objects.filter(company__cik__gte=FIRST_CIK)
    assert Counter(fictional.values_list("source", "document_status")) == {
        ("10-K", "held"): 6,
        ("10-Q", "held"): 1,
        ("8-K", "held"): 1,
        ("DEF 14A", "held"): 1,
        ("call", "held"): 1,
        ("report", "held"): 1,
    }
    assert all("(fictional)" in filing.company.name and filing.chunks_stored for filing in fictional)


def test_the_call_and_the_fact_sheet_are_imported_under_keys_of_their_bytes(sample: Sample) -> None:
    files = {name: content for name, content, _ in bundled_files()}
    assert len(files) == 2
    for name, content in files.items():
        filing = Filing.objects.get(accession=imported_accession(content))
        assert (filing.company, filing.origin) == (sample["LRKF"], Origin.SAMPLE)
        assert filing.documents.get().filename == name
        assert filing.chunks_stored
    call = Filing.objects.get(company=sample["LRKF"], source="call")
    assert (call.fiscal_year, call.fiscal_quarter, call.period_end) == (2026, 1, date(2025, 12, 31))
    assert set(call.sections.values_list("item", flat=True)) == {"prepared", "questions"}


def test_importing_the_files_again_changes_nothing(sample: Sample) -> None:
    before = list(Filing.objects.filter(company=sample["LRKF"]).order_by("pk").values())
    assert load_files() == 2
    assert list(Filing.objects.filter(company=sample["LRKF"]).order_by("pk").values()) == before


def test_loading_it_again_is_free(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    assert is_loaded()
    call_command("load_sample")
    assert capsys.readouterr().out.strip() == "The sample is loaded already."


# --- loading, with a small one ---


@pytest.fixture
def small(tmp_path: Path, db: None) -> Path:
    return folder_of(filer(2023, 2024), tmp_path / "small")


def test_loading_twice_changes_nothing(small: Path) -> None:
    load(folder=small)
    company = Company.objects.get(cik=9_000_000_001)
    before = list(Fact.objects.filter(company=company).order_by("pk").values())
    assert len(before) == 32
    assert (company.origin, company.in_sample) == (Origin.SAMPLE, True)
    load(folder=small)
    assert list(Fact.objects.filter(company=company).order_by("pk").values()) == before


def test_its_version_changes_with_any_byte(small: Path) -> None:
    before = version(small)
    path = next(small.glob("submissions/*"))
    path.write_bytes(path.read_bytes() + b"\0")
    assert version(small) != before


def test_a_load_that_was_killed_is_taken_up_at_once(small: Path) -> None:
    company = Company.objects.create(cik=9_000_000_001, name="Tiny Widgets Inc.")
    Company.objects.enqueue(company.pk)
    assert Company.objects.claim(company.pk)
    load(folder=small)
    company.refresh_from_db()
    assert company.status == Company.Status.DONE
    assert Corpus.objects.get(name="sample").version == version(small)


def test_a_damaged_sample_is_said_and_not_marked_as_loaded(small: Path) -> None:
    Corpus.objects.all().delete()
    path = next(small.glob("api/xbrl/companyfacts/*"))
    path.write_bytes(lzma.compress(b'{"cik": 9000000001}'))
    with pytest.raises(NotLoaded, match="Not a companyfacts file"):
        load(folder=small)
    assert not Corpus.objects.exists()


def test_a_company_ingested_from_edgar_keeps_what_edgar_said(small: Path, edgar: LocalEdgar, widgets: Filer) -> None:
    load(folder=small)
    company = Company.objects.get(cik=widgets.cik)
    Company.objects.enqueue(company.pk, (2015, None))
    assert queue.work(company.pk, Edgar()) is not None
    company.refresh_from_db()
    assert (company.origin, company.in_sample) == (Origin.EDGAR, True)
    assert set(company.filings.values_list("document_status", "fiscal_year")) == {
        ("held", 2022),
        ("held", 2023),
        ("held", 2024),
    }
    held = Fact.objects.filter(company=company).count()
    load(folder=small)
    assert Fact.objects.filter(company=company).count() == held == 48


def test_faces_of_the_sample_give_way_to_the_silence_of_edgar(small: Path, edgar: LocalEdgar) -> None:
    load(folder=small)
    filer(2023, 2024).publish(edgar, documents=False)
    company = Company.objects.get(cik=9_000_000_001)
    assert Statement.objects.filter(filing__company=company).exists()
    Company.objects.enqueue(company.pk, (2015, None))
    assert queue.work(company.pk, Edgar()) is not None
    assert not Statement.objects.filter(filing__company=company).exists()
    assert not Fact.objects.filter(company=company).exclude(statement="").exists()


@pytest.mark.parametrize("path", ["../../../etc/hostname", "submissions/../../secret", "nothing/here.json", ""])
def test_a_folder_serves_nothing_outside_itself(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.xz").write_bytes(lzma.compress(b"secret"))
    inside = tmp_path / "folder"
    inside.mkdir()
    with httpx.Client(transport=FolderTransport(inside)) as client:
        assert client.get(f"https://data.example/{path}").status_code == 404
        request = httpx.Request("GET", httpx.URL("https://data.example/", raw_path=f"/{path}".encode()))
        assert FolderTransport(inside).handle_request(request).status_code == 404


def test_every_filing_knows_the_file_its_facts_were_read_from(sample: Sample) -> None:
    apple = sample["AAPL"]
    hashes = set(apple.filings.filter(facts_stored__gt=0).values_list("facts_sha256", flat=True))
    assert hashes == {apple.facts_sha256}
    assert len(apple.facts_sha256) == 64
