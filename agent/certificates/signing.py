"""The canonical bytes of a certificate, its digest and its signature."""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.conf import settings

# Members that the digest leaves out.
APART = ("digest", "signature")
KEY_BYTES = 32


class WrongKey(ValueError):
    """CERTIFICATE_KEY is no Ed25519 private key."""


def canonical(value: Any) -> bytes:
    """JSON with sorted keys and no white space, in UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def digest(certificate: Mapping[str, Any]) -> str:
    """SHA-256 of a certificate without digest and signature, in hexadecimal."""
    content = {name: value for name, value in certificate.items() if name not in APART}
    return hashlib.sha256(canonical(content)).hexdigest()


def private_key() -> Ed25519PrivateKey | None:
    """The key of CERTIFICATE_KEY; None where it is empty. Raises WrongKey."""
    return read_key(settings.CERTIFICATE_KEY)


@cache
def read_key(text: str) -> Ed25519PrivateKey | None:
    """An Ed25519 private key in PEM, or its 32 bytes in base64; None for an empty text. Raises WrongKey."""
    if not text:
        return None
    try:
        if "PRIVATE KEY" in text:
            # A line of .env has the two characters for a line feed.
            key = load_pem_private_key(text.replace("\\n", "\n").encode(), None)
        else:
            key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(text, validate=True))
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise WrongKey(str(error)) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise WrongKey("It is a key of another kind.")
    return key


def public_key() -> str:
    """The public key of this site in base64; empty where certificates are not signed."""
    key = private_key()
    return base64.b64encode(key.public_key().public_bytes_raw()).decode() if key else ""


def signature(digest_: str) -> dict[str, str] | None:
    """The signature of a digest; None where certificates are not signed."""
    key = private_key()
    if key is None:
        return None
    signed = base64.b64encode(key.sign(digest_.encode())).decode()
    return {"algorithm": "Ed25519", "public_key": public_key(), "value": signed}


def is_signed(digest_: str, public: str, signed: str) -> bool:
    """Whether a signature of a digest is that of a public key; both in base64."""
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        key.verify(base64.b64decode(signed, validate=True), digest_.encode())
    except (ValueError, InvalidSignature):
        return False
    return True
