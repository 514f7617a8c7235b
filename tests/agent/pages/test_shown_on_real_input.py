"""Real filings of ../shared/edgar, ingested and asked through the page."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags
from pytest_django import DjangoDbBlocker

from agent.models import Run
from agent.refusals.codes import Code
from agent.state import Answer, Claim
from diligence.celery import app
from evals.truths.prose_truth import fingerprint
from filings.models import Company, Filing
from tests.support.mirror import ingested, one_worker

pytestmark = one_worker

# CIK and fiscal years: Apple, Tesla, and two companies with partial facts.
INGESTED: dict[int, tuple[int, int | None]] = {
    320193: (2024, 2024),
    1318605: (2024, 2024),
    34088: (2015, None),
    1596532: (2015, None),
}
# A year more of Tesla, JPMorgan, NVIDIA, McDonald's, Wells Fargo, Microsoft, Lowe's: for the tests of soak.
MORE: dict[int, tuple[int, int | None]] = {
    1318605: (2023, 2024),
    19617: (2024, 2024),
    1045810: (2024, 2024),
    63908: (2023, 2023),
    72971: (2024, 2024),
    789019: (2024, 2024),
    60667: (2023, 2023),
}
TESLA, TESLA_AMENDED = "0001628280-25-003063", "0001104659-25-042659"


@pytest.fixture(scope="module")
def _real(django_db_setup: None, django_db_blocker: DjangoDbBlocker, request: pytest.FixtureRequest) -> Iterator[None]:
    """The companies of the mirror, ingested once for the module into the test database, and taken out again."""
    more = any(item.get_closest_marker("soak") for item in request.session.items if item.module is request.module)
    with (
        django_db_blocker.unblock(),
        ingested(INGESTED | (MORE if more else {}), request.config.cache.mkdir("mirror")),
    ):
        yield


Ask = Callable[[str], tuple[str, Answer]]


@pytest.fixture
def ask(_real: None, db: None, django_capture_on_commit_callbacks: Any) -> Iterator[Ask]:
    """Ask on the page and read the answer as a person does: text without markup, white space folded; and as stored."""

    def asked(question: str) -> tuple[str, Answer]:
        client = Client()
        with django_capture_on_commit_callbacks(execute=True):
            there = client.post("/ask", {"question": question})["Location"]
        html = client.get(there).content.decode()
        run = Run.objects.get(pk=there.rstrip("/").rpartition("/")[2])
        return re.sub(r"\s+", " ", strip_tags(html.partition("<main")[2])), Answer.model_validate(run.answer)

    app.conf.task_always_eager = True
    yield asked
    app.conf.task_always_eager = False


@pytest.fixture
def read(ask: Ask) -> Callable[[str], str]:
    """What the page says to a question."""
    return lambda question: ask(question)[0]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What was Apple's revenue in FY2024?", ["$391,035 million", "391,035,000,000", "28 September 2024"]),
        ("Apple shares outstanding, fiscal 2024", ["15,115,823,000", "18 October 2024", "15,116,786,000"]),
        pytest.param("Tesla revenue FY2023", ["$96,773 million", "31 December 2023"], marks=pytest.mark.soak),
        pytest.param(
            "What was NVIDIA's revenue in fiscal 2024?", ["$60,922 million", "28 January 2024"], marks=pytest.mark.soak
        ),
        ("Apple total term debt FY2024", ["$96,662 million", "10,912", "85,750"]),
        pytest.param("Microsoft R&D FY2024", ["$29,510 million", "30 June 2024"], marks=pytest.mark.soak),
        ("What was Apple's R&D spend in FY2024?", ["$31,370 million", "Research and development"]),
        pytest.param("Lowe's revenue in fiscal 2023", ["2 February 2024", "fiscal 2023"], marks=pytest.mark.soak),
    ],
)
def test_the_page_shows_the_figure_of_the_filing(read: Callable[[str], str], question: str, shown: list[str]) -> None:
    text = read(question)
    # A figure without a printed row is of the SEC's data alone.
    where = (
        "the SEC's XBRL data" if "Not on a loaded statement" in text.partition("Parts that add")[0] else "the filing"
    )
    assert f"The figure matches {where}" in text or f"figures match {where}" in text, text
    missing = [part for part in shown if part not in text]
    assert not missing, text


@pytest.mark.parametrize(
    ("question", "code"),
    [
        pytest.param("JPMorgan gross profit 2024", "not_meaningful", marks=pytest.mark.soak),
        # Partial companyfacts of some ten to twenty tags.
        ("Exxon Mobil goodwill fiscal 2023", "concept_not_reported"),
        ("Arista inventory fiscal 1999", "year_before_2015"),
        ("Arista revenue fiscal 2040", "future_period"),
    ],
)
def test_the_page_refuses_by_what_is_held(read: Callable[[str], str], question: str, code: str) -> None:
    text = read(question)
    assert "Not answered" in text
    assert next(known.row.title for known in Code if known == code) in text


def test_partial_facts_never_answer_with_a_wrong_year(read: Callable[[str], str]) -> None:
    """A year whose 10-K holds the tag answers with that year's own end; one that does not refuses."""
    held = Company.objects.get(cik=34088).filings.filter(is_primary=True, fiscal_year__gte=2015)
    for filing in held:
        text = read(f"Exxon Mobil revenue fiscal {filing.fiscal_year}")
        if "The figure matches" in text:
            assert f"{filing.period_end:%-d %B %Y}" in text


