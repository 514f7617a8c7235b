"""Synonyms tried out on a question, in the admin."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent import tasks
from agent.models import Run
from filings.models import SearchRequest, Synonym
from filings.search import passages, synonyms
from filings.search import requests as searches
from filings.search.index import SearchUnavailable
from tests.conftest import signed_in
from tests.support.sample import Sample

PREVIEW = {"question": "What layoffs were announced?", "phrase": "layoffs", "searched": "on"}
SUPPLY = {
    "question": "What supply risks did Northwind disclose in fiscal 2025?",
    "phrase": "supply",
    "variants": "wafers",
    "searched": "on",
}


@pytest.fixture(autouse=True)
def read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker goes on for half a minute with the rows it has read: not from test to test."""
    synonyms.active_entries.cache_clear()


@pytest.fixture
def layoffs(db: None) -> Synonym:
    Synonym.objects.filter(phrase__startswith="layoff").delete()
    return Synonym.objects.create(phrase="layoffs", variants=["workforce reduction"])


@pytest.fixture
def supply(db: None) -> Synonym:
    """The only row: another may have the filing words of a longer phrase."""
    Synonym.objects.all().delete()
    return Synonym.objects.create(phrase="supply", variants=["single source"])


def test_the_preview_is_one_click_from_the_list_and_from_a_row(as_charlie: Client, layoffs: Synonym) -> None:
    preview = reverse("admin:filings_synonym_preview")
    page = as_charlie.get(reverse("admin:filings_synonym_changelist")).content.decode()
    assert f'href="{preview}"' in page
    page = as_charlie.get(reverse("admin:filings_synonym_change", args=[layoffs.pk])).content.decode()
    assert f'href="{preview}?phrase=layoffs"' in page


def searched(client: Client, **sent: str) -> HttpResponse:
    """The page of a preview whose two searches a worker has made."""
    address = client.post(reverse("admin:filings_synonym_preview"), {**SUPPLY, **sent})["Location"]
    page = client.get(address)
    assert page.context["waiting"]
    assert 'http-equiv="refresh"' in page.content.decode()
    for one in page.context["searches"]:
        searches.run(one.pk)
    page = client.get(address)
    assert not page.context["waiting"]
    return page


def test_the_preview_begins_with_the_row_as_it_is(as_charlie: Client, layoffs: Synonym) -> None:
    page = as_charlie.get(reverse("admin:filings_synonym_preview"), {"phrase": "layoffs"})
    assert "workforce reduction</textarea>" in page.content.decode()
    assert page.context["searches"] is None


def test_a_row_is_tried_on_the_search_that_the_question_itself_makes(
    as_charlie: Client, sample: Sample, supply: Synonym
) -> None:
    page = searched(as_charlie, variants="Foundry\nwafers")
    filing = sample.filing("NWND", 2025)
    before, after = page.context["told"]
    assert filing.accession in before[0].text
    assert (before[0], before[1]) == (after[0], after[1])
    assert [one.text for one in before if one.differs] == [
        "\u201csupply risks\u201d, by the words supply, risks; also single source."
    ]
    assert [one.text for one in after if one.differs] == [
        "\u201csupply risks\u201d, by the words supply, risks; also foundry, wafers."
    ]
    assert {found["accession"] for one in page.context["searches"] for found in one.results} == {filing.accession}
    supply.refresh_from_db()
    assert supply.variants == ["single source"]


def test_with_the_synonyms_as_they_are_a_preview_finds_what_an_answer_reads(
    as_charlie: Client, charlie: User, sample: Sample
) -> None:
    run = Run.objects.create(user=charlie, question=SUPPLY["question"])
    tasks.answer(str(run.pk))
    read = run.steps.get(node="retrieve").outputs["retrievals"][0]["passages"]
    before = searched(as_charlie, variants="wafers").context["searches"][0]
    assert [one["chunk"] for one in before.results] == [one["chunk"] for one in read]


