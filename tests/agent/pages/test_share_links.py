"""A link to one answer: who makes and revokes it, what it opens, and what it never tells."""

import re

import pytest
from django.test import Client

from accounts.models import User
from agent.models import Run, Share
from agent.refusals.codes import Code
from filings.models import Section
from tests.agent.pages.test_views_prose import links, sections
from tests.agent.pages.test_views_run import text
from tests.support import answers, prose_answers

__all__ = ["sections"]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def run(alice: User, sections: dict[str, Section]) -> Run:
    return answers.run_with(
        prose_answers.supply_answer(sections), alice, note="Only for me", starred=True, continues=None
    )


@pytest.fixture
def share(run: Run) -> Share:
    return Share.objects.create(run=run)


# --- making and revoking ---


def test_the_owner_makes_a_link_sees_it_and_revokes_it(as_alice: Client, client: Client, run: Run) -> None:
    as_alice.post(f"/runs/{run.pk}/share")
    link = Share.objects.get().get_absolute_url()
    assert f'value="http://testserver{link}"' in as_alice.get(run.get_absolute_url()).content.decode()
    assert client.get(link).status_code == 200
    as_alice.post(f"/runs/{run.pk}/unshare")
    assert client.get(link).status_code == 404
    assert link not in as_alice.get(run.get_absolute_url()).content.decode()


def test_a_link_is_made_once_and_after_it_was_revoked_is_another(as_alice: Client, run: Run) -> None:
    tokens = []
    for view in ("share", "share", "unshare", "share"):
        as_alice.post(f"/runs/{run.pk}/{view}")
        tokens += Share.objects.values_list("token", flat=True)
    assert tokens[0] == tokens[1] != tokens[2]
    assert all(re.fullmatch(r"[\w-]{43}", token) for token in tokens)


def test_the_link_is_swapped_in_without_a_page(as_alice: Client, run: Run) -> None:
    fragment = as_alice.post(f"/runs/{run.pk}/share", headers=HTMX).content.decode()
    assert Share.objects.get().token in fragment
    assert "<html" not in fragment
    assert "The link has been revoked" in as_alice.post(f"/runs/{run.pk}/unshare", headers=HTMX).content.decode()


@pytest.mark.parametrize("view", ["share", "unshare"])
def test_nobody_else_makes_or_revokes_a_link(
    client: Client, as_bob: Client, as_charlie: Client, share: Share, view: str
) -> None:
    client.post("/ask", {"question": "makes a visitor"})
    for stranger in (client, Client(), as_bob, as_charlie):
        assert stranger.post(f"/runs/{share.run_id}/{view}").status_code == 404
        assert stranger.get(f"/runs/{share.run_id}/{view}").status_code == 405
    assert Share.objects.get() == share


def test_a_question_without_an_answer_is_not_shared(as_alice: Client, alice: User) -> None:
    waiting = answers.open_run(alice)
    assert b"no answer to share yet" in as_alice.post(f"/runs/{waiting.pk}/share", follow=True).content
    assert not Share.objects.exists()


def test_what_is_deleted_is_shared_no_more(as_alice: Client, client: Client, share: Share) -> None:
    as_alice.post(f"/runs/{share.run_id}/delete")
    assert client.get(share.get_absolute_url()).status_code == 404


# --- what it opens ---


def test_a_link_of_an_account_that_is_switched_off_leads_nowhere(client: Client, share: Share, alice: User) -> None:
    alice.is_active = False
    alice.save()
    assert client.get(share.get_absolute_url()).status_code == 404


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "'" * 43, "é" * 43, "5d8f6001-eb5b-495e-9317-cbb85a5ebbba"])
def test_no_other_address_opens_an_answer(client: Client, share: Share, token: str) -> None:
    assert client.get(f"/s/{token}").status_code == 404


def test_a_link_does_not_open_the_run_or_what_else_its_owner_asked(client: Client, share: Share) -> None:
    assert client.get(share.run.get_absolute_url()).status_code == 404
    assert client.get("/history").context["total"] == 0