# --- in the filings' words: by Item, page and hash of the words, which are not repeated here ---


def claims(answer: Answer) -> list[Claim]:
    return [claim for block in answer.blocks for claim in block.claims]


def where(answer: Answer) -> set[tuple[str, str]]:
    """Item and page of every claim."""
    return {(claim.item, claim.page) for claim in claims(answer)}


def hashes(answer: Answer) -> set[str]:
    return {fingerprint(claim.quote)[1] for claim in claims(answer)}


def test_apple_has_no_unresolved_staff_comments(ask: Ask) -> None:
    page, answer = ask("Does Apple have any unresolved staff comments in its fiscal 2024 10-K?")
    assert [(claim.item, claim.page, claim.quote) for claim in claims(answer)] == [("1B", "17", "None.")]
    assert "Item 1B: “None.”" in page
    assert re.search("1 of 1 sentences? quoted", page)


@pytest.mark.soak
def test_tesla_says_that_its_head_does_not_devote_his_full_time(ask: Ask) -> None:
    page, answer = ask("How dependent is Tesla on Elon Musk? FY2023")
    assert ("1A", "21") in where(answer)
    assert "34485b02ac09db9937cbb74ca7fa306a12e2fbbefda2b39e5744b1d4731dab5e" in hashes(answer)
    assert "Item 1A, Risk Factors, page 21" in page


@pytest.mark.soak
def test_tesla_names_the_vehicles_it_makes(ask: Ask) -> None:
    answer = ask("Which vehicles does Tesla offer? fiscal 2023")[1]
    assert "95f2b33cc28ae7c65b8092d5d4476997a8d24bd18fe36288ed5d8b0bade80b17" in hashes(answer)
    assert ("1", "4") in where(answer)


@pytest.mark.soak
def test_a_note_explains_lease_pass_through_arrangements(ask: Ask) -> None:
    answer = ask("What are Tesla's lease pass-through arrangements in FY2023?")[1]
    assert ("8", "80") in where(answer)
    assert "pass-through" in claims(answer)[0].quote


@pytest.mark.soak
def test_nvidia_discloses_its_concentration_of_suppliers(ask: Ask) -> None:
    answer = ask("What supply concentration risks did NVIDIA disclose in fiscal 2024?")[1]
    assert "2c8b5cfe63f580f2fb54dd5c98a744887f4c6e5317c9baa3860fae9bf07c8278" in hashes(answer)
    assert ("1A", "18") in where(answer)


@pytest.mark.soak
def test_the_risks_of_an_index_filer_are_quoted_under_their_item(ask: Ask) -> None:
    answer = ask("What risks does McDonald's disclose about its franchisees in fiscal 2023?")[1]
    assert (claims(answer)[0].item, claims(answer)[0].page) == ("1A", "30")
    assert all("franchis" in f"{claim.caption} {claim.quote}".lower() for claim in claims(answer))


@pytest.mark.soak
def test_items_in_another_document_are_refused_with_where_they_are(ask: Ask) -> None:
    page, answer = ask("What drove Wells Fargo's net interest income in fiscal 2024?")
    assert (answer.refusal_code, claims(answer)) == ("section_not_available", [])
    assert "incorporated by reference" in page
    assert "Annual Report to Shareholders" in page
    assert answer.blocks[0].alternatives


def test_an_amendment_with_part_iii_alone_never_shadows_the_original(ask: Ask) -> None:
    amended = Filing.objects.get(accession=TESLA_AMENDED)
    assert (amended.fiscal_year, amended.is_primary, amended.document_status) == (2024, False, "held")
    assert amended.sections.exclude(text="").exists()
    prose = ask("What supply risks did Tesla disclose in fiscal 2024?")[1]
    assert {claim.accession for claim in claims(prose)} == {TESLA}
    figure = ask("Tesla revenue FY2024")[1].blocks[0].table.asserted[0]
    assert (figure.accession, str(figure.value)) == (TESLA, "97690000000")
    # What only the amendment tells is refused, for the original's Item 11 is elsewhere.
    assert ask("What does Tesla's fiscal 2024 10-K say about executive compensation?")[1].refusal_code == (
        "section_not_available"
    )
