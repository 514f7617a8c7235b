"""Admin pages of companies, filings and facts. Data that SEC filed is read-only."""

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.admin_lists import BoundedPaginator, ReadOnlyAdmin, ReadOnlyInline
from filings.edgar.registrants import mark_foreign
from filings.models import Anomaly, Company, Document, Element, Fact, Filing, ForeignRegistrant, Statement
from filings.web import company_admin, coverage_admin, import_admin, search_admin, text_admin

# Imported to be registered: Django only loads admin.py.
__all__ = ["company_admin", "coverage_admin", "import_admin", "search_admin", "text_admin"]


class DocumentInline(ReadOnlyInline):
    model = Document
    fields = readonly_fields = ("sequence", "type", "filename", "size", "sha256")


class StatementInline(ReadOnlyInline):
    model = Statement
    fields = readonly_fields = ("kind", "basis", "title")


@admin.register(Filing)
class FilingAdmin(ReadOnlyAdmin):
    list_display = (
        "accession",
        "company",
        "form",
        "fiscal_year",
        "period_end",
        "filed",
        "is_primary",
        "document_status",
        "facts_stored",
        "chunks_stored",
        "indexed",
    )
    list_select_related = ("company",)
    list_filter = ("source", "document_status", "is_primary", "is_transition", "fiscal_year")
    search_fields = ("=accession", "company__name", "=company__tickers__symbol")
    search_help_text = "Accession, company or ticker"
    list_per_page = 50
    inlines = (StatementInline, DocumentInline)
    change_form_template = "admin/filings/filing/change_form.html"


@admin.register(Statement)
class StatementAdmin(ReadOnlyAdmin):
    list_display = ("filing", "kind", "basis", "title")
    list_select_related = ("filing__company",)
    list_filter = ("kind", "basis")
    search_fields = ("=filing__accession", "filing__company__name")
    search_help_text = "Accession or company"


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = ("filename", "type", "filing", "size", "sha256")
    list_select_related = ("filing__company",)
    search_fields = ("=filing__accession", "=filename", "=sha256")
    search_help_text = "Accession, file name or SHA-256"


@admin.register(Fact)
class FactAdmin(ReadOnlyAdmin):
    list_display = ("tag", "taxonomy", "company", "end", "raw", "unit", "form", "filed", "statement", "source")
    list_select_related = ("company",)
    list_filter = ("source", "statement")
    search_fields = ("^tag", "=filing__accession", "=company__tickers__symbol")
    search_help_text = "Start of a tag, an accession, or a ticker"
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    list_per_page = 50


@admin.register(Element)
class ElementAdmin(ReadOnlyAdmin):
    list_display = ("label", "tag", "taxonomy", "measured", "instant")
    list_filter = ("measured", "instant", "taxonomy")
    search_fields = ("label", "^tag")
    search_help_text = "Words of a label, or the start of a tag"
    list_per_page = 50


@admin.register(Anomaly)
class AnomalyAdmin(ReadOnlyAdmin):
    list_display = ("company", "fiscal_year", "kind", "detail")
    list_select_related = ("company",)
    list_filter = ("kind",)
    search_fields = ("company__name", "=company__tickers__symbol")


@admin.register(ForeignRegistrant)
class ForeignRegistrantAdmin(admin.ModelAdmin):
    list_display = ("name", "cik", "form")
    list_filter = ("form",)
    search_fields = ("name", "=cik")

    def save_model(self, request: HttpRequest, obj: ForeignRegistrant, form: forms.ModelForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        mark_foreign()

    def delete_model(self, request: HttpRequest, obj: ForeignRegistrant) -> None:
        unmark_foreign([obj.cik])
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[ForeignRegistrant]) -> None:
        unmark_foreign(list(queryset.values_list("cik", flat=True)))
        super().delete_queryset(request, queryset)


def unmark_foreign(ciks: list[int]) -> None:
    """Allow ingestion of companies that were marked as foreign by mistake."""
    Company.objects.filter(cik__in=ciks, foreign=True).update(foreign=False)
