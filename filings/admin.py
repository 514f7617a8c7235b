"""Admin of companies and what is held of them. What SEC filed is looked at and never edited."""

from collections import Counter

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from accounts.admin import BoundedPaginator, OneALine, ReadOnlyAdmin, ReadOnlyInline
from filings import (
    ledger,
    queue,
    search_admin,
    text_admin,
)
from filings.companies import mark_foreign
from filings.coverage import coverage
from filings.listing import label_reports
from filings.models import Anomaly, Company, Document, Fact, Filing, ForeignRegistrant, Statement, Ticker
from filings.storing import report_of, store_reports

# Registered by being imported: Django looks for admin.py alone.
__all__ = ["search_admin", "text_admin"]


class CompanyForm(forms.ModelForm):
    aliases = OneALine(required=False, help_text="Other names people use, one a line.")

    class Meta:
        model = Company
        fields = ("active", "aliases", "label_offset")

    def clean_label_offset(self) -> int | None:
        offset: int | None = self.cleaned_data["label_offset"]
        if offset is not None and abs(offset) > 1:
            raise forms.ValidationError("The label lies at most one year off: -1, 0 or 1, or empty.")
        return offset


class TickerInline(ReadOnlyInline):
    model = Ticker
    fields = readonly_fields = ("symbol", "exchange")
    show_change_link = False


@admin.register(Company)
class CompanyAdmin(admin.ModelAdmin):
    form = CompanyForm
    list_display = ("name", "tickers_held", "status", "progress", "facts_stored", "active", "origin", "coverage_link")
    list_filter = ("status", "active", "foreign", "in_sample", "origin")
    search_fields = ("name", "=tickers__symbol", "=cik", "former_names")
    search_help_text = "Name, ticker, CIK or former name"
    ordering = ("-facts_stored", "name")
    list_per_page = 50
    show_full_result_count = False
    actions = ("ingest", "cancel", "activate", "deactivate")
    inlines = (TickerInline,)
    change_form_template = "admin/filings/company/change_form.html"
    fieldsets = (
        (None, {"fields": ("name", "cik", "active", "aliases", "label_offset")}),
        (
            "From SEC",
            {
                "fields": (
                    "former_names",
                    "sic",
                    "sic_description",
                    "state_of_incorporation",
                    "fiscal_year_end",
                    "foreign",
                    "in_sample",
                )
            },
        ),
        (
            "Ingestion",
            {
                "fields": (
                    "status",
                    "progress",
                    "step",
                    "problem",
                    "years_from",
                    "years_to",
                    "attempt",
                    "heartbeat",
                    "ingested",
                    "facts_stored",
                    "facts_sha256",
                    "origin",
                )
            },
        ),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Company | None = None) -> list[str]:
        shown = [name for _, options in self.fieldsets for name in options["fields"]]
        return [name for name in shown if name not in CompanyForm.Meta.fields]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Company]:
        return super().get_queryset(request).prefetch_related("tickers")

    # Registrants come from SEC's ticker list and stay; one that shall not be asked about is switched off.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Company | None = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.coverage_view)
        return [path("<int:pk>/coverage/", view, name="filings_company_coverage"), *super().get_urls()]

    def save_model(self, request: HttpRequest, obj: Company, form: forms.ModelForm, change: bool) -> None:
        # Only what was edited: an ingestion may be writing the other columns at this moment.
        obj.save(update_fields=form.changed_data)
        if "label_offset" in form.changed_data:
            relabel(obj)

    @admin.display(description="Tickers")
    def tickers_held(self, company: Company) -> str:
        return ", ".join(company.symbols)

    @admin.display(description="Filings read")
    def progress(self, company: Company) -> str:
        if not company.filings_found:
            return "-"
        return f"{company.filings_done} of {company.filings_found}{f': {company.step}' if company.step else ''}"

    @admin.display(description="Coverage")
    def coverage_link(self, company: Company) -> str:
        if not company.facts_stored and not company.filings_found:
            return "-"
        return format_html('<a href="{}">Years</a>', reverse("admin:filings_company_coverage", args=[company.pk]))

    @admin.action(description="Ingest: fetch what is new from EDGAR", permissions=["change"])
    def ingest(self, request: HttpRequest, companies: QuerySet[Company]) -> None:
        queued = [company for company in companies if queue.enqueue(company)]
        self.say(request, len(queued), "queued", "is under way already")

    @admin.action(description="Stop the ingestion", permissions=["change"])
    def cancel(self, request: HttpRequest, companies: QuerySet[Company]) -> None:
        stopped = [company for company in companies if Company.objects.cancel(company.pk)]
        self.say(request, len(stopped), "stopped", "was not under way")

    @admin.action(description="Switch on", permissions=["change"])
    def activate(self, request: HttpRequest, companies: QuerySet[Company]) -> None:
        self.say(request, companies.filter(active=False).update(active=True), "switched on", "was on")

    @admin.action(description="Switch off: questions are refused as not covered", permissions=["change"])
    def deactivate(self, request: HttpRequest, companies: QuerySet[Company]) -> None:
        self.say(request, companies.filter(active=True).update(active=False), "switched off", "was off")

    def say(self, request: HttpRequest, changed: int, done: str, otherwise: str) -> None:
        if changed:
            self.message_user(request, f"{changed} {'company is' if changed == 1 else 'companies are'} {done}.")
        else:
            self.message_user(request, f"Nothing was changed: each {otherwise}.", messages.WARNING)

    def coverage_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Years by what is held of them, and the anomalies found."""
        company = get_object_or_404(Company, pk=pk)
        if not self.has_view_permission(request, company):
            raise PermissionDenied
        rows = Fact.objects.filter(company=company).values_list("filing", "source").annotate(Count("pk")).order_by()
        facts: Counter[tuple[int, str]] = Counter({(filing, source): count for filing, source, count in rows})
        covered = coverage(company)
        read = ledger.lines(year.filing for year in covered)
        years = [
            {
                "year": year,
                "items": read.get(year.filing.pk),
                "companyfacts": facts[year.filing.pk, Fact.Source.COMPANYFACTS],
                "inline": facts[year.filing.pk, Fact.Source.DOCUMENT],
                "faces": year.faces,
            }
            for year in covered
        ]
        context = {
            **self.admin_site.each_context(request),
            "title": f"Coverage of {company}",
            "company": company,
            "years": years,
            "anomalies": list(company.anomalies.all()),
            "opts": self.model._meta,
        }
        return render(request, "admin/filings/company/coverage.html", context)


def relabel(company: Company) -> None:
    """Give the filings of a company their fiscal labels again, after its offset was set by hand."""
    reports = [report_of(filing) for filing in company.filings.all()]
    label_reports(company.cik, reports, company.label_offset)
    with transaction.atomic():
        store_reports(company, reports)


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
    list_filter = ("document_status", "is_primary", "is_transition", "fiscal_year")
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
    """Let companies be ingested again whose row in the table was wrong."""
    Company.objects.filter(cik__in=ciks, foreign=True).update(foreign=False)
