"""Checks the settings of models. Imports nothing that asks one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from django.conf import settings

from agent.state.modes import LIMITS
from diligence.url_settings import LOOPBACK, split

Name = Literal["PLAN_MODEL", "DRAFT_MODEL"]
NAMES: tuple[Name, ...] = ("PLAN_MODEL", "DRAFT_MODEL")
# The timeout of a role is for replies of this many tokens.
TIMED_TOKENS = 3_000


@dataclass(frozen=True)
class Problem:
    """A fault and what to write instead; `id` is the number of the check that reports it."""

    id: str
    message: str
    hint: str


def named() -> bool:
    """Whether any model is set, correctly or not. Without one, nothing of agent/programs is needed."""
    return any(value(name) for name in NAMES)


def value(name: Name, part: str = "") -> Any:
    return getattr(settings, f"{name}{part}")


def problems() -> list[Problem]:
    """Everything that prevents asking the models; none where none is set."""
    return [*half_set(), *addresses(), *limits()]


def half_set() -> Iterator[Problem]:
    """Each role needs its model and its address, and both roles are needed."""
    for name in NAMES:
        set_parts = [f"{name}{part}" for part in ("_BASE_URL", "_API_KEY") if value(name, part)]
        if value(name) and not value(name, "_BASE_URL"):
            yield Problem(
                "E002",
                f"{name} is set without {name}_BASE_URL.",
                "Write the address of its endpoint, the part before /chat/completions: https://api.openai.com/v1.",
            )
        elif set_parts and not value(name):
            yield Problem(
                "E002",
                f"{' and '.join(set_parts)} {'is' if len(set_parts) == 1 else 'are'} set without {name}.",
                f"Name the model in {name}, or leave them all empty. Until then no model is asked.",
            )
    one, other = sorted(NAMES, key=lambda name: not value(name))
    if value(one) and not value(other):
        yield Problem(
            "E002",
            f"{one} is set without {other}.",
            "Set both: one plans and judges, the other drafts. They may be the same. Until then no model is asked.",
        )


def addresses() -> Iterator[Problem]:
    """An endpoint's address and key must be usable in a request."""
    for name in NAMES:
        address = value(name, "_BASE_URL")
        if address and not is_endpoint(address):
            hint = (
                "Write only the part before /chat/completions: http://127.0.0.1:8000/v1. The key has its own variable."
            )
            yield Problem("E003", f"{name}_BASE_URL is not the http(s) address of an endpoint.", hint)
        key = value(name, "_API_KEY")
        if not (key.isascii() and key.isprintable()) or " " in key:
            hint = f"Copy the key alone, on one line; {name}_API_KEY_FILE may name a file that holds it."
            yield Problem("E003", f"{name}_API_KEY has characters that no key has.", hint)


def limits() -> Iterator[Problem]:
    """What a model needs more than nothing of: time and tokens."""
    hint = "Leave it unset for the default."
    for name in NAMES:
        if not value(name, "_TIMEOUT") > 0:
            yield Problem("E004", f"timeout in {name}_OPTIONS must be more than 0 seconds.", hint)
        if value(name, "_MAX_TOKENS") < 1:
            yield Problem("E004", f"max_tokens in {name}_OPTIONS must be 1 or more.", hint)
    for mode in LIMITS:
        if not settings.MODEL_RUN_DEADLINE[mode] > 0:
            yield Problem("E005", f"{mode}_seconds in MODEL_RUN_LIMITS must be more than 0.", hint)
        if settings.MODEL_RUN_TOKENS[mode] < 1:
            yield Problem("E005", f"{mode}_tokens in MODEL_RUN_LIMITS must be 1 or more.", hint)


def timeout(seconds: float, tokens: int) -> float:
    """Seconds for a request whose reply may have so many tokens; seconds: the timeout of its role."""
    return seconds * max(1.0, tokens / TIMED_TOKENS)


def too_little() -> Iterator[Problem]:
    """Limits of a run that are too low for the longest draft of its mode: such runs use a cheaper mode or are cut
    short.
    """
    for mode, limits in LIMITS.items():
        most = min(limits.draft_tokens, settings.DRAFT_MODEL_MAX_TOKENS)
        longest = timeout(settings.DRAFT_MODEL_TIMEOUT, most)
        cost = settings.DRAFT_MODEL_PRICE_OUT * most / 1_000_000
        if settings.MODEL_RUN_TOKENS[mode] <= most:
            hint = f"Its drafts may have {most:,} tokens, and what they are drafted from comes on top."
            yield Problem("W004", f"{mode}_tokens in MODEL_RUN_LIMITS is too little for one draft of its mode.", hint)
        if 0 < settings.MODEL_RUN_COST[mode] <= cost:
            hint = f"{most:,} tokens of a draft cost {cost:g} USD at price_out in DRAFT_MODEL_OPTIONS."
            yield Problem("W004", f"{mode}_cost in MODEL_RUN_LIMITS is too little for one draft of its mode.", hint)
        if settings.MODEL_RUN_DEADLINE[mode] < longest:
            hint = f"One draft of {most:,} tokens may take {longest:g} seconds by timeout in DRAFT_MODEL_OPTIONS."
            yield Problem(
                "W004", f"{mode}_seconds in MODEL_RUN_LIMITS is shorter than one draft of its mode may take.", hint
            )


def in_clear() -> list[str]:
    """Variables of keys that would be sent unencrypted to another machine."""
    return [
        f"{name}_API_KEY"
        for name in NAMES
        if value(name, "_API_KEY")
        and split(value(name, "_BASE_URL")).scheme == "http"
        and split(value(name, "_BASE_URL")).hostname not in LOOPBACK
    ]


def is_endpoint(url: str) -> bool:
    parts = split(url)
    return (
        parts.scheme in {"http", "https"}
        and bool(parts.hostname)
        and not (parts.username or parts.password or parts.query or parts.fragment)
        and not parts.path.endswith(("/chat/completions", "/completions", "/responses"))
        and url.isascii()
        and url.isprintable()
        and " " not in url
    )
