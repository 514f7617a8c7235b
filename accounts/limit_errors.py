"""What happens when a limit is reached: the exception, its sentences, and the data and headers for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar
from uuid import UUID

from django.http import JsonResponse

from accounts.problems import problem

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600


@dataclass(frozen=True)
class Limit:
    """One limit and its use, in the unit of `name`; money in US cents.

    window_s: seconds that the use is counted over; None where it never falls, or falls as runs end. retry_after_s:
    seconds until it can be tried again; None where there is room, or where waiting does not help.
    """

    name: str
    limit: int
    used: int
    window_s: int | None = None
    retry_after_s: int | None = None

    def __post_init__(self) -> None:
        # A limit of zero never has room.
        if not self.limit:
            object.__setattr__(self, "retry_after_s", None)

    @property
    def left(self) -> int:
        return max(0, self.limit - self.used)

    @property
    def label(self) -> str:
        """The limit's name, such as "Questions and searches a minute"."""
        return WORDS[self.name].label

    @property
    def near(self) -> bool:
        """Whether at least nine tenths of the limit are used."""
        return 10 * self.used >= 9 * self.limit

    @property
    def used_of_limit(self) -> str:
        """The use in words: "7 of 60" or "$4.12 of $20.00"."""
        if self.name == "cost_per_month":
            return f"${self.used / 100:,.2f} of ${self.limit / 100:,.2f}"
        return f"{self.used:,} of {self.limit:,}"

    @property
    def resets(self) -> str:
        """When it can be tried again, in words."""
        if (said := WORDS[self.name].resets) or self.retry_after_s is None:
            return said
        return f"In {wait(self.retry_after_s)}"


@dataclass(frozen=True)
class Words:
    """A limit's name and the sentences of its refusal."""

    label: str
    reason: str
    title: str  # plural
    resets: str = ""
    one: str = ""  # singular title


WORDS = {
    "requests_per_minute": Words(
        "Questions and searches a minute",
        "too_many_questions",
        "The limit of {limit:,} questions and searches a minute is reached",
        one="The limit of one question or search a minute is reached",
    ),
    "tokens_per_minute": Words("Tokens a minute", "too_many_tokens", "The tokens for this minute are used up"),
    "input_tokens": Words(
        "Tokens of a question",
        "question_too_long",
        "The question has {used:,} tokens. The limit is {limit:,}",
        "With a shorter question",
    ),
    "question_characters": Words(
        "Characters of a question",
        "question_too_long",
        "The question has {used:,} characters. The limit is {limit:,}",
        "With a shorter question",
    ),
    "body_bytes": Words(
        "Bytes of a request",
        "body_too_large",
        "The body has {used:,} bytes. The limit is {limit:,}",
        "With a shorter request",
    ),
    "unfinished_runs": Words(
        "Unfinished questions",
        "too_many_unfinished",
        "{limit:,} of your questions are still unanswered",
        "As soon as one is answered",
        one="One of your questions is still unanswered",
    ),
    "answers_per_month": Words(
        "Answers this month",
        "month_used_up",
        "All {limit:,} answers for this month are used",
        one="The one answer for this month is used",
    ),
    "cost_per_month": Words("Model cost this month", "month_used_up", "The model budget for this month is used up"),
    "questions_in_all": Words(
        "Questions in all",
        "questions_used_up",
        "All {limit:,} questions are used",
        "Never",
        one="The one question is used",
    ),
}
WITHOUT_ACCOUNT = {
    "questions_in_all": replace(
        WORDS["questions_in_all"],
        title="All {limit:,} questions without an account are used",
        one="The one question without an account is used",
    )
}


class LimitReached(Exception):
    """A refused question; the message is a sentence for people.

    question: what was asked, if known. continues: the run it followed up on. scope: the form fields that limited it.
    """

    status: ClassVar[int] = 429
    question: str = ""
    continues: UUID | None = None
    scope: Mapping[str, str] = MappingProxyType({})

    def __init__(self, limit: Limit, *, auth_required: bool = False, shared: bool = False, title: str = "") -> None:
        """auth_required: whether an account would have more. shared: whether several networks share the limit. title:
        in place of the limit's own words, without a full stop.
        """
        words = (auth_required and WITHOUT_ACCOUNT.get(limit.name)) or WORDS[limit.name]
        said = words.one if words.one and limit.limit == 1 else words.title
        self.title = title or said.format(limit=limit.limit, used=limit.used)
        again = "" if limit.retry_after_s is None else f" Try again {limit.resets.lower()}."
        whose = " Neighboring network addresses share this limit." if shared else ""
        super().__init__(f"{self.title}.{whose}{again}")
        self.reason, self.auth_required, self.limit = words.reason, auth_required, limit

    @property
    def data(self) -> dict[str, Any]:
        """The data for programs: reason, auth_required, limit {name, limit, used, window_s, retry_after_s}."""
        return {"reason": self.reason, "auth_required": self.auth_required, "limit": asdict(self.limit)}

    @property
    def headers(self) -> dict[str, str]:
        """Retry-After, where waiting helps, and the two RateLimit headers."""
        wait_s = self.limit.retry_after_s
        found = {} if wait_s is None else {"Retry-After": str(wait_s)}
        return {**found, **headers([self.limit])}


class QuotaExceeded(LimitReached):
    """Too many requests, or a quota is used up."""


class TooLong(LimitReached):
    """A question over the limit of characters or tokens, or a request over the limit of bytes."""

    status = 413

    @property
    def headers(self) -> dict[str, str]:
        """The limit without a waiting time: the next request may be as long again."""
        return headers([replace(self.limit, used=0)])


def response(reached: LimitReached) -> JsonResponse:
    """The reply to a program: a problem document with the members of `data`, and headers."""
    found = problem(reached.status, str(reached), **reached.data)
    for name, value in reached.headers.items():
        found[name] = value
    return found


def headers(limits: Sequence[Limit]) -> dict[str, str]:
    """RateLimit-Policy and RateLimit of draft-ietf-httpapi-ratelimit-headers-10: quota, window, remaining, reset."""
    if not limits:
        return {}
    policies = [
        f'"{one.name}";q={one.limit}' + (f";w={one.window_s}" if one.window_s is not None else "") for one in limits
    ]
    states = [
        f'"{one.name}";r={one.left}' + (f";t={one.retry_after_s}" if one.retry_after_s is not None else "")
        for one in limits
    ]
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(states)}


def wait(seconds: int) -> str:
    """A time in words: "42 seconds" or "3 hours"."""
    for size, word in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds > 2 * size:
            return f"{-(-seconds // size)} {word}s"
    return "1 second" if seconds == 1 else f"{seconds} seconds"
