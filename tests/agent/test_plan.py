"""The node plan: one plan a run, with a target, a refusal, or the words of the concierge."""

from datetime import date

import pytest
from pytest_django import Settings

from agent.numbers.registry import registry
from agent.query.companies.owners import Owners
from agent.query.question import MOST_CUTS
from agent.query.reading.reader import MOST_TOKENS, Reader
from agent.query.words.lexicon import Called
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.registrants.registrant_index import Companies, Registrant
from agent.state import AgentState, QuestionType, Scale, Versions
from agent.state.query import Concept
from agent.steps.deps import Deps
from agent.steps.plan import plan
from agent.words.tokens import tokenise


@pytest.fixture(scope="module")
def deps() -> Deps:
    companies = Companies.of(
        [
            Registrant(320193, "Apple Inc.", ("AAPL",), covered=True),
            Registrant(789019, "MICROSOFT CORP", ("MSFT",), covered=True),
            Registrant(716314, "GRAHAM CORP", ("GHM",)),
            Registrant(104889, "Graham Holdings Co", ("GHC",)),
            Registrant(749251, "GARTNER INC", ("IT",)),
        ]
    )
    held = registry.load()
    return Deps(companies, held, date(2026, 11, 21), Versions(code="test", registry=held.version, corpus="test"))


def planned(question: str, deps: Deps) -> AgentState:
    return plan(AgentState(question=question), deps)


@pytest.fixture(autouse=True)
def no_rows_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """These companies have no statements or text that is stored, so no database is asked what they call anything."""
    monkeypatch.setattr("agent.steps.plan.printed", lambda ciks, version: Called())
    monkeypatch.setattr("agent.steps.plan.owners", lambda version: Owners({}))


def test_it_plans_one_table(deps: Deps) -> None:
    state = planned("Apple and Microsoft revenue FY2024 in billions", deps)
    assert state.plan is not None
    assert state.plan.query is not None
    (target,) = state.plan.targets
    assert (target.id, target.company.cik, target.period.year, target.figures) == (0, 320193, 2024, True)
    assert [row.measure for row in state.plan.query.rows] == [Concept(key="revenue")]
    assert [one.cik for one in state.plan.companies] == [320193, 789019]
    assert state.plan.type is QuestionType.NUMERIC
    assert state.plan.scale is Scale.BILLIONS
    assert state.refusals == ()
    assert state.open_targets() == (target,)


@pytest.mark.django_db
def test_it_refuses_with_what_was_understood_and_no_target(deps: Deps) -> None:
    state = planned("Apple gross revenue FY2024", deps)
    (refusal,) = state.refusals
    assert (refusal.target, refusal.code, refusal.stage) == (0, Code.NOT_UNDERSTOOD, "plan")
    assert "\u201cgross\u201d" in refusal.text
    assert refusal.concepts == ("revenue",)
    assert ("Words", "gross") in refusal.looked_for
    assert state.plan is not None
    assert state.plan.targets == state.open_targets() == ()
    assert state.plan.query is not None
    assert [one.cik for one in state.plan.query.companies] == [320193]
    assert state.plan.query.periods.periods[0].year == 2024


def test_it_names_both_registrants_of_one_name(deps: Deps) -> None:
    (refusal,) = planned("Graham revenue 2023", deps).refusals
    assert refusal.code is Code.AMBIGUOUS_COMPANY
    assert refusal.companies == (716314, 104889)
    assert "Graham and Graham Holdings" in refusal.text


def test_what_no_measure_holds_says_how_it_is_refused_where_no_text_tells_it(db: None, deps: Deps) -> None:
    state = planned("How many employees did Apple have in 2023?", deps)
    assert state.plan is not None
    (target,) = state.plan.targets
    assert target.otherwise is not None
    assert target.otherwise.code is Code.CONCEPT_UNKNOWN
    assert target.otherwise.text == "\u201cemployees\u201d is not a measure we know."


def test_a_measure_that_nobody_knows_is_refused_as_such_where_its_year_is_not_loaded(db: None, deps: Deps) -> None:
    state = planned("How many employees did Apple have in 2023?", deps)
    assert state.plan is not None
    (target,) = state.plan.targets
    plain = target.model_copy(update={"otherwise": None})
    said = {"text": "Its 10-K is not in our data.", "detail": "Available: 2024."}
    refused = refuse(target, Code.YEAR_NOT_INGESTED, **said)
    assert (refused.code, refused.detail) == (Code.CONCEPT_UNKNOWN, " ".join(said.values()))
    assert refuse(plain, Code.YEAR_NOT_INGESTED, **said).code is Code.YEAR_NOT_INGESTED


def test_it_speaks_of_itself_in_a_block_and_nothing_else(deps: Deps) -> None:
    state = planned("what can you do?", deps)
    (block,) = state.blocks
    assert (block.type, block.outcome) == (QuestionType.META, "meta")
    assert "2 companies are covered, including Apple and Microsoft" in block.text
    assert state.refusals == ()
    assert state.open_targets() == ()


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Why did Apple's revenue fall?", QuestionType.PROSE),
        ("What was Apple's revenue in FY2024 and what drove it?", QuestionType.BOTH),
        ("Should I buy Apple?", QuestionType.REFUSE),
        ("Apple gross margin 2023", QuestionType.NUMERIC),
        ("Apple adjusted EPS 2023", QuestionType.NUMERIC),
        ("Who audits Apple?", QuestionType.PROSE),
        ("hello", QuestionType.META),
    ],
)
def test_the_plan_says_what_kind_of_question_it_is(db: None, deps: Deps, question: str, kind: QuestionType) -> None:
    plan = planned(question, deps).plan
    assert plan is not None
    assert plan.type is kind


def test_a_plan_is_made_once(deps: Deps) -> None:
    state = planned("Apple revenue", deps)
    with pytest.raises(ValueError, match="planned already"):
        plan(state, deps)


@pytest.mark.parametrize(
    "words", ["zz ", "Apple and Microsoft ", "What was revenue? ", "For our review, what ", "IT "]
)
def test_a_question_is_not_read_again_and_again_however_many_words_repeat(
    db: None, deps: Deps, settings: Settings, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    settings.QUESTION_MAX_LENGTH = 4000
    read: list[int] = []
    under = Reader.under

    def counted(self: Reader, *given: object) -> object:
        read.append(len(self.tokens))
        return under(self, *given)

    monkeypatch.setattr(Reader, "under", counted)
    planned(words * (MOST_TOKENS // len(tokenise(words))), deps)
    assert read
    # Itself and its halves at each cut, each with and without a company and with a name that is only spelt like one.
    assert sum(read) <= 3 * (1 + 2 * MOST_CUTS) * MOST_TOKENS


def test_a_question_longer_than_any_that_is_taken_is_not_read(deps: Deps, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent.steps.plan.read", None)
    state = planned("Apple revenue 2024, " * 5_000, deps)
    assert [refused.code for refused in state.refusals] == [Code.TOO_LONG]
    assert state.plan.type is QuestionType.REFUSE
