"""Questions limited to one document, or to a company, a kind and a period, over the fictional sample's documents of Larkfield."""

from html import unescape
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.models import User
from agent.models import Run
from agent.refusals.codes import Code
from agent.runs import answer_cache, claim, create_run, lifecycle
from agent.runs.scope_checks import ScopeInvalid, checked
from agent.state import Answer, Block, Scope, Table
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.api.ask import ScopeWanted
from agent.web.api.problems import Invalid
from agent.web.mcp import asked
from evals.golden import TODAY
from filings.models import Filing
from filings.models.source_kinds import CALL

pytestmark = pytest.mark.django_db

LARKFIELD = 9_999_999_902
QUARTERLY, CURRENT = "9999999902-26-000007", "9999999902-26-000004"
BRENOVA = "What does it say about generic versions of Brenova?"


def scope(**given: object) -> Scope:
    found = checked(given)
    assert found is not None
    return found


def only(question: str, limited: Scope | None) -> Block:
    (block,) = whole(question, limited).blocks
    return block


def whole(question: str, limited: Scope | None) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY), scope=limited)


def searched(block: Block) -> set[str]:
    return {one.accession for one in block.filings}


@pytest.fixture
def call() -> Filing:
    return Filing.objects.get(company__cik=LARKFIELD, source=CALL.key)


def test_a_document_alone_is_asked_and_its_company_need_not_be_named() -> None:
    block = only(BRENOVA, scope(document=QUARTERLY))
    assert searched(block) == {QUARTERLY}
    assert block.passages
    assert {one.accession for one in block.passages} == {QUARTERLY}


@pytest.mark.parametrize("accession", [QUARTERLY, CURRENT, "call"])
def test_what_a_question_for_risks_is_asked_of_is_the_document_chosen(accession: str, call: Filing) -> None:
    accession = call.accession if accession == "call" else accession
    block = only("What does Larkfield say about Brenova?", scope(document=accession))
    assert searched(block) == {accession}


def test_nothing_is_looked_for_in_another_document() -> None:
    answer = whole("What does Larkfield say about fishing quotas in the Baltic?", scope(document=CURRENT))
    assert {target.document for target in answer.plan.targets} == {Filing.objects.get(accession=CURRENT).pk}


def test_another_company_is_refused_and_named() -> None:
    block = only("What risks does Northwind face?", scope(document=QUARTERLY))
    assert block.refusal is not None
    assert block.refusal.code is Code.OUT_OF_SCOPE
    assert "10-Q, Q1 fiscal 2026" in block.refusal.text
    assert "Northwind" in block.refusal.text


def test_figures_without_a_period_are_those_of_the_filings_own() -> None:
    plain = values(whole("What was Larkfield's revenue in the first quarter of fiscal 2026?", None))
    assert values(whole("What was revenue?", scope(document=QUARTERLY))) == plain
    assert plain != values(whole("What was revenue in fiscal 2025?", scope(document=QUARTERLY)))


def test_figures_of_a_document_without_facts_say_where_they_are_from(call: Filing) -> None:
    limited = table(only("What was revenue?", scope(document=call.accession)))
    assert any("XBRL facts" in note for note in limited.notes)
    quarter = f"Q{call.fiscal_quarter} FY{call.fiscal_year}"
    assert values(whole("What was revenue?", scope(document=call.accession))) == values(
        whole(f"What was Larkfield's revenue in {quarter}?", None)
    )


def table(block: Block) -> Table:
    assert block.table is not None
    return block.table


def values(answer: Answer) -> list[object]:
    return [cell.value for block in answer.blocks for cell in table(block).cells]


def test_a_kind_and_a_period_count_where_the_question_names_none() -> None:
    limited = scope(kind="10-Q", fiscal_year=2026, fiscal_quarter=1)
    assert limited.label == "Quarterly report (10-Q), Q1 fiscal 2026"
    assert searched(only("What does Larkfield say about Brenova?", limited)) == {QUARTERLY}
    named = only("What did Larkfield's 8-K of January 2026 say about its dividend?", scope(kind="10-Q"))
    assert searched(named) == {CURRENT}


def test_a_kind_of_which_nothing_is_held_is_refused_and_no_other_is_asked() -> None:
    block = only("What does Larkfield say about Brenova?", scope(kind="10-Q", fiscal_year=2019, fiscal_quarter=1))
    assert block.refusal is not None
    assert block.refusal.code is Code.OUT_OF_SCOPE
    assert not block.claims


def test_only_a_10_k_is_asked_where_10_ks_are_chosen() -> None:
    block = only("What does Larkfield say about Brenova?", scope(kind="10-K"))
    assert {one.source for one in block.filings} == {"10-K"}


