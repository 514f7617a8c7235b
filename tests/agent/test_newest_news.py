"""The newest news without a subject; news where no question asks for it, where a model does, and on the command line."""

from dataclasses import replace
from datetime import date

import pytest
from django.core.management import call_command
from pytest_django import Settings

from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.runs.answer_json import as_text
from agent.state import Plan, Query, QuestionType
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.documents import is_held, named_by_model
from agent.steps.model_reading import Understood
from agent.steps.news import News
from filings.importing.news_documents import store_news
from filings.importing.news_items import news_items
from filings.models import Company
from tests.agent.test_news_asked import COATING, PICNIC, QUESTION, answered, model, only, quick
from tests.filings.importing.conftest import halden, in_process, service
from tests.support.model_behaviours import says
from tests.support.model_replies import understood
from tests.support.model_runs import scripted
from tests.support.model_server import LocalModel
from tests.support.news import LocalNews, result
from tests.support.sample import Sample

__all__ = ["halden", "in_process", "model", "quick", "scripted", "service"]

pytestmark = pytest.mark.django_db

WITHOUT = "Why did Halden Optics start a second coating line in Tromsdal?"
TODAY = date(2025, 6, 1)


@pytest.fixture
def news(halden: Company) -> Company:
    """A company with two articles, the newer of which has an excerpt alone."""
    excerpt = {**PICNIC, "raw_content": "", "content": "Halden Optics fed four hundred guests beside the lake in May."}
    for item in news_items([COATING, excerpt], (), None, TODAY):
        store_news(halden, item, lambda: None)
    return halden


@pytest.mark.parametrize(
    "question",
    [
        "What is the latest news about Halden Optics?",
        "Any recent news on Halden Optics?",
        "What has happened to Halden Optics lately in the news?",
        "halden optics headlines",
        "What does the news say about Halden Optics?",
    ],
)
def test_without_a_subject_the_newest_articles_are_shown(news: Company, question: str) -> None:
    answer = pipeline.answer(question, Deps.current(TODAY))
    first, second = answer.blocks
    assert first.heading == f"{PICNIC['title']} \u00b7 news published 5 Mar 2025"
    assert second.heading == f"{COATING['title']} \u00b7 news published 4 Mar 2025"
    # The first sentences of the article itself: not its title, nor where it is from.
    assert [claim.text for claim in first.claims] == ["Halden Optics fed four hundred guests beside the lake in May."]
    assert [claim.text for claim in second.claims] == [COATING["raw_content"]]
    assert not any(claim.caption or claim.about for block in answer.blocks for claim in block.claims)
    assert answer.marks == ("[N1]", "[N2]")
    lines = as_text(answer).splitlines()
    assert lines[:2] == [first.heading, PICNIC["url"]]


def test_of_a_month_only_its_news_is_shown(news: Company) -> None:
    held = pipeline.answer("Halden Optics news in March 2025", Deps.current(TODAY))
    assert [block.outcome for block in held.blocks] == ["answered", "answered"]
    (block,) = pipeline.answer("Halden Optics news in 2019", Deps.current(TODAY)).blocks
    assert block.refusal
    assert block.refusal.code is Code.EXTERNAL_DATA


def test_with_a_subject_it_is_looked_for(news: Company) -> None:
    (block,) = pipeline.answer(QUESTION, Deps.current(TODAY)).blocks
    assert block.heading == ""
    assert "second coating line" in block.passages[0].text


def test_where_none_is_held_no_other_document_stands_in(sample: Sample) -> None:
    (block,) = pipeline.answer("What does the news say about Northwind?", Deps.current()).blocks
    assert block.refusal
    assert (block.refusal.code, block.refusal.words) == (Code.EXTERNAL_DATA, ("news",))


def test_the_newest_is_searched_before_it_is_shown(halden: Company, service: LocalNews) -> None:
    service.results = [COATING]
    answer = answered("What is the latest news about Halden Optics?")
    assert [body["query"] for _, body in service.requests] == ["Halden Optics latest news"]
    assert only(answer).claims


def test_no_model_drafts_the_newest(news: Company, scripted: LocalModel) -> None:
    answer = pipeline.answer("Any news on Halden Optics?", Deps.current(TODAY, models=True))
    assert len(answer.blocks) == 2
    assert not scripted.requests


# --- where no question asks for it ---


def test_always_searched_it_is_quoted_where_no_document_answers(
    halden: Company, service: LocalNews, settings: Settings
) -> None:
    service.results = [COATING]
    settings.NEWS_ALWAYS = True
    answer = answered(WITHOUT)
    assert len(service.requests) == 1
    assert [one.source for one in only(answer).filings] == ["news"]
    assert "second coating line" in only(answer).passages[0].text


def test_a_document_that_answers_comes_before_the_news(sample: Sample, service: LocalNews, settings: Settings) -> None:
    service.results = [result(7, raw_content="Northwind Instruments has a single supplier of crystals, it said.")]
    settings.NEWS_ALWAYS = True
    answer = answered("What supply risks did Northwind disclose in fiscal 2025?")
    assert len(service.requests) == 1
    assert {filing.source for filing in only(answer).filings} == {"10-K"}


@pytest.mark.parametrize(
    "question",
    ["What does Halden Optics' 10-Q say about its coating line?", "What was Halden Optics' revenue in 2023?"],
)
def test_a_named_document_and_a_figure_are_asked_of_no_news(
    question: str, halden: Company, service: LocalNews, settings: Settings
) -> None:
    settings.NEWS_ALWAYS = True
    answered(question)
    assert service.requests == []


# --- a model, and the command line ---


def half_of(question: str) -> Misread:
    """A question that code has not read as one for news."""
    answer = pipeline.answer("What does Halden Optics say about its coating line in Tromsdal?", Deps.current(TODAY))
    assert isinstance(answer.plan.query, Query)
    return Misread(code=Code.NOT_UNDERSTOOD, words=("papers",), text=True, told=answer.plan.query)


def test_a_model_may_name_the_news_of_the_closed_set(halden: Company, scripted: LocalModel) -> None:
    question = "So the news then, what of that line at Halden Optics?"
    scripted.always(says(understood(source="news", source_span="news")), program="understand")
    asked: list[str] = []

    def search(company: object, words: str) -> News:
        asked.append(words)
        return News(said="The search for news found no article on this.")

    deps = replace(Deps.current(TODAY, models=True), news=search)
    made = Understood(question, (half_of(question),), Plan(type=QuestionType.REFUSE), deps, None)
    assert len(asked) == 1
    assert made.news == "The search for news found no article on this."
    assert [half.code for half in made.halves if isinstance(half, Misread)] == [Code.EXTERNAL_DATA]


def test_what_a_model_names_is_asked_only_where_it_is_held(halden: Company) -> None:
    query = named_by_model(half_of(WITHOUT), "news")
    assert query
    assert query.sources == ("news",)
    assert not is_held(query)
    (item,) = news_items([COATING], (), None, TODAY)
    store_news(halden, item, lambda: None)
    assert is_held(query)


def test_the_command_line_searches_news_too(
    halden: Company, service: LocalNews, capsys: pytest.CaptureFixture[str]
) -> None:
    service.results = [COATING]
    call_command("ask", "What is the latest news about Halden Optics?")
    said = capsys.readouterr().out
    assert len(service.requests) == 1
    assert COATING["title"] in said
    assert "[N1]" in said
