"""The ask page offers six questions about companies that are there, one of each kind, and shows refusals only as refusals."""

import pytest

from agent.registrants.companies import Companies
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.pages import home
from agent.web.pages.home import Kind
from filings.models import Company, Filing
from tests.support.sample import Sample

SHOWN = [Kind.FIGURE, Kind.TREND, Kind.RATIO, Kind.COMPARISON, Kind.TEXT, Kind.REFUSAL]


def comes_out_as_it_says(example: home.Example) -> bool:
    outcome = pipeline.answer(example.question, Deps.current()).outcome
    return outcome == ("refused" if example.kind is Kind.REFUSAL else "answered")


def only(*tickers: str) -> None:
    """Switch all other companies off."""
    Company.objects.exclude(tickers__symbol__in=tickers).update(active=False)
    Companies.forget()


@pytest.mark.parametrize("example", home.KNOWN, ids=lambda one: one.question)
def test_every_known_example_comes_out_as_it_says(sample: Sample, example: home.Example) -> None:
    answer = pipeline.answer(example.question, Deps.current())
    assert answer.outcome == ("refused" if example.kind is Kind.REFUSAL else "answered")
    assert answer.plan.query
    assert {company.cik for company in answer.plan.query.companies} == {*example.ciks}


@pytest.mark.parametrize("example", [one for one in home.KNOWN if one.kind is Kind.TEXT], ids=lambda one: one.question)
def test_an_example_of_text_answers_every_part_with_verified_sentences(sample: Sample, example: home.Example) -> None:
    blocks = pipeline.answer(example.question, Deps.current()).blocks
    assert all(block.claims and not block.dropped for block in blocks)


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
    assert {Kind.TREND, Kind.RATIO, Kind.COMPARISON, Kind.REFUSAL} <= {one.kind for one in offered}
    assert [one.question for one in offered if not comes_out_as_it_says(one)] == []
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
