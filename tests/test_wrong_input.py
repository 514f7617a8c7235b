"""Wrong input from a seed, at every address, by every parameter and field: no answer is an error of ours."""

import random
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import Override, Plan, User
from agent.models import Feedback, GoldenCandidate
from agent.web.api.urls import api
from filings.models import Anomaly, ForeignRegistrant
from tests.support.access import World
from tests.support.access_table import TABLE
from tests.support.people import reauthenticate, sign_in, with_app
from tests.support.sample import Sample
from tests.support.wrong_input import BODIES, TEXTS, VALUES, form_fields, got, in_path, posted, posted_json
from tests.test_access import ARGS, OF_ALLAUTH, OF_THE_ADMIN, WATCHED, address, admin_path, world_of

# What addresses are asked with beside the fields of forms, and what lists of the admin are.
PARAMETERS = (
    "after", "at", "before", "cik", "cite", "file", "gaps", "kept", "next", "p", "page", "q", "run", "seen", "share", "tag",
)  # fmt: skip
OF_LISTS = ("q", "p", "o", "all", "e", "_facets", "_popup", "_to_field", "_changelist_filters")
OF_ROWS = ("_popup", "_to_field", "tickers-TOTAL_FORMS")
OF_FORMS = ("starred", "worded", "action_send", "action_primary", "action_remove", "action_add")
LOOKUPS = (
    "", "__exact", "__iexact", "__in", "__range", "__isnull", "__gt", "__gte", "__lt", "__lte", "__year", "__month",
    "__day", "__date", "__date__gte", "__week_day", "__iso_year", "__week", "__quarter", "__hour", "__time",
    "__year__gte", "__year__in", "__contains", "__icontains", "__startswith", "__regex", "__iregex", "__id", "__pk__in",
    "__has_key", "__contained_by", "__0", "__nowhere",
)  # fmt: skip
PARTS_OF_PATHS = (
    "/runs/{}/table.csv", "/s/{}/table.csv", "/history/export.{}", "/companies/{}", "/facts/{}", "/filings/{}", "/filings/{}/1A/captions", "/filings/{}/1A/table.csv", "/runs/{}", "/runs/{}/progress", "/search/{}", "/s/{}",
    "/accounts/confirm-email/{}/", "/accounts/password/reset/key/{}/", "/accounts/2fa/webauthn/keys/{}/edit/",
    "/api/v1/companies/{}", "/api/v1/companies/{}/statements", "/api/v1/facts/{}", "/api/v1/filings/{}", "/api/v1/runs/{}", "/api/v1/search/{}",
    "/admin/registry/{}/", "/admin/filings/company/{}/coverage/", "/admin/filings/section/ledger/{}/",
)  # fmt: skip
# Of operations of the API, which take no parameter that they do not know.
RIGHT = {"company": "AAPL", "concept": "revenue", "companies": "AAPL", "measures": "revenue", "years": "2024"}
Send = Callable[[], HttpResponse]


