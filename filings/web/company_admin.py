"""Admin pages of companies: which are covered, their data, and their ingestion."""

from collections import Counter

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.formats import date_format
from django.utils.html import format_html

from accounts.admin_lists import BoundedPaginator, OneALine, ReadOnlyInline
from filings.edgar.listing import label_reports
from filings.ingest import queue
from filings.ingest.coverage import coverage
from filings.ingest.store_filing import report_of, store_reports
from filings.models import Company, Fact, Priority, Succession, Ticker
from filings.sections import item_coverage


class CompanyForm(forms.ModelForm):
    aliases = OneALine(required=False, help_text="Other names people use, one per line.")

    class Meta:
        model = Company
        fields = ("active", "priority", "aliases", "label_offset", "successor_cik")

    def clean_successor_cik(self) -> int | None:
        cik: int | None = self.cleaned_data["successor_cik"]
        if cik is None:
            return None
        successor = Company.objects.filter(cik=cik).first()
        if successor is None:
            raise forms.ValidationError(f"No registrant with CIK {cik} is stored.")
        if successor.asked_as == self.instance.cik:
            raise forms.ValidationError("A company cannot be its own successor.")
        return successor.asked_as

    def clean_label_offset(self) -> int | None:
        offset: int | None = self.cleaned_data["label_offset"]
        if offset is not None and abs(offset) > 1:
            raise forms.ValidationError("The label can be at most one year off: -1, 0 or 1, or empty.")
        return offset


class TickerInline(ReadOnlyInline):
    model = Ticker
    fields = readonly_fields = ("symbol", "exchange")
    show_change_link = False


@admin.register(Company)
class CompanyAdmin(admin.ModelAdmin):
    form = CompanyForm
    list_display = (
        "name", "tickers_held", "status", "progress", "active", "priority", "coverage_link", "facts_stored", "looked_at",
    )  # fmt: skip
    list_filter = ("status", "active", "priority", "foreign", "in_sample", "origin")
    search_fields = ("name", "=tickers__symbol", "=cik", "former_names")
    search_help_text = "Name, ticker, CIK or former name"
    ordering = ("-facts_stored", "name")
    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    actions = ("ingest", "retry", "cancel", "activate", "deactivate", "take_first", "take_in_turn", "take_last")
    inlines = (TickerInline,)
    change_form_template = "admin/filings/company/change_form.html"
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "name",
                    "cik",
                    "active",
                    "priority",
                    "aliases",
                    "label_offset",
                    "successor_cik",
                    "succession",
                )
            },
        ),
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
                    "forms",
                    "attempt",
                    "heartbeat",
                    "ingested",
                    "facts_stored",
                    "facts_sha256",
                    "origin",
                    "watched",
                )
            },
        ),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Company | None = None) -> list[str]:
        shown = [name for _, options in self.fieldsets for name in options["fields"]]
        return [name for name in shown if name not in CompanyForm.Meta.fields]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Company]:
        return super().get_queryset(request).prefetch_related("tickers")

    # Registrants come from the SEC's ticker list and stay; a company is excluded by switching it off.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Company | None = None) -> bool:
        return False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.coverage_view)
        return [path("<int:pk>/coverage/", view, name="filings_company_coverage"), *super().get_urls()]

    def save_model(self, request: HttpRequest, obj: Company, form: forms.ModelForm, change: bool) -> None:
        # Only edited columns are saved: an ingestion may be writing the others.
        changed = list(form.changed_data)
        if "successor_cik" in changed:
            obj.succession = Succession.CURATOR
            changed.append("succession")
            # Its own predecessors are asked about as that one too.
            if obj.successor_cik is not None:
                obj.predecessors.update(successor_cik=obj.successor_cik)
        obj.save(update_fields=changed)
        if "label_offset" in form.changed_data:
            relabel(obj)

    @admin.display(description="Tickers")
    def tickers_held(self, company: Company) -> str:
        symbols = company.symbols
        return ", ".join(symbols[:2]) + (f" and {len(symbols) - 2} more" if len(symbols) > 2 else "")

    @admin.display(description="Last checked", ordering="watched")
    def looked_at(self, company: Company) -> str:
        return date_format(company.watched, "j M, H:i") if company.watched else "-"

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

    @admin.action(description="Ingest: load new filings from EDGAR", permissions=["change"])
    def ingest(self, request: HttpRequest, companies: QuerySet[Company]) -> None:
        queued = [company for company in companies if queue.enqueue(company)]
        self.say(request, len(queued), "queued", "is already under way")

    @admin.action(description="Retry failed or stopped ingestions, for the same years", permissions=["change"])
    def retry(self, request: HttpRequest, companies: QuerySet[Company]) -> None:
        ended = companies.filter(status__in=[Company.Status.FAILED, Company.Status.CANCELLED])
        queued = [one for one in ended if queue.enqueue(one, (one.years_from, one.years_to))]
        self.say(request, len(queued), "queued again", "has not failed")

    @admin.action(description="Priority: ingest before the others", permissions=["change"])
    def take_first(self, request: HttpRequest, companies: QuerySet[Company]) -> None:
        self.prioritise(request, companies, Priority.FIRST, "is already first")

    @admin.action(description="Priority: ingest in turn", permissions=["change"])
    def take_in_turn(self, request: HttpRequest, companies: QuerySet[Company]) -> None:
        self.prioritise(request, companies, Priority.NORMAL, "is already taken in turn")

    @admin.action(description="Priority: ingest after the others", permissions=["change"])
    def take_last(self, request: HttpRequest, companies: QuerySet[Company]) -> None:
        self.prioritise(request, companies, Priority.LAST, "is already last")

    def prioritise(self, request: HttpRequest, companies: QuerySet[Company], to: Priority, otherwise: str) -> None:
        changed = companies.exclude(priority=to).update(priority=to)
        self.say(request, changed, f"taken {to.label.lower()}", otherwise)

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
        """Shows a company's coverage by year, and the problems found in its filings."""
        company = get_object_or_404(Company, pk=pk)
        if not self.has_view_permission(request, company):
            raise PermissionDenied
        rows = Fact.objects.filter(company=company).values_list("filing", "source").annotate(Count("pk")).order_by()
        facts: Counter[tuple[int, str]] = Counter({(filing, source): count for filing, source, count in rows})
        covered = coverage(company)
        read = item_coverage.lines(year.filing for year in covered)
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
    """Compute the fiscal years of a company's filings again, after its offset was changed."""
    reports = [report_of(filing) for filing in company.filings.all()]
    label_reports(company.cik, reports, company.label_offset)
    with transaction.atomic():
        store_reports(company, reports)
