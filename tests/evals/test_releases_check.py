"""Releases of a folder beside companyfacts: found, equal, different, and those that print no results."""

import json
import lzma
from pathlib import Path

import pytest

from evals import releases_check
from tests.support.printed_report import ROWS_OF_INCOME, table

CIK = 9_999_999_911
RESULTS = f"""<html><body><h2>Halden Optics reports its quarter</h2><h3>Consolidated Statements of Income</h3>
<p>(In thousands, except per share amounts)</p>
{table(("Three months ended", "March 31, 2024", "March 31, 2023"), ROWS_OF_INCOME)}</body></html>"""
DELIVERIES = "<html><body><p>Halden Optics shipped 410 lenses in the quarter.</p></body></html>"


def fact(value: float, start: str, end: str) -> dict[str, object]:
    return {"start": start, "end": end, "val": value, "form": "10-Q", "filed": "2024-05-02", "accn": "1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A list of two releases, and companyfacts of the company."""
    (tmp_path / "mirror").mkdir()
    lines = ["cik,ticker,form,document_type,filed,primary_doc,mirror_path"]
    for day, text in (("2024-04-25", RESULTS), ("2024-04-02", DELIVERIES)):
        (tmp_path / "mirror" / f"{day}.htm.xz").write_bytes(lzma.compress(text.encode()))
        lines.append(f"{CIK},HLDN,8-K,EX-99.1,{day},{day}.htm,{day}.htm")
    (tmp_path / "forms.csv").write_text("\n".join(lines), encoding="utf-8")
    path = tmp_path / f"mirror/api/xbrl/companyfacts/CIK{CIK:010d}.json.xz"
    path.parent.mkdir(parents=True)
    quarter = ("2024-01-01", "2024-03-31")
    tagged = {
        "Revenues": {"units": {"USD": [fact(4_120_000, *quarter)]}},
        "NetIncomeLoss": {"units": {"USD": [fact(699_000, *quarter)]}},
        "WeightedAverageNumberOfDilutedSharesOutstanding": {"units": {"shares": [fact(204_700, *quarter)]}},
    }
    path.write_bytes(lzma.compress(json.dumps({"facts": {"us-gaap": tagged}}).encode()))
    return tmp_path


def test_each_measure_is_compared_with_companyfacts(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(releases_check, "REPORT", folder / "releases.md")
    releases_check.company_facts.cache_clear()
    assert releases_check.main(["--list", str(folder), str(folder)]) == 0
    told = capsys.readouterr().out
    assert "2 releases, of which 1 print no results. Found 3 of 3 figures (100.0%)" in told
    assert "of the 3 that companyfacts has, 2 are equal" in told
    assert "HLDN 2024-04-25 | net_income | differs | 698000" in told.replace("6.98E+5", "698000")
    assert "| revenue | 1 | 0 | 0 | 1 | 0 |" in (folder / "releases.md").read_text(encoding="utf-8")
