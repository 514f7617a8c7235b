"""Questions for text of documents other than 10-Ks, over those of the fictional sample."""

import pytest
from django.utils.timezone import now

from agent.refusals.codes import Code
from agent.state import Answer, Block
from agent.state.query import Last, Years
from agent.state.references import Period, PeriodForm
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.documents import Held, of_periods
from evals.golden import TODAY
from filings.models import Filing
from filings.models.source_kinds import CALL, CURRENT, QUARTERLY
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
    answer = ask("On the earnings call, will Larkfield close El Paso?")
    claims = only(answer).claims
    assert claims
    assert answer.marks == tuple(f"[{number}]" for number in range(1, len(claims) + 1))
    assert claims[0].item == "questions"
    assert claims[0].headings_of_speaker if hasattr(claims[0], "headings_of_speaker") else claims[0].caption


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
