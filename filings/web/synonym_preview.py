"""Page that previews a synonym change: the search of a question before and after it, run by a worker."""

from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.identity import Identity
from filings.models import SearchRequest, Synonym
from filings.search import requests as searches
from filings.search.requests import MOST_CHARACTERS
from filings.web import admin_pages
from filings.web.search_views import where


def active() -> dict[str, list[str]]:
    """The active synonyms."""
    return dict(Synonym.objects.filter(active=True).values_list("phrase", "variants"))


def changed(phrase: str, variants: list[str], *, searched: bool) -> dict[str, list[str]]:
    """The active synonyms with one changed or removed."""
    rows = active()
    rows.pop(phrase, None)
    return {**rows, phrase: variants} if searched and variants else rows


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage in either list: its ranks, from 1; None where it is not found."""

    label: str
    company: str
    snippet: str
    before: int | None
    after: int | None


def hits(before: SearchRequest, after: SearchRequest) -> list[Hit]:
    """The passages of both searches, in the order after the change; lost ones last."""
    old = {row["chunk"]: place for place, row in enumerate(before.results, 1)}
    new = {row["chunk"]: place for place, row in enumerate(after.results, 1)}
    rows = {row["chunk"]: row for row in [*after.results, *before.results]}
    return [
        Hit(
            label=where(row["label"], row["page"]) or "Cited by page",
            company=f"{row['company']}, fiscal {row['fiscal_year']}" if row["fiscal_year"] else row["company"],
            snippet=row["snippet"],
            before=old.get(chunk),
            after=new.get(chunk),
        )
        for chunk, row in rows.items()
    ]


class Sentence(NamedTuple):
    """A sentence on one of the searches. differs: whether the other has no such sentence."""

    text: str
    differs: bool


def sentences(before: SearchRequest, after: SearchRequest) -> tuple[list[Sentence], list[Sentence]]:
    """A description of each search: filing, Items and words; or why there was none."""
    pair = (before.notes, after.notes)
    first, second = ([Sentence(text, text not in other) for text in own] for own, other in (pair, pair[::-1]))
    return first, second


class PreviewForm(forms.Form):
    """A question, and one changed row."""

    question = forms.CharField(
        max_length=MOST_CHARACTERS,
        widget=forms.TextInput(attrs={"size": 80}),
        help_text="As a user would ask it, with company and year: What supply risks did Northwind disclose in fiscal 2025?",
    )
    phrase = forms.CharField(max_length=80)
    variants = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 5, "cols": 60}))
    searched = forms.BooleanField(required=False, label="Active")

    def clean_phrase(self) -> str:
        return " ".join(self.cleaned_data["phrase"].lower().split())

    def clean_variants(self) -> list[str]:
        lines = (" ".join(line.lower().split()) for line in self.cleaned_data["variants"].splitlines())
        return [line for line in lines if line]

    @property
    def trial(self) -> dict[str, list[str]]:
        found = self.cleaned_data
        return changed(found["phrase"], found["variants"], searched=found["searched"])


def preview(request: HttpRequest) -> HttpResponse:
    """The searches of a question before and after: a POST starts both, and the page polls."""
    if not request.user.has_perm("filings.change_synonym"):
        raise PermissionDenied
    # A new row, or the question and the row as typed.
    begun = "question" not in request.GET and request.method != "POST"
    form = PreviewForm(initial=stored(request.GET)) if begun else PreviewForm(request.POST or request.GET)
    valid = form.is_bound and form.is_valid()
    if request.method == "POST" and valid:
        return redirect(f"{reverse('admin:filings_synonym_preview')}?{started(request, form)}")
    pair = searched(request) if valid else None
    shown = admin_pages.context(
        request,
        "Preview of a synonym",
        form=form,
        searches=pair,
        waiting=any(one.is_open for one in pair) if pair else False,
        problems=list(dict.fromkeys(one.problem for one in pair if one.problem)) if pair else [],
        told=sentences(*pair) if pair else (),
        same=pair is not None and pair[0].notes == pair[1].notes,
        hits=hits(*pair) if pair else [],
        opts=Synonym._meta,
    )
    return render(request, "admin/filings/synonym/preview.html", shown)


def stored(asked: QueryDict) -> dict[str, Any]:
    """The row named in the address, as the form shows it."""
    row = Synonym.objects.filter(phrase=asked.get("phrase", "")).first()
    if row is None:
        return {"phrase": asked.get("phrase", ""), "searched": True}
    return {"phrase": row.phrase, "variants": "\n".join(row.variants), "searched": row.active}


def started(request: HttpRequest, form: PreviewForm) -> str:
    """The address of the page for two started searches."""
    identity = Identity(user=request.user)  # type: ignore[arg-type] # of an administrator
    question = form.cleaned_data["question"]
    query = QueryDict(mutable=True)
    for name in form.fields:
        if value := form.data.get(name):
            query[name] = value
    query["before"] = str(searches.start(question, identity=identity, trial=active()).pk)
    query["after"] = str(searches.start(question, identity=identity, trial=form.trial).pk)
    return query.urlencode()


def searched(request: HttpRequest) -> tuple[SearchRequest, SearchRequest] | None:
    """The two searches named in the address, if they exist and belong to the viewer."""
    try:
        keys = [UUID(request.GET.get(name, "")) for name in ("before", "after")]
    except ValueError:
        return None
    mine = SearchRequest.objects.visible_to(Identity(user=request.user)).in_bulk(keys)  # type: ignore[arg-type] # as above
    return (mine[keys[0]], mine[keys[1]]) if set(keys) <= set(mine) else None
