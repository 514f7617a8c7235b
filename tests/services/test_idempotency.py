"""One Idempotency-Key sent by many at the same time, on PostgreSQL: the second waits for the first at the unique row."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections
from django.test import Client

from accounts import tokens
from accounts.models import Reservation, User
from agent.models import IdempotencyKey, Run

RIVALS = 12


@pytest.mark.django_db(transaction=True)
def test_of_many_that_send_one_key_at_the_same_time_one_asks() -> None:
    alice = User.objects.create_user("alice@example.com", "wonderland-42")
    _, text = tokens.issue(alice, "A program", ("ask", "read"))
    gate = Barrier(RIVALS)

    def ask(_: int) -> tuple[int, str]:
        client = Client(headers={"Authorization": f"Bearer {text}", "Idempotency-Key": "one", "Prefer": "wait=0"})
        gate.wait()
        try:
            reply = client.post("/api/v1/ask", {"question": "Northwind revenue"}, content_type="application/json")
            return reply.status_code, reply.json()["id"]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(RIVALS) as pool:
        replies = set(pool.map(ask, range(RIVALS)))
    (run,) = Run.objects.all()
    assert replies == {(202, str(run.pk))}
    assert (IdempotencyKey.objects.count(), Reservation.objects.count()) == (1, 1)
