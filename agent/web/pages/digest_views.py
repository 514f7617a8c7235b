"""The weekly digest: switched on and off on the account page, and stopped by whoever has the address."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts.request_types import Request, SignedInRequest
from accounts.verified_address import verified_address
from agent.models import Digest
from agent.web.pages.unsubscribing import unsubscribing


@require_POST
@login_required
def digest(request: SignedInRequest) -> HttpResponse:
    """Switch the digest on or off: mail is 1 or 0. It goes to a verified address only."""
    if request.POST.get("mail") != "1":
        Digest.objects.filter(user=request.user).update(mail=False)
        messages.success(request, "There are no more e-mails about changed answers.")
    elif address := verified_address(request.user):
        mine, _ = Digest.objects.get_or_create(user=request.user)
        site = request.build_absolute_uri("/")
        Digest.objects.filter(pk=mine.pk, mail=False).update(mail=True, told=now(), begun=None, site=site)
        messages.success(request, f"Changed answers will be mailed to {address}, at most once a week.")
    else:
        messages.warning(request, "Verify your e-mail address first.")
    return redirect("account")


@csrf_exempt  # mail programs post to it (RFC 8058), without a cookie; the token is in the address
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def digest_unsubscribe(request: Request, token: str) -> HttpResponse:
    """A page with a button that stops the digest; its POST stops it."""
    found = Digest.objects.filter(unsubscribe=token)
    return unsubscribing(request, found, token, "your changed answers", "account")
