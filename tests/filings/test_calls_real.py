"""Real calls of ../shared/transcripts: every turn, the turn with which questions begin, no chunk of two speakers."""

import csv
from functools import cache

import pytest

from filings.document.any_file import read_layout_of
from filings.document.layout import Layout
from filings.sections.call import read_call
from filings.sections.call_header import read_call_header
from filings.text.chunking import chunk
from tests.support.brought_files import check
from tests.support.processes import ROOT

CALLS = ROOT.parent / "shared" / "transcripts"
ABSENT = "../shared/transcripts is not there: real calls are not tested"
pytestmark = pytest.mark.skipif(not CALLS.is_dir(), reason=ABSENT)

# The number of the turn, from 0, in which the floor is opened to questions, as a person reads it. Of one call the turns
# are wrong in the data: it is not in this list.
QUESTIONS = {
    "adtran-inc_2020Q3.txt": 4,
    "affimed_2020Q2.txt": 7,
    "american-express-company_2020Q3.txt": 3,
    "cementos-argos_2020Q1.txt": 9,
    "conocophillips_2020Q3.txt": 3,
    "constellium_2020Q2.txt": 5,
    "dentsply-sironas-xray_2020Q2.txt": 5,
    "earthstone-energy-inc_2020Q2.txt": 5,
    "gcp-applied-technologies_2020Q2.txt": 5,
    "general-electric_2020Q1.txt": 6,
    "hershey-company_2020Q3.txt": 2,
    "indentiv-inc_2020Q3.txt": 4,
    "lands-end-inc_2020Q3.txt": 5,
    "monro-inc_2020Q3.txt": 5,
    "mosaic-company_2020Q2.txt": 3,
    "new-home-company-inc_2020Q3.txt": 6,
    "nextera-energy-inc_2020Q2.txt": 3,
    "rev-group-inc_2020Q4.txt": 10,
    "sitime-corp_2020Q3.txt": 4,
    "spire-inc_2020Q2.txt": 6,
    "zagg-inc_2020Q3.txt": 4,
}


@cache
def layout(name: str) -> Layout:
    return read_layout_of((CALLS / name).read_bytes(), name)


def rows() -> list[dict[str, str]]:
    with (CALLS / "calls.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_every_turn_is_a_heading() -> None:
    found = {row["file"]: read_call(layout(row["file"]), row["file"]) for row in rows()}
    assert len(found) == 22
    turns = {name: sum(block.opens for part in parts for block in part.blocks) for name, parts in found.items()}
    assert turns == {row["file"]: int(row["turns"]) for row in rows()}


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_begin_where_a_person_hears_them_begin(name: str) -> None:
    prepared, questions = read_call(layout(name), name)
    assert questions.status == "extracted"
    assert sum(block.opens for block in prepared.blocks) == QUESTIONS[name]


def test_no_chunk_mixes_speakers_and_nothing_is_lost() -> None:
    for row in rows():
        whole = layout(row["file"])
        check(whole)
        parts = read_call(whole, row["file"])
        for part in parts:
            starts = [block.start for block in part.blocks if block.opens]
            for one in chunk(part):
                assert sum(one.ranges[0][0] <= start < one.ranges[-1][1] for start in starts) <= 1
        said = "".join(part.text for part in parts)
        assert [letter for letter in said if letter.isalnum()] == [letter for letter in whole.text if letter.isalnum()]


def test_headers_say_quarter_and_year_as_the_title_does() -> None:
    for row in rows():
        header = read_call_header(layout(row["file"]))
        assert (header.quarter, header.year) == (int(row["quarter"]), int(row["year_said"]))
        assert header.company in {row["company"], None}
