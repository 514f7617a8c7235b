"""An answer that a model made is given again to the same question, and to no other."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as settings_of_django
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from agent.models import Run
from agent.programs import reading_cache, understand
from agent.query.companies.named_watchlists import Watched
from agent.refusals.codes import Code
from agent.runs import answer_cache, lifecycle
from agent.runs.claim import claim
from agent.state import Answer, Period, PeriodForm, Query
from agent.state.modes import Mode
from agent.state.query import Years
from agent.steps import pipeline, versions
from agent.steps.deps import Deps
from evals.golden import TODAY
from filings.models import Synonym
from filings.search import synonyms
from filings.text.embeddings import Embedder, EmbeddingUnavailable
from tests.support.model_behaviours import other_text, refusal, says, server_error
from tests.support.model_replies import Asked, Reply, claims
from tests.support.model_server import LocalModel, named_in
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

SUPPLY = "What supply risks did Northwind disclose in fiscal 2025?"


@pytest.fixture
def model(settings: Settings, sample: Sample) -> Iterator[LocalModel]:
    cache.clear()
    with named_in(settings) as server:
        yield server
    cache.clear()


def deps() -> Deps:
    return Deps.current(TODAY, models=True)


def answered(given: Deps, question: str = SUPPLY) -> Answer:
    return pipeline.answer(question, given)


def test_a_kept_answer_is_recalled_and_says_when_it_was_computed(model: LocalModel) -> None:
    given = deps()
    made = answered(given)
    assert answer_cache.recall(SUPPLY, deps()) is None
    assert answer_cache.keep(SUPPLY, given, made)
    found = answer_cache.recall(f"  {SUPPLY.replace(' ', '  ')}", deps())
    assert found is not None
    assert found.blocks == made.blocks
    assert found.question == SUPPLY
    assert "as computed on " in found.mode
    assert found.mode.endswith(" UTC")


def with_program(given: Deps, monkeypatch: pytest.MonkeyPatch) -> Deps:
    changed = understand.Understand()
    changed.predict.signature = changed.predict.signature.with_instructions("Read it otherwise.")
    monkeypatch.setattr(understand, "program", lambda: changed)
    return given


def with_versions(**changes: str) -> Callable[[Deps, pytest.MonkeyPatch], Deps]:
    return lambda given, _: replace(given, versions=given.versions.model_copy(update=changes))


def with_model(given: Deps, _: pytest.MonkeyPatch) -> Deps:
    session = given.session
    assert session is not None
    models = replace(session.models, draft=replace(session.models.draft, name="another"))
    return replace(given, session=replace(session, models=models))


def with_model_limit(given: Deps, _: pytest.MonkeyPatch) -> Deps:
    session = given.session
    assert session is not None
    models = replace(session.models, draft=replace(session.models.draft, max_tokens=1_000))
    return replace(given, session=replace(session, models=models))


def with_synonym(given: Deps, monkeypatch: pytest.MonkeyPatch) -> Deps:
    Synonym.objects.create(phrase="made-up word", variants=["filing word"])
    # As after the seconds for which the rows read last are good.
    synonyms.active_entries.cache_clear()
    return given


def with_setting(**changes: object) -> Callable[[Deps, pytest.MonkeyPatch], Deps]:
    def change(given: Deps, monkeypatch: pytest.MonkeyPatch) -> Deps:
        for name, value in changes.items():
            monkeypatch.setattr(settings_of_django, name, value)
        return given

    return change


CHANGES: dict[str, Callable[[Deps, pytest.MonkeyPatch], Deps]] = {
    "a new filing": with_versions(corpus="another"),
    "a new registry": with_versions(registry="another"),
    "new code": with_versions(code="another"),
    "a new program": with_program,
    "another model": with_model,
    "other synonyms": with_synonym,
    "another budget": with_setting(MODEL_RUN_COST=dict.fromkeys(Mode, 5.0)),
    "other weights": with_setting(SEARCH_WEIGHTS="2:1:1"),
    "a model that orders passages": with_setting(MODEL_RERANK=True),
    "a reranker": with_setting(RERANK_URL="http://127.0.0.1:9/rerank"),
    "another embedding": with_setting(EMBEDDING_MODEL="another"),
    "shorter drafts": with_model_limit,
    "another day": lambda given, _: replace(given, today=given.today + timedelta(days=1)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_an_answer_depends_on_misses(change: str, model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    given = deps()
    answer_cache.keep(SUPPLY, given, answered(given))
    assert answer_cache.recall(SUPPLY, deps()) is not None
    assert answer_cache.recall(SUPPLY, CHANGES[change](deps(), monkeypatch)) is None


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("agent/numbers/registry/registry.yaml", True),
        ("agent/words/tokens.py", True),
        ("agent/programs/compiled/draft.json", True),
        ("filings/search/synonyms.csv", True),
        ("evals/sample/fictional/calder/figures.yaml", False),
        ("agent/notes.txt", False),
        ("tests/agent/test_plan.py", False),
    ],
)
def test_the_version_of_the_code_is_that_of_the_data_it_decides_by_too(
    path: str, counts: bool, tmp_path: Path
) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text("one")
    before = versions.digest(tmp_path)
    file.write_text("two")
    assert (versions.digest(tmp_path) != before) is counts


def test_every_data_file_of_the_reader_is_among_them() -> None:
    root = Path(settings_of_django.BASE_DIR)
    found = {path.relative_to(root).as_posix() for path in versions.sources(root)}
    assert {
        "agent/query/words/word_classes.yaml",
        "agent/prose/questions/topics.yaml",
        "agent/prose/ranking/calibration.yaml",
        "filings/search/synonyms.csv",
    } <= found
    assert len(versions.code_version()) == 12


def given_before() -> Query:
    """The query of a question that another goes on from."""
    return Query(periods=Years(periods=(Period(form=PeriodForm.FISCAL, year=2024),)))


def test_neighbours_are_other_questions(model: LocalModel) -> None:
    given = deps()
    answer_cache.keep(SUPPLY, given, answered(given))
    for question in (SUPPLY.replace("2025", "2024"), SUPPLY.lower(), SUPPLY.rstrip("?")):
        assert answer_cache.recall(question, deps()) is None
    assert answer_cache.recall(SUPPLY, deps(), Mode.DETAILED) is None
    assert answer_cache.recall(SUPPLY, deps(), scope="10-K") is None
    # The same words behind another question may ask of another company.
    assert answer_cache.recall(SUPPLY, deps(), previous=given_before()) is None


def test_a_run_without_a_model_keeps_and_recalls_nothing(model: LocalModel) -> None:
    given = deps()
    made = answered(given)
    answer_cache.keep(SUPPLY, given, made)
    alone = Deps.current(TODAY)
    assert answer_cache.recall(SUPPLY, alone) is None
    assert not answer_cache.keep(SUPPLY, alone, made)


@pytest.mark.parametrize(
    ("program", "behaviour"),
    [
        ("draft", refusal),
        ("evaluate", server_error),
        pytest.param("draft", server_error, marks=pytest.mark.soak),
        pytest.param("evaluate", refusal, marks=pytest.mark.soak),
    ],
)
def test_what_was_made_without_a_model_that_should_have_been_asked_is_not_kept(
    program: str, behaviour: Callable[..., object], model: LocalModel
) -> None:
    model.always(behaviour, program=program)  # type: ignore[arg-type]
    given = deps()
    assert not answer_cache.keep(SUPPLY, given, answered(given))
    assert answer_cache.recall(SUPPLY, deps()) is None


def test_a_run_that_asked_no_model_is_not_kept(model: LocalModel) -> None:
    given = deps()
    assert not answer_cache.keep("hi", given, answered(given, "hi"))


def test_a_refusal_that_passes_is_not_kept(model: LocalModel) -> None:
    given = deps()
    made = answered(given)
    refused = answered(Deps.current(TODAY), "What was Boeing's revenue in 2023?")
    passing = refused.blocks[0].refusal
    assert passing is not None
    block = refused.blocks[0].model_copy(
        update={"refusal": passing.model_copy(update={"code": Code.SEARCH_UNAVAILABLE})}
    )
    assert answer_cache.is_lasting(refused)
    assert not answer_cache.is_lasting(made.model_copy(update={"blocks": (*made.blocks, block)}))


def without_meaning(monkeypatch: pytest.MonkeyPatch, of: str = "") -> None:
    """No embedding of questions with these words is to be had."""
    query = Embedder.query

    def unavailable(self: Embedder, text: str) -> Any:
        if of in text:
            raise EmbeddingUnavailable("The embedding endpoint does not answer.")
        return query(self, text)

    monkeypatch.setattr(Embedder, "query", unavailable)


def test_an_answer_searched_by_words_alone_is_not_kept(model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    without_meaning(monkeypatch)
    given = deps()
    made = answered(given)
    assert made.outcome == "answered"
    assert not answer_cache.keep(SUPPLY, given, made)


def test_a_further_search_by_words_alone_counts_too(model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    without_meaning(monkeypatch, of="sole source castings")
    search = says({"searches": [{"phrase": "sole source castings", "kind": "TEXT", "variants": [], "axis": ""}]})
    given = deps()
    assert answer_cache.keep(SUPPLY, given, answered(given))
    reading_cache.forget()
    model.always(search, program="decompose")
    given = deps()
    assert not answer_cache.keep(SUPPLY, given, answered(given))


def test_a_refusal_of_a_search_by_words_alone_is_not_kept(model: LocalModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent.prose.search.passages.of_chunks", lambda *told: [])
    given = deps()
    assert answer_cache.keep(SUPPLY, given, answered(given))
    # Of the question's own search alone; those of a model have other words.
    without_meaning(monkeypatch, of="supply")
    given = deps()
    made = answered(given)
    assert made.refusal_code == Code.NOT_FOUND_IN_FILING
    assert not answer_cache.keep(SUPPLY, given, made)


def test_an_answer_whose_passages_no_reranker_ordered_is_not_kept(model: LocalModel, settings: Settings) -> None:
    settings.RERANK_URL = f"{model.url}/nowhere"
    given = deps()
    made = answered(given)
    assert made.outcome == "answered"
    assert not answer_cache.keep(SUPPLY, given, made)
    settings.RERANK_URL = f"{model.url}/rerank"
    given = deps()
    assert answer_cache.keep(SUPPLY, given, answered(given))


def test_an_answer_of_the_index_that_is_only_asked_second_is_not_kept(model: LocalModel, settings: Settings) -> None:
    settings.ELASTICSEARCH_URL, settings.SEARCH_FALLBACK = "http://127.0.0.1:9", True
    given = deps()
    made = answered(given)
    assert made.outcome == "answered"
    assert not answer_cache.keep(SUPPLY, given, made)


def test_an_answer_that_lost_a_claim_for_want_of_an_embedding_is_not_kept(
    model: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drafted(asked: Asked) -> Reply:
        """One text in other words than its quotation, beside claims that are quotations."""
        told = claims(asked)
        ours = next(one for one in told if one["text"].startswith("We "))
        ours["text"] = f"Northwind {ours['text'].removeprefix('We ')}"
        return says({"claims": told, "not_found": []})(asked)

    # What is an edit needs no embedding.
    monkeypatch.setattr("agent.prose.verification.verify_quotations.edits", lambda *told, **how: None)
    model.always(drafted, program="draft")
    given = deps()
    assert answer_cache.keep(SUPPLY, given, answered(given))

    def unavailable(*told: object) -> Any:
        raise EmbeddingUnavailable("The embedding endpoint does not answer.")

    monkeypatch.setattr(Embedder, "documents", unavailable)
    given = deps()
    made = answered(given)
    assert made.outcome == "answered"
    assert any("could not be compared" in one.why for block in made.blocks for one in block.dropped)
    assert not answer_cache.keep(SUPPLY, given, made)


def test_what_an_older_release_kept_is_passed_over(model: LocalModel) -> None:
    cache.set(answer_cache.key(SUPPLY, deps(), None), '{"answer": {}, "computed": "2026-01-01T00:00:00Z"}')
    assert answer_cache.recall(SUPPLY, deps()) is None


def test_the_second_run_of_a_question_asks_no_model(
    model: LocalModel, alice: User, bob: User, as_bob: Client, as_alice: Client
) -> None:
    made = []
    for user in (alice, bob):
        run = Run.objects.create(question=SUPPLY, user=user)
        attempt = claim(run.pk)
        assert attempt is not None
        before = len(model.requests)
        lifecycle.answer(run.pk, attempt)
        run.refresh_from_db()
        assert run.status == Run.Status.DONE
        made.append((run, Answer.model_validate(run.answer), len(model.requests) - before))
    (hers, first, asked), (his, second, again) = made
    assert asked > 0
    assert again == 0
    assert second.blocks == first.blocks
    assert second.mode.startswith(f"{first.mode}, as computed on ")
    assert second.mode in as_bob.get(his.get_absolute_url()).content.decode()
    assert "as computed on" not in as_alice.get(hers.get_absolute_url()).content.decode()
    # The answer is anybody's, the run is not.
    assert as_bob.get(hers.get_absolute_url()).status_code == 404


def test_an_answer_whose_every_draft_was_rejected_is_not_kept(model: LocalModel) -> None:
    model.always(other_text, program="draft")
    given = deps()
    made = answered(given)
    assert given.session is not None
    assert given.session.degraded
    assert not answer_cache.keep(SUPPLY, given, made)


def test_an_answer_that_had_to_do_without_a_draft_for_its_budget_is_not_kept(
    model: LocalModel, settings: Settings
) -> None:
    settings.MODEL_RUN_TOKENS = dict.fromkeys(settings.MODEL_RUN_TOKENS, 9_000)
    given = deps()
    made = answered(given)
    assert not answer_cache.keep(SUPPLY, given, made)


NORTHWIND, LARKFIELD = 9999999901, 9999999902
OF_MINE = "What supply risks did my companies disclose in fiscal 2025?"


def watching(*ciks: int, name: str = "Suppliers") -> Deps:
    return replace(deps(), watchlists=(Watched(name, ciks),))


def test_what_my_companies_are_to_one_is_given_to_nobody_who_watches_others(model: LocalModel) -> None:
    given = watching(NORTHWIND)
    made = answered(given, OF_MINE)
    assert [one.cik for one in made.plan.companies] == [NORTHWIND]
    assert answer_cache.keep(OF_MINE, given, made)
    for other in (deps(), watching(LARKFIELD), watching(NORTHWIND, LARKFIELD), watching()):
        assert answer_cache.recall(OF_MINE, other) is None
    assert answer_cache.recall(OF_MINE, watching(NORTHWIND, name="Another name")) is not None


def test_a_list_that_is_not_named_changes_no_answer(model: LocalModel) -> None:
    given = deps()
    assert answer_cache.keep(SUPPLY, given, answered(given))
    assert answer_cache.recall(SUPPLY, watching(LARKFIELD)) is not None
