"""Pages on which staff bring files. A worker reads them while the page polls; to others they do not exist."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Scope
from accounts.request_types import Request, polled_in_vain
from accounts.staff import may_administer
from filings.importing import import_queue
from filings.importing.document_fields import ImportRefused
from filings.models import Import
from filings.web.import_forms import ConfirmImport, ImportFiles

TO_IMPORT = "filings.add_import"
SHOWN = 50


def may_import(request: Request) -> bool:
    """Whether a request may bring files: from staff with the permission to, by a session as the admin wants it or by a
    token with that scope.
    """
    user, token = request.user, request.token
    known = user.is_active and user.is_staff and token.may(Scope.IMPORT) if token else may_administer(request)
    return bool(known and user.has_perm(TO_IMPORT))


def importers_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wraps a view: who may not bring files learns nothing of it."""

    @wraps(view)
    def wrapped(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_import(request):
            raise Http404
        return view(request, *args, **kwargs)

    return wrapped


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@importers_only
def import_documents(request: Request) -> HttpResponse:
    """The files on their way and a form for more; a POST takes each file that can be taken."""
    if request.method != "POST":
        return _page(request, ImportFiles(initial={"company": request.GET.get("company", "")[:100]}))
    form = ImportFiles(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form, 422)
    taken = 0
    for file in request.FILES.getlist("file"):
        name = file.name or ""
        try:
            import_queue.start(file.read(), name, form.fields_given, request.identity.user)
            taken += 1
        except ImportRefused as refused:
            form.add_error("file", f"{name[:100]}: {refused.why}")
    if not form.is_valid():
        return _page(request, form, 422)
    messages.success(request, f"{taken} file{'' if taken == 1 else 's'} will be read. Confirm below what each is.")
    return redirect("import_documents")


def _page(
    request: Request, form: ImportFiles, status: int = 200, confirming: ConfirmImport | None = None
) -> HttpResponse:
    rows = Import.objects.select_related("company", "filing", "user").prefetch_related("company__tickers")[:SHOWN]
    context = {
        "form": form,
        "imports": [(row, _form_of(row, confirming)) for row in rows],
        "most": settings.IMPORT_MOST_BYTES,
    }
    return render(request, "filings/import_documents.html", context, status=status)


def _form_of(row: Import, confirming: ConfirmImport | None = None) -> ConfirmImport | None:
    """The form in which a person says what a file is, where it waits for that."""
    if confirming is not None and confirming.prefix == str(row.pk):
        return confirming
    waits = row.status == Import.Status.ASKED or (row.status == Import.Status.FAILED and row.field not in {"", "file"})
    return ConfirmImport.of(row) if waits else None


@require_safe
@never_cache
@importers_only
def import_progress(request: Request, pk: UUID) -> HttpResponse:
    """One file, polled while a worker has to do with it."""
    row = Import.objects.select_related("company", "filing", "user").filter(pk=pk).first()
    if row is None:
        return polled_in_vain(request)
    return render(request, "filings/_import.html", {"import": row, "confirm": _form_of(row)})


@require_http_methods(["GET", "HEAD", "POST"])
@importers_only
def import_confirm(request: Request, pk: UUID) -> HttpResponse:
    """Let a file be stored as what its form says, or be forgotten. A GET leads to the page of all."""
    if request.method != "POST":
        return redirect("import_documents")
    row = get_object_or_404(Import.objects.select_related("company"), pk=pk)
    if "discard" in request.POST:
        if import_queue.discard(row):
            messages.success(request, f"{row.filename} is forgotten.")
        else:
            messages.warning(request, f"{row.filename} is being read. Try again in a moment.")
        return redirect("import_documents")
    form = ConfirmImport(request.POST, prefix=str(row.pk))
    if not form.is_valid():
        return _page(request, ImportFiles(), 422, form)
    if import_queue.confirm(row, form.fields_given):
        messages.success(request, f"{row.filename} will be imported.")
    else:
        messages.warning(request, f"{row.filename} waits for no confirmation.")
    return redirect("import_documents")
