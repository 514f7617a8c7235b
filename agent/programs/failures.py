"""Reasons why a model gave no usable reply: a type, a reason, and a sentence for people."""

from typing import Literal

from dspy import lm15
from dspy.utils.exceptions import (
    LMAuthError,
    LMBillingError,
    LMError,
    LMProviderError,
    LMRateLimitError,
    LMServerError,
    LMTimeoutError,
    LMTransportError,
    LMUnsupportedModelError,
)

from agent.programs.endpoint import Exchange

Reason = Literal[
    "timeout",
    "deadline",
    "budget",
    "breaker",
    "unavailable",
    "rate_limited",
    "rejected",
    "truncated",
    "refused",
    "unparsable",
]

SENTENCES: dict[str, str] = {
    "timeout": "The model did not answer in time.",
    "deadline": "This answer ran out of time before the model replied.",
    "budget": "This answer has used up its model budget.",
    "breaker": "The model failed repeatedly, so Diligence is not using it for now.",
    "unavailable": "The model's endpoint cannot be reached or returned an error.",
    "rate_limited": "The model's endpoint is not accepting more requests right now.",
    "rejected": "The model's endpoint rejected the request. Check its settings.",
    "truncated": "The model's reply was cut off at its length limit.",
    "refused": "The model declined to answer.",
    "unparsable": "The model's reply is not in the requested format.",
}


class ModelFailed(Exception):
    """A model gave no usable reply. Its text is for people and contains nothing of a prompt, reply or key.

    `retryable`: the same request may succeed later. `wait`: seconds that the endpoint asks for; `status`: its HTTP
    status; None where it gave none.
    """

    def __init__(
        self, reason: Reason, retryable: bool = False, wait: float | None = None, status: int | None = None
    ) -> None:
        super().__init__(SENTENCES[reason])
        self.reason: Reason = reason
        self.retryable = retryable
        self.wait = wait
        self.status = status


def unread(exchange: Exchange) -> ModelFailed:
    """Why a reply cannot be used: truncated, declined, or not in form."""
    reply = exchange.responses[-1] if exchange.responses else None
    if reply is not None and reply.finish_reason == "length":
        return ModelFailed("truncated")
    if reply is not None and (reply.finish_reason == "content_filter" or reply.message.parts_of(lm15.RefusalPart)):
        return ModelFailed("refused")
    return ModelFailed("unparsable", retryable=True)


def refused(error: LMError, exchange: Exchange) -> tuple[ModelFailed, bool | None]:
    """The meaning of a dspy error, and whether the endpoint is to blame."""
    status, wait = error.status, error.retry_after
    if isinstance(error, LMTimeoutError):
        if exchange.seconds < exchange.model.seconds(exchange.max_tokens):
            return ModelFailed("deadline"), None
        return ModelFailed("timeout", retryable=True), True
    if isinstance(error, LMRateLimitError):
        return ModelFailed("rate_limited", retryable=True, wait=wait, status=status), True
    if isinstance(error, LMServerError | LMTransportError):
        return ModelFailed("unavailable", retryable=True, wait=wait, status=status), True
    if isinstance(error, LMProviderError) and status is not None and status >= 300:
        # A rejected key or model fails every request; other requests may succeed.
        lasting = isinstance(error, LMAuthError | LMBillingError | LMUnsupportedModelError)
        return ModelFailed("rejected", status=status), True if lasting else None
    # A server answers that does not speak the protocol.
    return ModelFailed("unavailable"), True
