"""Suggests completions while a question is typed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django import forms
from django.db.models import Max, Min
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.request_types import Request
from agent.numbers.cells.row_expressions import in_words
from agent.numbers.registry import registry as registry_file
from agent.numbers.registry.registry import Registry
from agent.query.words.completion import Completion, Kind, called, completions
from agent.registrants.registrant_index import Companies
from agent.web.tables import formula_words
from filings.models import Filing

LONGEST = 2000


class SuggestForm(forms.Form):
    """The typed text, and the caret's offset in characters; by default at its end."""

    q = forms.CharField(required=False, strip=False, max_length=LONGEST)
    at = forms.IntegerField(required=False, min_value=0, max_value=LONGEST)


@dataclass(frozen=True)
class Suggestion:
    """A completion. detail: ticker and available years, unit or formula, or the end of a year."""

    completion: Completion
    detail: str


@require_safe
@cache_control(private=True, max_age=60)
def suggest(request: Request) -> HttpResponse:
    """At most eight options; empty where nothing matches. 400 with the reason for wrong parameters.

    It counts against no quota and shows nothing private.
    """
    form = SuggestForm(request.GET)
    if not form.is_valid():
        wrong = [f"{field}: {error}" for field, errors in form.errors.items() for error in errors]
        return HttpResponse("\n".join(wrong), status=400, content_type="text/plain; charset=utf-8")
    text, at = form.cleaned_data["q"], form.cleaned_data["at"]
    companies, registry = Companies.current(), registry_file.load()
    found = completions(text, len(text) if at is None else at, companies, registry)
    return HttpResponse(
        render_to_string("agent/_suggestions.html", {"suggestions": shown(found, companies, registry)})
    )


def shown(found: Sequence[Completion], companies: Companies, registry: Registry) -> list[Suggestion]:
    """Completions with their details."""
    years = held([int(one.key) for one in found if one.kind is Kind.COMPANY])
    details = {
        Kind.COMPANY: lambda one: of_company(int(one.key), companies, years),
        Kind.MEASURE: lambda one: of_measure(one.key, registry),
        Kind.YEAR: lambda one: of_year(one.ended),
    }
    return [Suggestion(one, details[one.kind](one)) for one in found]


def held(ciks: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The first and last fiscal year with figures, by company."""
    if not ciks:
        return {}
    rows = (
        Filing.objects.with_figures(ciks)
        .prefetch_related(None)
        .order_by()
        .values_list(Coalesce("company__successor_cik", "company__cik"))
    )
    return {
        cik: (first, last) for cik, first, last in rows.annotate(first=Min("fiscal_year"), last=Max("fiscal_year"))
    }


def of_company(cik: int, companies: Companies, years: dict[int, tuple[int, int]]) -> str:
    """The detail of a company: "AAPL, fiscal 2013 to 2025"."""
    registrant = companies.registrants[cik]
    if not registrant.covered:
        what = "documents only" if registrant.readable else "not loaded"
    elif cik not in years:
        what = "text only"
    else:
        first, last = years[cik]
        what = f"fiscal {first} to {last}" if first < last else f"fiscal {first}"
    return ", ".join([*registrant.symbols[:1], what])


def of_measure(key: str, registry: Registry) -> str:
    """A metric's formula, or a unit: gross profit ÷ total revenue; US dollars."""
    metric = registry.metrics.get(key)
    if metric is None:
        return in_words(registry.concepts[key].unit)
    expr = metric.expr or metric.variants[metric.default].expr
    return formula_words.in_labels(expr, lambda name: called(name, registry))


def of_year(ended: date | None) -> str:
    """When a company's year ended; empty without a company."""
    return f"ended {ended.day} {ended:%B %Y}" if ended else ""
