"""Secrets of second factors, encrypted in the database with a key derived from SECRET_KEY."""

import base64
import logging

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.db import transaction

from accounts.derived_keys import secrets

logger = logging.getLogger(__name__)

# Text encrypted by Fernet begins like this; allauth's plain secrets never do (base 32, hexadecimal, digits).
ENCRYPTED = "gAAAAA"
# Which field of an authenticator's data is secret. A passkey has none: its key is public.
SECRETS = {Authenticator.Type.TOTP: "secret", Authenticator.Type.RECOVERY_CODES: "seed"}


class MFAAdapter(DefaultMFAAdapter):
    """Encrypts the secrets of second factors, which allauth would store in plain text."""

    def encrypt(self, text: str) -> str:
        return cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret, decrypted with any of the keys. If none fits, a random value that no code matches."""
        if not encrypted_text.startswith(ENCRYPTED):
            return encrypted_text
        try:
            return cipher().decrypt(encrypted_text).decode()
        except InvalidToken:
            logger.error("A second factor cannot be read: its key is neither SECRET_KEY nor in SECRET_KEY_FALLBACKS")
            return generate_totp_secret()


def cipher() -> MultiFernet:
    """Encrypts with SECRET_KEY, and decrypts with the fallbacks too."""
    return MultiFernet([key(secret) for secret in secrets()])


def key(secret: str) -> Fernet:
    derived = HKDF(SHA256(), length=32, salt=None, info=b"accounts.second_factors").derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))


def renew() -> tuple[int, int]:
    """Encrypt every second factor with SECRET_KEY; returns how many, and how many cannot be decrypted."""
    keys, renewed, unreadable = cipher(), 0, 0
    with transaction.atomic():
        for row in Authenticator.objects.select_for_update().filter(type__in=SECRETS):
            name = SECRETS[Authenticator.Type(row.type)]
            kept = row.data[name]
            again = keys.rotate if kept.startswith(ENCRYPTED) else keys.encrypt
            try:
                row.data[name] = again(kept.encode()).decode()
            except InvalidToken:
                unreadable += 1
                continue
            row.save(update_fields=["data"])
            renewed += 1
    return renewed, unreadable
