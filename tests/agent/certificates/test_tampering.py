"""Whatever of a certificate is changed, verification names the claim; and what no filing tells, the digest or signature."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pytest_django import Settings

from agent.certificates import signing
from agent.certificates.verify import NotACertificate, verify
from agent.models import Run
from tests.agent.certificates.conftest import QUESTIONS, Certified
from tests.agent.certificates.tampering import Path, at, changed, forgeries, leaves

# Our words and choices for what a filing gives, which no filing tells, by kind of claim: the stored answer tells them.
OURS_OF: dict[str, frozenset[str]] = {
    "reported": frozenset({"row", "part", "asserted", "measure", "label", "fiscal_year", "fiscal_period", "basis"}),
    "result": frozenset({"row", "part", "asserted", "label", "operation", "fiscal_years", "fiscal_period", "fiscal_periods", "calendar", "cik", "highest", "bound"}),
    "quotation": frozenset({"part", "asserted"}),
    "passage": frozenset({"part", "asserted"}),
    "data": frozenset({"part", "asserted"}),
    "refusal": frozenset({"part", "asserted", "text", "detail", "looked_for", "tags", "stage"}),
}  # fmt: skip
OURS_OF |= dict.fromkeys(("printed", "derived"), OURS_OF["reported"])


def forged(certificate: dict[str, Any]) -> Iterator[tuple[int, Path, dict[str, Any]]]:
    """Every certificate with one leaf of a claim changed and a new digest: number of the claim, path in it."""
    seen = set()
    for number, claim in enumerate(certificate["claims"]):
        for path in leaves(claim):
            # Of several claims of a kind one field of each name is enough.
            if (shape := (claim["kind"], tuple(one for one in path if isinstance(one, str)))) in seen:
                continue
            seen.add(shape)
            for new in forgeries(at(claim, path)):
                found = changed(certificate, ("claims", number, *path), new)
                yield number, path, {**found, "digest": signing.digest(found)}


def named(certificate: dict[str, Any], number: int, run: Run | None) -> bool:
    """Whether verification names a claim, or says that the file is no certificate."""
    try:
        report = verify(certificate, run)
    except NotACertificate:
        return True
    return bool(report.claims[number].problems)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_changed_field_of_a_claim_is_named(certified: Certified, kind: str) -> None:
    run, certificate = certified(kind)
    assert verify(certificate, run).holds
    missed = set()
    for number, path, one in forged(certificate):
        claim = certificate["claims"][number]
        # The stored answer tells what is ours, and is not asked where a filing tells.
        if not named(one, number, run if path[0] in OURS_OF[claim["kind"]] else None):
            missed.add((claim["kind"], path))
    assert missed == set()


def test_what_no_filing_tells_is_caught_by_the_digest(certified: Certified) -> None:
    _, certificate = certified("reported")
    whole = [path for path in leaves(certificate) if path[0] not in ("claims", "digest", "format", "run")]
    assert {("question",), ("answered_at",), ("versions", "code")} <= set(whole)
    for path in whole:
        for new in forgeries(at(certificate, path)):
            try:
                report = verify(changed(certificate, path, new))
            except NotACertificate:
                continue
            assert not report.holds, path


def test_with_a_new_digest_it_is_caught_by_the_signature(certified: Certified, settings: Settings) -> None:
    settings.CERTIFICATE_KEY = base64.b64encode(Ed25519PrivateKey.generate().private_bytes_raw()).decode()
    _, certificate = certified("reported")
    assert verify(certificate).signature == "valid"
    forgery = changed(certificate, ("question",), "What was Apple's R&D spend in FY2023?")
    report = verify({**forgery, "digest": signing.digest(forgery)})
    assert (report.signature, report.holds) == ("wrong", False)
    settings.CERTIFICATE_KEY = base64.b64encode(Ed25519PrivateKey.generate().private_bytes_raw()).decode()
    assert verify(certificate).signature == "other_key"


@pytest.mark.parametrize("kind", ["derived", "quotation"])
def test_nonsense_in_any_field_is_a_report_or_a_clear_error(certified: Certified, kind: str) -> None:
    _, certificate = certified(kind)
    seen = set()
    for path in leaves(certificate):
        if (shape := tuple(one for one in path if isinstance(one, str))) in seen:
            continue
        seen.add(shape)
        for nonsense in ("", "\x00", "\ud800", "1E+999999999", "9" * 300, -1, 2**70, None, [], "((((", "0001-01-01"):
            try:
                report = verify(changed(certificate, path, nonsense))
            except NotACertificate:
                continue
            assert not report.holds or at(certificate, path) == nonsense
