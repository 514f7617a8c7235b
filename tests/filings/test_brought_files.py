"""Any file that a person brings is read by what it is, or refused in a sentence; nothing in it acts."""

import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filings.document import any_file
from filings.document.any_file import read_layout_of
from filings.document.layout import UnreadableText
from tests.support.brought_files import check, word

SENTENCE = "We make widgets in Lindau."
HOSTILE = f"""<!DOCTYPE html><html><head><title>Secret</title><script>var secret = 1;</script>
<link rel="stylesheet" href="https://evil.example/a.css"><style>@import url(https://evil.example/b.css);</style></head>
<body onload="secret()"><p>{SENTENCE}</p><img src="https://evil.example/a.png" alt="x" onerror="secret()">
<iframe src="https://evil.example/"></iframe><script src="https://evil.example/secret.js"></script>
<object data="file:///etc/passwd"></object><p style="display:none">secret</p></body></html>"""


@pytest.mark.parametrize(
    "name", ["letter.pdf", "letter", "../../etc/passwd", "letter.exe", "..\\x.docx", "a\x00b.txt"]
)
@pytest.mark.parametrize(
    "content",
    [SENTENCE.encode(), SENTENCE.encode("utf-16"), f"<html><body><p>{SENTENCE}".encode(), word(SENTENCE)],
)
def test_a_file_is_read_by_what_it_is_whatever_its_name(content: bytes, name: str) -> None:
    layout = read_layout_of(content, name)
    assert layout.text == SENTENCE
    check(layout)


def test_scripts_are_no_text_and_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("The network was used.")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert read_layout_of(HOSTILE.encode(), "page.html").text == SENTENCE


def test_entities_of_a_page_are_not_expanded() -> None:
    laughs = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(9))
    page = (
        f'<?xml version="1.0"?><!DOCTYPE html [{laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]>'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{SENTENCE} &e8; &f;</p></body></html>'
    )
    text = read_layout_of(page.encode(), "page.html").text
    assert SENTENCE in text
    assert "hahaha" not in text
    assert "root:" not in text


def test_a_page_of_another_encoding_keeps_its_letters() -> None:
    page = "<html><head><meta charset=windows-1251></head><body><p>Шестерни и пружины</p></body></html>"
    assert read_layout_of(page.encode("cp1251"), "x").text == "Шестерни и пружины"


def test_a_truncated_page_is_read_as_far_as_it_goes() -> None:
    assert read_layout_of(f"<html><body><p>{SENTENCE}</p><table><tr><td>Gears<".encode(), "x").text.startswith(
        SENTENCE
    )


def test_a_page_without_text_says_so() -> None:
    with pytest.raises(UnreadableText, match="The document has no text"):
        read_layout_of(b"<html><body><script>secret()</script></body></html>", "x.html")


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(any_file, "MOST_BYTES", 3_000_000)
    with pytest.raises(UnreadableText, match="The file has 4 MB; at most 3 MB are read"):
        read_layout_of(b"x" * 4_000_000, "x.txt")


@settings(deadline=None)
@given(st.binary(max_size=600), st.sampled_from(["x", "x.md", "x.docx"]))
def test_any_bytes_are_laid_out_exactly_or_refused(content: bytes, name: str) -> None:
    if b"%PDF-" in content:
        return
    try:
        layout = read_layout_of(content, name)
    except UnreadableText as refused:
        assert str(refused).endswith(".")  # noqa: PT017
        return
    check(layout)
