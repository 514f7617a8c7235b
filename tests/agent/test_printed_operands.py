"""Figures that only a table prints answer and compute like facts, each read again at its place."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from accounts.models import User
from agent import tasks
from agent.certificates.build import certificate_of
from agent.certificates.verify import reverify
from agent.certificates.verify import verify as verify_certificate
from agent.grounding.printed_operands import printed_operands
from agent.models import Standing
from agent.numbers.printed.printed_rows import rows_near
from agent.numbers.verification.verify import verify
from agent.runs.answer_json import as_text, row
from agent.state import Answer
from agent.state.query import Formula, Operand, Printed
from agent.state.tables import Table
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.cards.answer_card import parts
from evals.golden import TODAY
from filings.models import Company, Filing, Section
from tests.filings.importing.conftest import halden, in_process, model
from tests.support.answers import run_with
from tests.support.brought import brought
from tests.support.other_reading import read_anew
from tests.support.printed_report import report, table
from tests.support.sample import Sample
from tests.support.tables import table as tabulated
from tests.support.tables import years

__all__ = ["halden", "in_process", "model"]

pytestmark = pytest.mark.django_db

HEADS = ("Years ended December 31,", "2024", "2023")
UNIT = "(In millions)"
ORDERS = (("Orders of lenses", "$ 2,410", "$ 2,150"), ("Adjusted lens profit", "612", "540"))
OF_PART = (("Adjusted lens profit", "$ 75", "$ 61"),)
SHARES = (("Rate of repeat orders", "41.5 %", "39.0 %"),)


def with_tables(*tables: str) -> bytes:
    return report().replace(b"<h2>Item 8.", f"{''.join(tables)}<h2>Item 8.".encode(), 1)


def tables_of(*titled: tuple[str, tuple[tuple[str, str, str], ...]]) -> bytes:
    return with_tables(*(f"<h3>{title}</h3><p>{UNIT}</p>{table(HEADS, rows)}" for title, rows in titled))


def held(content: bytes) -> Filing:
    return brought(content, "halden-2024.html", company="HLDN", kind="10-K", period="2024", date="2025-02-14").filing


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY))


def asserted(question: str) -> Table | None:
    (block,) = ask(question).blocks
    return block.table if block.outcome == "answered" else None


def values(question: str) -> list[Decimal]:
    found = asserted(question)
    return [cell.value for cell in found.asserted if cell.value is not None] if found else []


@pytest.fixture
def printed(halden: Company) -> Filing:
    return held(
        tables_of(("Consolidated measures of the year", ORDERS), ("Coatings segment", OF_PART), ("Orders", SHARES))
    )


# --- one figure ---


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Halden Optics orders of lenses 2024", "2410000000"),
        ("What were Halden Optics' orders of lenses in fiscal 2023?", "2150000000"),
        ("Halden Optics adjusted lens profit 2024", "612000000"),  # not that of the segment
        ("Halden Optics rate of repeat orders 2024", "41.5"),
    ],
)
def test_the_row_called_so_answers(printed: Filing, question: str, value: str) -> None:
    assert values(question) == [Decimal(value)]


@pytest.mark.parametrize(
    "question",
    [
        "Halden Optics lens profit 2024",  # a qualifier of the row is not dropped
        "Halden Optics organic orders of lenses 2024",  # nor one of the question
        "Halden Optics adjusted mirror profit 2024",
        "Halden Optics orders of lenses 2021",
        # Everyday words that make another figure of it are no fillers.
        "How many orders of lenses in the US did Halden Optics have in 2024?",
        "What were the other orders of lenses of Halden Optics in 2024?",
        "Halden Optics full-time orders of lenses 2024",
        "What orders of lenses did Halden Optics not have in 2024?",
    ],
)
def test_what_no_row_is_called_or_of_is_not_given(printed: Filing, question: str) -> None:
    assert values(question) == []


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Discontinued operations", "Orders of mirrors"),
        ("Summarized information of investees", "Orders of mirrors"),
        ("Parent company only", "Orders of mirrors"),
        ("Goodwill by segment", "Additions"),
        ("Outlook issued in February", "Orders of mirrors"),
    ],
)
def test_what_is_of_others_or_of_nothing_by_its_label_is_not_the_companys(
    halden: Company, title: str, label: str
) -> None:
    held(tables_of((title, ((label, "$ 75", "$ 61"),))))
    assert values(f"Halden Optics {label.lower()} 2024") == []


def test_a_number_in_brackets_is_no_count(halden: Company) -> None:
    heads = ("Years ended December 31,", "2024", "2023")
    held(
        with_tables(
            f"<h3>Awards</h3><p>(Shares in thousands)</p>{table(heads, [('Awards vested shares outstanding', '(210)', '(180)')])}"
        )
    )
    assert values("Halden Optics awards vested shares outstanding 2024") == []


@pytest.mark.parametrize(("title", "count"), [("Other operating data", ["1748"]), ("Claims for dust", [])])
def test_things_that_the_heading_above_narrows_are_not_all_of_them(
    halden: Company, title: str, count: list[str]
) -> None:
    rows = table(HEADS, [("Number of claims", "1,748", "1,746")])
    held(with_tables(f"<h3>{title}</h3>{rows}"))
    assert values("How many claims did Halden Optics have in 2024?") == [*map(Decimal, count)]


def test_another_unit_than_the_printed_one_is_found(printed: Filing) -> None:
    found = asserted("Halden Optics orders of lenses 2024")
    assert found is not None
    (cell,) = found.asserted
    assert verify(found) == ()
    assert verify(found.model_copy(update={"cells": (cell.model_copy(update={"unit": "EUR"}),)})) != ()


def test_two_figures_under_one_name_are_none(halden: Company) -> None:
    other = (("Adjusted lens profit", "$ 75", "$ 61"),)
    held(tables_of(("Measures of the year", ORDERS), ("Measures of the year", other)))
    assert values("Halden Optics adjusted lens profit 2024") == []


def test_of_two_that_what_they_stand_under_tells_apart_each_is_shown(halden: Company) -> None:
    other = (("Adjusted lens profit", "$ 75", "$ 61"),)
    held(tables_of(("Figures with coatings", ORDERS), ("Figures without coatings", other)))
    found = asserted("Halden Optics adjusted lens profit 2024")
    assert found is not None
    assert {cell.reading: cell.value for cell in found.readings} == {
        "Figures with coatings": Decimal(612_000_000),
        "Figures without coatings": Decimal(75_000_000),
    }


def test_an_equal_figure_in_two_tables_is_one(halden: Company) -> None:
    again = (("Adjusted lens profit", "$ 612", "$ 540"),)
    held(tables_of(("Measures of the year", ORDERS), ("Measures again", again)))
    assert values("Halden Optics adjusted lens profit 2024") == [Decimal(612_000_000)]


# --- computed ---


def test_printed_figures_compute_with_facts_and_each_other(printed: Filing) -> None:
    (grown,) = values("growth of Halden Optics' orders of lenses in 2024")
    assert round(grown, 3) == Decimal("12.093")  # from 2,150 to 2,410
    (share,) = values("Halden Optics adjusted lens profit as % of revenue 2024")
    assert round(share, 3) == Decimal("14.854")  # 612 of 4,120
    (made,) = values("Halden Optics (orders of lenses - adjusted lens profit) / revenue 2024")
    assert round(made, 4) == Decimal("0.4364")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("growth of Calder's spare parts in 2024", "4.878"),
        ("Calder spare parts as % of inventories 2025", "12.991"),
        ("Calder spare parts plus inventories 2025", "374000000"),
        ("Calder (inventories - spare parts) / revenue 2025", "0.164"),
        ("Calder work in process growth 2025", "1.22"),
        ("growth of Larkfield's adjusted net income per diluted share in Q1 fiscal 2026", "14.754"),
    ],
)
def test_arithmetic_over_tables_of_the_sample(sample: Sample, question: str, value: str) -> None:
    (found,) = values(question)
    assert round(found, 3) == Decimal(value)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("average of Calder's spare parts 2023 to 2025", Decimal("42333333.33")),
        ("sum of Calder's spare parts 2023 to 2025", Decimal(127_000_000)),
        ("change in Calder's machines from 2023 to 2025", Decimal(52_000_000)),
        ("difference between Calder's inventories and spare parts 2025", Decimal(288_000_000)),
    ],
)
def test_operations_over_rows_of_the_sample(sample: Sample, question: str, value: Decimal) -> None:
    found = asserted(question)
    assert found is not None
    assert [round(one.value or 0, 2) for one in found.results] == [value]
    assert verify(found) == ()


def test_a_row_chosen_exactly_is_an_operand(printed: Filing) -> None:
    (row,) = rows_near([printed.pk], "orders of lenses", 1)
    chosen = Printed(
        words="orders", accession=printed.accession, section=row.section, start=row.cells[0].start, unit="USD"
    )
    asked = Formula(text="orders / 2", expression="orders / 2", operands=(Operand(name="orders", of=chosen),))
    made = tabulated(printed.company, years(2024), asked)
    assert [cell.value for cell in made.asserted] == [Decimal(1_205_000_000)]


def test_an_operand_is_known_by_what_its_tables_title_says_of_each_row(printed: Filing) -> None:
    (orders,) = {one.names for one in printed_operands([printed], "orders of lenses", ()) if "Orders of" in one.label}
    assert [name.endswith("Orders of lenses") for name in orders] == [True, True]
    content = tables_of(("Adjusted works of the coast", ORDERS))
    coast = held(content)
    names = [one.names[1] for one in printed_operands([coast], "orders of lenses", ()) if "Orders of" in one.label]
    assert names == ["works of the coast Orders of lenses"]


# --- read again ---


def cited(question: str) -> Table:
    found = asserted(question)
    assert found is not None
    assert verify(found) == ()
    return found


@pytest.mark.parametrize(
    "question", ["Halden Optics orders of lenses 2024", "growth of Halden Optics' orders of lenses in 2024"]
)
def test_a_changed_digit_is_found(printed: Filing, question: str) -> None:
    found = cited(question)
    for section in Section.objects.filter(filing=printed, text__contains="2,410"):
        Section.objects.filter(pk=section.pk).update(text=section.text.replace("2,410", "2,411"))
    assert any("does not print" in one or "differs" in one for one in verify(found))


@pytest.mark.parametrize(
    "update",
    [
        {"value": Decimal(2_150_000_000), "raw": "2150000000"},  # the neighbour's
        {"value": Decimal(2_410_000), "raw": "2410000"},  # another scale
        {"label": "Adjusted lens profit"},
        {"unit": "percent"},
        {"text_start": 5},
    ],
)
def test_another_figure_than_the_one_at_its_place_is_found(printed: Filing, update: dict[str, object]) -> None:
    found = cited("Halden Optics orders of lenses 2024")
    (cell,) = found.asserted
    assert cell.fact is not None
    value = update.get("value", cell.value)
    other = cell.model_copy(update={"fact": cell.fact.model_copy(update=update), "value": value})
    assert verify(found.model_copy(update={"cells": (other,)}))


# --- shown ---


def test_page_text_json_and_checks_say_where_it_is_printed(printed: Filing, as_alice: Client, alice: User) -> None:
    answer = ask("Halden Optics orders of lenses 2024")
    assert "as printed, page 1, 10-K doc-" in as_text(answer)
    (fact,) = row(1, answer, 0.0)["table"][0]["facts"]
    assert (fact["tag"], fact["value"]) == ("printed:orders_of_lenses", "2410000000")
    assert all(check.ok for check in reverify(answer))
    run = run_with(answer, alice)
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "As printed, page 1" in page
    assert "/facts/0" not in page
    (shown,) = parts(answer, run.pk)
    assert shown.table is not None
    assert shown.table.asserted[0].href.endswith(shown.table.asserted[0].reader.rpartition("/")[2])
    assert as_alice.get(shown.table.asserted[0].reader).status_code == 200
    for kind in ("csv", "xlsx", "md"):
        assert as_alice.get(reverse("run_table", args=[run.pk, kind])).status_code == 200


def test_the_answer_of_a_formula_has_its_operands_with_their_lines(
    printed: Filing, as_alice: Client, alice: User
) -> None:
    run = run_with(ask("Halden Optics adjusted lens profit as % of revenue 2024"), alice)
    page = as_alice.get(run.get_absolute_url())
    assert page.status_code == 200
    assert "Adjusted lens profit" in page.content.decode()


def test_a_figure_that_stands_elsewhere_where_its_document_was_read_again_verifies(printed: Filing) -> None:
    """It has the place and the text's hash of before."""
    answer = ask("Halden Optics orders of lenses 2024")
    run = run_with(answer)
    certificate = certificate_of(run)
    assert certificate is not None
    section = Section.objects.get(filing=printed, sha256=certificate["claims"][0]["fact"]["printed"]["section_sha256"])
    read_anew(section)
    assert {one.field for report in reverify(answer) for one in report.problems if not one.moved} == set()
    problems = [one for report in verify_certificate(certificate).claims for one in report.problems if not one.moved]
    assert {(one.field.rpartition(".")[2], one.unheld) for one in problems} == {("section_sha256", True)}
    read_anew(section, "2,410", "2,401")
    assert any(not one.moved for report in reverify(answer) for one in report.problems)


