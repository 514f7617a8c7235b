"""A Redis that refuses, and one that never answers: everything else goes on, and what is asked is answered later."""

import json
import shutil
from pathlib import Path

import pytest

from tests.support.away import AWAY
from tests.support.processes import forked

# One process with the settings of a deployment, asked what visitors ask. Each reply is its status and where it leads.
VISITS = """
import json, django
django.setup()
from datetime import timedelta
from django.core import mail
from django.test import Client
from django.test.utils import setup_test_environment
setup_test_environment()
from allauth.account.models import EmailAddress
from accounts.models import User
from agent.models import Run
from agent.runs.claim import left_behind
from filings.models import SearchRequest
told = {}
def post(path, **fields):
    client = fields.pop("client", None) or Client()
    reply = client.post(path, fields)
    told.setdefault(path, []).append(reply.status_code)
ALICE = User.objects.create_user("alice@example.com", "wonderland-42")
EmailAddress.objects.create(user=ALICE, email=ALICE.email, verified=True, primary=True)
for _ in range(2):
    post("/ask", question="What was Apple's R&D spend in FY2024?")
    post("/search", q="competition")
post("/accounts/login/", login="alice@example.com", password="wonderland-42")
post("/accounts/signup/", email="dana@example.com", password1="a-long-phrase-7", password2="a-long-phrase-7")
post("/accounts/password/reset/", email="alice@example.com")
# Five wrong passwords of one account are the limit.
for _ in range(6):
    post("/accounts/login/", login="alice@example.com", password="wrong")
right = Client()
post("/accounts/login/", client=right, login="alice@example.com", password="wonderland-42")
told["signed in"] = "_auth_user_id" in right.session
told["mails"] = len(mail.outbox)
told["runs"] = list(Run.objects.values_list("status", "queued"))
told["searches"] = list(SearchRequest.objects.values_list("status", flat=True))
for row in Run.objects.all():
    Run.objects.filter(pk=row.pk).update(created=row.created - timedelta(minutes=1))
told["swept"] = len(left_behind(messages=1000))
print(json.dumps(told))
"""


@pytest.mark.parametrize("kind", AWAY)
def test_pages_and_sign_in_work_while_redis_is_away(kind: str, tmp_path: Path, migrated: Path) -> None:
    shutil.copy(migrated, tmp_path / "diligence.sqlite3")
    variables = {"DATA_DIR": str(tmp_path), "DEBUG": "1", "ACCOUNT_EMAIL_VERIFICATION": "mandatory"}
    with AWAY[kind]() as place:
        # Generous: without its timeouts a Redis that never answers is waited for as long as it is there.
        done = forked("-c", VISITS, REDIS_URL=f"redis://{place}/0", timeout=150, **variables)
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told.pop("/accounts/login/")[:6] == [302, *[200] * 5]
    assert told == {
        "/ask": [302, 302],
        "/search": [302, 302],
        "/accounts/signup/": [302],
        "/accounts/password/reset/": [302],
        "signed in": False,
        "mails": 2,
        "runs": [["queued", None]] * 2,
        "searches": ["queued"] * 2,
        "swept": 2,
    }
    # Once for what waits for the first message, and not for each thing that is asked of the cache.
    assert done.stderr.count("The cache is in memory until Redis answers") == 1
