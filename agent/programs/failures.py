"""Why a model gave nothing that can be used: as a type, a reason, and a sentence for people."""

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
    """A model gave nothing that can be used. Its text is for people: nothing of a prompt, a reply or a key is in it.

    `retryable`: the same request may be answered another time. `wait`: seconds that the endpoint wants to be left
    alone; `status`: what it answered with, as HTTP has it; None where it did not say.
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
    """Why a reply cannot be used: it was cut off, or declined, or is not what was asked for."""
    reply = exchange.responses[-1] if exchange.responses else None
    if reply is not None and reply.finish_reason == "length":
        return ModelFailed("truncated")
    if reply is not None and (reply.finish_reason == "content_filter" or reply.message.parts_of(lm15.RefusalPart)):
        return ModelFailed("refused")
    return ModelFailed("unparsable", retryable=True)


def refused(error: LMError, exchange: Exchange) -> tuple[ModelFailed, bool | None]:
    """What an error of dspy's means, and whether the endpoint is to blame."""
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
        # A key or a model that is refused is refused to all; another request may well be taken.
        lasting = isinstance(error, LMAuthError | LMBillingError | LMUnsupportedModelError)
        return ModelFailed("rejected", status=status), True if lasting else None
    # Something answers, and it does not speak the protocol.
    return ModelFailed("unavailable"), True
