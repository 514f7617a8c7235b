"""Pages for the account, its API tokens and its data. allauth has those for sign-up, sign-in, passwords and addresses."""

from tempfile import SpooledTemporaryFile

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_http_methods, require_safe

from accounts import account_deletion, tokens
from accounts.forms import DeletionForm, TokenForm
from accounts.request_types import SignedInRequest

# An export up to this size needs no file.
IN_MEMORY = 10_000_000


@require_safe
@login_required
def account(request: SignedInRequest) -> HttpResponse:
    """The account page: e-mail address, sign-in methods, API tokens, and the user's data."""
    return _account_page(request, TokenForm(user=request.user, initial={"days": "90"}))


def _account_page(request: SignedInRequest, form: TokenForm, made: str = "", status: int = 200) -> HttpResponse:
    user = request.user
    addresses = EmailAddress.objects.filter(user=user, email__iexact=user.email)
    context = {
        "verified": addresses.filter(verified=True).exists(),
        "second_factor": is_mfa_enabled(user),
        "social": settings.OIDC,
        "tokens": user.tokens.filter(revoked=None),
        "form": form,
        "made": made,
    }
    return render(request, "accounts/account.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator] # allauth's
def token_create(request: SignedInRequest) -> HttpResponse:
    """Create an API token and show it once, on a page that cannot be opened again."""
    if request.method != "POST":
        return redirect("account")
    form = TokenForm(request.POST, user=request.user)
    if not form.is_valid():
        return _account_page(request, form, status=422)
    data = form.cleaned_data
    _, text = tokens.issue(request.user, data["name"], data["scopes"], form.expires)
    return _account_page(request, TokenForm(user=request.user, initial={"days": "90"}), made=text)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def token_revoke(request: SignedInRequest, pk: int) -> HttpResponse:
    """Revoke one of the user's API tokens."""
    if request.method == "POST":
        token = get_object_or_404(request.user.tokens, pk=pk)
        tokens.revoke(token)
        messages.success(request, f"The token “{token.name}” has been revoked.")
    return redirect("account")


@require_safe
@login_required
@reauthentication_required
def account_export(request: SignedInRequest) -> HttpResponseBase:
    """Shows which data an export has; with ?file, sends the file."""
    if "file" not in request.GET:
        return render(request, "accounts/export.html")
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    account_deletion.export(request.user, file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"diligence-account-{now():%Y-%m-%d}.zip")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required
def account_delete(request: SignedInRequest) -> HttpResponse:
    """Delete the account and everything that belongs to it."""
    user = request.user
    form = DeletionForm(request.POST or None, user=user)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "accounts/delete.html", {"form": form}, status=status)
    account_deletion.delete(user)
    logout(request)
    messages.success(request, "Your account and everything in it have been deleted.")
    return redirect("ask")
