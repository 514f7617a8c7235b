"""Questions for text of documents other than 10-Ks, over those of the fictional sample."""

from datetime import date

import pytest
from django.utils.timezone import now

from agent.prose.questions.topics import is_of_year
from agent.query.periods.document_periods import before, of_names
from agent.refusals.codes import Code
from agent.state import Answer, Block, Query, Topic
from agent.state.query import Concept, Last, Row, Years
from agent.state.question_words import Role, Word
from agent.state.references import Period, PeriodForm
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.documents import Held, as_text, is_interim, is_of_event, of_periods
from evals.golden import TODAY
from filings.models import Filing
from filings.models.source_kinds import CALL, CURRENT, PROXY, QUARTERLY
from filings.xbrl.periods import FiscalPeriod

pytestmark = pytest.mark.django_db

LARKFIELD = 9_999_999_902


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY))


def only(answer: Answer) -> Block:
    (block,) = answer.blocks
    return block


def looked_in(answer: Answer) -> list[str]:
    """The kinds of the documents that the answer's part shows."""
    return [filing.source for filing in only(answer).filings]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What does Larkfield's 10-Q say about generic versions of Brenova?", "10-Q"),
        ("What did Larkfield say about Brenova in the first quarter of fiscal 2026?", "10-Q"),
        ("What dividend did Larkfield's 8-K of January 2026 announce?", "8-K"),
        ("What outlook did Larkfield give in its press release?", "8-K"),
        ("How was the yearly bonus of Larkfield's officers measured, says the proxy statement?", "DEF 14A"),
        ("On the earnings call, will Larkfield close El Paso?", "call"),
        ("What does Larkfield's fact sheet say about process water?", "report"),
        ("What risks does Larkfield face?", "10-K"),
    ],
)
def test_a_question_is_asked_of_the_document_it_names_or_whose_subject_it_is(question: str, kind: str) -> None:
    assert looked_in(ask(question))[:1] == [kind]


def test_pay_is_asked_of_the_proxy_statement_without_naming_it() -> None:
    assert looked_in(ask("How large was the bonus of Larkfield's named executive officers?")) == ["DEF 14A"]


def test_a_quotation_is_marked_by_the_kind_of_its_document() -> None:
    answer = ask("Did Larkfield's board declare a dividend?")
    (claim,) = only(answer).claims
    assert answer.marks == ("[8K1]",)
    assert (claim.item, only(answer).filings[0].source) == ("8.01", "8-K")


def test_a_passage_of_the_document_named_is_shown() -> None:
    block = only(ask("On the earnings call, will Larkfield close El Paso?"))
    assert block.outcome == "passages"
    assert block.passages[0].item == "questions"
    assert "El Paso will not be closed" in block.passages[0].text


def test_where_the_first_document_has_no_evidence_another_is_quoted_and_says_so() -> None:
    answer = ask("What does Larkfield say of its apprentices?")
    block = only(answer)
    if block.claims and block.filings[0].source != "10-K":
        assert any("answers this" in note for note in block.notes)


def test_a_document_of_no_such_period_leaves_the_refusal() -> None:
    block = only(ask("What did Larkfield say about Brenova in the third quarter of fiscal 2019?"))
    assert block.refusal is not None
    assert block.refusal.code is Code.INTERIM_PERIOD
    assert "import a call" in block.refusal.detail


def test_a_call_that_is_not_held_is_refused_as_before() -> None:
    block = only(ask("What did Northwind's management say on the earnings call transcript?"))
    assert block.refusal is not None
    assert block.refusal.code is Code.TRANSCRIPT


def test_what_was_withdrawn_is_not_asked() -> None:
    Filing.objects.filter(company__cik=LARKFIELD, source=CALL.key).update(withdrawn=now())
    assert not Held(LARKFIELD).of(CALL)
    assert "call" not in looked_in(ask("On the earnings call, will Larkfield close El Paso?"))


