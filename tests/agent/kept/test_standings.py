"""What became of a saved answer: superseded by a restatement, overtaken as the latest, broken, or still valid."""

from datetime import date, timedelta
from decimal import Decimal
from threading import Event
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.models import User
from agent import tasks
from agent.certificates.build import certificate_of
from agent.certificates.verify import verify
from agent.models import CitedFact, ComparedCompany, Run, Share, Standing
from agent.numbers.facts.cited_facts import reference
from agent.runs import create_run, lifecycle, used_facts
from agent.runs.claim import claim
from agent.standings import comparison
from agent.state import Period, PeriodForm
from agent.state.query import Years
from agent.state.standing import Change, Reason
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.models import Company, Fact, Filing, Section
from tests.agent.certificates.tampering import changed, forgeries
from tests.support import answers
from tests.support.holdings import annual_fact, annual_report, northwind
from tests.support.other_reading import read_anew
from tests.support.sample import Sample


@pytest.fixture
def company(db: None) -> Company:
    """Northwind, whose 10-K of fiscal 2025 was loaded an hour ago; it restates the revenue of fiscal 2024."""
    found = northwind()
    came(found.filings.get(fiscal_year=2025))
    ingested(found)
    return found


def came(filing: Filing, hours: float = 1) -> None:
    Filing.objects.filter(pk=filing.pk).update(held_since=now() - timedelta(hours=hours))


def ingested(company: Company) -> None:
    Company.objects.filter(pk=company.pk).update(ingested=now() - timedelta(minutes=30))


def asked(user: User, fact: Fact, hours: float = 24, periods: Years | None = None, **changes: Any) -> Run:
    """An answer with a stored fact, some hours old."""
    ref = reference(fact).model_copy(update=changes.pop("ref", {}))
    year = fact.end.year
    cell = answers.cell(ref, fiscal_year=year, label="Revenue", unit=fact.unit, **changes.pop("cell", {}))
    answer = answers.number_answer(cell, **changes)
    if periods is not None:
        query = answer.plan.query.model_copy(update={"periods": periods}) if answer.plan.query else None
        answer = answer.model_copy(update={"plan": answer.plan.model_copy(update={"query": query})})
    run = answers.run_with(answer, user, created=now() - timedelta(hours=hours))
    used_facts.remember([(run, answer)])
    return run


def revenue(company: Company, year: int) -> Fact:
    return Fact.objects.get(filing__company=company, filing__fiscal_year=year, end__year=year)


def compared(run: Run) -> Standing:
    tasks.compare_answers()
    return Standing.objects.get(run=run)


def test_a_restated_figure_supersedes_the_answer_with_both_values_and_filings(company: Company, alice: User) -> None:
    run = asked(alice, revenue(company, 2024))
    found = compared(run)
    (change,) = found.changed_as
    assert (found.state, change.reason) == ("superseded", "restated")
    assert (change.used, change.now) == (Decimal(86214000), Decimal(85702000))
    assert change.used_accession == company.filings.get(fiscal_year=2024).accession
    assert change.accession == company.filings.get(fiscal_year=2025).accession
    assert found.since


def test_its_page_and_the_history_say_so(as_alice: Client, company: Company, alice: User) -> None:
    run = asked(alice, revenue(company, 2024))
    other = asked(alice, revenue(company, 2025), hours=0.1)
    tasks.compare_answers()
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "Superseded on" in page
    assert "restated to $85.702 million in the" in page
    history = as_alice.get("/history").content.decode()
    assert ">Superseded</span>" in history
    narrowed = as_alice.get("/history?changed=1").content.decode()
    assert run.get_absolute_url() in narrowed
    assert other.get_absolute_url() not in narrowed


def test_the_api_tells_both_values_and_filters(as_alice: Client, company: Company, alice: User) -> None:
    run = asked(alice, revenue(company, 2024))
    asked(alice, revenue(company, 2025), hours=0.1)
    tasks.compare_answers()
    (line,) = as_alice.get("/api/v1/runs?changed=true").json()["items"]
    assert (line["id"], line["standing"]) == (str(run.pk), "superseded")
    whole = as_alice.get(f"/api/v1/runs/{run.pk}").json()
    assert whole["checked"]
    assert whole["changed"]
    (change,) = whole["changes"]
    assert change["text"] == (
        "Revenue, fiscal 2024: $86.214 million, restated to $85.702 million in the 10-K for fiscal 2025."
    )
    assert (Decimal(change["used"]), Decimal(change["now"])) == (86214000, 85702000)