# --- what later documents print ---

LATER = ("Years ended December 31,", "2025", "2024")


@pytest.mark.parametrize(
    ("title", "rows", "state", "changes"),
    [
        ("Consolidated measures of the year", (("Orders of lenses", "$ 2,700", "$ 2,390"),), "superseded", [("restated", "2410000000", "2390000000")]),
        ("Consolidated measures of the year", (("Orders of lenses", "$ 2,700", "$ 2,410"),), "valid", []),
        ("Coatings segment", (("Orders of lenses", "$ 700", "$ 390"),), "valid", []),
        ("Consolidated measures of the year", (("Orders of mirrors", "$ 2,700", "$ 2,390"),), "valid", []),
    ],
)  # fmt: skip
def test_a_printed_figure_is_watched_as_a_fact_is(
    printed: Filing, alice: User, title: str, rows: tuple[tuple[str, str, str], ...], state: str, changes: list[Any]
) -> None:
    run = run_with(ask("Halden Optics orders of lenses 2024"), alice, created=now(), cik=printed.company.cik)
    content = with_tables(f"<h3>{title}</h3><p>{UNIT}</p>{table(LATER, rows)}")
    brought(content, "halden-2025.html", company="HLDN", kind="10-K", period="2025", date="2026-02-13")
    tasks.compare_answers()
    standing = Standing.objects.get(run=run)
    assert standing.state == state
    assert [(one.reason, one.used, one.now) for one in standing.changed_as] == [
        (reason, Decimal(used), Decimal(new)) for reason, used, new in changes
    ]
    assert all(one.accession.startswith("doc-") and one.form == "10-K" for one in standing.changed_as)


def test_a_newer_report_overtakes_a_printed_figure_with_its_own(printed: Filing, alice: User) -> None:
    answer = ask("Halden Optics orders of lenses")
    run = run_with(answer, alice, created=now(), cik=printed.company.cik)
    content = with_tables(
        f"<h3>Consolidated measures of the year</h3><p>{UNIT}</p>{table(LATER, (('Orders of lenses', '$ 2,700', '$ 2,410'),))}"
    )
    brought(content, "halden-2025.html", company="HLDN", kind="10-K", period="2025", date="2026-02-13")
    tasks.compare_answers()
    (change,) = Standing.objects.get(run=run).changed_as
    assert (change.reason, change.used, change.now) == ("overtaken", Decimal(2410000000), Decimal(2700000000))
