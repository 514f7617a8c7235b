"""The script that checks certificates without Diligence, against SEC's files of the sample and real ones."""

import ast
import base64
import json
import os
import subprocess
import sys
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pytest_django import Settings

from agent.certificates import signing, verify_certificate
from agent.certificates.verify_certificate import (
    Differs,
    Document,
    Json,
    Sources,
    Unchecked,
    check,
    computed,
    is_signed,
)
from evals import mirror
from tests.agent.certificates.conftest import QUESTIONS, Certified
from tests.agent.certificates.tampering import Path as Leaf
from tests.agent.certificates.tampering import at, changed, forgeries, leaves
from tests.support import sec_folder
from tests.support.mirror import ABSENT
from tests.support.mirror import served as mirror_served

# What of a claim no file of SEC holds: our words and choices, and places in the text as Diligence reads it.
NOT_OF_SEC = frozenset({"id", "part", "asserted", "row", "company", "measure", "label", "fiscal_year", "fiscal_period", "fiscal_years", "fiscal_periods", "period_end", "basis", "operation", "calendar", "highest", "cik", "bound", "columns", "start", "end", "marked"})  # fmt: skip
NOT_OF_FACTS = frozenset({"source", "decimals", "source_sha256", "dimensions"})
OF_A_READING = frozenset({"section", "section_sha256", "item", "page", "start", "end", "kind", "anchor"})
# In the file of company facts a fact stands by all else; a printed figure is found by its words.
OF_WORDS = frozenset({"unit", "start", "end", "form", "filed", "element"})

OF_TAGS = frozenset({"source", "decimals", "source_sha256", "form", "filed"})

TAGGED = """<ix:header><xbrli:context id="c-1"><xbrli:entity><xbrli:segment>
<xbrldi:explicitMember dimension="us-gaap:StatementBusinessSegmentsAxis">lw:CloudMember</xbrldi:explicitMember>
</xbrli:segment></xbrli:entity><xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31
</xbrli:endDate></xbrli:period></xbrli:context><xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
</ix:header><p>(<ix:nonFraction id="f-1" name="us-gaap:Revenues" contextRef="c-1" unitRef="usd" scale="6" sign="-">12<b>.5</b>
</ix:nonFraction>)</p>"""


def statuses(folder: Path, certificate: Json) -> dict[str, str]:
    """What the script finds of each claim."""
    sources, found = Sources(folder, ""), {}
    for claim in certificate["claims"]:
        try:
            check(claim, certificate["claims"], sources)
            found[claim["id"]] = "holds"
        except Unchecked as error:
            found[claim["id"]] = f"not checkable: {error}"
        except (Differs, ArithmeticError, LookupError, TypeError, ValueError):
            found[claim["id"]] = "differs"
    return found


def run(*arguments: str | Path, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """The script in a process of its own, without the project."""
    command = [python, "-I", verify_certificate.__file__, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})


@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_claim_of_the_sample_holds(certified: Certified, tmp_path: Path, kind: str) -> None:
    _, certificate = certified(kind)
    done = run(sec_folder.saved(tmp_path, certificate), "--folder", sec_folder.write(tmp_path, certificate))
    assert "differs" not in done.stdout
    assert done.returncode == (2 if kind in ("data", "refusal", "printed") else 0), done.stdout + done.stderr


@pytest.mark.parametrize("kind", [kind for kind in QUESTIONS if kind not in ("data", "refusal")])
def test_every_field_that_sec_holds_is_compared(certified: Certified, tmp_path: Path, kind: str) -> None:
    _, certificate = certified(kind)
    folder, missed, seen = sec_folder.write(tmp_path, certificate), set(), set()
    before = statuses(folder, certificate)
    for number, claim in enumerate(certificate["claims"]):
        for path in leaves(claim):
            shape = (claim["kind"], tuple(one for one in path if isinstance(one, str)))
            if shape in seen or is_apart(claim, path):
                continue
            seen.add(shape)
            for new in forgeries(at(claim, path)):
                forgery = changed(certificate, ("claims", number, *path), new)
                if statuses(folder, forgery)[claim["id"]] == before[claim["id"]]:
                    missed.add((claim["kind"], path, new))
    assert missed == set()


