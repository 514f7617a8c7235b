"""Forms of the account page, and allauth's form of sign-up."""

from datetime import datetime, timedelta
from typing import Any

from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.timezone import now

from accounts import tokens
from accounts.models import Scope, Token, User


class SignupForm(AllauthSignupForm):
    """allauth's, which answers alike whether or not there is an account with the address."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        if self.account_already_exists:
            # As long as it takes to make an account: the hash is nearly all of it.
            User().set_password(self.cleaned_data["password1"])
        return super().try_save(request)  # type: ignore[no-any-return]


class TokenForm(forms.Form):
    """A new API token."""

    EXPIRIES = (("30", "30 days"), ("90", "90 days"), ("365", "1 year"), ("", "Never"))

    name = forms.CharField(max_length=Token._meta.get_field("name").max_length, strip=True)
    scopes = forms.MultipleChoiceField(choices=Scope.choices, error_messages={"required": "Choose at least one."})
    days = forms.ChoiceField(choices=EXPIRIES, required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any] | None:
        if self.user.tokens.live().count() >= tokens.MOST:
            raise forms.ValidationError(f"An account has at most {tokens.MOST} tokens. Revoke one first.")
        return super().clean()

    @property
    def expires(self) -> datetime | None:
        """When the token ends, in a valid form; None for never."""
        days = self.cleaned_data["days"]
        return now() + timedelta(days=int(days)) if days else None


class DeletionForm(forms.Form):
    """The last question before an account is deleted."""

    email = forms.CharField(max_length=254, label="E-mail")

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["email"].help_text = f"Type {user.email} to confirm."

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].strip().lower()
        if email != self.user.email.lower():
            raise forms.ValidationError("This is not the address of this account.")
        return email

    def clean(self) -> dict[str, Any] | None:
        others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=self.user.pk)
        if self.user.is_superuser and not others.exists():
            raise forms.ValidationError("This is the only administrator. Make somebody else one first.")
        return super().clean()