def test_documents_are_found_by_quarter_by_day_and_counted_back() -> None:
    held = Held(LARKFIELD)
    quarter = Years(periods=(Period(form=PeriodForm.FISCAL, year=2026, part=FiscalPeriod.Q1),))
    assert len(of_periods(quarter, QUARTERLY, held.of(QUARTERLY))) == 1
    year_before = Years(periods=(Period(form=PeriodForm.FISCAL, year=2025, part=FiscalPeriod.Q1),))
    assert of_periods(year_before, QUARTERLY, held.of(QUARTERLY)) == []
    filed = held.of(CURRENT)[0].filed
    of_day = Years(periods=(Period(form=PeriodForm.ENDED, end=filed, text=f"{filed:%B %-d, %Y}"),))
    assert [one.filed for one in of_periods(of_day, CURRENT, held.of(CURRENT))] == [filed]
    assert len(of_periods(Last(count=4, quarters=True), QUARTERLY, held.of(QUARTERLY))) == 1


def test_a_bare_year_of_pay_is_the_one_told_of_and_that_in_a_name_the_one_of_the_document() -> None:
    proxy = Filing(source=PROXY.key, filed=date(2025, 3, 1), fiscal_year=2024, pk=1)
    brought = Filing(source=PROXY.key, filed=date(2026, 3, 1), pk=2)
    bare = Years(periods=(Period(form=PeriodForm.BARE, year=2025),))
    assert of_periods(bare, PROXY, [brought, proxy], told=True) == [brought]
    assert of_periods(bare, PROXY, [brought, proxy]) == [proxy]
    assert of_periods(of_names(bare), PROXY, [brought, proxy], told=True) == [proxy]
    assert is_of_year("What was the chief executive officer pay ratio?")
    assert not is_of_year("What was the pay ratio shown at the annual meeting?")


def test_what_is_foretold_of_a_period_is_told_in_the_one_before() -> None:
    quarter = Years(periods=(Period(form=PeriodForm.BARE, year=2025, part=FiscalPeriod.Q1),))
    year = Years(periods=(Period(form=PeriodForm.BARE, year=2025),))
    month = Years(periods=(Period(form=PeriodForm.ENDED, end=date(2025, 9, 30), text="September 2025"),))
    assert [(one.year, one.part) for one in before(quarter).periods] == [(2024, FiscalPeriod.Q4)]
    assert [(one.year, one.part) for one in before(year).periods] == [
        (2024, FiscalPeriod.Q4), (2025, FiscalPeriod.Q1), (2025, FiscalPeriod.Q2), (2025, FiscalPeriod.Q3),
    ]  # fmt: skip
    assert [one.end for one in before(month).periods] == [date(2025, 6, 4)]


def test_a_month_in_which_no_year_ends_is_one_of_a_quarter() -> None:
    held = Held(LARKFIELD)
    topic = Topic(text="What dividend was declared?", form="explain", items=(), queries=())
    ended = next(iter(held.of(QUARTERLY))).period_end
    year_end = Filing.objects.filter(company__cik=LARKFIELD, source="10-K").latest("period_end").period_end

    def of(day: date | None) -> Years:
        assert day is not None
        return Years(periods=(Period(form=PeriodForm.ENDED, end=day, text=f"{day:%B %-d, %Y}"),))

    assert is_interim(of(ended), held, topic)
    assert not is_interim(of(year_end), held, topic)
    assert is_interim(of(year_end), held, topic.model_copy(update={"text": "What was declared in the quarter?"}))


def test_a_day_on_which_no_quarter_ends_is_one_of_an_event() -> None:
    held = Held(LARKFIELD)
    filed, ended = held.of(CURRENT)[0].filed, held.of(QUARTERLY)[0].period_end

    def of(day: date | None) -> Years:
        assert day is not None
        return Years(periods=(Period(form=PeriodForm.ENDED, end=day, text=f"{day:%B %-d, %Y}"),))

    assert is_of_event(of(filed), held)
    assert not is_of_event(of(ended), held)


def test_figures_of_a_part_of_a_year_are_asked_of_the_text_without_company_and_period() -> None:
    said = [("Larkfield", Role.COMPANY), ("vaccine sales", Role.MEASURE), ("Q1 2026", Role.PERIOD)]
    words = [Word(start=0, end=0, text=text, role=role) for text, role in said]
    periods = Years(periods=(Period(form=PeriodForm.BARE, year=2026, part=FiscalPeriod.Q1),))
    rows = (Row(measure=Concept(key="revenue")),)
    query = Query(companies=(), periods=periods, rows=rows, words=tuple(words))
    told = as_text(query, "Larkfield vaccine sales Q1 2026")
    assert told is not None
    assert (told.rows, told.periods) == ((), periods)
    assert [topic.text for topic in told.topics] == ["vaccine sales"]
