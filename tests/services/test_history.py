"""The history searched on PostgreSQL, by page and by API: what is found, whose it is, and by what it is looked up."""

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from agent.models import Run, RunText
from agent.runs.history_index import _FOUND, LONGEST, for_postgresql, tokens
from tests.support import answers

ZURICH = "Why did Crédit Zürich part with its R&D, as O'Neil's 10-K says?"
LONG = "語" * (LONGEST * 50)  # above the 2,046 bytes that PostgreSQL takes for a lexeme
HOSTILE = [
    "'", "''", "\\", "\\'", "'\\", "x' | 'walrus", "walrus' & 'x", "!walrus", "walrus:A", "(walrus", "wal <-> rus",
    "a\\'b:*", "%", "_", "%x", "wal%rus", "'; DROP TABLE agent_runtext; --", '"', "$$", "\u2028'\u0085", "\ufdfa'",
    "\ud7ff\U0010ffff'x", "\x7f'\x80", "' " * 100,
]  # fmt: skip


@pytest.fixture
def runs(alice: User, bob: User) -> list[Run]:
    """Three of Alice's, then one of Bob's with every word of them."""
    asked = [(alice, ZURICH), (alice, "A walrus and a gross margin"), (alice, "? ! …")]
    asked.append((bob, " ".join(question for _, question in asked)))
    return [answers.run_with(answers.meta_answer(), user, question=question) for user, question in asked]


def found(client: Client, typed: str) -> list[str]:
    """Questions of the runs found, by the page and by the API alike."""
    page = client.get("/history", {"q": typed})
    reply = client.get("/api/v1/runs", {"q": typed})
    assert (page.status_code, reply.status_code) == (200, 200), typed
    shown = [run.question for run in page.context["page"]]
    assert [run["question"] for run in reply.json()["items"]] == shown
    return shown


@pytest.mark.parametrize(
    "typed",
    [
        "zurich", "ZÜRICH", "cred zur", "zu\u0308rich", "says 10-k part", "10", "r&d", "o'neil", "o\u2019neil\u2019s",
        "Crédit Zürich part with", "“R&D”,", "zurich zurich",
    ],
)  # fmt: skip
def test_words_in_any_order_case_and_accent_begin_words_of_ones_own_run(
    runs: list[Run], as_alice: Client, typed: str
) -> None:
    assert found(as_alice, typed) == [ZURICH]


def test_it_finds_ones_own_alone(runs: list[Run], as_bob: Client, as_charlie: Client, client: Client) -> None:
    assert found(as_bob, "zurich walrus") == [runs[-1].question]
    assert found(as_charlie, "zurich") == []
    assert client.get("/history", {"q": "zurich"}).content.count(b"walrus") == 0


@pytest.mark.parametrize("typed", ["urich", "walrus zurich", "walrus | zurich", "zurich OR walrus", "r & d x"])
def test_a_word_that_begins_none_of_a_run_leaves_it_out(runs: list[Run], as_alice: Client, typed: str) -> None:
    assert found(as_alice, typed) == []


@pytest.mark.parametrize("typed", HOSTILE)
def test_what_is_typed_is_no_query(runs: list[Run], as_alice: Client, typed: str) -> None:
    # Marks around a word are left off, and nothing that they mean to a query is done.
    assert found(as_alice, typed) in ([], [runs[1].question])
    assert RunText.objects.count() == len(runs)
    with connection.cursor() as cursor:
        # Given as one word with all its marks, it is read as that word and no other.
        cursor.execute(
            "SELECT %s::tsquery @@ array_to_tsvector(ARRAY[%s, 'walrus'])", [for_postgresql([typed]), typed]
        )
        assert cursor.fetchone() == (True,)
        cursor.execute("SELECT %s::tsquery @@ array_to_tsvector(ARRAY['walrus'])", [for_postgresql([typed])])
        assert cursor.fetchone() == (False,)


@pytest.mark.parametrize("word", [*HOSTILE, LONG])
def test_a_run_of_any_text_is_kept_and_found(as_alice: Client, alice: User, word: str) -> None:
    question = f"Pelican {word}"
    answers.open_run(alice, question=question)
    assert found(as_alice, "pelican") == [question]
    assert found(as_alice, word[:200]) == [question] or not tokens(word[:200])


def test_words_are_looked_up_in_the_index(db: None) -> None:
    with connection.cursor() as cursor:
        # Of a few rows the table is the cheaper one to read.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {_FOUND['postgresql']}", [for_postgresql(["walrus"])])
        assert "on agent_runtext_index" in str(cursor.fetchall())
