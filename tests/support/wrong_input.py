"""What nobody means to send, and ways to send it as no browser would."""

import json
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote, quote_plus

from django import forms
from django.http import HttpResponse
from django.test import Client

# More than anything takes. An address stays below what a server takes.
LONG, LONGEST_ADDRESS = 100_000, 8_000

TEXTS = (
    "", " ", "0", "1", "-1", "10000", str(2**31), str(2**63), str(10**30), str(-(10**30)), "9" * 5000, "1e400", "0x10",
    "1_000", "1.5", "NaN", "Infinity", "-Infinity", "null", "true", "\N{ARABIC-INDIC DIGIT THREE}",
    "\N{SUPERSCRIPT TWO}", "\N{FULLWIDTH DIGIT ONE}", "0000-00-00", "0001-01-01", "9999-12-31", "2024-02-30",
    "9999-12-31 23:59:59", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "2024-01-01,9999-99-99", "1,2,3",
    ",", "1,x", f"1,{10**30}", f"{-(10**30)},{10**30}", "0,10000", "a\0b", "\ud800", "\U0001f468\u200d\U0001f469",
    "\u202e\ufeff", "a" * LONG, "a " * (LONG // 2), "1," * (LONG // 2), "%" * 9000, "\u00df" * 5000, "'\";--", "(((",
    "(a+)+$", "[", "*", "\\", "../../etc/passwd", "\r\nSet-Cookie: a=b", "[]", "{}", "[[]]", '"a"', "[" * LONG,
    '{"a":' * 20_000, '{"id": 1}', '{"id": "a", "rawId": "a", "response": 1}', "9999999999-99-999999",
    "00000000-0000-0000-0000-000000000000", "x" * 36, "<b>", "{{ 7 }}",
)  # fmt: skip

DEEP: list[Any] = []
for _ in range(500):
    DEEP = [DEEP]
# For JSON, in which a value has a type.
VALUES: tuple[Any, ...] = (
    *TEXTS, None, True, 0, -1, 2**31, 2**63, 10**30, 1.5, float("nan"), float("inf"), [], {}, [1], DEEP,
)  # fmt: skip
# Not JSON, or what readers of it give up on.
BODIES = (
    "", "null", "[]", "1", '"a"', "{", "[" * LONG, '{"a":' * 20_000, "9" * 5000, f'{{"question": {"9" * 5000}}}',
    '{"question": NaN}', "\ufeff{}", '{"question": "a", "question": ["b"]}',
)  # fmt: skip

Pairs = Sequence[tuple[str, str]]


def in_path(text: str) -> str:
    """A text as part of a path."""
    return quote(text.encode("utf-8", "surrogatepass"), safe="")[:LONGEST_ADDRESS].rstrip("%")


def encoded(pairs: Pairs) -> str:
    """As bytes that no browser sends, where a text has half of a surrogate pair."""
    return "&".join(f"{quote_plus(name)}={quote_plus(text.encode('utf-8', 'surrogatepass'))}" for name, text in pairs)


def got(client: Client, path: str, pairs: Pairs) -> HttpResponse:
    """The answer to an address, cut where the server would not read on."""
    return client.get(f"{path}?{encoded(pairs)[:LONGEST_ADDRESS].rstrip('%')}")


def posted(client: Client, path: str, pairs: Pairs) -> HttpResponse:
    return client.post(path, encoded(pairs), content_type="application/x-www-form-urlencoded")


def posted_json(client: Client, path: str, body: Any) -> HttpResponse:
    """body: a text is sent as it is."""
    text = body if isinstance(body, str) else json.dumps(body)
    headers = {"Prefer": "respond-async"}
    return client.post(path, text.encode("utf-8", "surrogatepass"), content_type="application/json", headers=headers)


def form_fields() -> list[str]:
    """The name of every field of every form of the site."""

    def below(kind: type) -> Iterator[type]:
        for one in kind.__subclasses__():
            yield one
            yield from below(one)

    return sorted({name for form in below(forms.BaseForm) for name in getattr(form, "base_fields", {})})
