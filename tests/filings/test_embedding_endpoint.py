"""Vectors from an OpenAI-compatible endpoint: what is asked, and what is said when it fails."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from pytest_django import Settings

from filings.text.embeddings import Embedder, EmbeddingMisconfigured, EmbeddingUnavailable, embedder, forget
from filings.text.embeddings.endpoint import Busy, Endpoint
from filings.text.embeddings.vectors import VectorCache
from tests.support.embeddings import Fault, LocalEmbeddings, vector

KEY = "sk-secret-1234"


class QuickEndpoint(Endpoint):
    """Retries without waiting for long."""

    first_wait = 0.01
    opened: ClassVar[list["QuickEndpoint"]] = []

    def __init__(self) -> None:
        super().__init__()
        self.opened.append(self)


@pytest.fixture
def endpoint(settings: Settings, data_dir: Any) -> Iterator[LocalEmbeddings]:
    with LocalEmbeddings() as server:
        settings.EMBEDDING_BASE_URL = server.url
        settings.EMBEDDING_MODEL = "test-model"
        settings.EMBEDDING_DIMENSIONS = server.dimensions
        settings.EMBEDDING_API_KEY = KEY
        settings.EMBEDDING_TIMEOUT = 5.0
        yield server
        forget()
        for made in QuickEndpoint.opened:
            made.close()
        QuickEndpoint.opened.clear()


def unit(text: str, dimensions: int = 64) -> np.ndarray[Any, Any]:
    made = np.asarray(vector(text, dimensions))
    return made / np.linalg.norm(made)


def test_it_gives_unit_vectors_in_the_order_of_the_texts(endpoint: LocalEmbeddings) -> None:
    found = QuickEndpoint().documents(["one", "two", "three"])
    assert found.dtype == np.float32
    for row, text in zip(found, ("one", "two", "three"), strict=True):
        assert np.allclose(row, unit(text), atol=1e-6)


def test_it_sends_model_key_and_prefixes(endpoint: LocalEmbeddings, settings: Settings) -> None:
    settings.EMBEDDING_QUERY_PREFIX, settings.EMBEDDING_DOCUMENT_PREFIX = "query: ", "passage: "
    made = QuickEndpoint()
    made.documents(["a risk"])
    made.query("which risk?")
    assert endpoint.texts == ["passage: a risk", "query: which risk?"]
    headers, body = endpoint.requests[0]
    assert headers["authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["encoding_format"]) == ("test-model", "float")
    assert "dimensions" not in body


def test_the_name_of_the_model_tells_the_host_and_no_secret(endpoint: LocalEmbeddings, settings: Settings) -> None:
    host = endpoint.url.split("/")[2]
    settings.EMBEDDING_BASE_URL = endpoint.url.replace("http://", "http://user:password@")
    assert QuickEndpoint().model == f"test-model@{host}"
    settings.EMBEDDING_DOCUMENT_PREFIX = "passage: "
    assert QuickEndpoint().model.startswith(f"test-model@{host}+")


@pytest.mark.parametrize("status", [429, 500, 503])
def test_it_tries_again_when_the_endpoint_is_busy(endpoint: LocalEmbeddings, status: int) -> None:
    endpoint.faults = [Fault(times=2, status=status)]
    assert np.allclose(QuickEndpoint().documents(["one"])[0], unit("one"), atol=1e-6)
    assert len(endpoint.requests) == 3


def test_it_waits_as_long_as_the_endpoint_asks_and_says_that_it_lives(endpoint: LocalEmbeddings) -> None:
    endpoint.faults = [Fault(status=429, headers={"Retry-After": "1"})]
    made, beats = QuickEndpoint(), []
    waits: list[float] = []
    made.ask = lambda texts, timeout, ask=made.ask: noted(waits, ask, texts, timeout)  # type: ignore[method-assign]
    made.documents(["one"], beats.append)
    assert waits == [1.0]
    assert beats[:-1]
    assert set(beats[:-1]) == {0}
    assert beats[-1] == 1


def noted(waits: list[float], ask: Any, texts: list[str], timeout: float) -> Any:
    try:
        return ask(texts, timeout)
    except Busy as error:
        waits.append(error.wait or 0.0)
        raise


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault(times=99, status=500), "answers 500"),
        (Fault(times=99, status=200, body=b"<html>hello</html>"), "cannot be read"),
        (Fault(times=99, changed=lambda told: told | {"data": told["data"][:1]}), "1 vectors for 2 texts"),
        (Fault(times=99, changed=lambda told: told | {"data": []}), "0 vectors for 2 texts"),
        (
            Fault(times=99, changed=lambda told: told | {"data": [row | {"embedding": [0.0] * 64} for row in told["data"]]}),
            "without direction",
        ),
    ],
)  # fmt: skip
def test_it_gives_up_in_words(endpoint: LocalEmbeddings, fault: Fault, words: str) -> None:
    endpoint.faults = [fault]
    with pytest.raises(EmbeddingUnavailable, match=words) as caught:
        QuickEndpoint().documents(["one", "two"])
    assert not isinstance(caught.value, EmbeddingMisconfigured)
    assert KEY not in str(caught.value)
    assert len(endpoint.requests) == QuickEndpoint.attempts


def test_it_gives_up_on_an_endpoint_that_hangs_and_on_one_that_is_not_there(
    endpoint: LocalEmbeddings, settings: Settings
) -> None:
    settings.EMBEDDING_QUERY_TIMEOUT = 0.1
    endpoint.faults = [Fault(times=99, delay=1.0)]
    with pytest.raises(EmbeddingUnavailable, match=r"did not answer within 0\.1 s"):
        QuickEndpoint().query("why?")
    assert len(endpoint.requests) == QuickEndpoint.query_attempts
    settings.EMBEDDING_BASE_URL = "http://127.0.0.1:9/v1"
    with pytest.raises(EmbeddingUnavailable, match="cannot be reached"):
        QuickEndpoint().query("why?")


@pytest.mark.parametrize(
    ("status", "words"), [(401, "EMBEDDING_API_KEY"), (404, "EMBEDDING_OPTIONS"), (400, "refuses")]
)
def test_a_refusal_names_the_setting_and_is_not_tried_again(
    endpoint: LocalEmbeddings, status: int, words: str
) -> None:
    endpoint.faults = [Fault(times=99, status=status)]
    with pytest.raises(EmbeddingMisconfigured, match=words) as caught:
        QuickEndpoint().documents(["one"])
    assert KEY not in str(caught.value)
    assert len(endpoint.requests) == 1


def test_a_redirect_is_not_followed_with_the_key(endpoint: LocalEmbeddings) -> None:
    with LocalEmbeddings() as other:
        endpoint.faults = [Fault(times=99, status=307, headers={"Location": f"{other.url}/embeddings"})]
        with pytest.raises(EmbeddingMisconfigured, match="307"):
            QuickEndpoint().documents(["one"])
        assert other.requests == []


def test_vectors_of_another_length_are_an_error_that_names_the_setting(
    endpoint: LocalEmbeddings, settings: Settings
) -> None:
    settings.EMBEDDING_DIMENSIONS = 32
    with pytest.raises(EmbeddingMisconfigured, match=r"64 dimensions and EMBEDDING_OPTIONS says 32.*rebuild"):
        QuickEndpoint().documents(["one"])


def test_a_model_that_can_shorten_its_vectors_is_asked_to(endpoint: LocalEmbeddings, settings: Settings) -> None:
    settings.EMBEDDING_DIMENSIONS = 32
    endpoint.shortens = True
    made = QuickEndpoint()
    assert made.documents(["one"]).shape == (1, 32)
    assert made.documents(["two"]).shape == (1, 32)
    assert [body.get("dimensions") for _, body in endpoint.requests] == [None, 32, 32]


@pytest.mark.parametrize("missing", ["EMBEDDING_MODEL", "EMBEDDING_DIMENSIONS"])
def test_settings_that_belong_together_are_asked_for_together(
    endpoint: LocalEmbeddings, settings: Settings, missing: str
) -> None:
    setattr(settings, missing, type(getattr(settings, missing))())
    with pytest.raises(EmbeddingMisconfigured, match="needed together"):
        embedder()


def test_a_text_is_sent_once_and_a_question_is_remembered(endpoint: LocalEmbeddings) -> None:
    made = embedder()
    first = made.documents(["one", "two", "one"])
    again = Embedder(QuickEndpoint(), VectorCache()).documents(["two", "one"])
    assert sorted(endpoint.texts) == ["one", "two"]
    assert np.array_equal(first[[1, 0]], again)
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(made.query("why?"), made.query("why?"))
    assert endpoint.texts.count("why?") == 1


def test_what_was_embedded_before_a_failure_is_kept(endpoint: LocalEmbeddings) -> None:
    texts = [f"text {number}" for number in range(80)]
    made = Embedder(QuickEndpoint(), VectorCache())
    made.inner.documents = failing_after(1, made.inner.documents)  # type: ignore[method-assign]
    with pytest.raises(EmbeddingUnavailable):
        made.documents(texts)
    kept = len(endpoint.texts)
    assert 0 < kept < 80
    assert Embedder(QuickEndpoint(), VectorCache()).documents(texts).shape == (80, 64)
    assert sorted(endpoint.texts) == sorted(texts)


def failing_after(calls: int, documents: Any) -> Any:
    made = 0

    def answer(texts: Any, progress: Any) -> Any:
        nonlocal made
        made += 1
        if made > calls:
            raise EmbeddingUnavailable("gone")
        return documents(texts, progress)

    return answer


def test_after_a_failed_question_the_next_does_not_wait(
    endpoint: LocalEmbeddings, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.faults = [Fault(times=QuickEndpoint.query_attempts, status=500)]
    made = Embedder(QuickEndpoint(), VectorCache())
    with pytest.raises(EmbeddingUnavailable, match="500"):
        made.query("why?")
    asked = len(endpoint.requests)
    with pytest.raises(EmbeddingUnavailable, match="500"):
        made.query("and how?")
    assert len(endpoint.requests) == asked
    made.rests_until = 0.0
    assert made.query("and how?").shape == (64,)
