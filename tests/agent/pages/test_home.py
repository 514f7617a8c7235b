"""The home page: last answers for who comes back, six questions that have answers for a newcomer, own companies."""

from uuid import uuid4

import pytest
from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from accounts.identity import Identity
from accounts.models import User
from agent.models import Watchlist
from agent.registrants.registrant_index import Companies
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.pages import home
from agent.web.pages.home import Kind
from filings.models import Company, Filing
from tests.support import answers
from tests.support.sample import Sample

SHOWN = [
    Kind.FIGURE, Kind.TREND, Kind.RATIO, Kind.COMPARISON, Kind.GROWTH, Kind.TEXT, Kind.QUARTERLY, Kind.RELEASE,
    Kind.PROXY, Kind.CALL, Kind.REPORT,
]  # fmt: skip


def is_answered(example: home.Example) -> bool:
    return pipeline.answer(example.question, Deps.current()).outcome == "answered"


def only(*tickers: str) -> None:
    """Switch all other companies off."""
    Company.objects.exclude(tickers__symbol__in=tickers).update(active=False)
    Companies.forget()


@pytest.mark.parametrize("example", home.KNOWN, ids=lambda one: one.question)
def test_every_known_example_is_answered(sample: Sample, example: home.Example) -> None:
    answer = pipeline.answer(example.question, Deps.current())
    assert answer.outcome in ({"answered", "passages"} if example.kind in home.OTHERS else {"answered"})
    assert answer.plan.query
    assert {company.cik for company in answer.plan.query.companies} == {*example.ciks}


@pytest.mark.parametrize(
    "example", [one for one in home.KNOWN if one.kind in home.TOLD_IN], ids=lambda one: one.question
)
def test_an_example_of_text_answers_every_part_with_verified_sentences(sample: Sample, example: home.Example) -> None:
    blocks = pipeline.answer(example.question, Deps.current()).blocks
    assert not any(block.dropped for block in blocks)
    if example.kind in home.OTHERS:
        assert all(block.claims or block.passages for block in blocks)
    else:
        assert all(block.claims for block in blocks)


@pytest.mark.parametrize("kind", sorted(home.OTHERS - {Kind.NEWS}))
def test_an_example_of_another_document_is_asked_of_it_and_offered_while_it_is_held(
    sample: Sample, kind: Kind
) -> None:
    (example,) = [one for one in home.KNOWN if one.kind is kind]
    (block,) = pipeline.answer(example.question, Deps.current()).blocks
    assert {filing.source for filing in block.filings} == {home.TOLD_IN[kind].key}
    Filing.objects.filter(source=home.TOLD_IN[kind].key).update(withdrawn=now())
    assert kind not in {one.kind for one in home.examples()}


def test_the_newest_news_is_offered_where_some_is_held(sample: Sample) -> None:
    call = Filing.objects.filter(source="call").first()
    assert call
    Filing.objects.filter(pk=call.pk).update(source="news", title="An article")
    example = home.examples()[-1]
    assert (example.kind, example.question) == (Kind.NEWS, "What is the latest news about Larkfield?")
    assert is_answered(example)


def test_with_the_sample_there_is_one_of_each_kind(sample: Sample) -> None:
    offered = home.examples()
    assert [one.kind for one in offered] == SHOWN
    assert set(offered) <= set(home.KNOWN)


@pytest.mark.parametrize(
    "tickers", [("ABT", "JPM"), ("NKE", "SBUX", "V"), ("TSLA",), ("CLDP",)], ids=lambda tickers: " ".join(tickers)
)
def test_with_other_companies_there_are_six_too_of_these_alone(sample: Sample, tickers: tuple[str, ...]) -> None:
    only(*tickers)
    offered = home.examples()
    assert len({one.question for one in offered}) == 6
    assert {Kind.TREND, Kind.RATIO, Kind.COMPARISON, Kind.GROWTH} <= {one.kind for one in offered}
    assert [one.question for one in offered if not is_answered(one)] == []
    plans = [pipeline.answer(one.question, Deps.current()).plan.query for one in offered]
    asked = {company.cik for query in plans if query for company in query.companies}
    assert asked == {sample[ticker].cik for ticker in tickers[:2]}


