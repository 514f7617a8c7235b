"""docs/settings.md has every setting with its default, and hints of system checks lead to it."""

import re
from pathlib import Path

import pytest
from django.core.checks import run_checks
from pytest_django import Settings

from diligence import settings_table
from diligence.hints import PAGE, with_link

ROOT = Path(__file__).parents[1]
ANCHORS = set(re.findall(r'<a id="([a-z_]+)"></a>', (ROOT / PAGE).read_text(encoding="utf-8")))


def test_the_page_is_what_the_settings_make() -> None:
    assert settings_table.main([]) == 0, "run: python -m diligence.settings_table --write"


def test_a_page_that_is_not_up_to_date_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "settings.md"
    old.write_text(settings_table.page().replace("`8`", "`9`", 1), encoding="utf-8")
    monkeypatch.setattr(settings_table, "PAGE", old)
    assert settings_table.main([]) == 1
    assert "--write" in capsys.readouterr().err


def test_every_variable_that_is_read_is_documented_and_no_other() -> None:
    read = set(settings_table.defaults())
    assert len(read) > 100
    assert settings_table.names() == read | settings_table.ELSEWHERE


def test_each_is_documented_once_in_a_full_sentence() -> None:
    rows = [row for group in settings_table.groups() for row in group["settings"]]
    named = [name for row in rows for name in row["names"]]
    assert len(named) == len(set(named))
    assert [row["names"] for row in rows if not row["about"].endswith(".")] == []


def test_a_default_in_words_stands_only_where_the_code_has_no_plain_one_or_another_place_sets_it() -> None:
    plain = settings_table.defaults()
    for group in settings_table.groups():
        for row in group["settings"]:
            if "default" in row and all(plain.get(name) not in (None, "", 0, False, []) for name in row["names"]):
                pytest.fail(f"{row['names']}: its default is in settings.py")


WRONG = {
    "EDGAR_IDENTITY": "nobody",
    "EDGAR_REQUESTS_PER_SECOND": -1.0,
    "QUESTION_MAX_LENGTH": 1,
    "ELASTICSEARCH_URL": "ftp://node",
    "RERANK_URL": "ftp://node",
    "EMBEDDING_BASE_URL": "ftp://node",
    "OIDC_CLIENT_ID": "only-this",
    "ANSWER_CONCURRENCY": 0,
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_setting_leads_to_its_paragraph(name: str, settings: Settings) -> None:
    setattr(settings, name, WRONG[name])
    hints = [one.hint for one in run_checks() if one.hint and PAGE in one.hint]
    assert hints
    assert {hint.rpartition("#")[2].rstrip(".") for hint in hints} <= ANCHORS


def test_a_hint_names_the_setting_of_its_message() -> None:
    assert with_link("Write a name.", "EDGAR_IDENTITY is not set.").endswith(f"See {PAGE}#edgar_identity.")
    assert with_link("Write HTTP headers.") == "Write HTTP headers."
