"""The certificate of an answer as a file."""

from django.http import Http404, HttpResponse
from django.utils.cache import patch_cache_control

from agent.certificates import signing
from agent.certificates.build import certificate_of
from agent.models import Run


def download(run: Run) -> HttpResponse:
    """The certificate of a run as a file. Raises Http404 where no answer can be read."""
    found = certificate_of(run)
    if found is None:
        raise Http404
    reply = HttpResponse(signing.canonical(found), content_type="application/json")
    reply["Content-Disposition"] = f'attachment; filename="certificate-{run.pk}.json"'
    patch_cache_control(reply, private=True, no_store=True)
    return reply