def test_questions_about_text_are_offered_while_it_is_held(sample: Sample) -> None:
    Filing.objects.update(chunks_stored=0)
    offered = home.examples()
    assert len(offered) == 6
    assert Kind.TEXT not in {one.kind for one in offered}


def test_a_company_without_figures_is_asked_about_its_text_alone(sample: Sample) -> None:
    only("CLDP")
    Filing.objects.update(facts_stored=0)
    assert [one.kind for one in home.examples()] == [Kind.TEXT]


def test_where_nothing_is_held_nothing_is_offered(sample: Sample) -> None:
    only()
    assert home.examples() == []


# --- who comes back ---


def test_a_newcomer_costs_no_query(sample: Sample, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    nobody = Identity()
    with django_assert_num_queries(0):
        assert home.last_answers(nobody) == []
        assert home.own_companies(nobody) is None


def test_the_last_answers_stand_below_the_box_and_only_their_owner_sees_them(
    sample: Sample, client: Client, as_alice: Client, alice: User
) -> None:
    run = answers.run_with(answers.number_answer(), alice)
    page = as_alice.get("/").content.decode()
    assert "Your last answers" in page
    assert run.get_absolute_url() in page
    assert "Example questions" in page
    assert "Your last answers" not in client.get("/").content.decode()


def test_with_five_answers_there_are_no_examples(sample: Sample, as_alice: Client, alice: User) -> None:
    for _ in range(home.LAST_ANSWERS + 1):
        answers.run_with(answers.number_answer(), alice)
    page = as_alice.get("/").content.decode()
    assert page.count('href="/runs/') == home.LAST_ANSWERS
    assert "Example questions" not in page


def test_a_visitor_without_an_account_comes_back_too(sample: Sample) -> None:
    visitor = uuid4()
    run = answers.run_with(answers.number_answer(), visitor=visitor)
    assert home.last_answers(Identity(visitor=visitor)) == [run]


def test_what_was_not_answered_is_no_last_answer_and_leaves_the_examples(
    sample: Sample, as_alice: Client, alice: User
) -> None:
    run = answers.run_with(answers.number_answer(), alice)
    for outcome in ("refused", "error", "passages", "meta"):
        for _ in range(home.LAST_ANSWERS):
            answers.run_with(answers.number_answer(), alice, outcome=outcome)
    answers.open_run(alice)
    assert home.last_answers(Identity(user=alice)) == [run]
    page = as_alice.get("/").content.decode()
    assert page.count('href="/runs/') == 1
    assert "Example questions" in page


def asked_about(user: User, company: Company) -> None:
    answers.run_with(answers.number_answer(), user, cik=company.cik, company=company.name)


def test_own_companies_are_those_watched_and_those_asked_about(sample: Sample, alice: User) -> None:
    alices = Identity(user=alice)
    Watchlist.objects.make(alices, "Chips").add([sample["NVDA"].cik])
    found = home.own_companies(alices)
    assert found
    assert [one.cik for one in found.shown] == [sample["NVDA"].cik]
    asked_about(alice, sample["AAPL"])
    found = home.own_companies(alices)
    assert found
    assert [one.cik for one in found.shown] == [sample["AAPL"].cik, sample["NVDA"].cik]


def test_of_many_own_companies_the_last_asked_about_are_shown_and_the_others_counted(
    sample: Sample, as_alice: Client, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    alices = Identity(user=alice)
    tickers = ["NKE", "V", "JPM", "ABT", "SBUX", "MSFT", "TSLA", "AMD", "NVDA", "AAPL"]
    Watchlist.objects.make(alices, "Shops").add([sample["AMZN"].cik])
    for ticker in tickers:
        asked_about(alice, sample[ticker])
    for _ in range(60):
        asked_about(alice, sample["AAPL"])
    # What was asked about, which of it is covered, and the shown ones with their tickers.
    with django_assert_num_queries(4):
        found = home.own_companies(alices)
        assert found
        shown = {one.cik for one in found.shown}
    assert shown == {sample[one].cik for one in tickers[-home.OWN_COMPANIES :]}
    assert found.more == 3
    page = as_alice.get("/").content.decode()
    assert "3 more of yours not shown." in page
