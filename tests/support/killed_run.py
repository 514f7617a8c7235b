"""Kill -9 of a worker at every node of a run and before everything it writes: `python -m tests.support.killed_run`.

Arguments: a folder, how often each point is tried (0: only some, once), a seed and a question. DATABASE_URL names an
SQLite file in that folder; an empty one is given Northwind's figures, and a search index beside it is searched. Each
attempt is a forked process that dies by SIGKILL; what it left is found by the sweep and answered by another process.
Prints a report as JSON.
"""

import gc
import json
import os
import random
import shutil
import signal
import sys
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import django

if TYPE_CHECKING:
    from agent.models import Run

VISITOR = UUID("6f0a1c1e-4a52-4d6e-9d53-0f8a2b7f9c11")
LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)
LAST = 2
# No answer to the same question is without these.
KEPT = ("status", "outcome", "summary", "type", "company", "refusal_code")


def use(folder: Path) -> None:
    from django.conf import settings
    from django.core.cache import caches
    from django.db import connection

    settings.DATA_DIR = folder
    settings.CACHES["default"]["LOCATION"] = str(folder / "cache")
    caches["default"] = caches.create_connection("default")
    connection.settings_dict["NAME"] = str(folder / "db.sqlite3")


def left(folder: Path) -> None:
    """Use the folder, in which nobody has beaten for long: without waiting for it."""
    from agent.models import Run

    use(folder)
    Run.objects.filter(status="running").update(heartbeat=LONG_AGO)
    Run.objects.update(created=LONG_AGO, queued=LONG_AGO)


def swept() -> None:
    """What a worker does with one message, and with the sweep's."""
    from django.db import connection

    from agent import tasks
    from agent.runs import claim

    for pk in claim.left_behind():
        tasks.answer(pk)
    connection.close()


