"""A grid that is kept: a run of its own, answered with the same figures, found in history and asked again."""

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from agent import tasks
from agent.models import Run
from agent.state import Query
from agent.web.tables import grid as grids
from agent.web.tables import grid_parameters
from tests.agent.pages.test_views_run import text
from tests.agent.tables.cells import texts
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

GRID = {"companies": "MSFT,AAPL", "measures": "revenue,gross_margin", "from": "2022", "to": "2024", "align": "fiscal"}


def saved(client: Client, **fields: str) -> Run:
    """A grid that is kept, answered by a worker."""
    before = set(Run.objects.values_list("pk", flat=True))
    response = client.post("/grid/save", {**GRID, **fields})
    assert response.status_code == 302
    run = Run.objects.exclude(pk__in=before).get()
    assert response.url == run.get_absolute_url()
    return worked(run)


def worked(run: Run) -> Run:
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    return run


def test_it_is_answered_with_the_table_of_its_page(as_alice: Client, sample: Sample) -> None:
    shown = as_alice.get("/grid", GRID).context
    run = saved(as_alice, name="Peers")
    assert (run.question, run.outcome, run.mode) == ("Peers", "answered", "")
    (block,) = run.answer["blocks"]
    assert all(check["ok"] for check in block["checks"])
    page = as_alice.get(run.get_absolute_url())
    (part,) = page.context["parts"]
    assert texts(part.table.years) == texts(shown["rows"])
    assert [group.label for group in part.table.years.groups] == ["Total revenue", "Gross margin"]
    assert len(part.table.asserted) == 12
    # It opens again as the grid that it was.
    assert part.table.grid == "companies=MSFT,AAPL&measures=revenue,gross_margin&from=2022&to=2024&align=fiscal"


@pytest.mark.parametrize("show", ["growth", "share"])
def test_what_its_rows_show_is_kept(as_alice: Client, sample: Sample, show: str) -> None:
    shown = as_alice.get("/grid", {**GRID, "measures": "revenue,rnd", "show": show}).context
    run = saved(as_alice, measures="revenue,rnd", show=show)
    (part,) = as_alice.get(run.get_absolute_url()).context["parts"]
    assert texts(part.table.years) == texts(shown["rows"])


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("  Peers &\n <b>others</b> ", "Peers & <b>others</b>"),
        # Of a name that reads as a question nothing is read.
        ("Tesla net income in fiscal 2020", "Tesla net income in fiscal 2020"),
        ("x" * 200, "x" * grid_parameters.LONGEST_NAME),
        ("", "Microsoft and Apple: total revenue and gross margin, fiscal 2022 to 2024"),
    ],
)
def test_its_name_is_its_question_and_nothing_is_read_from_it(
    as_alice: Client, sample: Sample, name: str, question: str
) -> None:
    run = saved(as_alice, name=name)
    assert (run.question, run.outcome) == (question, "answered")
    cells = run.answer["blocks"][0]["table"]["cells"]
    assert {cell["measure"] for cell in cells} == {"revenue", "gross_margin"}
    assert {cell["fiscal_year"] for cell in cells} == {2022, 2023, 2024}
    assert "<b>" not in as_alice.get("/history").content.decode()
    assert question in text(as_alice.get("/history"))
    assert question in text(as_alice.get("/history", {"q": question[:20]}))


def test_asked_again_it_is_the_same_query_and_says_whether_anything_differs(as_alice: Client, sample: Sample) -> None:
    first = saved(as_alice, name="Peers")
    response = as_alice.post(f"/runs/{first.pk}/again")
    again = worked(Run.objects.get(again_of=first))
    assert response.url == again.get_absolute_url()
    assert (again.question, again.given, again.outcome) == ("Peers", first.given, "answered")
    assert Query.model_validate(again.given) == grids.read(GRID).query
    assert "The same as your answer from" in text(as_alice.get(response.url))
    assert as_alice.get(f"/runs/{again.pk}/compare/{first.pk}").status_code == 200
    # Where a figure has changed since, that is said instead.
    answer = first.answer
    answer["blocks"][0]["table"]["cells"][0]["value"] = "1"
    Run.objects.filter(pk=first.pk).update(answer=answer)
    assert "The same as your answer from" not in text(as_alice.get(response.url))


def test_it_is_its_owners_alone(as_alice: Client, as_bob: Client, client: Client, sample: Sample) -> None:
    run = saved(as_alice, name="Peers")
    assert run.user is not None
    for stranger in (as_bob, client):
        assert stranger.get(run.get_absolute_url()).status_code == 404
        assert stranger.post(f"/runs/{run.pk}/again").status_code == 404
        assert "Peers" not in text(stranger.get("/history"))


def test_a_visitor_keeps_what_is_open_and_gaps_for_the_rest(
    client: Client, sample: Sample, settings: Settings
) -> None:
    settings.ANON_TICKERS = ["MSFT"]
    run = saved(client, measures="revenue")
    assert (run.user, run.outcome) == (None, "answered")
    gaps = {cell["company"]: cell["gap"] and cell["gap"]["code"] for cell in run.answer["blocks"][0]["table"]["cells"]}
    assert gaps == {"Microsoft": None, "Apple": "sign_in_required"}


@pytest.mark.parametrize("fields", [{"from": "x"}, {"companies": ""}, {"measures": "nonsense"}, {"companies": "NOPE"}])
def test_what_cannot_be_shown_is_not_kept(
    as_alice: Client, alice: User, sample: Sample, fields: dict[str, str]
) -> None:
    response = as_alice.post("/grid/save", {**GRID, **fields})
    assert response.status_code == 302
    assert response.url.startswith("/grid")
    assert not Run.objects.exists()


def test_a_link_keeps_nothing(as_alice: Client, sample: Sample) -> None:
    assert as_alice.get("/grid/save", GRID).status_code == 405
    assert not Run.objects.exists()
