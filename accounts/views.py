"""The account page. Signing up, in and out, passwords and addresses are allauth's."""

from allauth.account.models import EmailAddress
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import Request


@require_safe
@login_required
def account(request: Request) -> HttpResponse:
    """The e-mail address, and the ways to change it, the password, and to leave."""
    user = request.identity.user
    verified = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    return render(request, "accounts/account.html", {"verified": verified})
