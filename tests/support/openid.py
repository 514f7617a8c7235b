"""An OpenID provider on this machine: signs in whoever `claims` says, and notes what it was asked."""

import json
import time
from base64 import urlsafe_b64encode
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt

from tests.support.local_server import LocalServer, asked, send

CLIENT, SECRET = "diligence", "a-secret-of-the-client-that-is-long-enough"


class Provider(LocalServer):
    """claims: of whoever signs in next, as sub, email, email_verified."""

    def __init__(self) -> None:
        super().__init__()
        self.claims: dict[str, Any] = {}
        self.challenge = ""

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        url = urlsplit(handler.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path == "/authorize":
            self.challenge = query["code_challenge"]
            back = f"{query['redirect_uri']}?{urlencode({'code': 'one-time', 'state': query['state']})}"
            send(handler, 302, {"Location": back}, b"")
            return
        answer = {
            "/.well-known/openid-configuration": self.configuration,
            "/token": self.token,
            "/userinfo": lambda sent: self.claims,
        }[url.path]({name: values[0] for name, values in parse_qs(asked(handler).decode()).items()})
        send(handler, 200, {"Content-Type": "application/json"}, json.dumps(answer).encode())

    def configuration(self, sent: dict[str, str]) -> dict[str, Any]:
        paths = {"authorization_endpoint": "authorize", "token_endpoint": "token", "userinfo_endpoint": "userinfo"}
        return {
            "issuer": self.url,
            "jwks_uri": f"{self.url}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            **{name: f"{self.url}/{path}" for name, path in paths.items()},
        }

    def token(self, sent: dict[str, str]) -> dict[str, Any]:
        """Only for the code, the secret, and whoever began the sign-in (PKCE)."""
        proven = urlsafe_b64encode(sha256(sent["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if (sent["code"], sent["client_secret"], proven) != ("one-time", SECRET, self.challenge):
            return {"error": "invalid_grant"}
        at = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "iat": at, "exp": at + 60, **self.claims}
        return {"access_token": "a", "token_type": "Bearer", "id_token": jwt.encode(claims, SECRET, algorithm="HS256")}
