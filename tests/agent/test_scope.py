"""Questions limited to one document, or to a kind and a period, over the fictional sample's documents of Larkfield."""

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
    assert values(whole("What was revenue?", scope(document=call.accession))) == values(
        whole("What was Larkfield's revenue?", None)
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
