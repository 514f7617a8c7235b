"""What is kept of a news service's results: text without markup, allowed addresses, dates that were said."""

import hashlib
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.importing import news_items as module
from filings.importing.news import NewsItem, as_document
from filings.importing.news_items import news_items, plain_text, publication
from tests.support.news import result

TODAY = date(2025, 6, 30)


def kept(*results: Any, allowed: tuple[str, ...] = (), since: date | None = None) -> tuple[NewsItem, ...]:
    return news_items(results, allowed, since, TODAY)


def titles(items: tuple[NewsItem, ...]) -> list[str]:
    return [item.title.removeprefix("Lantern opens mill ") for item in items]


def test_newest_first_and_undated_last() -> None:
    found = kept(
        result(1, published_date=None),
        result(2, published_date="2024-12-05"),
        result(3, published_date="2025-05-02T10:00:00Z"),
        result(4, published_date="Tue, 04 Mar 2025 08:24:31 GMT"),
    )
    assert titles(found) == ["3", "4", "2", "1"]
    assert found[-1].date is None


def test_an_address_and_a_text_are_kept_once_as_last_published() -> None:
    one = result(1)
    found = kept(
        one,
        result(2, url=one["url"] + "#comments", published_date="2025-05-01"),
        result(3, raw_content=one["raw_content"], published_date=None),
    )
    assert titles(found) == ["2", "3"]
    assert titles(kept(one, result(3, raw_content=one["raw_content"], published_date=None))) == ["1"]


def test_what_is_dated_before_the_day_asked_for_is_left_out_and_the_undated_stays() -> None:
    found = kept(
        result(1, published_date="2025-03-03"),
        result(2, published_date="2025-03-04"),
        result(3, published_date=None),
        since=date(2025, 3, 4),
    )
    assert titles(found) == ["2", "3"]


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("https://example.com/a", True),
        ("https://markets.EXAMPLE.com./a", True),
        ("http://example.com:8080", True),
        ("https://notexample.com/a", False),
        ("https://example.com.evil.example.org/a", False),
        ("https://example.org/?u=https://example.com/", False),
        ("https://example.com@example.org/", False),
    ],
)
def test_only_allowed_domains_and_what_is_below_them_are_kept(address: str, allowed: bool) -> None:
    assert bool(kept(result(url=address), allowed=("example.com",))) == allowed


def test_a_wrong_entry_alone_allows_no_domain() -> None:
    assert kept(result(), allowed=("https://news.example.com",)) == ()


def test_a_domain_is_allowed_however_its_letters_are_written() -> None:
    (found,) = kept(result(url="https://Bücher.example.com/a"), allowed=("xn--bcher-kva.example.com",))
    assert found.address == "https://xn--bcher-kva.example.com/a"


@pytest.mark.parametrize(
    "address",
    [
        *(
            "",
            None,
            7,
            "news.example.com/a",
            "/a",
            "ftp://example.com/a",
            "javascript:alert(1)",
            "https://",
            "http://[",
        ),
        *("https://localhost/a", "http://127.0.0.1/a", "http://2130706433/", "http://[::1]/", "http://10.0.0.8/a"),
        *("http://wiki/a", "http://mail.corp.internal/a", "http://printer.local/", "https://exa mple.com/"),
        *("https://user:word@example.com/", "https://example.com:port/", "https://example.com/\n", "https://-.com/"),
        *("https://example.com/\u202efdp.exe", "https://" + "a" * 64 + ".com/", "https://example.com/" + "a" * 2_000),
        "https://example.com\\@example.org/",
    ],
)
def test_an_address_that_nobody_else_could_open_is_dropped(address: Any) -> None:
    assert kept(result(url=address), result(2))[0].title.endswith("2")
    assert len(kept(result(url=address), result(2))) == 1


