"""Filing words for everyday words."""

import csv
from pathlib import Path

import pytest
from django.test import Client

from filings.models import Synonym
from filings.search import synonyms
from filings.search.synonyms import SEEDS, stemmed, store_synonyms, variants
from filings.search.words import words


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    """What one test has read is not kept for the next."""
    synonyms.active_entries.cache_clear()


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("subscriber churn", "attrition"),
        ("stock buybacks", "share repurchase program"),
        ("strikes", "work stoppage"),
        ("cheap copycats", "loss of exclusivity"),
        ("layoffs", "workforce reduction"),
        ("lawsuits", "legal proceedings"),
        ("was the company hacked", "cybersecurity incident"),
        ("chip shortages", "semiconductor shortage"),
        ("profits shrank", "decreased"),
        ("goods stolen", "inventory shrinkage"),
        ("labour unions", "collective bargaining agreements"),
        ("who keeps an eye on hackers", "oversight"),
        ("paid back its loans", "maturities"),
        ("import levies", "tariffs"),
    ],
)
def test_everyday_words_bring_filing_words(asked: str, found: str) -> None:
    assert found in variants(asked.split())


@pytest.mark.parametrize(
    "asked", ["attrition and churn", "restructuring layoffs severance", "net income", "revenue", ""]
)
def test_a_question_in_filing_words_brings_none(asked: str) -> None:
    assert variants(asked.split()) == ()


def test_a_phrase_is_found_as_a_whole_and_in_order() -> None:
    assert "trade tensions" in variants(["trade", "war"])
    assert "trade tensions" not in variants(["war", "on", "trade"])


def test_the_longer_phrase_wins_over_its_parts() -> None:
    Synonym.objects.create(phrase="breach", variants=["violation"])
    assert "violation" not in variants(["data", "breach"])
    assert "security breach" in variants(["data", "breach"])


def test_an_inactive_row_is_not_searched() -> None:
    Synonym.objects.filter(phrase__in=["layoffs", "layoff"]).update(active=False)
    assert variants(["layoffs"]) == ()


def test_the_data_file_is_stored_with_the_tables() -> None:
    assert Synonym.objects.count() >= 120
    assert store_synonyms() == 0


def test_what_admin_has_edited_or_deleted_stays_so(tmp_path: Path) -> None:
    Synonym.objects.filter(phrase="churn").update(variants=["departures"])
    Synonym.objects.filter(phrase="lawsuit").delete()
    assert store_synonyms() == 0
    assert not Synonym.objects.filter(phrase="lawsuit").exists()
    changed = tmp_path / "synonyms.csv"
    changed.write_text(
        "phrase,variants\nchurn,attrition\nmoonshot,research project|early-stage bets\n", encoding="utf-8"
    )
    assert store_synonyms(changed) == 1
    assert Synonym.objects.get(phrase="churn").variants == ["departures"]
    assert Synonym.objects.get(phrase="moonshot").variants == ["research project", "early-stage bets"]


def test_the_data_file_is_clean() -> None:
    with SEEDS.open(encoding="utf-8", newline="") as file:
        rows = [(row["phrase"], row["variants"].split("|")) for row in csv.DictReader(file)]
    phrases = [phrase for phrase, _ in rows]
    assert phrases == sorted(set(phrases))
    assert all(phrase == phrase.lower().strip() and words(phrase) for phrase in phrases)
    assert all(variant == variant.lower().strip() and words(variant) for _, found in rows for variant in found)
    assert all(phrase not in found for phrase, found in rows)
    compared = [stemmed(phrase) for phrase in phrases]
    assert len(compared) == len(set(compared))
    # Such a variant would say that the question is in filing words already, and keep the others from the search.
    assert not [(phrase, one) for phrase, found in rows for one in found if {*stemmed(one)} <= {*stemmed(phrase)}]
    assert all(len(found) <= 8 and all(len(one) <= 60 for one in found) for _, found in rows)


@pytest.mark.parametrize(
    ("form", "base"), [("fell", "falls"), ("stolen", "stealing"), ("labour", "labor"), ("children", "child")]
)
def test_forms_that_no_ending_tells_are_one_word(form: str, base: str) -> None:
    assert stemmed(form) == stemmed(base)


def test_words_that_only_look_alike_stay_apart() -> None:
    assert stemmed("left") != stemmed("lift")
    assert stemmed("found") != stemmed("founder")


def test_admin_adds_and_refuses_synonyms(as_charlie: Client) -> None:
    page = "/admin/filings/synonym/add/"
    good = {
        "phrase": " Belt  Tightening ",
        "variants": "Cost reduction\n\n cost reduction \nausterity",
        "active": "on",
    }
    assert as_charlie.post(page, good).status_code == 302
    assert Synonym.objects.get(phrase="belt tightening").variants == ["cost reduction", "austerity"]
    for bad in (
        {"phrase": "?"},
        {"variants": " "},
        {"variants": "\n".join("abcdefghi")},
        {"variants": "x" * 61},
        {"phrase": "churn"},
    ):
        answer = as_charlie.post(page, {**good, "phrase": "another", **bad})
        assert answer.status_code == 200, bad
        assert b"errorlist" in answer.content
    assert as_charlie.get("/admin/filings/synonym/", {"q": "cost reduction"}).status_code == 200
