"""Figures of parts as tables print them, beside the facts that are tagged: found by their words, and compared."""

import lzma
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from evals import golden
from evals.golden import Golden, Pointer, Printed, Value
from evals.golden_lint import contradicting
from evals.truths.printed_parts import Documents, Reading, disagreements, folded, tables
from tests.support.answers import fact_ref

ACCESSION = "9990001-25-000001"
PUMPS = "StatementBusinessSegmentsAxis=PumpsMember"
NUMBER = (
    "<ix:nonFraction name='us-gaap:Revenues' contextRef='{context}' unitRef='usd' scale='6'>{digits}</ix:nonFraction>"
)


def table(*rows: str) -> str:
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def row(label: str, *cells: str) -> str:
    return "".join(f"<td>{cell}</td>" for cell in (label, *cells))


def document(pumps: str = "120", tagged: str = "120", *more: str) -> str:
    return f"""<html><body><div>Revenue by segment (in millions, except shares, in thousands)</div>
    {
        table(
            row("", "2024", "", "2023", ""),
            row("Pumps:"),
            row("Revenue<br>from others (1)", NUMBER.format(context="pumps", digits=pumps), "40 ", "110", ""),
            row("Valves:"),
            row("Revenue from others", "(80)", "27", "70", ""),
            row("Growth", "9", "%", "8", "%"),
        )
    }
    <p>Other figures, in thousands</p>{table(row("", "2024"), row("Rent", "7"))}{"".join(more)}
    <xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
    <xbrli:context id="pumps"><xbrli:entity><xbrli:segment><xbrldi:explicitMember
      dimension="us-gaap:StatementBusinessSegmentsAxis">nwi:PumpsMember</xbrldi:explicitMember></xbrli:segment>
      </xbrli:entity><xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31
      </xbrli:endDate></xbrli:period></xbrli:context>
    <div>{NUMBER.format(context="pumps", digits=tagged)}</div></body></html>"""


@pytest.fixture
def held(tmp_path: Path) -> Callable[[str], Documents]:
    """Makes the one filing of a mirror out of a document."""

    def documents(text: str) -> Documents:
        (tmp_path / "mirror").mkdir(exist_ok=True)
        (tmp_path / "filings.csv").write_text(f"accession,mirror_path\n{ACCESSION},a.htm\n")
        (tmp_path / "mirror" / "a.htm.xz").write_bytes(lzma.compress(text.encode()))
        return Documents(tmp_path)

    return documents


def due(figure: str = "120", **words: str) -> Golden:
    literal = Printed(
        figure=figure,
        scale=6,
        source="table",
        **({"row": "Revenue from others", "under": "Pumps", "column": "2024"} | words),  # type: ignore[arg-type]
    )
    pointer = Pointer(
        cik=1,
        taxonomy="us-gaap",
        tag="Revenues",
        start=date(2024, 1, 1),
        end=date(2024, 12, 31),
        unit="USD",
        accession=ACCESSION,
        dimensions=PUMPS,
    )
    value = Value(value=Decimal(120_000_000), unit="USD", concept="revenue", pointer=pointer, literal=literal)
    return Golden(id="m1", half="tune", question="?", outcome="answered", values=(value,))


def test_a_figure_is_found_by_its_row_heading_and_column_and_has_the_scale_printed_last(
    held: Callable[[str], Documents],
) -> None:
    found = tables(document())
    (segments, rent) = found
    assert [*segments.find(due().values[0].literal)] == [Reading("120", 6)]
    assert [*segments.find(due(under="Valves").values[0].literal)] == [Reading("80", 6)]
    assert [*rent.find(due(row="Rent", under="").values[0].literal)] == [Reading("7", 3)]
    assert disagreements([due()], held(document())) == []


def test_percentages_and_footnotes_are_no_part_of_what_is_read() -> None:
    (segments, _) = tables(document())
    assert {cell.figure for cell in segments.cells if cell.row == "growth"} == set()
    assert folded("Revenue from others (a)") == folded("REVENUE  FROM OTHERS:") == "revenue from others"


AGAIN = table(row("", "2024"), row("Pumps"), row("Revenue from others", "115"))


@pytest.mark.parametrize(
    ("filed", "row", "said"),
    [
        (("121", "120"), due(), "prints 121 e6, not 120 e6"),
        (("120", "121"), due(), "tags 120000000, 121000000"),
        (("120",), due("120.0"), "prints 120 e6, not 120.0 e6"),
        (("120",), due(column="2022"), "prints nothing"),
        (("120", "120", AGAIN), due(), "prints 115 e3, 120 e6"),
    ],
    ids=["printed", "tagged", "digits", "no column", "two tables"],
)
def test_what_is_printed_or_tagged_otherwise_is_said(
    filed: tuple[str, ...], row: Golden, said: str, held: Callable[[str], Documents]
) -> None:
    assert any(said in one for one in disagreements([row], held(document(*filed))))


def test_an_answer_is_held_against_the_filing_itself(held: Callable[[str], Documents]) -> None:
    at = due().values[0].pointer
    cited = fact_ref("Revenues", "120000000", accession=ACCESSION, start=at.start, end=at.end, dimensions=PUMPS)
    documents = held(document())
    assert documents.has(cited)
    assert not documents.has(cited.model_copy(update={"value": Decimal(121_000_000)}))
    assert not documents.has(cited.model_copy(update={"dimensions": ""}))


def test_there_are_enough_goldens_of_parts_of_enough_companies() -> None:
    rows = golden.read(paths=golden.PARTS)
    answered = [one for one in rows if one.values]
    companies = {
        half: {v.pointer.cik for one in answered if one.half == half for v in one.values} for half in ("tune", "check")
    }
    assert len(answered) >= 120
    assert len(companies["tune"] | companies["check"]) >= 25
    assert not companies["tune"] & companies["check"]
    assert sum(one.outcome == "refused" for one in rows) >= 25
    assert contradicting(rows) == []