def test_a_document_withdrawn_after_the_question_is_refused(call: Filing) -> None:
    limited = scope(document=call.accession)
    Filing.objects.filter(pk=call.pk).update(withdrawn=now())
    block = only("What does it say about Brenova?", limited)
    assert block.refusal is not None
    assert block.refusal.code is Code.OUT_OF_SCOPE
    assert "not in our data" in block.refusal.text


def notes(question: str, **given: object) -> str:
    block = only(question, scope(**given))
    return " ".join((*block.notes, *(block.table.notes if block.table else ())))


def test_a_period_that_is_not_that_of_the_document_is_said() -> None:
    said = "The question asks of fiscal 2024, and the document chosen, 10-Q, Q1 fiscal 2026, is of another period."
    assert notes("What does it say about Brenova in fiscal 2024?", document=QUARTERLY).count(said) == 1
    assert said not in notes("What does it say about Brenova?", document=QUARTERLY)
    assert "another period" not in notes("What does it say about Brenova in Q1 2026?", document=QUARTERLY)
    figures = notes("What was revenue in fiscal 2025?", document=QUARTERLY)
    assert "The figures are of fiscal 2025, as asked; the document chosen, 10-Q, Q1 fiscal 2026, is" in figures
    assert "another period" not in notes("What was revenue in Q1 fiscal 2026?", document=QUARTERLY)


def test_a_period_in_the_question_that_counts_before_the_one_chosen_is_said() -> None:
    note = "The question\u2019s own period counts, fiscal 2024."
    assert note in notes("What does Larkfield say about Brenova in fiscal 2024?", kind="10-K", fiscal_year=2025)
    assert note not in notes("What does Larkfield say about Brenova in fiscal 2025?", kind="10-K", fiscal_year=2025)


def test_a_company_alone_is_asked_and_need_not_be_named() -> None:
    limited = scope(cik=LARKFIELD)
    assert limited.label == "Larkfield (fictional)"
    assert values(whole("What was revenue?", limited)) == values(whole("What was Larkfield's revenue?", None))
    block = only("What was Apple's revenue?", limited)
    assert block.refusal is not None
    assert (block.refusal.code, "Apple" in block.refusal.text) == (Code.OUT_OF_SCOPE, True)
    narrow = scope(cik=LARKFIELD, kind="10-Q", fiscal_year=2026, fiscal_quarter=1)
    assert narrow.label == "Larkfield (fictional), Quarterly report (10-Q), Q1 fiscal 2026"
    assert searched(only(BRENOVA, narrow)) == {QUARTERLY}


def test_alternatives_are_answered_within_the_limit() -> None:
    limited = scope(cik=LARKFIELD)
    block = only("What was revenue in fiscal 2016?", limited)
    offered = [one.question for one in block.alternatives]
    assert offered
    assert all(only(one, limited).outcome == "answered" for one in offered)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"document": "0000000000-00-000000"}, "document"),
        ({"document": "x" * 5000}, "document"),
        ({"document": QUARTERLY, "kind": "10-Q"}, "kind"),
        ({"document": QUARTERLY, "cik": "1"}, "document"),
        ({"kind": "10-X"}, "kind"),
        ({"kind": "10-K", "fiscal_year": 2026, "fiscal_quarter": 1}, "fiscal_quarter"),
        ({"fiscal_quarter": 1}, "fiscal_quarter"),
        ({"fiscal_year": 2026, "fiscal_quarter": 5}, "fiscal_quarter"),
        ({"fiscal_year": 99999}, "fiscal_year"),
        ({"fiscal_year": "next"}, "fiscal_year"),
        ({"cik": 12}, "cik"),
    ],
)
def test_a_wrong_scope_names_its_field(given: dict[str, object], field: str) -> None:
    with pytest.raises(ScopeInvalid) as invalid:
        checked(given)
    assert field in invalid.value.errors


def test_the_cache_keeps_scopes_apart() -> None:
    deps = Deps.current(TODAY)
    one, other = scope(document=QUARTERLY), scope(document=CURRENT)
    keys = {answer_cache.key(BRENOVA, deps, None, limited=limited) for limited in (None, one, other)}
    assert len(keys) == 3


def done(run: Run) -> Run:
    attempt = claim.claim(run.pk)
    assert attempt is not None
    lifecycle.answer(run.pk, attempt)
    run.refresh_from_db()
    return run


def test_a_run_keeps_its_scope_when_asked_again(alice: User) -> None:
    me = Identity(user=alice)
    first = done(create_run.start(me, BRENOVA, scope=scope(document=QUARTERLY)))
    again = done(create_run.start(me, BRENOVA, again_of=first))
    assert again.scoped == first.scoped
    assert (first.outcome, again.outcome) == ("passages", "passages")


