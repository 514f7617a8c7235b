"""What changed in an Item between two years: what asks for it, and what answers."""

import re

import pytest

from agent.prose.questions.topics import topic_of
from agent.prose.search.elsewhere import Said
from agent.prose.text.quotations import points_back
from agent.refusals.codes import Code
from agent.runs.answer_json import as_text
from agent.state import Answer, Block
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from filings.models import Section, SectionStatus
from tests.support.sample import Sample

ALL = ["added", "removed", "reworded"]
ADDED = [
    "Magnets reach us through a short and fragile chain.",
    "Tariffs may raise our costs and may not be passed on.",
]
REMOVED = ["The move of assembly from Rochester to Duluth may not bring the savings that we expect."]
SAID = (
    "From fiscal 2024 to fiscal 2025, 2 risks were added and 1 removed; 36 kept their headings. In the text below the headings "
    "that both years have, 34 passages were added, 20 dropped and 9 changed; in 10 only figures or dates rolled forward."
)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What changed in the company's risk factors?", ALL),
        ("How do the company's risk factors differ from the prior year?", ALL),
        ("Did the company's Item 1A change?", ALL),
        ("What new risks did the company add?", ["added"]),
        ("Has the company disclosed any new threats?", ["added"]),
        ("Which risks were dropped by the company?", ["removed"]),
        ("Which risks does the company no longer mention?", ["removed"]),
        ("Which risk factors were added or removed?", ["added", "removed"]),
        ("Which of the company's risks were reworded?", ["reworded"]),
        ("What new risk factors appeared in the company's?", ["added"]),
        ("What risks does the company mention for the first time?", ["added"]),
        ("What risks did the company stop disclosing?", ["removed"]),
        ("What language changed in the company's risk factors?", ["reworded"]),
        ("the company 10-K vs risk factors", ALL),
        ("Which risks did the company disclose but not?", ALL),
        ("What material changes were made to the company's risk factors?", ALL),
    ],
)
def test_what_became_of_the_risks_is_asked(text: str, asked: list[str]) -> None:
    topic = topic_of(text)
    assert topic is not None
    assert topic.compares
    assert [query.label for query in topic.queries] == asked


@pytest.mark.parametrize(
    "text",
    [
        "What are the company's risk factors?",
        "What different risks does the company face?",
        "Which risks appear in the company's filing?",
        "What new risks come from tariffs?",
        "What are the risks of climate change?",
        "Why did the company's risk factors change?",
        "What new products did the company add?",
        "How did interest rate risk change?",
        "Which risks does the company not disclose?",
        "What is the first risk factor of the company?",
    ],
)
def test_risks_of_a_subject_and_reasons_are_another_question(text: str) -> None:
    topic = topic_of(text)
    assert topic is None or not topic.compares


@pytest.mark.parametrize(
    ("text", "item", "asked"),
    [
        ("What changed in the company's MD&A?", "7", ALL),
        ("What changed in the company's legal proceedings?", "3", ALL),
        ("What changed in the company's business?", "1", ALL),
        ("What is new in the company's 10-K compared with?", "1A", ["added"]),
        ("What did the company disclose but not?", "1A", ALL),
        ("How does the company's business section differ from the prior year?", "1", ALL),
        ("What was added to the company's Item 7A?", "7A", ["added"]),
        ("What does the company's MD&A say?", None, []),
        ("How did competition change?", None, []),
        ("What does the company's MD&A say of changes in gross margin?", None, []),
        ("What changed in the company's MD&A and legal proceedings?", None, []),
    ],
)
def test_what_changed_in_an_item_is_asked_where_it_is_named_alone(
    text: str, item: str | None, asked: list[str]
) -> None:
    topic = topic_of(text)
    assert topic is not None
    assert topic.compares is (item is not None)
    if item:
        assert topic.items == (item,)
        assert [query.label for query in topic.queries] == asked


# --- in the sample ---


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY))


def only(question: str) -> Block:
    (block,) = ask(question).blocks
    return block


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What changed in Northwind's risk factors in 2025?", [*ADDED, *REMOVED]),
        ("How did Northwind's risk factors change from 2024 to 2025?", [*ADDED, *REMOVED]),
        ("Compare Northwind's risk factors in fiscal 2025 with fiscal 2024", [*ADDED, *REMOVED]),
        ("What new risks did Northwind add in 2025?", ADDED),
        ("Which risks were dropped by Northwind in 2025?", REMOVED),
        ("Which risks did Northwind disclose in 2025 but not in 2024?", ADDED),
        ("which risks appear in Northwind's 2024 10-K that weren't in the 2025 10-K?", REMOVED),
    ],
)
def test_each_change_is_a_verified_quotation_of_the_year_that_has_it(
    sample: Sample, question: str, quoted: list[str]
) -> None:
    block = only(question)
    assert [claim.quote for claim in block.claims] == quoted
    of = {claim.quote: claim.accession for claim in block.claims}
    years = {filing.accession: filing.fiscal_year for filing in block.filings}
    assert {years[accession] for said, accession in of.items() if said in ADDED} <= {2025}
    assert {years[accession] for said, accession in of.items() if said in REMOVED} <= {2024}
    assert all(claim.verdict == "verbatim" for claim in block.claims)
    assert block.notes[0] == SAID
    assert not block.dropped


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "What changed in Larkfield's risk factors in fiscal 2025?",
            "no risk was added, removed or reworded; 39 kept their headings. In the text below the "
            "headings that both years have, 36 passages were added, 31 dropped and 8 changed; ",
        ),
        ("What changed in Northwind's MD&A between 2024 and 2025?", ""),
    ],
)
def test_of_an_item_and_of_risks_that_kept_their_headings_the_sentences_that_changed_are_quoted(
    sample: Sample, question: str, said: str
) -> None:
    block = only(question)
    assert block.notes[0].startswith(f"From fiscal 2024 to fiscal 2025, {said}")
    assert re.search(r"Quoted are 3 of \d+ added, 3 of \d+ dropped and 3 of \d+ changed: those with ", block.notes[0])
    assert 0 < len({claim.quote for claim in block.claims}) == len(block.claims) <= 12
    assert not block.dropped
    years = {filing.accession: filing.fiscal_year for filing in block.filings}
    quoted = [(claim.query, years[claim.accession]) for claim in block.claims]
    assert {year for query, year in quoted if query == 0} <= {2025}
    assert {year for query, year in quoted if query == 1} <= {2024}
    reworded = [claim.quote for claim in block.claims if claim.query == 2]
    letters = ["".join(filter(str.isalpha, quote)) for quote in reworded]
    assert all(before != after for before, after in zip(letters[::2], letters[1::2], strict=True))


