"""What came since a 10-K: its company's later filings by kind, each with the figures that it changes."""

from datetime import date

import pytest
from django.test import Client

from accounts.identity import Identity
from accounts.models import User
from agent.certificates.verify import reverify
from agent.models import Run
from agent.runs import create_run, lifecycle
from agent.runs.claim import claim
from agent.runs.stored_answer import read
from agent.state import Block
from filings.models import Company, Filing, Section, SectionStatus
from tests.support.holdings import annual_fact, northwind
from tests.support.sample import Sample


@pytest.fixture
def company(db: None) -> Company:
    """Northwind with a 10-Q after its last 10-K, which gives the revenue of fiscal 2025 otherwise."""
    found = northwind()
    found.name = "Brantwell Gauges, Inc."
    found.save()
    quarterly = Filing.objects.create(
        company=found,
        accession="9999988801-26-000040",
        form="10-Q",
        source="10-Q",
        filed=date(2026, 5, 4),
        period_end=date(2026, 3, 31),
        fiscal_year=2026,
        fiscal_quarter=1,
        facts_stored=1,
    )
    annual_fact(quarterly, "Revenues", "91400000", year=2025)
    return found


def asked(user: User, question: str) -> Run:
    run = create_run.start(Identity(user=user), question)
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    run.refresh_from_db()
    return run


def block_of(run: Run) -> Block:
    answer = read(run.answer)
    assert answer
    return answer.blocks[0]


@pytest.mark.parametrize(
    "question",
    [
        "What is new since the last 10-K of Brantwell?",
        "What has Brantwell filed since its latest annual report?",
        "Which filings came after Brantwell's last 10-K?",
        "Anything new at Brantwell since the most recent 10-K?",
        "Has Brantwell restated any figures since its last 10-K?",
    ],
)
def test_the_later_filings_are_listed_with_what_they_change(company: Company, alice: User, question: str) -> None:
    block = block_of(asked(alice, question))
    assert [(one.label, one.fiscal_year) for one in block.particulars] == [("10-Q for Q1", 2026)]
    (last,) = block.particulars
    assert last.value.startswith("Filed 4 May 2026. Changed figures: ")
    assert last.value.endswith(", 1 Jan 2025 to 31 Dec 2025: $91.4 million, before $91.53 million.")
    assert last.source == "SEC\u2019s list of filings; XBRL: Revenues"


def test_each_is_linked_and_verifies_again(as_alice: Client, company: Company, alice: User) -> None:
    run = asked(alice, "What is new since the last 10-K of Brantwell?")
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert f'href="/filings/9999988801-26-000040?cik={company.cik}"' in page
    assert f'href="/companies/{company.cik}/restatements"' in page
    answer = read(run.answer)
    assert answer
    checks = reverify(answer)
    assert len(checks) == 1
    assert all(one.ok for one in checks)


@pytest.mark.parametrize(
    "question",
    [
        "What has changed since Brantwell's 10-K for fiscal 2024?",
        "What has changed since the fiscal 2024 10-K of Brantwell?",
    ],
)
def test_of_an_earlier_year_the_reports_since_are_told(company: Company, alice: User, question: str) -> None:
    block = block_of(asked(alice, question))
    assert [(one.label, one.fiscal_year) for one in block.particulars] == [
        ("10-Q for Q1", 2026),
        ("10-K", 2025),
    ]
    assert "$85.702 million, before $86.214 million" in block.particulars[1].value


@pytest.mark.django_db
def test_a_quarterly_report_tells_which_risks_it_added_and_removes_none(
    sample: Sample, as_alice: Client, alice: User
) -> None:
    run = asked(alice, "What is new since the last 10-K of Larkfield?")
    told = {one.label: one.value for one in block_of(run).particulars}
    assert [*told] == ["Other report", "10-Q for Q1", "Earnings call for Q1", "8-K for Q1", "DEF 14A"]
    assert "It tells of: Results of Operations and Financial Condition; Submission of Matters" in told["8-K for Q1"]
    assert "Risks added since fiscal 2025: \u201cThe FDA may decide later" in told["10-Q for Q1"]
    assert "removed" not in told["10-Q for Q1"]
    sources = {one.label: one.source for one in block_of(run).particulars}
    assert sources["Earnings call for Q1"] == "imported document"
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert f"/II.1A?cik={sample['LRKF'].cik}" in page


