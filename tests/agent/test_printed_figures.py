"""Figures that an imported report prints answer where no XBRL is held, and only as long as the document prints them."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.runs.answer_json import as_text
from agent.state import Answer, Cell, Scope
from agent.state.tables import Table
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from filings.models import Company, Fact, Filing, Section
from tests.filings.importing.conftest import halden, in_process, model
from tests.support.brought import brought
from tests.support.holdings import annual_fact, annual_report, count
from tests.support.printed_report import report, table

__all__ = ["halden", "in_process", "model"]

WRITTEN = {"company": "HLDN", "kind": "10-K", "period": "2024", "date": "2025-02-14"}


@pytest.fixture
def printed(halden: Company) -> Filing:
    return brought(report(), "halden-2024.html", **WRITTEN).filing


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY))


def figure(question: str) -> Cell:
    (block,) = ask(question).blocks
    assert block.table is not None, block.refusal
    (cell,) = block.table.asserted
    return cell


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was Halden Optics' FY2024 revenue?", "4120000000"),
        ("Halden Optics net income 2024", "698000000"),
        ("Halden Optics revenue 2023", "3870000000"),
        ("Halden Optics diluted EPS 2024", "3.41"),
        ("Halden Optics diluted shares 2024", "204700000"),
        ("Halden Optics net PP&E at the end of 2024", "2215000000"),
        ("Halden Optics shareholders' equity 2024", "1303000000"),
        ("Halden Optics capital expenditures 2024", "445000000"),
        ("Halden Optics cost of revenue 2024", "2310000000"),
        ("Halden Optics income tax expense 2024", "188000000"),
        ("Halden Optics free cash flow 2024", "575000000"),
    ],
)
def test_a_printed_statement_answers(printed: Filing, question: str, value: str) -> None:
    cell = figure(question)
    assert cell.value == Decimal(value)
    assert {fact.source for fact in cell.facts} == {"printed"}


def test_a_balance_of_the_year_before_is_found_beside_flows(printed: Filing) -> None:
    (block,) = ask("Halden Optics asset turnover 2024").blocks
    assert block.table is not None, block.refusal
    found = [round(cell.value, 3) for cell in block.table.cells if cell.value is not None]
    assert Decimal("1.313") in found  # 4,120 by the average of 3,285 and 2,993


def test_its_source_says_that_it_is_printed(printed: Filing) -> None:
    assert "as printed, page 1, 10-K doc-" in as_text(ask("Halden Optics revenue 2024"))


def test_a_whole_statement_is_printed_in_its_order(printed: Filing) -> None:
    (block,) = ask("Halden Optics balance sheet 2024").blocks
    assert block.table is not None
    labels = [cell.label for cell in block.table.asserted]
    assert labels[:2] == ["Cash and cash equivalents", "Accounts receivable, net"]
    assert labels[-1] == "Total liabilities and equity"


def test_xbrl_comes_first(printed: Filing) -> None:
    filing = annual_report(printed.company, 2024)
    annual_fact(filing, "Revenues", "4119500000")
    count(printed.company)
    cell = figure("Halden Optics revenue 2024")
    assert (cell.value, cell.accession) == (Decimal(4_119_500_000), filing.accession)


def test_where_xbrl_and_the_print_differ_both_are_shown(printed: Filing) -> None:
    filing = annual_report(printed.company, 2024)
    annual_fact(filing, "Revenues", "4210000000")
    count(printed.company)
    cell = figure("Halden Optics revenue 2024")
    assert cell.value == Decimal(4_210_000_000)
    assert any("prints $4,120 million on page 1" in note for note in cell.notes)


def test_where_they_agree_nothing_is_said(printed: Filing) -> None:
    filing = annual_report(printed.company, 2024)
    annual_fact(filing, "Revenues", "4119800000")
    count(printed.company)
    assert not any("prints" in note for note in figure("Halden Optics revenue 2024").notes)


def test_net_income_that_may_include_noncontrolling_interests_is_not_the_parents(halden: Company) -> None:
    brought(report(without="Net income attributable to Halden Optics"), "halden-2024.html", **WRITTEN)
    (block,) = ask("Halden Optics net income attributable to the parent 2024").blocks
    assert block.table is None or all(cell.value != Decimal(710_000_000) for cell in block.table.asserted)


def test_what_is_printed_under_unknown_words_is_not_taken_for_nothing(halden: Company) -> None:
    brought(
        report(called=("Accounts receivable, net", "Temporary and other sorts of investments")), "h.html", **WRITTEN
    )
    (block,) = ask("Halden Optics cash and short-term investments 2024").blocks
    assert block.table is None or not any(cell.value == Decimal(640_000_000) for cell in block.table.asserted)


RATES = ("Effective income tax rate", "20.9 %", "21.0 %")


def test_a_ratio_that_no_facts_give_answers_as_it_is_printed(halden: Company) -> None:
    heads = ("Years ended December 31,", "2024", "2023")
    brought(report(beside=table(heads, [("GAAP", "", ""), RATES])), "h.html", **WRITTEN)
    (block,) = ask("How does Halden Optics' effective tax rate in FY2024 compare to FY2023?").blocks
    assert block.table is not None, block.refusal
    assert [cell.value for cell in block.table.asserted] == [Decimal("21.0"), Decimal("20.9")]
    assert {fact.source for cell in block.table.asserted for fact in cell.facts} == {"printed"}


def test_an_adjusted_ratio_is_not_the_ratio(halden: Company) -> None:
    heads = ("Years ended December 31,", "2024", "2023")
    brought(report(beside=table(heads, [("Non-GAAP", "", ""), RATES])), "h.html", **WRITTEN)
    (block,) = ask("What was Halden Optics' effective tax rate in FY2024?").blocks
    assert block.table is None


YEARS = ("Years ended December 31,", "2024", "2023")


def test_non_gaap_beside_adjusted_names_no_other_figure(halden: Company) -> None:
    rows = [("Adjusted non-GAAP results", "", ""), ("EBITDA", "$ 1,208", "$ 1,081")]
    brought(report(beside=f"<p>(In millions)</p>{table(YEARS, rows)}"), "h.html", **WRITTEN)
    (block,) = ask("What was Halden Optics' adjusted EBITDA in FY2024?").blocks
    assert block.table is not None
    assert [cell.value for cell in block.table.asserted] == [Decimal(1_208_000_000)]


def test_of_a_chosen_document_the_year_asked_is_given_and_no_other(halden: Company) -> None:
    beside = f"<p>(In millions)</p>{table(YEARS, [('Adjusted EBITDA', '$ 1,208', '$ 1,081')])}"
    filing = brought(report(beside=beside), "h.html", **WRITTEN).filing
    scope = Scope(document=filing.accession, cik=filing.company.cik)

    def found(year: int) -> list[tuple[object, ...]]:
        state = pipeline.run(f"What was Halden Optics' adjusted EBITDA in FY{year}?", Deps.current(TODAY), scope=scope)
        return [(one.value, one.place.year) for told in state.tables for one in told.table.asserted]

    assert found(2024) == [(Decimal(1_208_000_000), 2024)]
    assert found(2023) == [(Decimal(1_081_000_000), 2023)]
    assert found(2022) == []


def test_a_name_of_a_thing_whose_measure_stands_above_is_not_taken_from_one_of_its_tables(halden: Company) -> None:
    tables = "".join(
        f"<p><b>{title}</b></p><p>(In millions)</p>{table(YEARS, [('Northern Lenses', *figures)])}"
        for title, figures in (
            ("Goodwill", ("$ 310", "$ 305")),
            ("Net sales", ("$ 2,020", "$ 1,900")),
            ("Assets", ("$ 900", "$ 850")),
        )
    )
    brought(report(beside=tables), "h.html", **WRITTEN)
    for question in (
        "What was Halden Optics' Northern Lenses in FY2024?",
        "Northern Lenses as a share of Halden Optics' revenue 2024",
    ):
        assert not [cell for block in ask(question).blocks if block.table for cell in block.table.asserted]


def test_a_row_of_which_only_the_label_is_as_asked_is_no_second_answer(halden: Company) -> None:
    charges = table(YEARS, [("Repositioning:", "", ""), ("Northern Lenses", "$ 15", "$ 12")])
    orders = table(YEARS, [("Northern Lenses", "$ 767", "$ 700")])
    beside = f"<p>(In millions)</p>{charges}<p><b>Backlog</b></p><p>(In millions)</p>{orders}"
    brought(report(beside=beside), "h.html", **WRITTEN)
    for name, values in (("Northern Lenses backlog", ["767000000"]), ("Northern Lenses", [])):
        answer = ask(f"What was Halden Optics' {name} in FY2024?")
        found = [cell for block in answer.blocks if block.table for cell in block.table.asserted]
        assert [str(cell.value) for cell in found] == values


def test_a_balance_is_not_taken_from_the_row_of_the_beginning_of_the_next_year(halden: Company) -> None:
    rows = [
        (f"Escrowed obligations outstanding at the {place} of the year", *figures)
        for place, figures in (("beginning", ("$ 1,257", "$ 1,274")), ("end", ("$ 1,356", "$ 1,257")))
    ]
    filing = brought(report(beside=f"<p>(In millions)</p>{table(YEARS, rows)}"), "h.html", **WRITTEN).filing

    def found(when: str) -> list[tuple[object, ...]]:
        scope = Scope(document=filing.accession, cik=filing.company.cik)
        question = f"What were Halden Optics' escrowed obligations outstanding at the {when}?"
        state = pipeline.run(question, Deps.current(TODAY), scope=scope)
        return [(one.value, one.label) for told in state.tables for one in told.table.asserted]

    label = "Escrowed obligations outstanding at the end of the year"
    assert found("end of FY2023") == [(Decimal(1_257_000_000), label)]
    assert found("beginning of the year, FY2024") == []


def test_adjusted_and_non_gaap_are_one_qualifier(halden: Company) -> None:
    heads = ("Years ended December 31,", "2024", "2023")
    beside = f"<p>(In millions)</p>{table(heads, [('Adjusted EBITDA', '$ 1,208', '$ 1,081')])}"
    brought(report(beside=beside), "h.html", **WRITTEN)
    assert figure("What was Halden Optics' adjusted non-GAAP EBITDA in FY2024?").value == Decimal(1_208_000_000)


def test_a_payment_asked_by_the_name_of_its_row_is_what_was_paid(halden: Company) -> None:
    name = "Dividends paid to common shareholders"
    brought(report(called=("Dividends paid", name)), "h.html", **WRITTEN)
    cell = figure(f"Halden Optics {name.lower()} 2024")
    assert (cell.label, cell.value) == (name, Decimal(447_000_000))
    assert verify(Table(cells=(cell,))) == ()
    (block,) = ask("Halden Optics cash flow statement 2024").blocks
    assert block.table
    assert {one.value for one in block.table.asserted if one.label == name} == {Decimal(-447_000_000)}


def test_a_printed_total_is_no_answer_to_what_is_due_by_year(halden: Company) -> None:
    beside = f"<p>(In millions)</p>{table(YEARS, [('Furnace commitments', '$ 1,208', '$ 1,081')])}"
    brought(report(beside=beside), "h.html", **WRITTEN)
    assert figure("Halden Optics furnace commitments 2024").value == Decimal(1_208_000_000)
    for question in ("Halden Optics furnace commitments by year 2024", "Halden Optics furnace commitments by year"):
        assert not [cell for block in ask(question).blocks if block.table for cell in block.table.asserted]


def test_a_question_for_text_says_that_imported_documents_can_be_chosen(printed: Filing) -> None:
    (block,) = ask("What does Halden Optics say about the second furnace?").blocks
    assert block.refusal is not None
    assert (block.refusal.text, block.refusal.detail) == (
        "No 10-K of Halden Optics is loaded from the SEC.",
        "Choose one of its imported documents to ask about its text.",
    )


def test_a_course_over_time_of_one_document_is_of_the_years_that_it_prints(printed: Filing) -> None:
    scope = Scope(document=printed.accession, cik=printed.company.cik)
    state = pipeline.run("Is Halden Optics' gross margin stable?", Deps.current(TODAY), scope=scope)
    (found,) = state.tables
    values = {cell.place.year: cell.value for cell in found.table.asserted if cell.unit == "percent"}
    assert {2023, 2024} <= values.keys()


@pytest.mark.parametrize(("bound", "said"), [("2%", "within the 2"), ("0.5 points", "more than the 0.5")])
def test_how_far_a_figure_moved_is_set_beside_the_bound_in_brackets(printed: Filing, bound: str, said: str) -> None:
    question = f"Is Halden Optics' gross margin stable (not varying by more than {bound} a year) from 2023 to 2024?"
    (block,) = ask(question).blocks
    assert block.table is not None, block.refusal
    note = f"From one year to the next it moved by at most 0.88 points (fiscal 2024): {said} of the question."
    assert note in block.table.notes


def test_a_withdrawn_report_answers_nothing(printed: Filing) -> None:
    Filing.objects.filter(pk=printed.pk).update(withdrawn="2025-03-01T00:00Z")
    (block,) = ask("Halden Optics revenue 2024").blocks
    assert block.table is None or not block.table.asserted


def test_a_unit_that_is_not_said_is_no_figure(halden: Company) -> None:
    filing = brought(report(unit=""), "halden-2024.html", **WRITTEN).filing
    assert not filing.facts.filter(unit="USD").exists()


@pytest.mark.parametrize(
    "changed",
    [
        {"printed": "$ 4,121"},
        {"value": Decimal(4_121_000_000), "raw": "4121000000"},
        {"value": Decimal(4_120_000), "raw": "4120000"},
        {"unit": "EUR"},
        {"start": "2024-01-02"},
        {"label": "Gross profit"},
        {"section": None},
    ],
)
def test_a_stored_figure_that_the_document_does_not_print_is_never_shown(
    printed: Filing, changed: dict[str, object]
) -> None:
    Fact.objects.filter(filing=printed, label="Net sales", end="2024-12-31").update(**changed)
    (block,) = ask("Halden Optics revenue 2024").blocks
    assert block.refusal is not None
    assert block.refusal.code in {Code.CONFLICT, Code.CONCEPT_NOT_REPORTED}


@pytest.mark.parametrize(
    ("old", "new"), [("$ 4,120", "$ 4,210"), ("In millions", "In billion"), ("2024\t2023", "2025\t2024")]
)
def test_a_document_that_says_otherwise_now_is_not_cited(printed: Filing, old: str, new: str) -> None:
    (block,) = ask("Halden Optics revenue 2024").blocks
    assert block.table is not None
    assert verify(block.table) == ()
    fact = Fact.objects.get(filing=printed, label="Net sales", end="2024-12-31")
    section = Section.objects.get(filing=printed, number=fact.section)
    assert old in section.text
    Section.objects.filter(pk=section.pk).update(text=section.text.replace(old, new))
    assert verify(block.table) != ()


def test_the_place_of_another_cell_is_not_its_own(printed: Filing) -> None:
    ours, other = (
        Fact.objects.get(filing=printed, label="Net sales", end=end) for end in ("2024-12-31", "2023-12-31")
    )
    Fact.objects.filter(pk=ours.pk).update(text_start=other.text_start, text_end=other.text_end)
    (block,) = ask("Halden Optics revenue 2024").blocks
    assert block.refusal is not None
    assert block.refusal.code is Code.CONFLICT


def test_its_page_leads_to_the_line(printed: Filing, client: Client) -> None:
    fact = Fact.objects.get(filing=printed, label="Net sales", end="2024-12-31")
    page = client.get(fact.get_absolute_url()).content.decode()
    assert "As printed in the document" in page
    address = page.partition("The line in the document")[0].rpartition('href="')[2].partition('"')[0]
    marked = client.get(address.replace("&amp;", "&")).content.decode()
    assert "<mark" in marked.partition("4,120")[0]


def test_its_answer_says_where_it_is_printed_and_leads_there(printed: Filing, client: Client) -> None:
    address = reverse("figure", args=[printed.company.cik, 2024, "revenue"])
    page = client.get(address).content.decode()
    assert "as printed, page 1" in page
    assert "The line in the document" in page