@pytest.mark.django_db
def test_what_stands_anywhere_in_the_other_years_filing_is_neither_added_nor_removed(sample: Sample) -> None:
    said = Said(sample.filing("NWND", 2024).pk)
    assert said.holds(
        "Savings of about $0.9 million in the first half, from the closing of the Rochester site, offset wages."
    )
    assert not said.holds("Air freight in place of late sea shipments added $1.3 million to cost of sales.")


@pytest.mark.django_db
def test_a_text_that_stayed_the_same_is_an_answer_with_both_versions(sample: Sample) -> None:
    old, new = (Section.objects.get(filing=sample.filing("NWND", year), item="3") for year in (2024, 2025))
    Section.objects.filter(pk=old.pk).update(text=new.text, blocks=new.blocks, pages=new.pages, sha256=new.sha256)
    answer = ask("What changed in Northwind's legal proceedings in 2025?")
    (block,) = answer.blocks
    said = "From fiscal 2024 to fiscal 2025, the text of Item 3 stayed the same, word for word."
    assert block.notes[0] == f"{said} Quoted is how each year\u2019s text begins."
    assert as_text(answer).startswith(said)
    assert len({claim.quote for claim in block.claims}) == 1


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("A mistake on it could harm a patient.", True),
        ("We consider a work stoppage before then to be unlikely.", True),
        ("We expect to meet the requirements under this arrangement.", True),
        ("For example: in May a state passed a law.", True),
        ("Our arrangement with the city ends, and under this arrangement we pay no tax.", False),
        ("We describe the plant in this report.", False),
        ("In addition, a flood could stop our plants.", False),
    ],
)
def test_what_names_only_something_said_before_is_not_quoted_alone(text: str, does: bool) -> None:
    assert points_back(text) is does


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["new risk factors", "risk factor changes"])
def test_what_changed_at_each_of_two_companies_is_compared_with_the_year_before(sample: Sample, asked: str) -> None:
    blocks = ask(f"Compare Northwind's and Larkfield's {asked} in 2025").blocks
    assert [len({filing.fiscal_year for filing in block.filings}) for block in blocks] == [2, 2]
    assert [block.heading.split(" ")[0] for block in blocks] == ["Northwind", "Larkfield"]


@pytest.mark.django_db
def test_companies_that_are_compared_are_asked_of_one_year(sample: Sample) -> None:
    for block in ask("Compare Northwind's and Calder's risk factors").blocks:
        assert [filing.fiscal_year for filing in block.filings] == [2025]


@pytest.mark.django_db
def test_where_nothing_became_what_is_asked_that_is_said_first(sample: Sample) -> None:
    block = only("Which of Northwind's risk factors were reworded in 2025?")
    assert block.notes[0].startswith("From fiscal 2024 to fiscal 2025, no risk was reworded. 2 risks were added")


@pytest.mark.django_db
def test_without_the_year_before_the_nearest_two_years_are_offered(sample: Sample) -> None:
    answer = ask("What changed in Northwind's risk factors in 2024?")
    (block,) = answer.blocks
    assert block.refusal is not None
    assert block.refusal.code is Code.YEAR_NOT_INGESTED
    assert "fiscal 2023" in block.refusal.text
    assert block.alternatives[0].question == "What changed in Northwind's risk factors in fiscal 2025?"


@pytest.mark.django_db
def test_an_older_text_that_cannot_be_read_is_told(sample: Sample) -> None:
    older = Section.objects.filter(filing=sample.filing("NWND", 2024), item="1A")
    older.update(status=SectionStatus.UNVERIFIED, text="", blocks=[])
    block = only("What changed in Northwind's risk factors in 2025?")
    assert block.refusal is not None
    assert block.refusal.code is Code.SECTION_NOT_AVAILABLE
    assert "fiscal 2024" in block.refusal.text


@pytest.mark.django_db
def test_a_quarterly_report_is_compared_with_none(sample: Sample) -> None:
    block = only("What changed in Larkfield's risk factors in its latest 10-Q?")
    assert {filing.source for filing in block.filings} == {"10-Q"}
    assert len(block.claims) == 2
