"""Who takes which files along: one's own answers, a shared one, one's own history as it is filtered."""

import csv
import io
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import pytest
from django.http import FileResponse, HttpResponse
from django.test import Client
from django.utils.timezone import now

from accounts.models import User
from agent.models import Run, Share
from agent.web.exports.xlsx_writer import Book, Sheet
from tests.agent.exports import sheets
from tests.support import answers, prose_answers
from tests.support.holdings import northwind
from tests.support.texts import SUPPLIER, ten_k

ENDINGS = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json; charset=utf-8",
}
NAME = "northwind-research-and-development-expense-2024"


@pytest.fixture
def run(alice: User) -> Run:
    return answers.run_with(answers.number_answer(), alice, note="=only for me")


def rows(response: HttpResponse) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content(response).decode("utf-8-sig"), newline="")))


def content(response: HttpResponse) -> bytes:
    return response.getvalue() if isinstance(response, FileResponse) else response.content


# --- one answer ---


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_owner_takes_an_answer_along(as_alice: Client, run: Run, ending: str) -> None:
    response = as_alice.get(f"/runs/{run.pk}/table.{ending}")
    assert response.status_code == 200
    assert response["Content-Type"] == ENDINGS[ending]
    assert response["Content-Disposition"] == f'attachment; filename="{NAME}.{ending}"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert {"private", "no-store"} <= set(response["Cache-Control"].split(", "))
    assert b"http://testserver/facts/1" in (
        response.content if ending != "xlsx" else repr(sheets.read(response.content)).encode()
    ) or ending == "json"  # fmt: skip


def test_nobody_else_does(client: Client, as_bob: Client, as_charlie: Client, run: Run) -> None:
    for stranger in (client, as_bob, as_charlie):
        assert stranger.get(f"/runs/{run.pk}/table.csv").status_code == 404
    assert as_bob.get("/runs/5d8f6001-eb5b-495e-9317-cbb85a5ebbba/table.csv").status_code == 404


@pytest.mark.parametrize("answer", [answers.refusal_answer(), answers.meta_answer()])
def test_what_has_no_table_has_no_file_and_offers_none(as_alice: Client, alice: User, answer: answers.Answer) -> None:
    run = answers.run_with(answer, alice)
    assert as_alice.get(f"/runs/{run.pk}/table.csv").status_code == 404
    assert "/table." not in as_alice.get(run.get_absolute_url()).content.decode()


def test_an_open_run_has_no_file(as_alice: Client, alice: User) -> None:
    assert as_alice.get(f"/runs/{answers.open_run(alice).pk}/table.csv").status_code == 404


@pytest.mark.parametrize("ending", ["pdf", "xls", "XLSX", "csv.exe", "<b>"])
def test_an_unknown_format_is_told_with_those_that_there_are(as_alice: Client, run: Run, ending: str) -> None:
    response = as_alice.get(f"/runs/{run.pk}/table.{ending}")
    assert response.status_code == 400
    assert response["Content-Type"].startswith("text/plain")
    assert f"no format \u201c{ending}\u201d" in response.content.decode()
    assert "xlsx, csv, md, json" in response.content.decode()


def test_the_answer_offers_its_files(as_alice: Client, run: Run) -> None:
    page = as_alice.get(run.get_absolute_url()).content.decode()
    for ending in ENDINGS:
        assert f'href="/runs/{run.pk}/table.{ending}" download' in page


# --- a shared answer ---


def test_whoever_has_the_link_takes_the_answer_along_and_nothing_of_its_owner(
    client: Client, as_bob: Client, run: Run
) -> None:
    share = Share.objects.create(run=run)
    page = client.get(share.get_absolute_url()).content.decode()
    for reader in (client, as_bob):
        for ending in ENDINGS:
            address = f"{share.get_absolute_url()}/table.{ending}"
            assert f'href="{address}"' in page
            response = reader.get(address)
            assert response["Referrer-Policy"] == "same-origin"
            assert "noindex" in response["X-Robots-Tag"]
            said = response.content if ending != "xlsx" else repr(sheets.read(response.content)).encode()
            assert str(run.pk).encode() not in said
            assert b"only for me" not in said
    share.delete()
    assert client.get(f"{share.get_absolute_url()}/table.csv").status_code == 404


# --- a history ---


@pytest.fixture
def history(alice: User, bob: User, run: Run) -> Iterator[None]:
    answers.run_with(answers.derived_answer(), alice, starred=True, created=now() + timedelta(hours=1))
    answers.run_with(answers.refusal_answer(), alice, created=now() + timedelta(hours=2))
    answers.open_run(alice)
    answers.run_with(answers.number_answer(question="A secret of Bob"), bob)
    return


@pytest.mark.usefixtures("history")
def test_a_history_has_every_figure_and_every_refusal(as_alice: Client, run: Run) -> None:
    response = as_alice.get("/history/export.csv")
    assert response["Content-Disposition"] == f'attachment; filename="diligence-history-{now():%Y-%m-%d}.csv"'
    refused, derived, reported = rows(response)
    assert (refused["Result"], refused["Refusal"], refused["Value"]) == ("Not answered", "concept_not_reported", "")
    assert (refused["Company"], refused["CIK"]) == ("Northwind", str(answers.CIK))
    assert refused["Why no figure"].startswith("Northwind does not report advertising")
    assert (derived["Result"], reported["Result"]) == ("Figure", "Figure")
    assert derived["Question"] == "Northwind gross profit, fiscal 2024"
    assert derived["Value"] == "35013500"
    assert derived["Formula"] == "revenue \u2212 cost of revenue"
    assert reported["Value"] == "9412000"
    assert reported["Answer"] == f"http://testserver{run.get_absolute_url()}"


