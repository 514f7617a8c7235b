"""Addresses of certificates: of an answer, their schema, the public key, and the script that checks them."""

import json
from functools import cache
from pathlib import Path
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.request_types import Request
from agent.certificates import signing, verify_certificate
from agent.certificates.records import schema
from agent.models import Run
from agent.web.cards.certificate_file import download
from agent.web.shared_links import opened, read_by_link

SCRIPT = Path(verify_certificate.__file__)


@require_safe
@never_cache
def run_certificate(request: Request, pk: UUID) -> HttpResponse:
    """Download the certificate of one of the user's answers."""
    return download(get_object_or_404(Run.objects.visible_to(request.identity), pk=pk))


@require_safe
@never_cache
def shared_certificate(request: Request, token: str) -> HttpResponse:
    """Download the certificate of a shared answer."""
    share = opened(token)
    if share is None:
        raise Http404
    return read_by_link(download(share.run))


@require_safe
def certificate_schema(request: Request) -> HttpResponse:
    """The JSON schema of certificates."""
    return HttpResponse(published_schema(), content_type="application/schema+json")


@cache
def published_schema() -> str:
    """The schema as text."""
    return json.dumps(schema(), indent=1)


@require_safe
def certificate_key(request: Request) -> HttpResponse:
    """The public key that certificates of this site are signed with, in base64; 404 where they are not signed."""
    key = signing.public_key()
    if not key:
        raise Http404
    return HttpResponse(f"{key}\n", content_type="text/plain")


@require_safe
def certificate_script(request: Request) -> HttpResponse:
    """Download the script that checks certificates without Diligence."""
    reply = HttpResponse(SCRIPT.read_bytes(), content_type="text/x-python")
    reply["Content-Disposition"] = f'attachment; filename="{SCRIPT.name}"'
    return reply