class Senders:
    """Whoever sends something, and the ways to send it: each gives what is sent, in words, and does so when it is called."""

    def __init__(self, chance: random.Random, world: World, clients: dict[str, Client]) -> None:
        self.chance, self.world, self.clients = chance, world, clients
        self.fields = sorted({*form_fields(), *OF_FORMS})
        self.parameters = sorted({*self.fields, *PARAMETERS})
        self.pages = [name for name in (*TABLE, *OF_ALLAUTH, *OF_THE_ADMIN, *WATCHED) if name != "api:nowhere"]
        self.operations = [
            operation
            for path in api.get_openapi_schema()["paths"].values()
            for method, operation in path.items()
            if method == "get"
        ]
        self.ways = (
            self.page, self.page, self.form, self.form, self.form, self.passkey, self.part_of_path, self.question,
            self.json, self.parameter, self.parameter, self.listed, self.listed, self.listed, self.list_parameter,
            self.list_parameter, self.action, self.admin_form, self.admin_form, self.admin_object,
        )  # fmt: skip

    def text(self) -> str:
        return self.chance.choice(TEXTS)

    def client(self) -> Client:
        return self.clients[self.chance.choice(list(self.clients))]

    def path(self, name: str) -> str:
        if name in TABLE:
            return address(name, TABLE[name].args(self.world))
        return admin_path(name) if name in OF_THE_ADMIN else reverse(name, args=ARGS.get(name, []))

    def pairs(self, names: list[str], right: dict[str, Any] | None = None) -> list[tuple[str, str]]:
        """Few of the names with what is wrong, one of them twice, beside what is right of the others."""
        few = self.chance.sample(names, min(self.chance.randint(1, 4), len(names)))
        wrong = [(name, self.text()) for name in (*few, few[0])]
        return [(name, str(text)) for name, text in (right or {}).items() if name not in few] + wrong

    def page(self) -> tuple[object, Send]:
        client, path, pairs = self.client(), self.path(self.chance.choice(self.pages)), self.pairs(self.parameters)
        return (path, pairs), lambda: got(client, path, pairs)

    def form(self) -> tuple[object, Send]:
        """A form as it is sent, of which some fields are wrong; or anything at all, to any address."""
        name = self.chance.choice([one for one in self.pages if not one.startswith("api:")])
        right = TABLE[name].data(self.world) if name in TABLE else dict.fromkeys(self.fields, "1")
        names = list(right) if right and self.chance.random() < 0.5 else self.fields
        client, path, pairs = self.client(), self.path(name), self.pairs(names, right)
        return (path, pairs), lambda: posted(client, path, pairs)

    def passkey(self) -> tuple[object, Send]:
        names = ("mfa_login_webauthn", "mfa_add_webauthn", "mfa_authenticate", "mfa_reauthenticate_webauthn")
        client, path, text = self.client(), self.path(self.chance.choice(names)), self.text()
        return (path, text), lambda: posted(client, path, [("credential", text), ("name", text)])

    def part_of_path(self) -> tuple[object, Send]:
        client, path = self.clients["staff"], self.chance.choice(PARTS_OF_PATHS).format(in_path(self.text()))
        return path, lambda: client.get(path)

    def question(self) -> tuple[object, Send]:
        """A body of the API of which one value is wrong."""
        name = self.chance.choice(("api:ask", "api:start_search"))
        right = {"api:ask": ("continues", "mode"), "api:start_search": ("company", "fiscal_year", "item", "accession")}
        sent = {**TABLE[name].data(self.world)}
        sent[self.chance.choice((*sent, *right[name]))] = self.chance.choice(VALUES)
        return sent, lambda: posted_json(self.clients["owner"], self.path(name), sent)

    def json(self) -> tuple[object, Send]:
        path, body = self.path(self.chance.choice(("api:ask", "api:start_search"))), self.chance.choice(BODIES)
        return (path, body), lambda: posted_json(self.clients["owner"], path, body)

    def parameter(self) -> tuple[object, Send]:
        """An operation of the API with parameters that it knows."""
        operation = self.chance.choice([one for one in self.operations if one.get("parameters")])
        named = [one["name"] for one in operation["parameters"] if one["in"] == "query"]
        path = next(iter(path for path, one in api.get_openapi_schema()["paths"].items() if operation in one.values()))
        for one in operation["parameters"]:
            path = path.replace("{" + one["name"] + "}", in_path(self.text()))
        pairs = self.pairs(named, {name: text for name, text in RIGHT.items() if name in named}) if named else []
        return (path, pairs), lambda: got(self.clients["owner"], path, pairs)

    def registered(self) -> Any:
        return self.chance.choice(list(admin.site._registry.values()))

    def in_admin(self, shown: Any, page: str, *args: Any) -> str:
        return reverse(f"admin:{shown.opts.app_label}_{shown.opts.model_name}_{page}", args=args)

    def listed(self) -> tuple[object, Send]:
        """A list with a filter: by a column, or one that it shows."""
        shown = self.registered()
        own = [one if isinstance(one, str) else getattr(one, "parameter_name", "") for one in shown.list_filter]
        lookups = [f"{name}{self.chance.choice(LOOKUPS)}" for name in (*own, *(one.name for one in shown.opts.fields))]
        path, pairs = self.in_admin(shown, "changelist"), self.pairs([self.chance.choice(lookups)])[:1]
        return (path, pairs), lambda: got(self.clients["staff"], path, pairs)

    def list_parameter(self) -> tuple[object, Send]:
        path, pairs = self.in_admin(self.registered(), "changelist"), self.pairs(list(OF_LISTS))
        return (path, pairs), lambda: got(self.clients["staff"], path, pairs)

    def action(self) -> tuple[object, Send]:
        shown = self.registered()
        named = ("delete_selected", *(one if isinstance(one, str) else one.__name__ for one in shown.actions))
        first = shown.model._default_manager.values_list("pk", flat=True).first()
        right = {"action": self.chance.choice(named), "_selected_action": first}
        path, pairs = (
            self.in_admin(shown, "changelist"),
            self.pairs(["_selected_action", "index", "select_across"], right),
        )
        return (path, pairs), lambda: posted(self.clients["staff"], path, pairs)

    def admin_form(self) -> tuple[object, Send]:
        """A row, some of which is wrong; as a new one, or in the place of the one that is there."""
        shown = self.registered()
        row = shown.model._default_manager.first()
        form = shown.get_form(self.request(), row, fields=None)(instance=row)
        right = {name: form[name].value() for name in form.fields if form[name].value() not in (None, [])}
        right |= {"tickers-TOTAL_FORMS": "0", "tickers-INITIAL_FORMS": "0"}
        page = ("change", row.pk) if row and self.chance.random() < 0.5 else ("add",)
        path, pairs = self.in_admin(shown, *page), self.pairs([*form.fields, *OF_ROWS], right)
        return (path, pairs), lambda: posted(self.clients["staff"], path, pairs)

    def admin_object(self) -> tuple[object, Send]:
        shown, page = self.registered(), self.chance.choice(("change", "delete", "history"))
        path, pairs = (
            self.in_admin(shown, page, "KEY").replace("KEY", in_path(self.text())),
            self.pairs(self.parameters),
        )
        return (path, pairs), lambda: got(self.clients["staff"], path, pairs)

    def request(self) -> Any:
        return self.clients["staff"].get("/admin/").wsgi_request


