"""manage.py evaluate: which bodies of prose goldens it asks."""

import json
from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from evals import golden, mirror, prose_golden
from evals.truths import printed_parts

ROW = {
    "half": "tune",
    "kind": ["near_miss"],
    "outcome": "refused",
    "cik": 1,
    "accession": "",
    "codes": ["unknown_company"],
    "question": "How does Zyntrophic Industries recognize revenue?",
}
ASKED, SKIPPED = "Prose, real filings, tune half: 2 questions", "Prose, real filings: 2 questions skipped"


@pytest.fixture
def ingested(db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[set[str]]:
    """One golden of the sample and two of real filings, with a mirror at hand; what was ingested of it."""
    for name, count in (("SAMPLE", 1), ("EDGAR", 2)):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps({**ROW, 'id': f'{name}{number}'})}\n" for number in range(count)))
        monkeypatch.setattr(prose_golden, name, path)
    (tmp_path / "serve.py").touch()
    monkeypatch.setattr(mirror, "SHARED", tmp_path)
    found: list[set[str]] = []
    monkeypatch.setattr(mirror, "edgar", nullcontext)
    monkeypatch.setattr(mirror, "ingest", found.append)
    return found


def said(part: str = "prose") -> str:
    out = StringIO()
    call_command("evaluate", part=part, half="tune", stdout=out)
    return out.getvalue()


def test_it_asks_of_the_sample_and_of_real_filings(ingested: list[set[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOLDENS", raising=False)
    told = said()
    assert "Prose, sample, tune half: 1 questions" in told
    assert ASKED in told
    assert ingested == [set()]


def test_bundled_goldens_leave_real_filings_out_and_say_so(
    ingested: list[set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDENS", "bundled")
    told = said()
    assert "Prose, sample, tune half: 1 questions" in told
    assert f"{SKIPPED}, as GOLDENS=bundled asks." in told
    assert ASKED not in told
    assert ingested == []


def test_without_the_mirror_real_filings_are_left_out_and_said_so(
    ingested: list[set[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GOLDENS", raising=False)
    (tmp_path / "serve.py").unlink()
    told = said()
    assert f"{SKIPPED}, ../shared/edgar is not there." in told
    assert ASKED not in told


def test_parts_of_real_filings_are_left_out_and_said_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    count = len(golden.read(paths=golden.PARTS))
    monkeypatch.setenv("GOLDENS", "bundled")
    assert said("parts") == f"Parts, real filings: {count} questions skipped, as GOLDENS=bundled asks.\n"
    monkeypatch.delenv("GOLDENS")
    monkeypatch.setattr(mirror, "SHARED", tmp_path)
    assert said("parts") == f"Parts, real filings: {count} questions skipped, ../shared/edgar is not there.\n"


@pytest.mark.django_db
def test_parts_are_asked_of_the_filings_they_are_about(
    ingested: list[set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOLDENS", raising=False)
    refused = next(one for one in golden.read("tune", golden.PARTS) if one.filings)
    monkeypatch.setattr(golden, "read", lambda **_: [refused])
    monkeypatch.setattr(printed_parts, "Documents", lambda: None)
    monkeypatch.setattr(printed_parts, "disagreements", lambda *_: [])
    assert "Parts, real filings, tune half: 1 questions" in said("parts")
    assert ingested == [set(refused.filings)]
