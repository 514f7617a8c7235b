"""A question that names the news has it searched, stored and quoted; no other question has."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_django import Settings

from agent import tasks
from agent.models import Run
from agent.refusals.codes import Code
from agent.runs import answer_cache
from agent.runs.news_search import NewsSearch
from agent.state import Answer, Block
from agent.steps import pipeline
from agent.steps.deps import Deps, Grant
from agent.steps.news import News
from filings.importing import tavily
from filings.models import Company, Filing
from filings.search import active_indexes
from filings.search.embedded import EmbeddedIndex
from tests.filings.importing.conftest import halden, in_process, service
from tests.support.holdings import known
from tests.support.news import Fault, LocalNews, result
from tests.support.sample import Sample

__all__ = ["halden", "in_process", "service"]

pytestmark = pytest.mark.django_db

QUESTION = "According to the news, why did Halden Optics start a second coating line in Tromsdal?"
COATING = result(
    1,
    title="Halden Optics starts a coating line",
    url="https://news.example.com/halden/1",
    raw_content="Halden Optics started a second coating line in Tromsdal because lens makers ordered more coating.",
)
PICNIC = result(
    2,
    title="Halden Optics holds a picnic",
    url="https://news.example.com/halden/2",
    raw_content="Four hundred guests came to the summer picnic of Halden Optics beside the lake.",
    published_date="Wed, 05 Mar 2025 08:00:00 GMT",
)


@pytest.fixture
def model(settings: Settings, tmp_path: Path) -> Iterator[None]:
    """The product's own embedding, by which sentences are judged, with an index in a folder of this test."""
    settings.DATA_DIR = settings.VECTORS_DIR = tmp_path
    yield
    for index in (index for several in active_indexes._made.values() for index in several):
        if isinstance(index, EmbeddedIndex):
            index.close()
    active_indexes._made.clear()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tavily.Tavily, "first_wait", 0.01)


def answered(question: str = QUESTION) -> Answer:
    """The answer of a run, as a worker makes it."""
    run = Run.objects.create(question=question)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert run.status == Run.Status.DONE
    return Answer.model_validate(run.answer)


def only(answer: Answer) -> Block:
    (block,) = answer.blocks
    return block


def stored() -> list[Filing]:
    return list(Filing.objects.filter(source="news").order_by("pk"))


def test_news_is_searched_stored_and_quoted_with_its_day_and_publisher(halden: Company, service: LocalNews) -> None:
    service.results = [COATING]
    answer = answered()
    ((_, body),) = service.requests
    assert body["query"].startswith("Halden Optics ")
    assert "Tromsdal" in body["query"]
    (document,) = stored()
    assert (document.company, document.title, document.address) == (halden, COATING["title"], COATING["url"])
    assert document.filed.isoformat() == "2025-03-04"
    assert document.indexed
    block = only(answer)
    assert "second coating line" in block.passages[0].text
    assert any("news of 4 Mar 2025, news.example.com" in note for note in block.notes)


def test_the_same_article_again_is_the_same_document(halden: Company, service: LocalNews) -> None:
    service.results = [COATING, COATING]
    answered()
    (first,) = stored()
    answered()
    assert stored() == [first]
    assert len(service.requests) == 2


def test_an_undated_article_found_again_on_another_day_stays_one_document(halden: Company, service: LocalNews) -> None:
    service.results = [{**COATING, "published_date": None}]
    answered()
    Filing.objects.filter(source="news").update(filed="2025-01-01")
    answered()
    assert len(stored()) == 1


def test_an_older_article_answers_where_the_newest_does_not(halden: Company, service: LocalNews) -> None:
    service.results = [PICNIC, COATING]
    block = only(answered())
    assert len(stored()) == 2
    assert "second coating line" in block.passages[0].text
    assert [one.title for one in block.filings] == [COATING["title"]]


def test_an_article_that_does_not_name_the_company_is_not_stored(halden: Company, service: LocalNews) -> None:
    service.results = [result(3)]
    block = only(answered())
    assert stored() == []
    assert block.refusal is not None
    assert block.refusal.detail.startswith("The search for news found no article on this. ")