def answer(folder: Path, die_at: int | None, events: Path | None = None) -> None:
    """Work in the folder as a worker does; dies before the event numbered `die_at`."""
    from django.db import connection

    from agent.steps import pipeline

    left(folder)
    noted: list[str] = []

    def note(what: str) -> None:
        if len(noted) == die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        noted.append(what)

    def watched(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            note(" ".join(sql.replace('"', "").split()[:3]))
        return execute(sql, params, many, context)

    def entered(node: Any) -> Any:
        def noting(state: Any, deps: Any) -> Any:
            note(f"NODE {node.__name__}")
            return node(state, deps)

        noting.__name__ = node.__name__
        return noting

    pipeline.NODES = tuple(map(entered, pipeline.NODES))
    # Without a model nobody has imported it.
    if reflect := sys.modules.get("agent.steps.reflect"):
        reflect.reflect = entered(reflect.reflect)  # type: ignore[attr-defined]
    with connection.execute_wrapper(watched):
        swept()
    if events:
        events.write_text(json.dumps(noted))


def shown(run: "Run") -> dict[str, Any]:
    """What its owner is shown of a run, and how it stands. answer: whether what it has come to is on the page."""
    from django.test import Client

    from accounts.identity_middleware import SESSION_KEY
    from agent.runs.stored_answer import read

    client = Client()
    session = client.session
    session[SESSION_KEY] = str(run.visitor)
    session.save()
    client.cookies["sessionid"] = session.session_key
    page = client.get(run.get_absolute_url(), headers={"host": "localhost"})
    text = unescape(page.content.decode())
    answer = read(run.answer)
    come_to = (
        run.summary or next((block.refusal.text for block in answer.blocks if block.refusal), "") if answer else ""
    )
    return {
        "status": page.status_code,
        "answer": bool(come_to) and come_to in text,
        "polls": "/progress" in text,
        "open": run.is_open,
    }


def kept(run: "Run") -> dict[str, Any]:
    """All that is kept of the only run, but for times and attempts, and what attempts that died have spent on models."""
    from django.db.models import F, Sum

    from accounts.models import Meter, Reservation
    from agent.models import RunText

    attempt = made_by(run)
    others = run.steps.exclude(attempt=attempt).aggregate(spent=Sum(F("tokens_in") + F("tokens_out")))["spent"] or 0
    return {
        **{name: getattr(run, name) for name in KEPT},
        "blocks": run.answer and run.answer["blocks"],
        "steps": list(run.steps.filter(attempt=attempt).values_list("sequence", "node", "event")),
        "words": list(RunText.objects.values_list("words", flat=True)),
        "meters": list(Meter.objects.values_list("questions", "answers", F("tokens") - others)),
        "reservations": list(Reservation.objects.values_list("state", F("used_tokens") - others, "answered")),
    }


def made_by(run: "Run") -> int:
    """The attempt whose nodes made the answer: the last, unless that recalled what one before it had kept and died."""
    recalled = run.steps.filter(attempt=run.attempt, event="recalled").exists()
    return run.steps.filter(event="result").latest("attempt").attempt if recalled else run.attempt


def page(folder: Path, told: Path) -> None:
    """Write what its visitor is shown of the run."""
    from django.db import connection

    from agent.models import Run

    use(folder)
    told.write_text(json.dumps(shown(Run.objects.get())))
    connection.close()


def stands(folder: Path, told: Path) -> None:
    """Write how the run stands."""
    from django.db import connection

    from agent.models import Run

    use(folder)
    run = Run.objects.get()
    told.write_text(json.dumps({"attempt": run.attempt, "found": kept(run)}, default=str, sort_keys=True))
    connection.close()


def main(folder: Path, times: int, seed: int, question: str) -> None:
    # Threads of the embedding do not live on in a fork.
    os.cpu_count = lambda: 1
    django.setup()
    from django.core.management import call_command

    from accounts.identity import Identity
    from agent import tasks
    from agent.runs import create_run
    from agent.runs.warm_up import warm
    from filings.models import Company
    from tests.support.holdings import northwind
    from tests.support.killed import copies, in_child

    call_command("migrate", verbosity=0)
    if not Company.objects.exists():
        northwind()
    tasks.queue = lambda *given, **how: None
    create_run.start(Identity(visitor=VISITOR, address="192.0.2.1"), question)
    warm()
    copied = copies(folder)
    index = folder / "search.sqlite3"

    def fresh(name: str) -> Path:
        made = copied(name)
        if index.exists():
            (made / index.name).symlink_to(index)
        return made

    told = folder / "told.json"
    # Once, before the forks: what an answer and its pages load and compile.
    first = fresh("first")
    left(first)
    swept()
    page(first, told)
    gc.freeze()

    def asked(work: Any, *given: Any) -> Any:
        assert in_child(lambda: work(*given, told)) == 0
        return json.loads(told.read_text())

    clean = fresh("clean")
    if in_child(lambda: answer(clean, None, folder / "events.json")):
        sys.exit("The run fails without being killed.")
    events = json.loads((folder / "events.json").read_text())
    expected = asked(stands, clean)["found"]
    choose = random.Random(seed)  # noqa: S311 - which points, no secret
    # 0 times: at each node, the last time it runs, and at the last things that are written. Otherwise first once at each point; then at each
    # node, where up to three workers die one after another, the others at any point.
    nodes = [at for at, event in enumerate(events) if event.startswith("NODE ")]
    few = sorted({*{events[at]: at for at in nodes}.values(), *range(len(events) - LAST, len(events))})
    sequences = [[at] for at in (range(len(events)) if times else few)]
    for _ in range(times - 1):
        sequences += [[at, *choose.choices(range(len(events)), k=choose.randint(0, 2))] for at in nodes]
    points = []
    for number, sequence in enumerate(sequences):
        made = fresh(f"point-{number}")
        died, pages = [], []
        for at in sequence:
            died.append(in_child(lambda at=at, made=made: answer(made, at)))
            pages.append(asked(page, made))
        resumed = in_child(lambda made=made: answer(made, None))
        pages.append(asked(page, made))
        after = asked(stands, made)
        different = [name for name in expected if after["found"][name] != expected[name]]
        points.append(
            {
                "before": [events[at] for at in sequence],
                "died": died,
                "resumed": resumed,
                "pages": pages,
                "attempt": after["attempt"],
                "different": different,
            }
        )
        shutil.rmtree(made)
    print(json.dumps({"events": events, "points": points}))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
