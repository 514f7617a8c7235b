"""Synonyms tried out on a question, in the admin."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from filings.models import SearchRequest, Synonym
from filings.search import browsing
from filings.search import requests as searches
from tests.conftest import signed_in

PREVIEW = {"question": "What layoffs were announced?", "phrase": "layoffs", "searched": "on"}


@pytest.fixture
def layoffs(db: None) -> Synonym:
    Synonym.objects.filter(phrase__startswith="layoff").delete()
    return Synonym.objects.create(phrase="layoffs", variants=["workforce reduction"])


def test_the_preview_is_one_click_from_the_list_and_from_a_row(as_charlie: Client, layoffs: Synonym) -> None:
    preview = reverse("admin:filings_synonym_preview")
    page = as_charlie.get(reverse("admin:filings_synonym_changelist")).content.decode()
    assert f'href="{preview}"' in page
    page = as_charlie.get(reverse("admin:filings_synonym_change", args=[layoffs.pk])).content.decode()
    assert f'href="{preview}?phrase=layoffs"' in page


def test_a_row_is_tried_on_a_question_and_nothing_is_saved(as_charlie: Client, layoffs: Synonym) -> None:
    page = as_charlie.get(reverse("admin:filings_synonym_preview"), {**PREVIEW, "variants": "job cuts\nSeverance"})
    found = page.context["terms"]
    assert "layoffs" in found.words
    assert (found.added, found.lost) == (["job cuts", "severance"], ["workforce reduction"])
    layoffs.refresh_from_db()
    assert layoffs.variants == ["workforce reduction"]
    assert not SearchRequest.objects.exists()


def test_a_row_that_is_switched_off_adds_nothing(as_charlie: Client, layoffs: Synonym) -> None:
    asked = {**PREVIEW, "variants": "workforce reduction"}
    del asked["searched"]
    found = as_charlie.get(reverse("admin:filings_synonym_preview"), asked).context["terms"]
    assert (found.added, found.lost) == ([], ["workforce reduction"])


def test_the_preview_begins_with_the_row_as_it_is(as_charlie: Client, layoffs: Synonym) -> None:
    page = as_charlie.get(reverse("admin:filings_synonym_preview"), {"phrase": "layoffs"})
    assert "workforce reduction</textarea>" in page.content.decode()
    assert page.context["terms"] is None


def test_passages_are_found_by_a_worker_with_the_row_as_it_would_be(
    as_charlie: Client, layoffs: Synonym, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = {**PREVIEW, "variants": "job cuts"}
    address = as_charlie.post(reverse("admin:filings_synonym_preview"), sent)["Location"]
    page = as_charlie.get(address)
    assert page.context["waiting"]
    assert 'http-equiv="refresh"' in page.content.decode()
    before, after = page.context["searches"]
    assert before.trial["layoffs"] == ["workforce reduction"]
    assert after.trial["layoffs"] == ["job cuts"]
    searched: list[tuple[str, ...]] = []

    def find(focuses: Any, *rest: Any) -> Any:
        searched.append(focuses[0].variants)
        raise browsing.SearchUnavailable("No index.")

    monkeypatch.setattr(browsing, "find", find)
    for one in (before, after):
        searches.run(one.pk)
    assert searched == [("workforce reduction",), ("job cuts",)]
    page = as_charlie.get(address)
    assert not page.context["waiting"]
    assert "No index." in page.content.decode()


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