@pytest.fixture
def world(alice: User, sample: Sample) -> World:
    return world_of(alice, sample)


@pytest.fixture
def clients(world: World, alice: User, bob: User, charlie: User) -> dict[str, Client]:
    """Whoever sends; the last has typed a password and no code yet. And a row in each list of the admin that is empty."""
    for user in (alice, bob, charlie):
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Feedback.objects.create(run=world.run, verdict="right", comment="Yes")
    GoldenCandidate.objects.create(run=world.run, question="?", outcome="answered", why="?")
    Override.objects.create(user=bob, plan=Plan.objects.create(name="Small"))
    Anomaly.objects.create(company=world.company, kind="scale", detail="Assets jump.")
    ForeignRegistrant.objects.get_or_create(cik=9_900_000_123, defaults={"name": "Elsewhere", "form": "20-F"})
    with_app(bob)
    found = {name: Client(raise_request_exception=False) for name in ("anonymous", "owner", "staff", "halfway")}
    sign_in(found["halfway"], bob.email, "builder-4242")
    assert Authenticator.objects.filter(user=bob).exists()
    for name, user, password in (("owner", alice, "wonderland-42"), ("staff", charlie, "chocolate-42")):
        found[name].force_login(user)
        assert reauthenticate(found[name], password).status_code == 302
    return found


def failure(send: Send) -> str:
    """What is wrong with the answer to something sent, as if nobody had sent anything before; empty where nothing is."""
    cache.clear()
    try:
        with transaction.atomic():
            response = send()
            if response.streaming:
                # Read to its end a file is closed, and the connection to the database is not.
                b"".join(response)
            transaction.set_rollback(True)
    except Exception as escaped:
        return f"escaped: {escaped!r}"
    # The page of health says so where a part of the site is down.
    if response.status_code in {500, 502, 504} or (
        response.status_code == 503 and "readyz" not in response.request["PATH_INFO"]
    ):
        return f"{response.status_code}: {getattr(response, 'exc_info', None)}"
    return ""


def fuzz(seed: int, count: int, world: World, clients: dict[str, Client]) -> None:
    senders = Senders(random.Random(seed), world, clients)  # noqa: S311 - the same inputs each time
    kept = {name: client.cookies.copy() for name, client in clients.items()}
    failed = []
    for number in range(count):
        for name, cookies in kept.items():
            # Whoever was signed out is signed in again.
            clients[name].cookies = SimpleCookie({one: found.value for one, found in cookies.items()})
        sent, send = senders.ways[number % len(senders.ways)]()
        if problem := failure(send):
            failed.append(f"{number}: {ascii(sent)[:500]}: {problem}")
    assert failed == []


@pytest.mark.soak  # tests/services has two hundred on PostgreSQL
def test_a_hundred_wrong_inputs_have_an_answer(world: World, clients: dict[str, Client]) -> None:
    fuzz(0, 100, world, clients)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
def test_a_thousand_wrong_inputs_have_an_answer(seed: int, world: World, clients: dict[str, Client]) -> None:
    fuzz(seed, 1000, world, clients)
