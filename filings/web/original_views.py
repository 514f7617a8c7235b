"""The original file of an imported document, as a download that no browser opens or runs."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from filings.importing import original_files
from filings.models import Document, Filing

TEXTS = (".txt", ".md")


@require_safe
def original(request: HttpRequest, accession: str) -> HttpResponse:
    """The file as it was brought, byte for byte. Everybody may have it, as everybody may read the document."""
    held = Document.objects.filter(filing__in=Filing.objects.imported().filter(accession=accession)).first()
    content = original_files.read(held.sha256) if held else None
    if held is None or content is None:
        raise Http404
    response = HttpResponse(content, content_type=type_of(content, held.filename))
    # It came from a stranger: saved it is, and nothing in it runs in the name of this site.
    response["Content-Disposition"] = content_disposition_header(True, held.filename)
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def type_of(content: bytes, filename: str) -> str:
    """PDF or plain text, which run nothing; anything else is only bytes."""
    if content.startswith(b"%PDF-"):
        return "application/pdf"
    return "text/plain; charset=utf-8" if filename.lower().endswith(TEXTS) else "application/octet-stream"