def test_an_article_on_two_companies_is_a_document_of_each(halden: Company, service: LocalNews) -> None:
    other = known("Brevik Lenses, Inc.", "BRVK", 9_999_999_912)
    service.results = [{**COATING, "raw_content": f"{COATING['raw_content']}\n\nBrevik Lenses watched."}]
    answered()
    answered("What does the news say about Brevik Lenses' coating line?")
    assert [one.company for one in stored()] == [halden, other]


def test_a_provider_that_is_down_is_told_and_what_is_held_answers(halden: Company, service: LocalNews) -> None:
    service.results = [COATING]
    answered()
    service.faults = [Fault(status=503, times=99)]
    block = only(answered())
    assert block.passages
    assert any(note.startswith("The news could not be searched: The news service") for note in block.notes)


def test_a_provider_that_is_down_is_told_in_the_refusal_where_nothing_is_held(
    halden: Company, service: LocalNews
) -> None:
    service.faults = [Fault(status=503, times=99)]
    block = only(answered())
    assert block.refusal is not None
    assert block.refusal.detail.startswith("The news could not be searched: The news service")


def test_without_a_provider_the_question_is_refused_as_ever(halden: Company, settings: Settings) -> None:
    settings.NEWS_BASE_URL = ""
    block = only(answered())
    assert block.refusal is not None
    assert block.refusal.code is Code.EXTERNAL_DATA
    assert block.refusal.detail == "Staff can import a document that tells of it."


def test_a_question_that_does_not_name_the_news_asks_for_none(halden: Company, service: LocalNews) -> None:
    service.results = [COATING]
    answered("What does Halden Optics say about its coating line in Tromsdal?")
    assert service.requests == []


def test_news_of_a_company_that_needs_an_account_is_not_searched(halden: Company, service: LocalNews) -> None:
    asked: list[str] = []

    def news(*args: object) -> News:
        asked.append("asked")
        return News()

    pipeline.answer(QUESTION, replace(Deps.current(grant=Grant(ciks=frozenset())), news=news))
    assert asked == []
    pipeline.answer(QUESTION, replace(Deps.current(), news=news))
    assert asked == ["asked"]


def test_questions_that_are_tried_or_measured_search_no_news(halden: Company, service: LocalNews) -> None:
    service.results = [COATING]
    pipeline.answer(QUESTION, Deps.current())
    run = Run.objects.create(question=QUESTION)
    pipeline.run(QUESTION, replace(Deps.current(), news=NewsSearch(run.pk, 1)).for_trials())
    assert service.requests == []


def test_a_run_searches_once(halden: Company, service: LocalNews) -> None:
    service.results = [COATING]
    run = Run.objects.create(question=QUESTION)
    deps = replace(Deps.current(), news=NewsSearch(run.pk, 1))
    pipeline.run(QUESTION, deps)
    pipeline.run(QUESTION, deps)
    assert len(service.requests) == 1


@pytest.mark.parametrize("words", ["According to the news, what was", "What, say the headlines, was", "What was"])
def test_a_figure_is_never_one_of_the_news(sample: Sample, service: LocalNews, words: str) -> None:
    """That of the facts, or none where the question names the news alone."""
    service.results = [{**COATING, "raw_content": "Apple's R&D spend in fiscal 2024 was $999 million, said Apple."}]
    answer = answered(f"{words} Apple's R&D spend in FY2024?")
    figures = [cell.value for block in answer.blocks if block.table for cell in block.table.asserted]
    assert figures in ([], [31_370_000_000])
    assert (words == "What was") <= (figures == [31_370_000_000] and not service.requests)
    assert "999" not in Run.objects.get().summary


def test_where_only_the_news_has_a_figure_no_table_gives_it(halden: Company, service: LocalNews) -> None:
    service.results = [{**COATING, "raw_content": "Halden Optics had revenue of $999 million in fiscal 2023."}]
    answer = answered("According to the news, what was Halden Optics' revenue in fiscal 2023?")
    assert not [cell for block in answer.blocks if block.table for cell in block.table.asserted]


def test_a_kept_answer_depends_on_the_day_and_on_the_provider(halden: Company, settings: Settings) -> None:
    deps = Deps.current()
    first = answer_cache.key(QUESTION, deps, None)
    settings.NEWS_BASE_URL = "http://127.0.0.1:9"
    second = answer_cache.key(QUESTION, deps, None)
    tomorrow = answer_cache.key(QUESTION, replace(deps, today=deps.today.replace(year=deps.today.year + 1)), None)
    assert len({first, second, tomorrow}) == 3
