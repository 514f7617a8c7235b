"""Forms of the account page, and allauth's forms with our changes."""

from datetime import datetime, timedelta
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm as AllauthChangePasswordForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from allauth.core import context
from allauth.mfa.base import forms as mfa
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.timezone import now

from accounts import login_throttle, tokens
from accounts.models import Scope, Token, User


class SignupForm(AllauthSignupForm):
    """allauth's sign-up form. Takes equally long whether or not the address has an account, to reveal nothing."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        if self.account_already_exists:
            # Hash a password, which takes nearly all the time of creating an account.
            User().set_password(self.cleaned_data["password1"])
        return super().try_save(request)  # type: ignore[no-any-return]


class ChangePasswordForm(AllauthChangePasswordForm):
    """allauth's form; also limits guesses of the old password and offers to revoke API tokens."""

    user: User
    # For people who change a password because somebody else knew it.
    revoke_tokens = forms.BooleanField(required=False, initial=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        count = self.user.tokens.live().count()
        if count:
            named = "API token" if count == 1 else f"{count} API tokens"
            self.fields["revoke_tokens"].label = f"Revoke my {named} too"
        else:
            del self.fields["revoke_tokens"]

    def clean_oldpassword(self) -> str:
        request = context.request
        account = get_adapter()._get_login_attempts_cache_key(request, email=self.user.email)
        guess = login_throttle.guess(request, "password", account, login_throttle.known_as(request, self.user.pk))
        password: str = super().clean_oldpassword()
        guess.was_right()
        return password

    def save(self) -> None:
        super().save()
        if self.cleaned_data.get("revoke_tokens"):
            tokens.revoke_all(self.user)
            messages.success(context.request, "Your API tokens have been revoked.")


class CountedCode:
    """A form for a second factor's code; limits guesses, as for passwords."""

    user: User

    def clean_code(self) -> str:
        request = context.request
        guess = login_throttle.guess(
            request, "code", f"user:{self.user.pk}", login_throttle.known_as(request, self.user.pk)
        )
        code: str = super().clean_code()  # type: ignore[misc]
        guess.was_right()
        return code


class CodeForm(CountedCode, mfa.AuthenticateForm):
    """The form for the code of a second factor at sign-in."""


class CodeOnceMoreForm(CountedCode, mfa.ReauthenticateForm):
    """The form for the code that is asked again before security settings change."""


class TokenForm(forms.Form):
    """The form for a new API token."""

    EXPIRIES = (("30", "30 days"), ("90", "90 days"), ("365", "1 year"), ("", "Never"))

    LONGEST = Token._meta.get_field("name").max_length

    name = forms.CharField(
        max_length=LONGEST,
        strip=True,
        error_messages={
            "required": "Name: type what the token is used for.",
            "max_length": "Name: up to %(limit_value)d characters; this one has %(show_value)d.",
        },
    )
    days = forms.ChoiceField(
        choices=EXPIRIES,
        required=False,
        error_messages={"invalid_choice": "Expires after: choose 30 days, 90 days, 1 year or never."},
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        error_messages={
            "required": "Scope: choose at least one.",
            "invalid_choice": "Scope: %(value)s is none of these.",
        },
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not user.is_staff:
            scopes = cast("forms.MultipleChoiceField", self.fields["scopes"])
            scopes.choices = [one for one in Scope.choices if one[0] != Scope.IMPORT]

    def clean(self) -> dict[str, Any] | None:
        if self.user.tokens.live().count() >= tokens.MOST:
            raise forms.ValidationError(f"You already have {tokens.MOST} tokens, the most allowed. Revoke one first.")
        return super().clean()

    @property
    def first_wrong(self) -> str:
        """The first field with an error; "" without one."""
        return next((name for name in self.fields if name in self.errors), "")

    @property
    def expires(self) -> datetime | None:
        """When the token of a valid form expires; None for never."""
        days = self.cleaned_data["days"]
        return now() + timedelta(days=int(days)) if days else None


class DeletionForm(forms.Form):
    """The form that confirms the deletion of an account."""

    email = forms.CharField(max_length=254, label="E-mail")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["email"].help_text = f"Type {user.email} to confirm."

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].strip().lower()
        if email != self.user.email.lower():
            raise forms.ValidationError("This is not the e-mail address of your account.")
        return email

    def clean(self) -> dict[str, Any] | None:
        others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=self.user.pk)
        if self.user.is_superuser and not others.exists():
            raise forms.ValidationError("You are the only administrator. Make someone else an administrator first.")
        return super().clean()
