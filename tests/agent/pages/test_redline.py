"""The page of what changed in an Item between two years, its files, and the same from the API."""

import json
from html import unescape

import pytest
from django.test import Client
from django.utils.html import strip_tags

from accounts.models import User
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from filings.models import Section
from tests.agent.pages.test_views_run import text
from tests.support import answers
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

NORTHWIND = "/companies/9999999901"
YEARS = "item=1A&from=2024&to=2025"
ADDED = "Tariffs may raise our costs and may not be passed on."
REMOVED = "The move of assembly from Rochester to Duluth may not bring the savings that we expect."


@pytest.fixture
def page(sample: Sample, client: Client) -> str:
    return client.get(f"{NORTHWIND}/redline?{YEARS}").content.decode()


def test_the_result_stands_first_then_the_risks_then_the_text(page: str) -> None:
    said = "2 risks were added and 1 removed; 36 kept their headings."
    places = [page.index(words) for words in (said, f"<ins>{ADDED}</ins>", f"<del>{REMOVED}</del>", 'id="text"')]
    assert places == sorted(places)
    assert "44 passages were added, 24 dropped and 9 changed; in 10 only figures or dates rolled forward." in page


def test_each_risk_leads_to_its_change_and_each_change_to_the_next_and_to_both_filings(
    page: str, sample: Sample
) -> None:
    risks = Section.objects.get(filing=sample.filing("NWND", 2025), item="1A")
    start = risks.text.index(ADDED)
    anchor = f"new-{start}"
    assert page.count(f'href="#{anchor}"') >= 3  # from the list of risks, by its own number, and from a neighbour
    assert f'id="{anchor}"' in page
    assert f"{risks.get_absolute_url()}?cik=9999999901&amp;at={start}-{start + len(ADDED)}#at" in page


def test_side_by_side_each_side_has_its_own_words(client: Client, sample: Sample) -> None:
    page = client.get(f"{NORTHWIND}/redline?{YEARS}&view=side").content.decode()
    older, newer = (part.split("</p>")[0] for part in page.split('aria-label="Fiscal 202')[1:3])
    assert older.startswith("4")
    assert "<del>" in older
    assert "<ins>" not in older
    assert "<ins>" in newer
    assert "<del>" not in newer


def test_what_stayed_the_same_is_folded_and_complete(page: str, sample: Sample) -> None:
    assert "paragraphs unchanged, 1 of them but for figures or dates" in page
    risks = Section.objects.get(filing=sample.filing("NWND", 2025), item="1A")
    assert "<details" in page
    last = risks.text[risks.parsed_blocks[-1].start : risks.parsed_blocks[-1].end]
    assert last.replace("'", "&#x27;")[:60] in page


def test_an_address_without_years_leads_to_the_one_that_stays(client: Client, sample: Sample) -> None:
    for address in (f"{NORTHWIND}/redline", "/companies/nwnd/redline"):
        reply = client.get(address, follow=True)
        assert reply.redirect_chain[-1][0] == f"{NORTHWIND}/redline?{YEARS}&view=inline"
        assert reply.status_code == 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("from=abc", "“abc” is no fiscal year, such as 2024."),
        ("from=2001", "No annual report of Northwind (fictional) for fiscal 2001 is held as text."),
        ("item=11", "Item 11, Executive Compensation is not held as text"),
        ("item=%3Cb%3E", "Item &lt;B&gt; is not held"),
    ],
)
def test_what_cannot_be_compared_is_told_above_the_choice(
    client: Client, sample: Sample, query: str, said: str
) -> None:
    reply = client.get(f"{NORTHWIND}/redline?{query}")
    assert reply.status_code == 404
    page = reply.content.decode()
    assert said in page
    assert 'name="item"' in page


