"""The filesystem broker under several publishers: nothing torn, nothing lost, nothing doubled."""

import json
import multiprocessing
import os
import threading
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Exchange, Queue
from kombu.exceptions import OperationalError

from diligence.broker import Transport, count_set_aside
from tests.support.full_disk import disk_full

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
    context = multiprocessing.get_context("forkserver")
    # Imported once, and not in each of them.
    context.set_forkserver_preload([__name__])
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
    assert not list((tmp_path / "queue").glob(".partial*"))


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


SPOILED = {
    "empty": "",
    "cut off": '{"body": "W1swLCAwXSwge30',
    "not of the broker": "[1, 2]",
    "without its properties": '{"body": "e30="}',
    "not base64": '{"body": "e", "properties": {"body_encoding": "base64", "delivery_tag": "x"}}',
}


@pytest.mark.parametrize("content", SPOILED.values(), ids=list(SPOILED))
def test_a_message_that_cannot_be_read_is_set_aside_and_told_and_the_next_is_taken(
    content: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    publish(tmp_path, 0, 2)
    first, _ = sorted((tmp_path / "queue").glob("*.ask.msg"))
    first.write_text(content)
    assert consume(tmp_path) == [[0, 1]]
    assert (tmp_path / "unreadable" / first.name).read_text() == content
    assert count_set_aside(tmp_path) == 1
    assert [one.levelname for one in caplog.records] == ["ERROR"]
    assert first.name in caplog.text


def test_what_is_no_file_is_set_aside_too(tmp_path: Path) -> None:
    publish(tmp_path, 0, 1)
    (tmp_path / "queue" / "0_0_x.ask.msg").mkdir()
    assert consume(tmp_path) == [[0, 0]]
    assert count_set_aside(tmp_path) == 1


@pytest.mark.parametrize("content", ["", '[["ask", "", '])
def test_a_table_of_queues_that_cannot_be_read_is_written_anew(content: str, tmp_path: Path) -> None:
    publish(tmp_path, 0, 1)
    table = tmp_path / "control" / "ask.exchange"
    table.write_text(content)
    # As processes do that start after a power cut.
    Transport.global_state.clear()
    publish(tmp_path, 1, 1)
    assert sorted(consume(tmp_path)) == [[0, 0], [1, 0]]
    assert json.loads(table.read_text()) == [["ask", "", "ask"]]
    assert count_set_aside(tmp_path) == 1


def test_a_message_that_finds_no_room_is_an_error_of_its_sender_and_leaves_nothing(tmp_path: Path) -> None:
    publish(tmp_path, 0, 1)
    with disk_full(0), pytest.raises((OSError, OperationalError)):
        publish(tmp_path, 1, 1)
    assert [path.suffix for path in (tmp_path / "queue").iterdir()] == [".msg"]
    assert consume(tmp_path) == [[0, 0]]


def test_a_message_is_on_the_disk_before_it_has_its_name_and_the_name_too_before_it_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, 0, 1)
    synced: list[tuple[str, int]] = []

    def fsync(descriptor: int) -> None:
        what = Path(f"/proc/self/fd/{descriptor}").readlink()
        synced.append(("folder" if what.is_dir() else "file", len(list((tmp_path / "queue").glob("*.msg")))))

    monkeypatch.setattr(os, "fsync", fsync)
    publish(tmp_path, 1, 1)
    assert synced == [("file", 1), ("folder", 2)]
