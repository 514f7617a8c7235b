"""allauth's passkey forms, with the browser's data checked before fido2 reads it."""

import json
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as allauth
from django import forms

MOST_CHARACTERS = 20_000  # a credential has one or two thousand
LONGEST_NAME = 100
# Characters that PostgreSQL rejects in JSON: a NUL, and half of a surrogate pair.
NEVER_STORED = re.compile(r"\\u0000|[\ud800-\udfff]")
# fido2 reads CBOR without limits of length or depth, and raises these errors for bad data.
UNREAD = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
)


class CredentialField(forms.JSONField):
    """A browser's passkey data: a JSON object of the expected form, which every database can store."""

    def __init__(self) -> None:
        super().__init__(required=True, widget=forms.HiddenInput)

    def bound_data(self, data: Any, initial: Any) -> None:
        """Returns nothing, because a form that is shown again must ask the browser anew."""

    def prepare_value(self, value: Any) -> str:
        return ""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and len(value) > MOST_CHARACTERS:
            raise get_adapter().validation_error("incorrect_code")
        try:
            found = super().to_python(value)
            kept = json.dumps(found, ensure_ascii=False, allow_nan=False)
        except (RecursionError, ValueError, forms.ValidationError):
            raise get_adapter().validation_error("incorrect_code") from None
        if found is None:
            return None
        if NEVER_STORED.search(kept) or not is_credential(found):
            raise get_adapter().validation_error("incorrect_code")
        return found


def is_credential(found: Any) -> bool:
    """Whether the data has all fields that we read, with the right types."""
    if not isinstance(found, dict) or not isinstance(found.get("id"), str):
        return False
    extensions = found.get("clientExtensionResults", {})
    return (
        isinstance(found.get("response"), dict)
        and isinstance(extensions, dict)
        and isinstance(extensions.get("credProps", {}), dict)
    )


@contextmanager
def unread_refused() -> Iterator[None]:
    """Raises ValidationError for what fido2 cannot read."""
    try:
        yield
    except UNREAD as error:
        raise get_adapter().validation_error("incorrect_code") from error


class Registers(forms.Form):
    """Registers a new passkey."""

    name = forms.CharField(required=False, max_length=LONGEST_NAME)
    credential = CredentialField()

    def clean(self) -> dict[str, Any] | None:
        with unread_refused():
            return super().clean()


class AddForm(Registers, allauth.AddWebAuthnForm):  # type: ignore[misc] # the fields and `clean` stand before allauth's
    pass


class SignupForm(Registers, allauth.SignupWebAuthnForm):  # type: ignore[misc] # the fields and `clean` stand before allauth's
    pass


class AuthenticateForm(allauth.AuthenticateWebAuthnForm):
    """A passkey to sign in with."""

    credential = CredentialField()

    def clean_credential(self) -> Authenticator:
        with unread_refused():
            return super().clean_credential()


class LoginForm(AuthenticateForm, allauth.LoginWebAuthnForm):
    pass


class ReauthenticateForm(AuthenticateForm, allauth.ReauthenticateWebAuthnForm):
    pass


class EditForm(allauth.EditWebAuthnForm):
    name = forms.CharField(max_length=LONGEST_NAME)