def test_files_hold_every_change_verbatim(client: Client, sample: Sample) -> None:
    written = client.get(f"{NORTHWIND}/redline.md?{YEARS}")
    assert written["Content-Disposition"] == 'attachment; filename="northwind-fictional-1a-2024-2025.md"'
    said = written.content.decode()
    assert f"> **Added, fiscal 2025, page 9:** {ADDED}" in said
    assert f"> **Dropped, fiscal 2024, page 9:** {REMOVED}" in said
    made = json.loads(client.get(f"{NORTHWIND}/redline.json?{YEARS}").content)
    texts = {year: Section.objects.get(filing=sample.filing("NWND", year), item="1A").text for year in (2024, 2025)}
    passages = [*made["captions"], *(one for change in made["changes"] for one in change["passages"])]
    for one in passages:
        for side, year in (("older", 2024), ("newer", 2025)):
            quoted = one[side]
            assert quoted is None or texts[year][quoted["start"] : quoted["end"]] == quoted["text"]
    assert made["said"][0] == "2 risks were added and 1 removed; 36 kept their headings."
    assert client.get(f"{NORTHWIND}/redline.pdf").status_code == 400
    assert client.get(f"{NORTHWIND}/redline.md?from=2001").status_code == 404


def test_the_api_gives_the_object_of_the_file(client: Client, sample: Sample) -> None:
    of_file = client.get(f"{NORTHWIND}/redline.json?{YEARS}").json()
    assert client.get("/api/v1/companies/NWND/redline?from=2024&to=2025").json() == of_file
    refused = client.get("/api/v1/companies/NWND/redline?from=2001")
    assert refused.status_code == 404
    assert "fiscal 2001 is held as text" in refused.json()["detail"]


def test_the_company_and_the_reader_lead_to_it(client: Client, sample: Sample) -> None:
    assert f'href="{NORTHWIND}/redline"' in client.get(NORTHWIND).content.decode()
    assert "/redline" not in client.get("/companies/320193").content.decode()
    risks = {year: Section.objects.get(filing=sample.filing("NWND", year), item="1A") for year in (2024, 2025)}
    newer = client.get(risks[2025].get_absolute_url())
    assert "What changed since the year before" in text(newer)
    assert f"{NORTHWIND}/redline?item=1A&amp;from=2024&amp;to=2025" in newer.content.decode()
    assert "What changed since the year before" not in text(client.get(risks[2024].get_absolute_url()))


@pytest.mark.parametrize(
    ("question", "headings", "link"),
    [
        (
            "What changed in Northwind's risk factors in 2025?",
            ["Added", "Removed"],
            f"{NORTHWIND}/redline?item=1A&amp;from=2024&amp;to=2025",
        ),
        (
            "What changed in Calder's MD&A in 2025?",
            ["Added", "Removed", "Reworded"],
            "/companies/9999999903/redline?item=7&amp;from=2024&amp;to=2025",
        ),
    ],
)
def test_an_answer_leads_to_the_comparison(
    as_alice: Client, alice: User, sample: Sample, question: str, headings: list[str], link: str
) -> None:
    run = answers.run_with(pipeline.answer(question, Deps.current(TODAY)), alice)
    card = as_alice.get(run.get_absolute_url()).content.decode()
    assert f'<a href="{link}">' in card
    assert [one for one in ("Added", "Removed", "Reworded") if f">{one}</h3>" in card] == headings


def test_the_api_says_what_became_of_each_risk(as_alice: Client, alice: User, sample: Sample) -> None:
    run = answers.run_with(
        pipeline.answer("How did Calder's risk factors change in 2025?", Deps.current(TODAY)), alice
    )
    (part,) = as_alice.get(f"/api/v1/runs/{run.pk}").json()["answer"]["parts"]
    assert [one["part"] for one in part["quotations"]] == ["added", "removed", "reworded", "reworded"]


def test_a_row_that_changed_stands_below_the_headings_of_its_columns(client: Client, sample: Sample) -> None:
    made = client.get(f"{NORTHWIND}/redline.json?item=7&from=2024&to=2025").json()
    rows = [
        (said["text"], said["columns"])
        for change in made["changes"]
        for passage in change["passages"]
        if passage["kind"] == "changed" and (said := passage["newer"]) and "\t" in said["text"]
    ]
    text, columns = next(one for one in rows if one[1])
    page = client.get(f"{NORTHWIND}/redline?item=7&from=2024&to=2025&view=side").content.decode()
    newer = page.split('aria-label="Fiscal 2025"')
    at = next(place for place, side in enumerate(newer) if plain(text) in plain(side.split("</p>")[0]))
    assert plain(columns) in plain("".join(newer[at - 3 : at]))


def plain(markup: str) -> str:
    return "".join(strip_tags(unescape(markup)).split())
