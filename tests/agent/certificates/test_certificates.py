"""A certificate as it is built, downloaded, shared, verified by command and API, and described by its schema."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from jsonschema import Draft202012Validator
from pytest_django import Settings

from accounts.models import User
from agent.certificates import checks, signing
from agent.certificates.build import certificate_of
from agent.certificates.report import Problem
from agent.models import Run, Share
from filings.models import Fact, Filing
from tests.agent.api.conftest import alices
from tests.agent.certificates.conftest import QUESTIONS, Certified
from tests.agent.certificates.tampering import changed
from tests.agent.pages.test_views_run import text
from tests.support import sec_folder

__all__ = ["alices"]

KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="


@pytest.mark.parametrize("kind", QUESTIONS)
def test_built_twice_it_is_the_same_and_fits_its_schema(certified: Certified, client: Client, kind: str) -> None:
    run, certificate = certified(kind)
    again = certificate_of(Run.objects.get(pk=run.pk))
    assert again is not None
    assert signing.canonical(certificate) == signing.canonical(again)
    schema = client.get("/schemas/certificate-1.json").json()
    Draft202012Validator(schema).validate(json.loads(signing.canonical(certificate)))


def test_it_says_where_every_figure_and_quotation_comes_from(certified: Certified) -> None:
    _, certificate = certified("reported")
    asserted = [one for one in certificate["claims"] if one["asserted"]]
    assert [(one["id"], one["shown"], one["fact"]["element"], one["fact"]["raw"]) for one in asserted] == [
        ("reported-9", "$31,370 million", "us-gaap:ResearchAndDevelopmentExpense", "31370000000")
    ]
    quotation = certified("quotation")[1]["claims"][0]
    assert quotation["place"]["item"] == "1A"
    assert Filing.objects.get(accession=quotation["place"]["accession"]).documents.filter(
        filename=quotation["place"]["document"], sha256=quotation["place"]["document_sha256"]
    )


def test_who_sees_the_answer_downloads_it(certified: Certified, as_alice: Client, as_bob: Client) -> None:
    run, certificate = certified("reported")
    address = f"/runs/{run.pk}/certificate.json"
    assert address in as_alice.get(run.get_absolute_url()).content.decode()
    reply = as_alice.get(address)
    assert reply.content == signing.canonical(certificate)
    assert f'filename="certificate-{run.pk}.json"' in reply["Content-Disposition"]
    assert as_bob.get(address).status_code == 404
    share = Share.objects.create(run=run)
    page = as_bob.get(share.get_absolute_url()).content.decode()
    assert f"{share.get_absolute_url()}/certificate.json" in page
    shared = as_bob.get(f"{share.get_absolute_url()}/certificate.json")
    assert (shared.content, shared["X-Robots-Tag"]) == (reply.content, "noindex, nofollow, noarchive")


def test_the_public_key_is_shown_where_there_is_one(client: Client, settings: Settings, db: None) -> None:
    assert client.get("/.well-known/diligence-certificate-key").status_code == 404
    settings.CERTIFICATE_KEY = KEY
    assert client.get("/.well-known/diligence-certificate-key").content.decode().strip() == signing.public_key()
    pem = signing.private_key()
    assert pem is not None


@pytest.mark.parametrize("key", ["no key", "AAAA", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])
def test_a_wrong_key_is_a_system_check(settings: Settings, key: str) -> None:
    settings.CERTIFICATE_KEY = KEY
    assert checks.certificate_key() == []
    settings.CERTIFICATE_KEY = key
    assert [one.id for one in checks.certificate_key()] == ["agent.E030"]


def test_the_script_is_a_download(client: Client, db: None) -> None:
    assert b"def check_fact" in client.get("/verify_certificate.py").content


def test_a_command_verifies_a_run_or_a_file(certified: Certified, tmp_path: Path) -> None:
    run, certificate = certified("threshold")
    said = StringIO()
    call_command("verify_answer", str(run.pk), stdout=said)
    call_command("verify_answer", str(sec_folder.saved(tmp_path, certificate)), stdout=said)
    assert said.getvalue().count("holds: result-1: as in the stored filing.") == 2
    forged = changed(certificate, ("claims", 0, "fact", "raw"), "1")
    with pytest.raises(CommandError, match="differs from the stored filings"):
        call_command("verify_answer", str(sec_folder.saved(tmp_path, forged)), stdout=said)
    assert (
        "differs: reported-1: fact.raw is 1 in the certificate; the stored filing has 383285000000." in said.getvalue()
    )


def test_a_command_verifies_all_saved_answers_and_names_those_that_differ(certified: Certified) -> None:
    certified("quotation")
    run, _ = certified("threshold")
    said = StringIO()
    call_command("verify_answer", "--all", stdout=said)
    assert said.getvalue() == "2 of 2 saved answers hold.\n"
    Fact.objects.filter(value=383285000000).update(value=1)
    with pytest.raises(CommandError, match="1 of them differ"):
        call_command("verify_answer", "--all", stdout=said)
    assert f"{run.pk} differs: " in said.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read"),
        ("no JSON", "is not a certificate"),
        ("[]", "is not a certificate"),
        ('{"run": "x"}', "is not"),
    ],
)
def test_what_is_no_certificate_is_a_clear_error(tmp_path: Path, db: None, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "certificate.json").write_text(content, encoding="utf-8")
    with pytest.raises(CommandError, match=message):
        call_command("verify_answer", str(tmp_path / "certificate.json"))
    with pytest.raises(CommandError, match="no answer of a run"):
        call_command("verify_answer", "00000000-0000-0000-0000-000000000000")


def test_the_api_gives_and_verifies_it(certified: Certified, alices: Client, as_bob: Client) -> None:
    run, certificate = certified("derived")
    shown = alices.get(f"/api/v1/runs/{run.pk}").json()
    assert alices.get(shown["certificate"]).json() == certificate
    by_run = alices.post("/api/v1/verify", {"run": str(run.pk)}, content_type="application/json").json()
    by_file = alices.post("/api/v1/verify", certificate, content_type="application/json").json()
    assert by_run == by_file
    assert (by_run["holds"], by_run["claims"][0]["status"]) == (True, "holds")
    forged = changed(certificate, ("claims", 0, "formula"), "100 * (revenue / gross_profit)")
    found = alices.post("/api/v1/verify", forged, content_type="application/json").json()
    assert not found["holds"]
    assert "digest" in [one["field"] for one in found["problems"]]
    assert {"value", "formula"} <= {one["field"] for one in found["claims"][0]["problems"]}


def test_of_a_strangers_run_nothing_is_told(certified: Certified, as_bob: Client) -> None:
    run, certificate = certified("derived")
    assert as_bob.get(f"/api/v1/runs/{run.pk}/certificate").status_code == 404
    assert as_bob.post("/api/v1/verify", {"run": str(run.pk)}, content_type="application/json").status_code == 404
    asked = changed(certificate, ("question",), "What was it?")
    found = as_bob.post("/api/v1/verify", asked, content_type="application/json").json()
    assert [one["field"] for one in found["problems"]] == ["digest"]
    wrong = as_bob.post("/api/v1/verify", {"run": str(run.pk), "format": "x"}, content_type="application/json")
    assert wrong.status_code == 422


def test_newer_company_facts_with_the_same_fact_are_not_a_difference(
    certified: Certified, as_alice: Client, alice: User
) -> None:
    run, _ = certified("reported")
    Filing.objects.update(facts_sha256="0" * 64)
    assert "all 20 re-read and unchanged" in text(as_alice.post(f"/runs/{run.pk}/verify"))
    Fact.objects.filter(tag="ResearchAndDevelopmentExpense", raw="31370000000").update(value=1)
    assert "no longer match" in text(as_alice.post(f"/runs/{run.pk}/verify"))


@pytest.mark.parametrize(
    ("field", "moved"),
    [("fact.printed.start", True), ("operands[1].fact.printed.page", True), ("place.section", True)]
    + [(one, False) for one in ("fact.start", "fact.end", "start", "quote", "value", "place.section_sha256")],
)
def test_a_place_in_a_document_may_move_and_a_day_may_not(field: str, moved: bool) -> None:
    assert Problem(field=field, certificate="1", stored="2").moved is moved