def test_a_shared_answer_shows_what_was_found_and_nothing_of_who_asked(
    as_bob: Client, client: Client, share: Share, alice: User
) -> None:
    run = share.run
    for reader in (client, as_bob):
        response = reader.get(share.get_absolute_url())
        page = response.content.decode()
        assert "4 of 5 sentences quoted" in text(response)
        for secret in (
            str(run.pk),
            alice.email,
            "Only for me",
            "/again",
            "/delete",
            "/feedback",
            "/star",
            "continues",
        ):
            assert secret not in page


def test_it_does_not_say_which_question_came_before(client: Client, alice: User, share: Share) -> None:
    before = answers.open_run(alice, question="What I asked first")
    Run.objects.filter(pk=share.run_id).update(continues=before, again_of=before, composed="In full")
    page = client.get(share.get_absolute_url()).content.decode()
    assert "Continues a previous question." in page
    assert str(before.pk) not in page
    assert "What I asked first" not in page


def test_no_search_engine_keeps_it_and_no_other_site_is_told_its_address(client: Client, share: Share) -> None:
    section = next(link for link in links(client.get(share.get_absolute_url()).content.decode()))
    for address in (share.get_absolute_url(), section):
        response = client.get(address)
        assert "noindex" in response.headers["X-Robots-Tag"]
        assert response.headers["Referrer-Policy"] == "same-origin"
        assert "no-store" in response.headers["Cache-Control"]
    assert '<meta name="robots" content="noindex' in client.get(share.get_absolute_url()).content.decode()


def test_a_page_to_read_changes_nothing(client: Client, share: Share) -> None:
    assert client.post(share.get_absolute_url()).status_code == 405
    assert "sessionid" not in client.get(share.get_absolute_url()).cookies


@pytest.mark.parametrize("code", [Code.CONCEPT_NOT_REPORTED, Code.SEARCH_UNAVAILABLE])
def test_a_refusal_is_shared_with_its_reason_and_without_buttons(client: Client, alice: User, code: Code) -> None:
    share = Share.objects.create(run=answers.run_with(answers.refusal_answer(code), alice))
    page = client.get(share.get_absolute_url()).content.decode()
    assert "does not report advertising expense" in page
    assert 'href="/?q=Northwind%20revenue%20in%20fiscal%202024"' in page
    assert str(share.run_id) not in page


# --- its citations ---


def test_its_citations_open_marked_and_lead_back_to_it(client: Client, share: Share) -> None:
    cited = links(client.get(share.get_absolute_url()).content.decode())
    assert len(cited) == 4
    for number, link in enumerate(cited, start=1):
        assert f"share={share.token}" in link
        assert "run=" not in link
        page = client.get(link).content.decode()
        assert f"<strong>Citation {number} of 4</strong>" in page
        assert f'href="{share.get_absolute_url()}">Back to the answer' in page
        assert str(share.run_id) not in page
        others = re.findall(r'href="([^"]*cite=\d[^"]*)"', page)
        assert others
        assert all(f"share={share.token}" in other for other in others)


def test_marks_are_seen_through_the_link_alone(client: Client, as_bob: Client, share: Share) -> None:
    link = links(client.get(share.get_absolute_url()).content.decode())[0]
    by_run = re.sub(r"share=[\w-]+", f"run={share.run_id}", link)
    for stranger in (client, as_bob):
        assert "Citation 1 of 4" in stranger.get(link).content.decode()
        page = stranger.get(by_run).content.decode()
        assert "Citation 1 of 4" not in page
        assert "is not yours or has been deleted" in page


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "%27"])
def test_a_revoked_link_marks_nothing_and_the_text_is_still_to_be_read(
    client: Client, share: Share, token: str
) -> None:
    link = links(client.get(share.get_absolute_url()).content.decode())[0]
    section = link.split("?")[0]
    page = client.get(f"{section}?share={token}&cite=1")
    assert page.status_code == 200
    assert "is no longer shared" in page.content.decode()
    share.delete()
    assert "is no longer shared" in client.get(link).content.decode()


def test_a_citation_that_is_not_there_is_told(client: Client, share: Share) -> None:
    link = links(client.get(share.get_absolute_url()).content.decode())[0]
    assert client.get(re.sub(r"cite=1", "cite=99", link)).status_code == 400