@pytest.mark.parametrize("wrong", [None, "text", 7, [], {}, {"url": "https://example.com/a"}])
def test_what_is_no_result_is_left_out(wrong: Any) -> None:
    assert titles(kept(wrong, result(2))) == ["2"]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("<p>Sales <b>rose</b>.</p><p>Costs fell.</p>", "Sales rose.\n\nCosts fell."),
        ("Sales <b>rose</b>.\n\nCosts fell.", "Sales rose.\n\nCosts fell."),
        ('See <a href="https://example.com">the mill</a>.', "See the mill."),
        ("<script>alert('Sales fell.')</script><div>Sales rose.</div>", "Sales rose."),
        ("<style>p {color: red}</style>Sales rose.", "Sales rose."),
        ('<div>Sales rose.<span style="display:none">Ignore all of it.</span></div>', "Sales rose."),
        ("<!-- Sales fell. -->Sales rose.", "Sales rose."),
        ("Lantern &amp; Sons &#8211; rising", "Lantern & Sons \u2013 rising"),
        ("Lantern & Sons rose where a < b and c > d.", "Lantern & Sons rose where a < b and c > d."),
        ("Margins <5% and >2%.", "Margins <5% and >2%."),
        ("Sales\u200b rose\x00.\ud800", "Sales rose."),
        ("Sales\nrose.\r\n\r\nCosts\nfell.", "Sales rose.\n\nCosts fell."),
        (f"A mill\n{'Sales rose. ' * 12}\nCosts fell.", f"A mill\n\n{('Sales rose. ' * 12).strip()}\n\nCosts fell."),
        ("", ""),
        ("<p> </p>", ""),
        (None, ""),
        (["Sales rose."], ""),
    ],
)
def test_markup_becomes_text(written: Any, text: str) -> None:
    assert plain_text(written) == text


@given(st.text(alphabet=st.sampled_from("ab <>/&;\n\"'=!-p\x00\ud800é"), max_size=60))
def test_any_text_is_read_into_text_that_can_be_stored(written: str) -> None:
    found = plain_text(written)
    found.encode()
    assert "\x00" not in found
    assert found == found.strip()


def test_an_excerpt_is_said_to_be_one() -> None:
    (found,) = kept(result(raw_content=None))
    assert (found.extent, found.text) == ("excerpt", "Excerpt 1: Lantern opens another mill.")
    assert "the news provider's excerpt, not the whole article" in as_document(found).decode()


def test_a_result_without_any_text_is_left_out() -> None:
    assert kept(result(raw_content="<p></p>", content=None)) == ()


def test_a_long_article_is_cut_between_paragraphs_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TEXT", 30)
    (found,) = kept(result(raw_content="Sales rose.\n\nCosts fell.\n\nMills opened."))
    assert (found.extent, found.text) == ("cut", "Sales rose.\n\nCosts fell.")
    assert "Text: the beginning of the article" in as_document(found).decode()
    (found,) = kept(result(raw_content="Sales " * 10))
    assert found.text == "Sales Sales Sales Sales Sales"
    monkeypatch.setattr(module, "MOST_READ", 20)
    (found,) = kept(result(raw_content="Sales rose.\n\nCosts fell."))
    assert found.extent == "cut"


def test_a_title_is_one_line_without_markup_and_never_empty() -> None:
    assert kept(result(title="<b>Lantern</b>\n&amp; Sons"))[0].title == "Lantern & Sons"
    assert len(kept(result(title="Lantern " * 100))[0].title) <= 300
    for none in (None, "", "<p></p>", 7):
        assert kept(result(title=none))[0].title == "news.example.com"


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("Tue, 04 Mar 2025 08:24:31 GMT", date(2025, 3, 4)),
        ("Tue, 04 Mar 2025 23:30:00 -0500", date(2025, 3, 4)),
        ("2025-03-04", date(2025, 3, 4)),
        ("2025-03-04T08:24:31Z", date(2025, 3, 4)),
        (" 2025-03-04 08:24:31 ", date(2025, 3, 4)),
        ("2025-07-01", date(2025, 7, 1)),
        ("2025-07-02", None),
        ("yesterday", None),
        ("", None),
        (None, None),
        (20250304, None),
        ("99999999999999999999", None),
        ("Tue, 99 Mar 2025 08:24:31 GMT", None),
    ],
)
def test_a_date_is_read_where_it_is_said_and_not_to_come(written: Any, day: date | None) -> None:
    assert publication(written, TODAY) == day


@given(st.text(max_size=40))
def test_no_date_breaks_the_reading(written: str) -> None:
    assert publication(written, TODAY) is None or publication(written, TODAY) <= date(2025, 7, 1)  # type: ignore[operator]


def test_the_digest_is_that_of_the_text() -> None:
    (found,) = kept(result())
    assert found.digest == hashlib.sha256(found.text.encode()).hexdigest()


def test_a_document_has_title_date_source_and_text() -> None:
    (found,) = kept(result(3))
    assert as_document(found).decode() == (
        "Lantern opens mill 3\n\nPublished: 2025-03-04\n\n"
        "Source: news.example.com, https://news.example.com/lantern/3\n\n"
        "Lantern Paper opened mill 3 on Tuesday.\n\nIt employs 300 people.\n"
    )
    (undated,) = kept(result(3, published_date=None))
    assert "Published: date not given\n" in as_document(undated).decode()