def is_apart(claim: Json, path: Leaf) -> bool:
    """Whether no file of SEC holds a leaf of a claim."""
    names = [one for one in path if isinstance(one, str)]
    if "fact" not in names:
        return names[0] in NOT_OF_SEC or names[-1] in OF_A_READING or (names[0] == "order" and names[-1] in NOT_OF_SEC)
    part = at(claim, path[: path.index("fact") + 1])["dimensions"]
    printed = claim["kind"] == "printed" or part
    # The tags of a document give all of a fact but what the filing is.
    apart = OF_TAGS if part else NOT_OF_FACTS | (OF_WORDS if printed else frozenset())
    return names[-1] in apart or ("printed" in names and (not printed or names[-1] in OF_A_READING))


def test_a_changed_certificate_ends_with_1_and_names_the_claim(certified: Certified, tmp_path: Path) -> None:
    _, certificate = certified("reported")
    folder = sec_folder.write(tmp_path, certificate)
    forgery = changed(certificate, ("claims", 0, "fact", "raw"), "1")
    done = run(sec_folder.saved(tmp_path, forgery), "--folder", folder)
    assert done.returncode == 1
    assert "digest: differs" in done.stdout
    assert "reported-1: differs" in done.stdout


def test_what_is_missing_is_not_checkable(certified: Certified, tmp_path: Path) -> None:
    _, certificate = certified("quotation")
    done = run(sec_folder.saved(tmp_path, certificate), "--folder", tmp_path)
    assert done.returncode == 2
    assert "quotation-1: not checkable" in done.stdout


def test_a_file_that_is_no_certificate_is_an_error(tmp_path: Path) -> None:
    done = run(sec_folder.saved(tmp_path, {"claims": []}), "--folder", tmp_path)
    assert done.returncode == 2
    assert "is no certificate" in done.stderr


def test_it_is_written_for_python_3_9() -> None:
    source = Path(verify_certificate.__file__).read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 9))
    imported = {one.module or "" for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)}
    imported |= {alias.name for one in ast.walk(tree) if isinstance(one, ast.Import) for alias in one.names}
    assert {one.partition(".")[0] for one in imported} <= sys.stdlib_module_names
    # Without it, types as `Path | None` would be computed.
    assert "__future__" in imported


def test_it_fetches_with_an_identity_as_sec_asks_for(certified: Certified, tmp_path: Path) -> None:
    with mirror_served() as sec:
        _, certificate = certified("derived")
        path = sec_folder.saved(tmp_path, certificate)
        done = run(path, "--identity", "Test test@example.com", "--address", sec.url)
        assert done.returncode == 0, done.stdout + done.stderr
        asked = [one["path"] for one in sec.requests]
        assert asked == [*dict.fromkeys(asked)], "each file is asked for once"
        times = sorted(one["t"] for one in sec.requests)
        assert all(after - before >= 0.1 for before, after in pairwise(times)), "ten a second at most"
        sec.faults = [{"match": "companyfacts", "times": 9, "status": 403}]
        refused = run(path, "--identity", "Test test@example.com", "--address", sec.url)
        assert (refused.returncode, "HTTP Error 403" in refused.stdout) == (2, True)
        sec.faults = [{"match": "companyfacts", "times": 9, "truncate": 1000}]
        assert run(path, "--identity", "Test test@example.com", "--address", sec.url).returncode == 2


@pytest.mark.parametrize("identity", ["Test", "T\u00e9st test@example.com"])
def test_an_identity_without_an_address_is_an_error(tmp_path: Path, identity: str) -> None:
    done = run(sec_folder.saved(tmp_path, {}), "--identity", identity)
    assert (done.returncode, "e-mail" in done.stderr) == (2, True)


def test_what_is_tagged_is_read_with_unit_period_parts_scale_and_sign() -> None:
    document = Document(TAGGED.encode())
    fact = {"element": "us-gaap:Revenues", "unit": "USD", "start": "2024-01-01", "end": "2024-12-31"}
    parts = "StatementBusinessSegmentsAxis=CloudMember"
    assert document.tagged({**fact, "dimensions": parts}) == {Decimal(-12_500_000)}
    assert document.tagged({**fact, "dimensions": ""}) == set()
    assert document.tagged({**fact, "dimensions": parts, "unit": "EUR"}) == set()
    assert document.tagged({**fact, "dimensions": parts, "end": "2024-12-30"}) == set()