def test_readers_of_its_link_are_told_too(client: Client, company: Company, alice: User) -> None:
    run = asked(alice, revenue(company, 2024))
    tasks.compare_answers()
    page = client.get(Share.objects.create(run=run).get_absolute_url()).content.decode()
    assert "Superseded on" in page
    assert "Ask again" not in page


@pytest.mark.parametrize("unit", ["USD", "shares"])
@pytest.mark.parametrize(
    ("before", "after", "decimals"), [("86214000", "86214000", None), ("86214321", "86214000", -3)]
)
def test_an_answer_whose_figure_is_repeated_or_rounded_is_valid(
    company: Company, alice: User, unit: str, before: str, after: str, decimals: int | None
) -> None:
    fact = annual_fact(company.filings.get(fiscal_year=2024), "Figure", before, unit=unit)
    annual_fact(company.filings.get(fiscal_year=2025), "Figure", after, year=2024, unit=unit, decimals=decimals)
    found = compared(asked(alice, fact))
    assert (found.state, found.since, found.changes) == ("valid", None, [])
    assert found.checked > now() - timedelta(minutes=1)


def test_a_filing_that_was_there_when_it_was_asked_changes_nothing(company: Company, alice: User) -> None:
    assert compared(asked(alice, revenue(company, 2024), hours=0.5)).state == "valid"


@pytest.mark.parametrize(
    ("fields", "after", "reason"),
    [
        ({"unit": "USD/shares"}, "2.5", "split"),
        ({"dimensions": "StatementBusinessSegmentsAxis=CloudMember"}, "8.5", "recast"),
        ({}, "2.5", "restated"),
    ],
)
def test_splits_recast_parts_and_restated_totals_are_told_apart(
    company: Company, alice: User, fields: dict[str, str], after: str, reason: str
) -> None:
    fact = annual_fact(company.filings.get(fiscal_year=2024), "Figure", "10", **fields)
    annual_fact(company.filings.get(fiscal_year=2025), "Figure", after, year=2024, **fields)
    (change,) = compared(asked(alice, fact)).changed_as
    assert (change.reason, change.used, change.now) == (reason, Decimal(10), Decimal(after))


def test_an_amendment_restates_as_well(company: Company, alice: User) -> None:
    amendment = annual_report(
        company, 2025, accession="9999988801-26-000099", form="10-K/A", is_primary=False, filed=date(2026, 5, 1)
    )
    came(amendment)
    annual_fact(amendment, "Revenues", "85000000", year=2024)
    (change,) = compared(asked(alice, revenue(company, 2024))).changed_as
    assert (change.form, change.now) == ("10-K/A", Decimal(85000000))


def test_a_sign_that_is_shown_turned_around_is_turned_around_in_both(company: Company, alice: User) -> None:
    fact = revenue(company, 2024)
    run = asked(alice, fact, ref={"negated": True, "value": Decimal(-86214000)}, cell={"value": Decimal(-86214000)})
    (change,) = compared(run).changed_as
    assert (change.used, change.now) == (Decimal(-86214000), Decimal(-85702000))


LATEST = Years(periods=(Period(form=PeriodForm.LATEST),))


def test_an_answer_about_the_latest_year_is_overtaken_by_the_next_with_its_value(
    as_alice: Client, company: Company, alice: User
) -> None:
    Fact.objects.filter(filing__fiscal_year=2025, end__year=2024, company=company).delete()
    run = asked(alice, revenue(company, 2024), periods=LATEST)
    (change,) = compared(run).changed_as
    assert (change.reason, change.used, change.now) == ("overtaken", Decimal(86214000), Decimal(91530000))
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "A newer report has been filed." in page
    assert "This answer predates it" not in page


def test_an_answer_about_a_named_year_is_not_overtaken(company: Company, alice: User) -> None:
    Fact.objects.filter(filing__fiscal_year=2025, end__year=2024, company=company).delete()
    assert compared(asked(alice, revenue(company, 2024))).state == "valid"