@pytest.mark.parametrize(
    ("question", "note", "quoted"),
    [
        (
            "What risks has Larkfield added since its 10-K?",
            "Risks added since fiscal 2025: \u201cThe FDA may decide later",
            ["II.1A"] * 2,
        ),
        (
            "What changed in Larkfield's legal proceedings since the last 10-K?",
            "Quoted from Larkfield's 10-Q for Q1",
            ["II.1"] * 3,
        ),
        (
            "What changed in Northwind's risk factors since the last 10-K?",
            "No text of a report that Northwind filed since its last 10-K",
            [],
        ),
    ],
)
@pytest.mark.django_db
def test_of_an_item_the_reports_since_the_10_k_are_quoted(
    sample: Sample, alice: User, question: str, note: str, quoted: list[str]
) -> None:
    block = block_of(asked(alice, question))
    assert block.notes[0].startswith(note)
    assert [one.item for one in block.claims] == quoted


@pytest.mark.django_db
def test_an_annual_report_tells_which_risks_it_added_and_removed(
    sample: Sample, as_alice: Client, alice: User
) -> None:
    run = asked(alice, "What is new since Northwind's 10-K for fiscal 2024?")
    (last,) = (one.value for one in block_of(run).particulars)
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert f'href="/companies/{sample["NWND"].cik}/redline?item=1A&amp;from=2024&amp;to=2025"' in page
    assert "Risks added since fiscal 2024: \u201cMagnets reach us through a short and fragile chain.\u201d; " in last
    assert "Risks removed since fiscal 2024: \u201cThe move of assembly from Rochester" in last
    answer = read(run.answer)
    assert answer
    assert all(one.ok for one in reverify(answer))


def test_where_nothing_came_that_is_said(company: Company, alice: User) -> None:
    Filing.objects.filter(company=company, source="10-Q").delete()
    block = block_of(asked(alice, "What is new since the last 10-K of Brantwell?"))
    assert [one.label for one in block.particulars] == ["10-K"]
    assert any("No later filing of Brantwell" in note for note in block.notes)


def test_the_last_10_k_is_the_newest_one_that_is_known(company: Company, alice: User) -> None:
    Filing.objects.create(
        company=company,
        accession="9999988801-27-000002",
        form="10-K",
        filed=date(2027, 2, 20),
        period_end=date(2026, 12, 31),
        fiscal_year=2026,
        is_primary=True,
    )
    block = block_of(asked(alice, "What is new since the last 10-K of Brantwell?"))
    assert [(one.label, one.fiscal_year) for one in block.particulars] == [("10-K", 2026)]
    assert block.notes[0] == "The text of the fiscal 2026 10-K, filed 20 Feb 2027, is not loaded."


def test_an_amendment_says_what_it_amends_and_holds(company: Company, alice: User) -> None:
    amendment = Filing.objects.create(
        company=company,
        accession="9999988801-26-000060",
        form="10-K/A",
        filed=date(2026, 4, 30),
        fiscal_year=2025,
        facts_stored=1,
    )
    for number, item in enumerate(("10", "11")):
        Section.objects.create(filing=amendment, number=number, item=item, status=SectionStatus.EXTRACTED)
    told = {
        one.label: one.value for one in block_of(asked(alice, "What is new since Brantwell's last 10-K?")).particulars
    }
    assert told["10-K/A"] == "Filed 30 April 2026. It amends the 10-K for fiscal 2025, with Items 10 and 11."


@pytest.mark.parametrize(
    "question", ["What is new at Brantwell since 2023?", "How did revenue change since Brantwell's last 10-K?"]
)
def test_what_is_not_of_a_report_or_asks_more_is_read_otherwise(company: Company, alice: User, question: str) -> None:
    answer = read(asked(alice, question).answer)
    assert answer
    assert not any(one.key == "since_report" for block in answer.blocks for one in block.particulars)