def test_the_signature_is_checked_with_the_key_that_is_told(
    certified: Certified, tmp_path: Path, settings: Settings
) -> None:
    settings.CERTIFICATE_KEY = base64.b64encode(Ed25519PrivateKey.generate().private_bytes_raw()).decode()
    _, certificate = certified("threshold")
    folder, path = sec_folder.write(tmp_path, certificate), sec_folder.saved(tmp_path, certificate)
    good, other = signing.public_key(), base64.b64encode(Ed25519PrivateKey.generate().public_key().public_bytes_raw())
    assert run(path, "--folder", folder, "--key", good).returncode == 0
    assert "signature: differs" in run(path, "--folder", folder, "--key", other.decode()).stdout


def test_signatures_are_those_of_ed25519() -> None:
    for number in range(4):
        key = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        public = base64.b64encode(key.public_key().public_bytes_raw()).decode()
        signed = key.sign(b"digest")
        assert is_signed(b"digest", public, base64.b64encode(signed).decode())
        assert not is_signed(b"digesT", public, base64.b64encode(signed).decode())
        assert not is_signed(b"digest", public, base64.b64encode(signed[:-1] + b"\xff").decode())
    assert not is_signed(b"digest", "no base64", "")


@pytest.mark.parametrize(
    ("formula", "values", "expected"),
    [
        ("100 * (revenue / revenue[FY-1] - 1)", {"revenue": "110", "revenue[FY-1]": "100"}, "10"),
        ("avg(assets)", {"assets": "3", "assets[FY-1]": "4"}, "3.5"),
        ("d(assets) - prev(assets)", {"assets": "3", "assets[FY-1]": "4"}, "-5"),
        ("a + opt(b)", {"a": "3"}, "3"),
        ("a + opt(b)", {"a": "3", "b": "2"}, "5"),
        ("(b | a) * 2", {"a": "3"}, "6"),
        ("-a ** 2", {"a": "3"}, "-9"),
        ("abs(roe:ending - 0.5)", {"roe:ending": "0.1"}, "0.4"),
    ],
)
def test_formulas_are_computed(formula: str, values: dict[str, str], expected: str) -> None:
    operands: list[dict[str, Any]] = [{"name": name, "fact": {"value": one}} for name, one in values.items()]
    assert computed(formula, operands) == Decimal(expected)


@pytest.mark.parametrize(
    "formula", ["a +", "b", "a / 0", "__import__('os')", "a.b", "[1]", "(lambda: 1)()", "a if a else a"]
)
def test_a_formula_that_has_no_value_differs(formula: str) -> None:
    with pytest.raises(Differs):
        computed(formula, [{"name": "a", "fact": {"value": "1"}}])


@pytest.mark.parametrize(
    ("words", "held"),
    [
        ("The lamp oil comes from one dealer in Lindau.", True),
        ("The lamp oil comes from two dealers in Lindau.", False),
        ("Prices rose by 3% in the year before this one.", True),
        ("Prices rose by 4% in the year before this one.", False),
        ("Prices rose in the year before this one.", False),
        ("hidden header", False),
        ("Oil\t12\t(4)", True),
    ],
)
def test_words_are_found_through_tags_and_page_breaks(words: str, held: bool) -> None:
    page = (
        "<html><ix:header>hidden header</ix:header><p>The <b>la</b>mp&nbsp;oil comes\nfrom one dealer in Lindau.</p>"
    )
    page += "<p>Prices rose by 3%</p><p>12</p><hr style='page-break-after:always'><p>Lantern Works</p>"
    page += "<p>in the year before this one.</p><table><tr><td>Oil</td><td>12</td><td>(4)</td></tr></table></html>"
    assert Document(page.encode()).holds(words) is held


def test_figures_of_real_companies_hold(certified: Certified, tmp_path: Path) -> None:
    if not mirror.is_there():
        pytest.skip(ABSENT)
    # The sample has the figures of Apple; the mirror the whole file that SEC published.
    _, certificate = certified("derived")
    folder = sec_folder.write(tmp_path, certificate, mirror.SHARED / "mirror")
    assert (folder / "api/xbrl/companyfacts/CIK0000320193.json").stat().st_size > 1_000_000
    assert set(statuses(folder, certificate).values()) == {"holds"}
    assert json.loads((folder / "api/xbrl/companyfacts/CIK0000320193.json").read_bytes())["cik"] == 320193
