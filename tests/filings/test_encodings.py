"""Characters of text files: what was written is read, whatever the encoding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.document.encodings import decoded_text
from filings.document.layout import UnreadableText

GERMAN = "Wir liefern Zahnräder für Öfen, schöne Federn und große Räder nach Köln. "
RUSSIAN = "Мы делаем шестерни и пружины в одном городе и продаём их в девяти странах каждый год. "
JAPANESE = "私たちは歯車とばねを作り、九つの国で売っています。売上は前の年より増えました。"


@given(st.text(st.characters(exclude_characters="\x00\ufeff", exclude_categories=["Cs"]), min_size=1))
def test_utf_8_is_read_as_written(text: str) -> None:
    assert decoded_text(text.encode("utf-8-sig")) == text
    assert decoded_text(text.encode("utf-16")) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN * 5, "cp1252"),
        (GERMAN * 5, "utf-16-le"),
        (GERMAN * 5, "utf-16-be"),
        ("The company\u2019s sales — €5 million — rose “sharply”… by 5 %.", "cp1252"),
        ("5 €", "cp1252"),
        ("Müller & Söhne", "cp1252"),
        ("• one • two", "cp1252"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN * 5, "koi8-r"),
        (JAPANESE * 5, "shift_jis"),
        (JAPANESE * 5, "utf-32"),
    ],
)
def test_other_encodings_are_told_by_their_letters(text: str, encoding: str) -> None:
    assert decoded_text(text.encode(encoding)) == text


def test_a_page_is_read_as_it_declares() -> None:
    page = f'<html><head><meta charset="koi8-r"></head><body>{RUSSIAN}</body></html>'
    assert RUSSIAN in decoded_text(page.encode("koi8-r"))


@pytest.mark.parametrize("declared", ["unicode_escape", "rot13", "zlib", "no-such-thing", "utf-7"])
def test_a_declared_codec_that_no_page_has_is_not_used(declared: str) -> None:
    page = f'<meta charset="{declared}"><p>{GERMAN}\\u0041'.encode("cp1252")
    assert decoded_text(page).endswith(f"{GERMAN}\\u0041")


def test_a_cut_character_of_a_marked_file_is_refused() -> None:
    with pytest.raises(UnreadableText, match="characters cannot be read"):
        decoded_text("Räder".encode("utf-16")[:-1])


def test_nul_is_no_character() -> None:
    with pytest.raises(UnreadableText, match="bytes that no text has"):
        decoded_text(b"Wheels\x00and springs")
