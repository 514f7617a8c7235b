"""Admin of imported documents: they can be withdrawn, restored and deleted; and of the files on their way."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.admin_lists import ReadOnlyAdmin
from filings.importing import withdrawal
from filings.models import Import, ImportedDocument


class WithdrawnFilter(admin.SimpleListFilter):
    title = "whether it is searched"
    parameter_name = "withdrawn"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", "Searched and cited"), ("yes", "Withdrawn")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(withdrawn__isnull=self.value() == "no") if self.value() else queryset


@admin.register(ImportedDocument)
class ImportedDocumentAdmin(ReadOnlyAdmin):
    list_display = (
        "accession",
        "company",
        "source",
        "title",
        "fiscal_year",
        "fiscal_quarter",
        "filed",
        "chunks_stored",
        "withdrawn",
        "added_by",
    )
    list_select_related = ("company", "added_by")
    list_filter = ("source", WithdrawnFilter, "fiscal_year")
    search_fields = ("=accession", "title", "company__name", "=company__tickers__symbol")
    search_help_text = "Accession, title, company or ticker"
    list_per_page = 50
    actions = ("withdraw", "restore", "delete_documents")
    fields = readonly_fields = (
        "accession",
        "company",
        "source",
        "title",
        "address",
        "fiscal_year",
        "fiscal_quarter",
        "period_end",
        "filed",
        "added_by",
        "held_since",
        "chunks_stored",
        "indexed",
        "withdrawn",
        "page",
        "original",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImportedDocument]:
        return super().get_queryset(request).imported()  # type: ignore[no-any-return,attr-defined]

    @admin.display(description="Page")
    def page(self, document: ImportedDocument) -> SafeString:
        return format_html('<a href="{}">Its text</a>', document.get_absolute_url())

    @admin.display(description="Original file")
    def original(self, document: ImportedDocument) -> SafeString:
        return format_html('<a href="{}">Download</a>', reverse("original", args=[document.accession]))

    def has_withdraw_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("filings.change_importeddocument")

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("filings.delete_importeddocument")

    @admin.action(description="Withdraw: no longer searched or cited, still readable", permissions=["withdraw"])
    def withdraw(self, request: HttpRequest, documents: QuerySet[ImportedDocument]) -> None:
        self.say(request, sum(map(withdrawal.withdraw, documents)), "withdrawn", "was withdrawn before")

    @admin.action(description="Restore: searched and cited again", permissions=["withdraw"])
    def restore(self, request: HttpRequest, documents: QuerySet[ImportedDocument]) -> None:
        self.say(request, sum(map(withdrawal.restore, documents)), "restored", "was not withdrawn")

    @admin.action(description="Delete for good, with the original file; only withdrawn ones", permissions=["remove"])
    def delete_documents(self, request: HttpRequest, documents: QuerySet[ImportedDocument]) -> None:
        withdrawn = list(documents.filter(withdrawn__isnull=False))
        for document in withdrawn:
            withdrawal.delete(document)
        self.say(request, len(withdrawn), "deleted", "must be withdrawn first")

    def say(self, request: HttpRequest, changed: int, done: str, otherwise: str) -> None:
        if changed:
            self.message_user(request, f"{changed} {'document is' if changed == 1 else 'documents are'} {done}.")
        else:
            self.message_user(request, f"Nothing was changed: each {otherwise}.", messages.WARNING)


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin):
    list_display = ("filename", "status", "company", "kind", "problem", "user", "created", "filing")
    list_select_related = ("company", "user", "filing__company")
    list_filter = ("status", "kind")
    search_fields = ("filename", "=sha256", "company__name")
    search_help_text = "File name, SHA-256 or company"
    list_per_page = 50