def test_an_answer_that_no_longer_verifies_is_broken_and_says_why(
    as_alice: Client, company: Company, alice: User
) -> None:
    fact = revenue(company, 2023)
    run = asked(alice, fact)
    Fact.objects.filter(pk=fact.pk).update(raw="79000000", value=Decimal(79000000))
    found = compared(run)
    assert found.state == "broken"
    assert found.changed_as[0].said
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "Broken on" in page
    assert "Do not use the answer." in page


@pytest.mark.parametrize(
    ("reasons", "state"), [((), "VALID"), (("restated",), "SUPERSEDED"), (("broken", "restated"), "BROKEN")]
)
def test_the_worst_change_tells_the_state(reasons: tuple[Reason, ...], state: str) -> None:
    found = [Change(reason=one, said="Revenue, fiscal 2024", cik=1) for one in reasons]
    assert comparison.state_of(found) is Standing.State[state]


def test_a_second_comparison_changes_nothing(company: Company, alice: User) -> None:
    first = compared(asked(alice, revenue(company, 2024)))
    ComparedCompany.objects.all().delete()
    Standing.objects.update(checked=now() - timedelta(days=1))
    tasks.compare_answers()
    again = Standing.objects.get(pk=first.pk)
    assert (again.state, again.since, again.changes) == (first.state, first.since, first.changes)
    assert CitedFact.objects.filter(run=first.pk).count() == 1


