"""One shape for every limit: data, headers, words."""

import json

import pytest

from accounts.limit_errors import Limit, QuotaExceeded, TooLong, headers, response, wait

MINUTE = Limit("requests_per_minute", 5, 5, 60, 42)
EVER = Limit("questions_in_all", 50, 50)
LONG = Limit("input_tokens", 1000, 1200)


def test_a_program_is_told_which_limit_how_much_and_when() -> None:
    answer = response(QuotaExceeded(MINUTE, auth_required=True))
    assert (answer.status_code, answer["Content-Type"]) == (429, "application/problem+json")
    assert json.loads(answer.content) == {
        "type": "about:blank",
        "title": "Too Many Requests",
        "status": 429,
        "detail": "The limit of 5 questions and searches a minute is reached. Try again in 42 seconds.",
        "reason": "too_many_questions",
        "auth_required": True,
        "limit": {"name": "requests_per_minute", "limit": 5, "used": 5, "window_s": 60, "retry_after_s": 42},
    }
    assert answer["Retry-After"] == "42"
    assert answer["RateLimit-Policy"] == '"requests_per_minute";q=5;w=60'
    assert answer["RateLimit"] == '"requests_per_minute";r=0;t=42'


def test_where_waiting_does_not_help_nobody_is_told_to_wait() -> None:
    answer = response(QuotaExceeded(EVER, auth_required=True))
    assert "Retry-After" not in answer
    assert answer["RateLimit-Policy"] == '"questions_in_all";q=50'
    assert answer["RateLimit"] == '"questions_in_all";r=0'
    assert json.loads(answer.content)["detail"] == "All 50 questions without an account are used."


def test_too_long_has_the_same_shape() -> None:
    answer = response(TooLong(LONG))
    assert answer.status_code == 413
    told = json.loads(answer.content)
    assert (told["reason"], told["auth_required"]) == ("question_too_long", False)
    assert told["detail"] == "The question has 1,200 tokens. The limit is 1,000."
    assert told["limit"] == {
        "name": "input_tokens",
        "limit": 1000,
        "used": 1200,
        "window_s": None,
        "retry_after_s": None,
    }
    # What is sent next may be as long as that again, and at once.
    assert "Retry-After" not in answer
    assert (answer["RateLimit-Policy"], answer["RateLimit"]) == ('"input_tokens";q=1000', '"input_tokens";r=1000')


def test_headers_tell_of_several_limits_what_is_left() -> None:
    found = headers([Limit("requests_per_minute", 60, 7, 60), Limit("tokens_per_minute", 50_000, 60_000, 60, 9)])
    assert found["RateLimit"] == '"requests_per_minute";r=53, "tokens_per_minute";r=0;t=9'
    assert headers([]) == {}


def test_money_is_told_as_money() -> None:
    assert Limit("cost_per_month", 2000, 412).used_of_limit == "$4.12 of $20.00"
    assert [Limit("cost_per_month", 100, used).near for used in (89, 90)] == [False, True]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(1, "1 second"), (60, "60 seconds"), (121, "3 minutes"), (7201, "3 hours"), (200_000, "3 days")],
)
def test_waits_are_told_in_the_unit_that_fits(seconds: int, said: str) -> None:
    assert wait(seconds) == said