def test_a_row_that_is_switched_off_adds_nothing(as_charlie: Client, sample: Sample, supply: Synonym) -> None:
    told = searched(as_charlie, variants="single source", searched="").context["told"][1]
    assert [one.text for one in told if one.differs] == ["\u201csupply risks\u201d, by the words supply, risks."]


def test_a_row_that_changes_nothing_says_why_it_may_be(as_charlie: Client, sample: Sample, supply: Synonym) -> None:
    said = "The row changes nothing for this question."
    assert said not in searched(as_charlie, variants="wafers").content.decode()
    # The longer phrase wins.
    Synonym.objects.create(phrase="supply risks", variants=["single source"])
    synonyms.active_entries.cache_clear()
    assert said in searched(as_charlie, variants="wafers").content.decode()


def test_only_the_items_that_a_question_names_are_searched(as_charlie: Client, sample: Sample) -> None:
    question = "What does Item 1A of Northwind's fiscal 2025 10-K say about wafers?"
    page = searched(as_charlie, question=question)
    assert "Items searched: Item 1A, Risk Factors." in [one.text for one in page.context["told"][0]]
    assert {found["item"] for one in page.context["searches"] for found in one.results} == {"1A"}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What supply risks were disclosed?", "Refused: "),
        ("What supply risks did Northwind disclose in fiscal 1999?", "Refused: "),
        ("What was Northwind's gross profit in fiscal 2025?", "The question does not ask about text"),
        ("What can you do?", "The question does not ask about a filing."),
    ],
)
def test_a_question_that_searches_nothing_says_so(
    as_charlie: Client, sample: Sample, question: str, said: str
) -> None:
    page = searched(as_charlie, question=question)
    assert said in page.content.decode()
    assert page.context["hits"] == []


def test_an_index_that_cannot_be_asked_is_told(
    as_charlie: Client, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    def out(*rest: Any, **more: Any) -> Any:
        raise SearchUnavailable("No index.")

    monkeypatch.setattr(passages, "find_all", out)
    assert "No index." in searched(as_charlie).content.decode()


def test_passages_are_shown_with_their_places_before_and_after(as_charlie: Client, layoffs: Synonym) -> None:
    sent = {**PREVIEW, "variants": "job cuts"}
    address = as_charlie.post(reverse("admin:filings_synonym_preview"), sent)["Location"]
    pair = as_charlie.get(address).context["searches"]
    for one, chunks in zip(pair, ([7, 8], [9, 7]), strict=True):
        found = [
            {
                "chunk": chunk,
                "label": f"Item {chunk}",
                "page": "",
                "company": "X",
                "fiscal_year": 2024,
                "snippet": "<b>",
            }
            for chunk in chunks
        ]
        SearchRequest.objects.filter(pk=one.pk).update(status="done", results=found)
    page = as_charlie.get(address)
    shown = [(hit.label, hit.before, hit.after) for hit in page.context["hits"]]
    assert shown == [("Item 9", None, 1), ("Item 7", 1, 2), ("Item 8", 2, None)]
    assert "<b>" not in page.content.decode()


def test_a_preview_of_somebody_else_is_not_shown(as_charlie: Client, layoffs: Synonym, bob: User) -> None:
    others = [SearchRequest.objects.create(user=bob, text="x").pk for _ in range(2)]
    asked = {**PREVIEW, "variants": "x", "before": str(others[0]), "after": str(others[1])}
    assert as_charlie.get(reverse("admin:filings_synonym_preview"), asked).context["searches"] is None


def test_only_who_may_change_synonyms_tries_them(as_alice: Client, bob: User) -> None:
    bob.is_staff = True
    bob.save()
    assert as_alice.get(reverse("admin:filings_synonym_preview"), follow=True).status_code == 403
    assert signed_in(bob).get(reverse("admin:filings_synonym_preview")).status_code == 403