def test_a_comparison_that_was_killed_goes_on(company: Company, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [asked(alice, revenue(company, 2024)) for _ in range(5)]
    monkeypatch.setattr(comparison, "AT_ONCE", 2)
    batch = list(comparison.older(company_now(company))[:2])
    comparison.compare(batch)  # and killed behind it
    assert ComparedCompany.objects.count() == 0
    done = comparison.compare_outdated(60, Event())
    assert done == 3
    assert Standing.objects.filter(run__in=runs, state="superseded").count() == 5
    assert comparison.compare_outdated(60, Event()) == 0


def company_now(company: Company) -> Company:
    return Company.objects.loaded().get(pk=company.pk)


def test_a_later_ingestion_compares_again(company: Company, alice: User) -> None:
    run = asked(alice, revenue(company, 2024))
    assert compared(run).state == "superseded"
    Fact.objects.filter(filing__fiscal_year=2025, end__year=2024, company=company).update(
        raw="86214000", value=Decimal(86214000)
    )
    assert compared(run).state == "superseded"
    Company.objects.filter(pk=company.pk).update(ingested=now())
    assert compared(run).state == "valid"


def test_a_run_that_ends_after_the_comparison_of_its_company_is_not_missed(company: Company, alice: User) -> None:
    tasks.compare_answers()
    assert ComparedCompany.objects.filter(company=company).exists()
    assert compared(asked(alice, revenue(company, 2024))).state == "superseded"


def test_answers_of_earlier_releases_get_their_facts_and_standing(company: Company, alice: User) -> None:
    runs = [asked(alice, revenue(company, 2024)) for _ in range(3)]
    unread = answers.run_with(answers.number_answer(), alice)
    Run.objects.filter(pk=unread.pk).update(answer={"plan": "of long ago"})
    Standing.objects.all().delete()
    CitedFact.objects.all().delete()
    tasks.compare_answers()
    assert Standing.objects.filter(run__in=runs, state="superseded").count() == CitedFact.objects.count() == 3
    assert Standing.objects.get(run=unread).state == "valid"


def test_an_answer_gets_its_facts_and_standing_when_it_is_given(sample: Sample, alice: User) -> None:
    run = create_run.start(Identity(user=alice), "NVIDIA diluted EPS in fiscal 2024")
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    standing = Standing.objects.get(run=run)
    assert (standing.state, standing.latest, standing.checked) == ("valid", "", run.created)
    assert set(CitedFact.objects.filter(run=run).values_list("tag", flat=True)) == {"EarningsPerShareDiluted"}


@pytest.mark.parametrize(
    ("question", "ticker", "year", "reason", "used", "value"),
    [
        ("NVIDIA diluted EPS in fiscal 2024", "NVDA", 2025, "split", "11.93", "1.19"),
        ("Tesla basic EPS in fiscal 2021", "TSLA", 2023, "split", "5.60", "1.87"),
        ("AMD accounts payable in fiscal 2024", "AMD", 2025, "restated", "1990000000", "2466000000"),
    ],
)
def test_restatements_that_were_filed_supersede_answers(
    sample: Sample, alice: User, question: str, ticker: str, year: int, reason: str, used: str, value: str
) -> None:
    run = create_run.start(Identity(user=alice), question)
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    Run.objects.filter(pk=run.pk).update(created=now() - timedelta(hours=2))
    Standing.objects.filter(pk=run.pk).update(checked=now() - timedelta(hours=2))
    came(sample.filing(ticker, year))
    Company.objects.filter(pk=sample[ticker].pk).update(ingested=now())
    found = compared(run)
    assert found.state == "superseded"
    change = found.changed_as[0]
    assert (change.reason, change.used, change.now) == (reason, Decimal(used), Decimal(value))
    assert change.accession == sample.filing(ticker, year).accession


def test_nobody_filters_the_answers_of_another(as_bob: Client, company: Company, alice: User) -> None:
    run = asked(alice, revenue(company, 2024))
    tasks.compare_answers()
    assert run.get_absolute_url() not in as_bob.get("/history?changed=1").content.decode()


def test_a_text_of_the_latest_report_is_overtaken_by_the_next(sample: Sample, as_alice: Client, alice: User) -> None:
    run = create_run.start(Identity(user=alice), "What risks does Northwind see from its suppliers?")
    attempt = claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    assert compared(run).state == "valid"
    annual_report(sample["NWND"], 2026, facts_stored=1, held_since=now() + timedelta(seconds=1))
    Company.objects.filter(pk=sample["NWND"].pk).update(ingested=now())
    (change,) = compared(run).changed_as
    assert (change.reason, change.said) == ("overtaken", "Quoted from the 10-K for fiscal 2025")
    assert change.used_accession == sample.filing("NWND", 2025).accession
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "Quoted from the 10-K for fiscal 2025; the <a" in page


def asked_text(user: User, question: str) -> tuple[Run, Section, str]:
    """An answer in the words of a filing, the section that it quotes, and the longest of these words."""
    answer = pipeline.answer(question, Deps.current())
    company = Company.objects.get(cik=answer.plan.companies[0].cik)
    run = answers.run_with(answer, user, created=now() - timedelta(hours=2), cik=company.cik)
    used_facts.remember([(run, answer)])
    ingested(company)
    (block,) = answer.blocks
    shown = [*block.claims, *block.passages][0]
    return run, Section.objects.get(pk=shown.section), max(shown.text.split(), key=len)


TEXTS = (
    "What risks does Northwind see from its suppliers?",
    "When will the FDA decide on LH-401, according to Larkfield's 10-Q?",
)


@pytest.mark.parametrize("question", TEXTS)
def test_words_that_stand_in_a_text_that_was_read_anew_are_valid(sample: Sample, alice: User, question: str) -> None:
    run, section, _ = asked_text(alice, question)
    before = certificate_of(run)
    read_anew(section, " ", "\u00a0")
    found = compared(run)
    assert (found.state, found.checked > run.created) == ("valid", True)
    after = certificate_of(run)
    assert before is not None
    assert after is not None
    assert before["claims"] == after["claims"]
    report = verify(before)
    assert report.holds
    assert {one.status for one in report.claims} <= {"holds", "not_checkable"}


@pytest.mark.parametrize("question", TEXTS)
def test_words_that_a_text_that_was_read_anew_has_not_are_broken(sample: Sample, alice: User, question: str) -> None:
    run, section, word = asked_text(alice, question)
    read_anew(section, word, word[::-1])
    assert compared(run).state == "broken"


def test_a_changed_character_of_a_quotation_is_told_where_the_text_was_read_anew(sample: Sample, alice: User) -> None:
    run, section, _ = asked_text(alice, TEXTS[0])
    read_anew(section, " ", "\u00a0")
    certificate = certificate_of(run)
    assert certificate is not None
    for name in ("quote", "text"):
        for new in forgeries(certificate["claims"][0][name]):
            assert verify(changed(certificate, ("claims", 0, name), new)).claims[0].status == "differs"
