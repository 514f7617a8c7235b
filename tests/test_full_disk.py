"""Asking on a disk that is full: a small one of memory, on which the database, the queue and the cache are."""

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError, connection, transaction
from django.utils.timezone import now

from agent import tasks
from agent.models import Run
from agent.runs.claim import left_behind
from tests.support.processes import ROOT, environment

# Asks with room, with some for the database and none for the queue, without any, and with room again. Prints of each what
# was answered, how many runs there are and how many messages.
ASKS = """
import json, django
django.setup()
from pathlib import Path
from django.conf import settings
from django.test import Client
from accounts.models import User
from accounts.tokens import issue
from agent.models import Run
from diligence import atomic_files
atomic_files.LEAST_FREE = 4096
_, token = issue(User.objects.create_user("alice@example.com", "wonderland-42"), "of a test", ["ask", "read"])
folder = Path(settings.DATA_DIR)
asked = {"question": "What was Apple's revenue in FY2024?"}
headers = {"authorization": f"Bearer {token}", "prefer": "respond-async"}
told = []
def ask():
    api = Client(raise_request_exception=False).post("/api/v1/ask", asked, "application/json", headers=headers)
    page = Client(raise_request_exception=False).post("/ask", asked)
    ready = Client().get("/readyz").json()["parts"]["disk"]["ok"]
    told.append(
        {
            "api": [api.status_code, api.json().get("reason"), "Retry-After" in api],
            "page": [page.status_code, "The disk is full" in page.text],
            "runs": Run.objects.count(),
            "messages": len(list(folder.glob("broker/queue/*.msg"))),
            "partial": len(list(folder.glob("broker/queue/.partial*"))),
            "room": ready,
        }
    )
ask()
filler = folder / "filler"
with filler.open("wb", buffering=0) as file:
    for size in (1 << 20, 4096, 1):
        try:
            while True:
                file.write(b"x" * size)
        except OSError:
            continue
ask()
filler.unlink()
ask()
print(json.dumps(told))
"""
# A disk of memory that nobody else sees and that goes with the process.
MOUNTED = 'mount -t tmpfs -o size=24m tmpfs "$DATA_DIR" && cp "$MIGRATED" "$DATA_DIR" && exec "$@"'


def contained(*command: str, folder: Path, migrated: Path) -> subprocess.CompletedProcess[str]:
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    given = environment(
        DATA_DIR=str(folder), SECRET_KEY="x", ALLOWED_HOSTS="testserver", DEBUG="1", MIGRATED=str(migrated)
    )
    return subprocess.run(
        [*alone, "sh", "-c", MOUNTED, "sh", *command],
        cwd=ROOT,
        env=given,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )


def test_a_question_on_a_full_disk_is_refused_in_words_and_none_is_taken_and_lost(
    tmp_path: Path, migrated: Path
) -> None:
    if contained("true", folder=tmp_path, migrated=migrated).returncode != 0:
        pytest.skip("no disk can be mounted here")
    done = contained(sys.executable, "-c", ASKS, folder=tmp_path, migrated=migrated)
    assert done.returncode == 0, done.stderr[-3000:]
    before, full, after = json.loads(done.stdout.splitlines()[-1])
    assert before == {
        "api": [202, None, True],
        "page": [302, False],
        "runs": 2,
        "messages": 2,
        "partial": 0,
        "room": True,
    }
    refused = {"api": [503, "disk_full", True], "page": [503, True], "room": False}
    assert full == {**before, **refused}
    assert after == {**before, "runs": 4, "messages": 4}


def test_a_run_of_which_neither_message_nor_row_finds_room_is_left_to_the_sweep(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OperationalError("database or disk is full")

    run = Run.objects.create(question="?", queued=now())
    monkeypatch.setattr(tasks, "send", lambda *arguments, **options: False)
    # A savepoint: the failed statement ends no more than that.
    with transaction.atomic(), connection.execute_wrapper(full):
        tasks.hand_over(str(run.pk))
    Run.objects.update(queued=now() - timedelta(hours=1))
    assert left_behind() == [str(run.pk)]
