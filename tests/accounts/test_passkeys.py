"""What is sent in the place of a passkey is refused in words, at every form that takes one."""

import base64
import hashlib
import json
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from tests.support.people import reauthenticate, sign_in, with_app

pytestmark = pytest.mark.django_db

ADD, LOGIN, AUTHENTICATE = (
    "/accounts/2fa/webauthn/add/",
    "/accounts/2fa/webauthn/login/",
    "/accounts/2fa/authenticate/",
)


def url_safe(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def credential(**response: str) -> dict[str, Any]:
    return {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": response}


CLIENT_DATA = url_safe(b'{"type": "webauthn.get", "challenge": "AAAA", "origin": "http://testserver"}')
# CBOR of arrays within arrays, of a type that is none, and of a map of four billion members.
CBOR = {"deep": b"\x81" * 5000, "unknown": b"\xc0", "long": b"\xba\xff\xff\xff\xff", "empty": b""}
WRONG = {
    "a number for its id": '{"id": 1}',
    "an array": "[]",
    "a text": '"a"',
    "a number": "1",
    "no JSON": "{",
    "nested arrays": "[" * 100_000,
    "nested objects": '{"a":' * 3000,
    "nested objects that end": '{"a":' * 900 + "1" + "}" * 900,
    "a number of 5,000 digits": "9" * 5000,
    "not a number": '{"id": "AAAA", "response": {"a": NaN}}',
    "a response that is none": json.dumps({**credential(), "response": 1}),
    "no response": json.dumps({"id": "AAAA", "rawId": "AAAA"}),
    "an id of letters that are none of base 64": json.dumps(credential() | {"id": "\xe9", "rawId": "\xe9"}),
    "extensions that are a list": json.dumps(credential() | {"clientExtensionResults": []}),
    "properties that are a number": json.dumps(credential() | {"clientExtensionResults": {"credProps": 1}}),
    "a NUL": json.dumps(credential(a="\0")),
    "half of a surrogate pair": json.dumps(credential(a="\ud800")),
    "much": json.dumps(credential(a="a" * 100_000)),
    "a user who is a number": json.dumps(
        credential(clientDataJSON=CLIENT_DATA, authenticatorData=url_safe(bytes(37)), signature="AAAA")
        | {"userHandle": 1}
    ),
    **{
        f"CBOR, {name}": json.dumps(credential(clientDataJSON=CLIENT_DATA, attestationObject=url_safe(data)))
        for name, data in CBOR.items()
    },
    **{
        f"authenticator data, {name}": json.dumps(
            credential(
                clientDataJSON=CLIENT_DATA,
                authenticatorData=url_safe(bytes(32) + b"\x80" + bytes(4) + data),
                signature="AAAA",
                userHandle="MQ",
            )
        )
        for name, data in CBOR.items()
    },
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_no_passkey_of_the_wrong_form_signs_in(client: Client, wrong: str) -> None:
    client.get(LOGIN, headers={"X-Requested-With": "XMLHttpRequest"})
    response = client.post(LOGIN, {"credential": wrong}, follow=True)
    assert (response.redirect_chain[-1][0], response.status_code) == ("/accounts/login/", 200)
    assert "Incorrect code" in response.content.decode()


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_no_passkey_of_the_wrong_form_is_kept(client: Client, alice: User, wrong: str) -> None:
    sign_in(client)
    reauthenticate(client)
    client.get(ADD)
    response = client.post(ADD, {"credential": wrong, "name": "Key"})
    assert response.status_code == 200
    assert [text for said in response.context["form"].errors.values() for text in said] == ["Incorrect code."]
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_no_passkey_of_the_wrong_form_is_a_second_factor(client: Client, alice: User, wrong: str) -> None:
    with_app(alice)
    sign_in(client)
    client.get(AUTHENTICATE)
    assert client.post(AUTHENTICATE, {"credential": wrong}).status_code == 200
    assert client.get("/account").status_code == 302


def registered(challenge: str, key: bytes, **more: Any) -> dict[str, Any]:
    """What a browser sends of a new passkey, its public key as CBOR."""
    client_data = {"type": "webauthn.create", "challenge": challenge, "origin": "https://testserver"}
    data = hashlib.sha256(b"testserver").digest() + b"\x45" + bytes(4) + bytes(16) + b"\x00\x04abcd" + key
    statement = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
    return {
        "id": url_safe(b"abcd"),
        "rawId": url_safe(b"abcd"),
        "type": "public-key",
        "clientExtensionResults": {"credProps": {"rk": True}},
        "response": {
            "clientDataJSON": url_safe(json.dumps(client_data).encode()),
            "attestationObject": url_safe(statement),
        },
        **more,
    }


# ES256, with two coordinates.
KEY = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + bytes(32) + b"\x22\x58\x20" + bytes(32)


def test_a_passkey_as_browsers_send_it_is_kept_by_its_name(client: Client, alice: User) -> None:
    sign_in(client)
    reauthenticate(client)
    options = client.get(ADD).context["js_data"]["creation_options"]["publicKey"]
    sent = json.dumps(registered(options["challenge"], KEY))
    long = client.post(ADD, {"credential": sent, "name": "k" * 101})
    assert "at most 100 characters" in str(long.context["form"].errors["name"])
    assert not Authenticator.objects.exists()
    challenge = long.context["js_data"]["creation_options"]["publicKey"]["challenge"]
    kept = client.post(ADD, {"credential": json.dumps(registered(challenge, KEY)), "name": "Key"})
    assert kept.status_code == 302
    assert Authenticator.objects.get(type="webauthn").wrap().name == "Key"
    assert client.get("/accounts/2fa/").status_code == 200
