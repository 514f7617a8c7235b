"""Vectors from an OpenAI-compatible `/v1/embeddings` endpoint, with failures in words."""

import hashlib
import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from django.conf import settings
from numpy.typing import NDArray
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from diligence.retry_after import retry_after
from filings.text.embeddings.model import EmbeddingMisconfigured, EmbeddingUnavailable, Progress, unheard

if TYPE_CHECKING:
    from openai import OpenAI

logger = logging.getLogger(__name__)

# Longer waits that a server asks for are not waited out: a quota must not block the ingestion.
LONGEST_WAIT = 30.0
BEAT_SECONDS = 2.0


class Busy(EmbeddingUnavailable):
    """Raised if the endpoint could not answer this time; a next try may help."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class Endpoint:
    """The endpoint that the settings name. Safe to be used by several threads."""

    attempts = 5
    # A person waits for a question: one retry, then words alone.
    query_attempts = 2
    first_wait = 0.5

    def __init__(self) -> None:
        address = urlsplit(settings.EMBEDDING_BASE_URL)
        if not settings.EMBEDDING_MODEL or settings.EMBEDDING_DIMENSIONS <= 0 or not address.hostname:
            raise EmbeddingMisconfigured(
                "EMBEDDING_BASE_URL is needed together with model and dimensions in EMBEDDING_OPTIONS: set all three, "
                "or none for the model on this machine."
            )
        self.dimensions: int = settings.EMBEDDING_DIMENSIONS
        self.host = address.hostname + (f":{address.port}" if address.port else "")
        prefix = settings.EMBEDDING_DOCUMENT_PREFIX
        # Another prefix gives other vectors.
        mark = f"+{hashlib.sha256(prefix.encode()).hexdigest()[:8]}" if prefix else ""
        self.model = f"{settings.EMBEDDING_MODEL}@{self.host}{mark}"
        self.asks_dimensions = False
        self.client = self.connect()

    def connect(self) -> "OpenAI":
        from openai import DefaultHttpxClient, OpenAI

        return OpenAI(
            base_url=settings.EMBEDDING_BASE_URL,
            # Private servers often have no key; the client requires one.
            api_key=settings.EMBEDDING_API_KEY or "none",
            max_retries=0,
            # The key is sent only to the host it was given for.
            http_client=DefaultHttpxClient(follow_redirects=False),
        )

    def close(self) -> None:
        """Close the connections."""
        self.client.close()

    def documents(self, texts: Sequence[str], progress: Progress = unheard) -> NDArray[np.float32]:
        """Unit vectors of shape (len(texts), dimensions). Raises EmbeddingUnavailable after some tries."""
        prefixed = [settings.EMBEDDING_DOCUMENT_PREFIX + text for text in texts]
        vectors = self.tried(prefixed, settings.EMBEDDING_TIMEOUT, self.attempts, progress)
        progress(len(texts))
        return vectors

    def query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question, of shape (dimensions,). Raises EmbeddingUnavailable."""
        timeout = min(settings.EMBEDDING_QUERY_TIMEOUT, settings.EMBEDDING_TIMEOUT)
        prefixed = [settings.EMBEDDING_QUERY_PREFIX + text]
        vector: NDArray[np.float32] = self.tried(prefixed, timeout, self.query_attempts, unheard)[0]
        return vector

    def tried(self, texts: list[str], timeout: float, attempts: int, progress: Progress) -> NDArray[np.float32]:
        """Ask, with retries while the endpoint is busy. `progress` is called while waiting."""

        def wait(state: RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            asked = error.wait if isinstance(error, Busy) else None
            backoff = wait_exponential_jitter(multiplier=self.first_wait, max=LONGEST_WAIT, jitter=self.first_wait)(
                state
            )
            return backoff if asked is None else min(asked, LONGEST_WAIT)

        def sleep(seconds: float) -> None:
            until = time.monotonic() + seconds
            while (left := until - time.monotonic()) > 0:
                progress(0)
                time.sleep(min(left, BEAT_SECONDS))
            progress(0)

        retrying = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, Busy)),
            wait=wait,
            stop=stop_after_attempt(attempts),
            sleep=sleep,
            reraise=True,
        )
        return retrying(self.ask, texts, timeout)

    def ask(self, texts: list[str], timeout: float) -> NDArray[np.float32]:
        """Ask once, without retries."""
        vectors = self.checked(texts, self.answer(texts, timeout))
        if vectors.shape[1] != self.dimensions and not self.asks_dimensions:
            # Some models give shorter vectors on request; others reject the parameter.
            self.asks_dimensions = True
            vectors = self.checked(texts, self.answer(texts, timeout))
        if vectors.shape[1] != self.dimensions:
            raise EmbeddingMisconfigured(
                f"{self.model} gives vectors of {vectors.shape[1]} dimensions and EMBEDDING_OPTIONS says "
                f"{self.dimensions}: write dimensions={vectors.shape[1]} there, then run manage.py search_index rebuild."
            )
        return vectors

    def answer(self, texts: list[str], timeout: float) -> Any:
        """The endpoint's reply to one request, failures as our errors. No message has a key or an address's path."""
        from openai import (
            APIConnectionError,
            APIError,
            APIResponseValidationError,
            APIStatusError,
            APITimeoutError,
            omit,
        )

        try:
            # Not every server supports base64, the client's default.
            return self.client.embeddings.create(
                model=settings.EMBEDDING_MODEL,
                input=texts,
                encoding_format="float",
                timeout=timeout,
                dimensions=self.dimensions if self.asks_dimensions else omit,
            )
        except APITimeoutError as error:
            raise Busy(f"The embedding endpoint {self.host} did not answer within {timeout:g} s.") from error
        except APIConnectionError as error:
            raise Busy(f"The embedding endpoint {self.host} cannot be reached.") from error
        except APIStatusError as error:
            status = error.status_code
            if status in {408, 409, 425, 429} or status >= 500:
                wait = retry_after(error.response.headers)
                raise Busy(f"The embedding endpoint {self.host} answers {status}.", wait) from error
            what = {
                401: "EMBEDDING_API_KEY",
                403: "EMBEDDING_API_KEY",
                404: "EMBEDDING_BASE_URL and model in EMBEDDING_OPTIONS",
            }
            check = what.get(status, "EMBEDDING_OPTIONS")
            raise EmbeddingMisconfigured(
                f"The embedding endpoint {self.host} refuses the request ({status}): check {check}."
            ) from error
        except (APIResponseValidationError, APIError, ValueError) as error:
            # ValueError: a body that is no JSON, or a reply without vectors.
            raise Busy(f"The answer of the embedding endpoint {self.host} cannot be read.") from error

    def checked(self, texts: list[str], answer: Any) -> NDArray[np.float32]:
        """The vectors of a reply in the order of the texts, of length 1. Raises Busy where it has none."""
        try:
            rows = sorted(answer.data, key=lambda row: row.index)
            vectors = np.asarray([row.embedding for row in rows], np.float32)
        except (AttributeError, TypeError, ValueError) as error:
            raise Busy(f"The answer of the embedding endpoint {self.host} cannot be read.") from error
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise Busy(f"The embedding endpoint {self.host} gave {len(vectors)} vectors for {len(texts)} texts.")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise Busy(f"The embedding endpoint {self.host} gave a vector without direction.")
        unit: NDArray[np.float32] = vectors / lengths
        return unit
