"""Signs people in with OpenID Connect, in an installation that has it, and prints what became of each as JSON.

A process of its own: whether the app is installed is decided when settings are read.
"""

import json
import os
import sys
from typing import Any
from urllib.parse import urlsplit

import django
import httpx

from tests.support.openid import CLIENT, SECRET, Provider


def main() -> None:
    with Provider() as provider:
        client = f"server_url={provider.url},client_id={CLIENT},name=Example Login"
        os.environ.update(OIDC=client, OIDC_CLIENT_SECRET=SECRET)
        django.setup()
        from django.core.management import call_command
        from django.test.utils import setup_test_environment

        setup_test_environment()
        call_command("migrate", verbosity=0)
        json.dump(walk(provider), sys.stdout)


def walk(provider: Provider) -> dict[str, Any]:
    from allauth.account.models import EmailAddress
    from django.test import Client

    from accounts import account_deletion
    from accounts.models import User
    from agent.models import Run

    def signed_in(client: Client, forged: str = "", **claims: Any) -> dict[str, Any]:
        """One sign-in from the button to the last page."""
        provider.claims = claims
        start = client.post("/accounts/oidc/oidc/login/")
        back = urlsplit(httpx.get(start["Location"]).headers["Location"])
        query = back.query.replace("state=", "state=x") if forged else back.query
        end = client.get(f"{back.path}?{query}", follow=True)
        user = client.get("/account").context
        return {
            "account": user["user"].email if user else "",
            "said": [str(message) for message in (end.context or {}).get("messages", [])],
            "heading": end.content.decode().partition("<h1>")[2].partition("</h1>")[0],
        }

    def made(email: str, *, verified: bool) -> None:
        user = User.objects.create_user(email, "wonderland-42")
        EmailAddress.objects.create(user=user, email=email, verified=verified, primary=True)

    page = Client().get("/accounts/login/")
    found: dict[str, Any] = {
        "button": "Sign in with Example Login" in page.content.decode(),
        "policy": provider.url in page["Content-Security-Policy"].partition("form-action")[2].partition(";")[0],
    }
    newcomer = Client()
    newcomer.post("/ask", {"question": "Northwind revenue in fiscal 2024"})
    found["new"] = signed_in(newcomer, sub="1", email="dana@example.com", email_verified=True)
    found["taken along"] = Run.objects.get().user == User.objects.get(email="dana@example.com")
    found["moved"] = signed_in(Client(), sub="1", email="other@example.com", email_verified=False)
    found["unverified"] = signed_in(Client(), sub="2", email="eve@example.com", email_verified=False)
    found["unverified in words"] = signed_in(Client(), sub="2", email="eve@example.com", email_verified="false")
    found["without address"] = signed_in(Client(), sub="3")
    found["forged"] = signed_in(Client(), forged="yes", sub="4", email="frank@example.com", email_verified=True)
    made("alice@example.com", verified=True)
    found["known"] = signed_in(Client(), sub="5", email="Alice@example.com", email_verified=True)
    found["known, by an unverified claim"] = signed_in(
        Client(), sub="6", email="alice@example.com", email_verified=False
    )
    found["password kept"] = User.objects.get(email="alice@example.com").check_password("wonderland-42")
    # Somebody registered it, and waits for its owner.
    made("grace@example.com", verified=False)
    found["unverified here"] = signed_in(Client(), sub="7", email="grace@example.com", email_verified=True)
    found["users"] = sorted(User.objects.values_list("email", flat=True))
    dana = User.objects.get(email="dana@example.com")
    found["exported"] = [row["uid"] for row in account_deletion.account(dana)["connected"]]
    account_deletion.delete(dana)
    found["left"] = not User.objects.filter(email="dana@example.com").exists()
    return found


if __name__ == "__main__":
    main()