def test_a_computed_figure_of_a_history_has_12_digits_beside_its_operands(as_alice: Client, alice: User) -> None:
    cell = answers.derived_answer().blocks[0].table.cells[0]  # type: ignore[union-attr]
    long = cell.model_copy(update={"value": Decimal("46.2063498152339304665822752439"), "unit": "percent"})
    answers.run_with(answers.number_answer(long), alice)
    (row,) = rows(as_alice.get("/history/export.csv"))
    assert row["Value"] == "46.2063498152"
    assert row["Operands"] == "; ".join(
        f"{one.label}, fiscal {one.fiscal_year}: {one.fact.value} USD" for one in cell.operands
    )


def test_a_history_has_every_quotation_with_its_source_and_what_was_asked_in_vain(
    as_alice: Client, alice: User
) -> None:
    sections = ten_k(northwind().filings.get(fiscal_year=2025))
    answers.run_with(prose_answers.particular_answer(), alice)
    run = answers.run_with(prose_answers.supply_answer(sections), alice, created=now() + timedelta(hours=1))
    (*quoted, data) = rows(as_alice.get("/history/export.csv"))
    first = quoted[0]
    assert [one["Result"] for one in quoted] == ["Quotation"] * len(quoted)
    assert (first["Company"], first["Quotation"]) == ("Northwind", SUPPLIER)
    assert first["Source"] == "10-K, Item 1A, Risk Factors, page 14, fiscal 2025"
    reader = first["Passage"].removeprefix("http://testserver")
    assert reader.endswith(f"run={run.pk}&cite=1#c1")
    assert 'id="c1"' in as_alice.get(reader.partition("#")[0]).content.decode()
    assert (data["Result"], data["Quotation"] != "") == ("Filing data", True)


def test_an_answer_that_is_read_no_more_is_listed_as_refused_where_it_was(as_alice: Client, alice: User) -> None:
    run = answers.run_with(answers.refusal_answer(), alice)
    Run.objects.filter(pk=run.pk).update(answer={"plan": {"query": 1}})
    (row,) = rows(as_alice.get("/history/export.csv"))
    assert (row["Refusal"], row["Why no figure"]) == ("concept_not_reported", "Measure not reported")


@pytest.mark.usefixtures("history")
def test_a_workbook_of_a_history_lists_every_answer_and_every_figure(as_alice: Client, run: Run) -> None:
    found = sheets.read(content(as_alice.get("/history/export.xlsx")))
    listed, figures = found["Answers"], found["Figures"]
    assert listed.column("Outcome") == ["Not answered", "Answered", "Working", "Answered"]
    assert listed.column("Result")[0] == "Measure not reported"
    assert listed.column("Result")[3] == "$9.412 million"
    assert listed.column("Starred") == [None, "yes", None, None]
    assert listed.column("Note")[3] == "=only for me"
    assert listed.links["H5"] == f"http://testserver{run.get_absolute_url()}"
    assert figures.column("Value") == [35013500, 9412000]
    assert figures.links["J3"] == "http://testserver/facts/1"
    assert "A secret of Bob" not in repr(found)


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("starred=1", ["35013500"]),
        ("q=gross+profit", ["35013500"]),
        ("outcome=refused", [""]),
        ("company=Nobody", []),
        # As the list does, it ignores what it cannot read, and has all pages.
        ("outcome=nonsense&page=7&group=company", ["", "35013500", "9412000"]),
    ],
)
def test_a_history_is_filtered_as_its_page_is(as_alice: Client, query: str, values: list[str]) -> None:
    assert [row["Value"] for row in rows(as_alice.get(f"/history/export.csv?{query}"))] == values


@pytest.mark.usefixtures("history")
def test_the_list_offers_the_files_of_what_it_shows(as_alice: Client) -> None:
    page = as_alice.get("/history?starred=1&page=1").content.decode()
    assert 'href="/history/export.xlsx?starred=1" download' in page
    assert 'href="/history/export.csv?starred=1" download' in page
    assert "/history/export.md" not in page


def test_an_empty_history_is_a_file_of_headings(client: Client, db: None) -> None:
    assert rows(client.get("/history/export.csv")) == []
    assert list(sheets.read(content(client.get("/history/export.xlsx")))) == ["Answers", "Figures"]
    assert "/history/export" not in client.get("/history").content.decode()


def test_a_history_has_no_other_formats(client: Client, db: None) -> None:
    response = client.get("/history/export.json")
    assert response.status_code == 400
    assert "There are: xlsx, csv." in response.content.decode()


def test_a_history_of_many_answers_takes_few_queries(
    as_alice: Client, alice: User, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for _ in range(12):
        answers.run_with(answers.number_answer(), alice)
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        content(as_alice.get("/history/export.xlsx"))


def test_an_answer_whose_form_is_read_no_more_is_listed_without_figures(as_alice: Client, run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(answer={"plan": {"query": 1}})
    found = sheets.read(content(as_alice.get("/history/export.xlsx")))
    assert found["Answers"].column("Question") == [run.question]
    assert len(found["Figures"].rows()) == 1
    assert as_alice.get(f"/runs/{run.pk}/table.csv").status_code == 404


def test_a_full_sheet_goes_on_in_another_of_its_name() -> None:
    file = io.BytesIO()
    with Book(file, "Test") as book:
        sheet = Sheet(book, "Figures", [("Number", 8.0)], most_rows=3)
        for number in range(5):
            sheet.write([number])
    found = sheets.read(file.getvalue())
    assert {name: one.rows() for name, one in found.items()} == {
        "Figures": [["Number"], [0], [1]],
        "Figures 2": [["Number"], [2], [3]],
        "Figures 3": [["Number"], [4]],
    }
