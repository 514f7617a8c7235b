"""The page "How we know": every share with its number, and what was never measured."""

import json
from datetime import date
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.timezone import now

from agent.models import CitedFact, Run, Standing
from agent.web.pages import trust
from diligence.statistics import Share
from evals import summary

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the last evaluation would be kept."""
    monkeypatch.setattr(trust, "SUMMARY", tmp_path / "summary.json")
    return trust.SUMMARY


def test_what_was_never_measured_is_said(client: Client, kept: Path) -> None:
    page = client.get("/how-we-know").content.decode()
    assert "Never measured" in page
    assert page.count("None yet.") == 4


def test_the_last_evaluation_is_shown_with_number_interval_and_command(client: Client, kept: Path) -> None:
    summary.keep({"Mutations: not shown": Share(100, 100)}, "manage.py evaluate --mutate", kept)
    page = client.get("/how-we-know").content.decode()
    for said in ("Mutations: not shown", "100 of 100", "96.3\u2013100.0%", "manage.py evaluate --mutate"):
        assert said in page


def test_another_evaluation_replaces_its_own_figures_only(kept: Path) -> None:
    summary.keep({"one": Share(1, 2), "other": Share(1, 3)}, "a", kept)
    summary.keep({"one": Share(2, 2)}, "b", kept)
    held = json.loads(kept.read_text())
    assert [(held[name]["part"], held[name]["command"]) for name in ("one", "other")] == [(2, "b"), (1, "a")]


def test_questions_are_counted_by_outcome_and_reason(client: Client, kept: Path) -> None:
    for outcome, code in (("answered", ""), ("refused", "prediction"), ("refused", "prediction")):
        Run.objects.create(question="What?", outcome=outcome, refusal_code=code, status=Run.Status.DONE)
    page = client.get("/how-we-know").content.decode()
    assert "1 of 3" in page
    assert "2 of 2" in page


def test_saved_answers_are_counted_by_how_they_stand(client: Client, kept: Path) -> None:
    for state in ("valid", "valid", "superseded"):
        run = Run.objects.create(question="What?", outcome="answered", status=Run.Status.DONE)
        Standing.objects.create(run=run, state=state, checked=now())
    page = client.get("/how-we-know").content.decode()
    assert "2 of 3" in page
    assert "Superseded" in page


def test_restated_figures_are_counted_and_a_command_prints_what_the_page_shows(client: Client, kept: Path) -> None:
    run = Run.objects.create(question="What?", outcome="answered", status=Run.Status.DONE)
    changes = [{"reason": reason} for reason in ("restated", "split", "overtaken")]
    Standing.objects.create(run=run, state="superseded", checked=now(), changes=changes)
    filed = {"form": "10-K", "filed": date(2025, 2, 1), "start": date(2024, 1, 1), "end": date(2024, 12, 31)}
    for tag in ("Revenues", "NetIncomeLoss", "Assets"):
        CitedFact.objects.create(
            run=run, said=tag, cik=1, accession="a", taxonomy="us-gaap", tag=tag, value=1, **filed
        )
    said = StringIO()
    call_command("site_figures", stdout=said)
    page = client.get("/how-we-know").content.decode()
    assert "2 of 3" in page
    assert "Restated by a later filing: 2 of 3, 66.7 % (20.8 to 93.9 %)" in said.getvalue()
    assert "Superseded: 1 of 1" in said.getvalue()


@pytest.mark.parametrize("address", ["/", "/method"])
def test_it_is_linked(client: Client, address: str) -> None:
    assert 'href="/how-we-know"' in client.get(address).content.decode()