def test_the_page_shows_what_is_searched_and_lets_it_be_dropped(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = unescape(client.get("/", {"document": QUARTERLY, "q": "Brenova & co"}).content.decode())
    label = scope(document=QUARTERLY).label
    assert f"Only in: {label}" in page
    assert f'aria-label="Ask of all documents, not only in {label}"' in page
    assert f'<input type="hidden" name="document" value="{QUARTERLY}">' in page
    client.post("/ask", {"question": BRENOVA, "document": QUARTERLY})
    run = done(Run.objects.get())
    assert run.scoped == scope(document=QUARTERLY)
    shown = unescape(client.get(run.get_absolute_url()).content.decode())
    assert shown.count(f"Only in: {label}") == 2  # of the answer, and of its follow-ups
    assert f"Only in: {label}" in unescape(client.get("/history").content.decode())
    assert Client().get(run.get_absolute_url()).status_code == 404


def test_a_wrong_document_is_told_on_the_page_and_asks_nothing(client: Client, alice: User) -> None:
    client.force_login(alice)
    opened = client.get("/", {"document": "doc-0000000000000000"})
    assert (opened.status_code, "No document with this" in opened.content.decode()) == (400, True)
    sent = client.post("/ask", {"question": BRENOVA, "document": "doc-0000000000000000"})
    assert (sent.status_code, "No document with this" in sent.content.decode()) == (422, True)
    assert not Run.objects.exists()


def test_the_form_limits_to_a_company_a_kind_and_a_period(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.get("/").content.decode()
    assert f'<option value="{LARKFIELD}">Larkfield (fictional)</option>' in page
    assert '<option value="DEF 14A">Proxy statement (DEF 14A)</option>' in page
    limits = {"cik": str(LARKFIELD), "kind": "10-Q", "fiscal_year": "2026", "fiscal_quarter": "1"}
    opened = client.get("/", limits).content.decode()
    assert f'<option value="{LARKFIELD}" selected>' in opened
    assert 'type="hidden" name="cik"' not in opened
    client.post("/ask", {"question": BRENOVA, **limits})
    run = done(Run.objects.get())
    assert run.scoped == scope(**limits)
    follow_up = client.get(run.get_absolute_url()).content.decode()
    assert all(f'<input type="hidden" name="{name}" value="{value}">' in follow_up for name, value in limits.items())
    wrong = client.post("/ask", {"question": BRENOVA, **limits, "fiscal_quarter": "1", "fiscal_year": ""})
    assert (wrong.status_code, "A fiscal quarter needs its fiscal year." in wrong.content.decode()) == (422, True)


def test_of_many_companies_one_is_named_by_its_ticker(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.web.forms.MOST_LISTED", 3)
    client.force_login(alice)
    page = client.get("/").content.decode()
    assert 'name="cik" class="input" autocomplete="off" placeholder="Ticker or CIK"' in page
    assert scope(cik="lrkf") == scope(cik=LARKFIELD)
    wrong = client.post("/ask", {"question": BRENOVA, "cik": "no such"})
    assert (wrong.status_code, "No company has this ticker" in wrong.content.decode()) == (422, True)


def test_what_is_offered_beside_a_refusal_keeps_the_limit(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post("/ask", {"question": "What was revenue in fiscal 2016?", "cik": str(LARKFIELD)})
    run = done(Run.objects.get())
    page = client.get(run.get_absolute_url()).content.decode()
    offered = page.split("You can ask instead")[1].split("</section>")[0]
    assert offered.count("alts__ask") == offered.count(f'name="cik" value="{LARKFIELD}"') > 0


def test_documents_offer_to_be_asked_unless_withdrawn(client: Client, call: Filing) -> None:
    address = f"/companies/{LARKFIELD}/documents"
    link = f"/?document={call.accession}"
    assert link in client.get(address).content.decode()
    assert "Ask about this document" in client.get(call.get_absolute_url()).content.decode()
    section = call.sections.first()
    assert section is not None
    assert link in client.get(section.get_absolute_url()).content.decode()
    Filing.objects.filter(pk=call.pk).update(withdrawn=now())
    assert link not in client.get(address).content.decode()
    assert "Ask about this document" not in client.get(call.get_absolute_url()).content.decode()


def test_mcp_takes_the_same_scope(alice: User) -> None:
    me = Identity(user=alice)
    run = asked(me, BRENOVA, "", None, ScopeWanted(document=QUARTERLY))
    assert run.scope == scope(document=QUARTERLY)
    with pytest.raises(Invalid, match="not valid") as wrong:
        asked(me, BRENOVA, "", None, ScopeWanted(document=str(uuid4())[:20]))
    assert "scope.document" in wrong.value.sentences
