"""Read-only admin of filings' text: Items, sections and chunks."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html

from accounts.admin_lists import BoundedPaginator, ReadOnlyAdmin
from filings.models import Chunk, Filing, Section
from filings.sections import item_coverage
from filings.sections.items import ITEMS
from filings.web.reader import section_html


class ItemFilter(admin.SimpleListFilter):
    """A filter by Item with a fixed list, because finding the distinct values would read every row."""

    title = "Item"
    parameter_name = "item"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [*((item.key, f"{item.key} {item.title}") for item in ITEMS.values()), ("none", "Outside any Item")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if value is None:
            return queryset
        return queryset.filter(item="" if value == "none" else value)


class LazyText:
    """Base class of lists that leave out text, blocks and ranges, which would be megabytes on a page."""

    heavy: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)  # type: ignore[misc]
        match = request.resolver_match
        is_list = match is not None and str(match.url_name).endswith("_changelist")
        return rows.defer(*self.heavy) if is_list else rows


@admin.register(Section)
class SectionAdmin(LazyText, ReadOnlyAdmin):
    heavy = ("text", "blocks", "pages")
    list_display = ("shown_item", "status", "filing", "fiscal_year", "heading", "where", "ledger_link")
    list_select_related = ("filing__company",)
    list_filter = ("status", ItemFilter, "filing__fiscal_year")
    search_fields = ("=filing__accession", "=filing__company__tickers__symbol", "filing__company__name", "=sha256")
    search_help_text = "Accession, company, ticker or SHA-256"
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    list_per_page = 50
    ordering = ("filing", "number")
    fields = (
        "filing", "document", "number", "item", "status", "heading", "where", "sha256", "pages_held", "blocks_held",
        "on_site", "shown_text",
    )  # fmt: skip
    readonly_fields = ("pages_held", "blocks_held", "on_site", "shown_text")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.ledger_view)
        return [path("ledger/<int:pk>/", view, name="filings_section_ledger"), *super().get_urls()]

    @admin.display(description="Item", ordering="item")
    def shown_item(self, section: Section) -> str:
        return section.label or f"Section {section.number}, outside any Item"

    @admin.display(description="Year", ordering="filing__fiscal_year")
    def fiscal_year(self, section: Section) -> int | None:
        return section.filing.fiscal_year

    @admin.display(description="Item status")
    def ledger_link(self, section: Section) -> str:
        return format_html('<a href="{}">Items</a>', reverse("admin:filings_section_ledger", args=[section.filing_id]))

    @admin.display(description="Pages")
    def pages_held(self, section: Section) -> int:
        return len(section.pages)

    @admin.display(description="Blocks")
    def blocks_held(self, section: Section) -> int:
        return len(section.blocks)

    @admin.display(description="On the site")
    def on_site(self, section: Section) -> str:
        return format_html('<a href="{}">Read it</a>', section.get_absolute_url())

    @admin.display(description="Text")
    def shown_text(self, section: Section) -> str:
        return section_html(section.text, section.parsed_blocks, section.parsed_pages) or "-"

    def ledger_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Every Item of one filing with its status, as on its page."""
        filing = get_object_or_404(Filing.objects.select_related("company"), pk=pk)
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": f"Items of {filing}",
            "filing": filing,
            "entries": item_coverage.entries(filing),
            "opts": self.model._meta,
        }
        return render(request, "admin/filings/section/ledger.html", context)


@admin.register(Chunk)
class ChunkAdmin(LazyText, ReadOnlyAdmin):
    heavy = ("ranges", "windows", "headings")
    list_display = ("id", "kind", "item", "filing", "number", "pieces", "statement", "page_first", "page_last")
    list_select_related = ("filing__company",)
    list_filter = ("kind", ItemFilter, "statement")
    search_fields = ("=id", "=filing__accession", "=filing__company__tickers__symbol", "=sha256")
    search_help_text = "Id, accession, ticker or SHA-256"
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    list_per_page = 50
    ordering = ("id",)
    readonly_fields = ("shown_text",)

    @admin.display(description="Text")
    def shown_text(self, chunk: Chunk) -> str:
        return format_html("<pre>{}</pre>", chunk.text)
