"""The filesystem broker under several publishers: nothing torn, nothing lost, nothing doubled."""

import json
import multiprocessing
import threading
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Exchange, Queue

from diligence.broker import Transport

PUBLISHERS, MESSAGES = 4, 50
QUEUE = Queue("ask", Exchange("ask"), routing_key="ask")


@pytest.fixture(autouse=True)
def no_bindings() -> None:
    """kombu remembers bindings for the life of a process, and every test has a folder of its own."""
    Transport.global_state.clear()


def connection(folder: Path) -> Connection:
    for name in ("queue", "control"):
        (folder / name).mkdir(exist_ok=True)
    return Connection(
        "filesystem://localhost",
        transport="diligence.broker:Transport",
        transport_options={
            "data_folder_in": str(folder / "queue"),
            "data_folder_out": str(folder / "queue"),
            "control_folder": str(folder / "control"),
        },
    )


def publish(folder: Path, publisher: int, messages: int = MESSAGES) -> None:
    """Publish as a web process does: each message binds the queue again."""
    with connection(folder) as broker, broker.Producer() as producer:
        for number in range(messages):
            producer.publish(
                [publisher, number], exchange=QUEUE.exchange, routing_key="ask", declare=[QUEUE], serializer="json"
            )


def consume(folder: Path, patience: int = 20) -> list[list[int]]:
    """Take messages until none has come for a while."""
    taken: list[list[int]] = []
    with connection(folder) as broker, broker.SimpleQueue(QUEUE) as queue:
        while patience:
            try:
                message = queue.get(block=False)
            except Empty:
                patience -= 1
                threading.Event().wait(0.02)
                continue
            taken.append(message.payload)
            message.ack()
    return taken


def test_concurrent_publishers_and_consumers_lose_and_double_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    publishers = [context.Process(target=publish, args=(tmp_path, number)) for number in range(PUBLISHERS)]
    taken: list[list[int]] = []
    for process in publishers:
        process.start()
    while any(process.is_alive() for process in publishers):
        taken += consume(tmp_path, patience=1)
    taken += consume(tmp_path)
    assert [process.exitcode for process in publishers] == [0] * PUBLISHERS
    assert sorted(taken) == [[publisher, number] for publisher in range(PUBLISHERS) for number in range(MESSAGES)]


def test_two_consumers_share_and_never_take_the_same(tmp_path: Path) -> None:
    publish(tmp_path, 0)
    results: list[list[list[int]]] = []
    threads = [threading.Thread(target=lambda: results.append(consume(tmp_path))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(number for taken in results for _, number in taken) == list(range(MESSAGES))


def test_a_message_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    publisher = threading.Thread(target=publish, args=(tmp_path, 0, 200))
    publisher.start()
    seen = 0
    while publisher.is_alive():
        for path in (tmp_path / "queue").glob("*.msg"):
            json.loads(path.read_text())
            seen += 1
    publisher.join()
    assert seen
    assert not list((tmp_path / "queue").glob("*.partial"))


def test_messages_are_taken_in_the_order_they_were_sent(tmp_path: Path) -> None:
    publish(tmp_path, 7)
    assert consume(tmp_path) == [[7, number] for number in range(MESSAGES)]


def test_a_queue_gives_only_its_own_messages(tmp_path: Path) -> None:
    publish(tmp_path, 0, 3)
    other = Queue("ingest", Exchange("ingest"))
    with connection(tmp_path) as broker, broker.SimpleQueue(other) as queue, pytest.raises(Empty):
        queue.get(block=False)
    assert len(consume(tmp_path)) == 3


def test_the_more_urgent_is_taken_first(tmp_path: Path) -> None:
    with connection(tmp_path) as broker, broker.Producer() as producer:
        for number, priority in enumerate((9, 9, 0, 9, None, 0)):
            producer.publish(
                [number],
                exchange=QUEUE.exchange,
                routing_key="ask",
                declare=[QUEUE],
                serializer="json",
                priority=priority,
            )
    assert [number for (number,) in consume(tmp_path)] == [2, 4, 5, 0, 1, 3]
