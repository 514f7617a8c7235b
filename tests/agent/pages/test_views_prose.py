"""The page of a run that quotes filings, and the passages it leads to: what is shown, and to whom."""

import re
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from agent.models import Run
from agent.refusals.codes import Code
from agent.state import Answer
from filings.models import Section
from tests.agent.pages.test_views_run import text
from tests.support import answers, prose_answers
from tests.support.holdings import northwind
from tests.support.texts import COSTS, PERMIT, SUPPLIER, Text, section, ten_k


@pytest.fixture
def sections(db: None) -> dict[str, Section]:
    return ten_k(northwind().filings.get(fiscal_year=2025))


@pytest.fixture
def run(alice: User, sections: dict[str, Section]) -> Run:
    return answers.run_with(prose_answers.supply_answer(sections), alice)


def opened(client: Client, answer: Answer, user: User) -> str:
    return text(client.get(answers.run_with(answer, user).get_absolute_url()))


def links(page: str) -> list[str]:
    """The addresses of the citations of a card."""
    return [link.replace("&amp;", "&") for link in re.findall(r'<a class="cite" href="([^"]+)"', page)]


# --- the card ---


def test_quotations_stand_by_part_with_number_caption_item_and_page(as_alice: Client, run: Run) -> None:
    page = text(as_alice.get(run.get_absolute_url()))
    for words in (
        "In the filing's own words",
        "4 of 5 sentences quoted",
        "1 dropped",
        "We buy several critical components from one supplier each.",
        f"“{SUPPLIER}” [10K1]",
        "Item 1A, Risk Factors, page 14",
        f"“{COSTS}” [10K4]",
        "Item 7, Management's Discussion and Analysis, page 31",
        "1 claim dropped",
        "One sentence joined facts of two paragraphs",
        "No year was given.",
        "Item 1A: [10K1] , [10K2] , [10K3]",
        "Parts supply risks; effect on costs",
        "Searched Items 1A and 7",
    ):
        assert words in page, words
    assert page.index("Supply risks") < page.index(SUPPLIER) < page.index("Effect on costs") < page.index(COSTS)


def test_a_quotation_out_of_a_table_keeps_its_rows(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    run = answers.run_with(prose_answers.table_answer(sections), alice)
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert '<th scope="row">Detector chip</th><td>Meridian, Halyard</td><td class="num">(48)</td>' in page
    assert "Page F-1</p>" in page


def test_data_of_the_filing_is_a_table_of_facts_without_claims(as_alice: Client, alice: User, db: None) -> None:
    page = opened(as_alice, prose_answers.particular_answer(), alice)
    assert "Auditor Fjord & Partner LLP Cover page, dei:AuditorName" in page
    assert "quoted exactly" not in page


def test_a_figure_and_a_quotation_stand_in_one_card(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    run = answers.run_with(prose_answers.both_answer(sections), alice)
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert page.count("<article") == 1
    assert page.index("$9.412") < page.index("Cost of sales increased")
    assert page.count("How this was answered") == 1


def test_a_refused_part_stands_beside_an_answered_one(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    page = opened(as_alice, prose_answers.half_answer(), alice)
    assert page.index("$9.412") < page.index("Reason Not found in the filing")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (Code.SECTION_NOT_AVAILABLE, "is by reference to its annual report"),
        (Code.NOT_FOUND_IN_FILING, "does not answer this in Items 1A and 7"),
        (Code.UNVERIFIED, "could not be verified, so none is given"),
        (Code.SEARCH_UNAVAILABLE, "cannot be reached now"),
    ],
)
def test_a_refusal_says_why_and_where_the_text_can_be_read(
    as_alice: Client, alice: User, sections: dict[str, Section], code: Code, said: str
) -> None:
    run = answers.run_with(prose_answers.answer(prose_answers.refused(code)), alice)
    response = as_alice.get(run.get_absolute_url())
    assert said in text(response)
    assert "Read it yourself Items the question is about 1A Risk Factors Extracted, page 14" in text(response)
    page = response.content.decode()
    assert "quoted exactly" not in page
    assert (page.count(f'action="/runs/{run.pk}/again"') == 2) is (code is Code.SEARCH_UNAVAILABLE)


def test_a_quotation_is_never_markup(as_alice: Client, alice: User, sections: dict[str, Section]) -> None:
    hostile = section(sections["1A"].filing, 90, "", Text().paragraph("<script>alert(1)</script> words"))
    answer = prose_answers.answer(prose_answers.block(prose_answers.claim(hostile, "<script>alert(1)</script> words")))
    run = answers.run_with(answer, alice)
    assert b"<script>alert" not in as_alice.get(run.get_absolute_url()).content


def test_the_lines_to_copy_hold_quotations_and_sources(as_alice: Client, run: Run) -> None:
    page = as_alice.get(run.get_absolute_url()).content.decode()
    copied = re.search(r'<p id="answer-plain" hidden>(.*?)</p>', page, re.DOTALL)
    assert copied
    assert f"“{SUPPLIER}” [10K1]" in copied[1]
    assert "[10K4] Fiscal 2025 10-K, 9999988801-26-000012, Item 7" in copied[1]


def test_a_passage_that_is_no_longer_stored_has_no_link(
    as_alice: Client, run: Run, sections: dict[str, Section]
) -> None:
    Section.objects.all().delete()
    response = as_alice.get(run.get_absolute_url())
    assert SUPPLIER in text(response)
    assert links(response.content.decode()) == []
    assert "no longer stored" in text(response)


def test_a_card_costs_the_same_for_one_citation_and_for_many(
    as_alice: Client, run: Run, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(10):
        as_alice.get(run.get_absolute_url())


# --- from a citation to its passage ---


def test_every_citation_opens_its_passage_highlighted(as_alice: Client, run: Run) -> None:
    found = links(as_alice.get(run.get_absolute_url()).content.decode())
    assert len(found) == 4
    assert found[1] == f"/filings/9999988801-26-000012/1A?run={run.pk}&cite=2#c2"
    for number, link in enumerate(found, start=1):
        page = as_alice.get(link.partition("#")[0]).content.decode()
        assert f'aria-current="true" id="c{number}">' in page
        assert page.count("passage--now") == 1
        assert f"Citation {number} of 4" in page


def test_all_citations_of_a_section_are_marked_and_lead_to_one_another(as_alice: Client, run: Run) -> None:
    address = f"/filings/9999988801-26-000012/1A?run={run.pk}"
    page = as_alice.get(f"{address}&cite=3").content.decode()
    assert re.findall(r'<mark class="passage[^>]*id="(c\d)"', page) == ["c1", "c2", "c3"]
    previous = re.search(r'href="([^"]+)" rel="prev"', page)
    following = re.search(r'href="([^"]+)" rel="next"', page)
    assert previous
    assert following
    assert previous[1].endswith("/1A?run=" + str(run.pk) + "&amp;cite=2#c2")
    assert following[1].endswith("/7?run=" + str(run.pk) + "&amp;cite=4#c4")
    assert f'<a href="{run.get_absolute_url()}">Back to the answer</a>' in page


def test_the_outline_keeps_the_marks_of_the_answer(as_alice: Client, run: Run) -> None:
    page = as_alice.get(f"/filings/9999988801-26-000012/1A?run={run.pk}&cite=1").content.decode()
    assert f'<a href="/filings/9999988801-26-000012/7?run={run.pk}">' in page
    other = as_alice.get(f"/filings/9999988801-26-000012/7?run={run.pk}").content.decode()
    assert "4 citations" in other
    assert 'id="c4"' in other


def test_the_document_on_sec_gov_is_opened_at_the_passage(as_alice: Client, run: Run) -> None:
    page = as_alice.get(f"/filings/9999988801-26-000012/1A?run={run.pk}&cite=3").content.decode()
    fragment = "In%20March%202025%20an%20export%20permit,house%20delivered%20nothing%20for%20seven%20weeks."
    assert f"nwi-20251231.htm#:~:text={fragment}" in page


def test_a_stranger_sees_the_text_and_no_citation(
    client: Client, as_bob: Client, as_charlie: Client, run: Run
) -> None:
    client.post("/ask", {"question": "makes a visitor"})
    address = f"/filings/9999988801-26-000012/1A?run={run.pk}&cite=2"
    nobody = as_bob.get(f"/filings/9999988801-26-000012/1A?run={uuid4()}&cite=2")
    for stranger in (client, Client(), as_bob, as_charlie):
        response = stranger.get(address)
        assert response.status_code == 200
        assert SUPPLIER in text(response)
        assert b"<mark" not in response.content
        assert str(run.pk).encode() not in response.content
        assert "is not yours or has been deleted" in text(response)
    assert nobody.status_code == 200
    assert "is not yours or has been deleted" in text(nobody)


def test_a_marked_text_is_not_kept_by_the_browser(as_alice: Client, run: Run) -> None:
    response = as_alice.get(f"/filings/9999988801-26-000012/1A?run={run.pk}")
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("cite", ["0", "5", "-1", "two", "99999999999999999999", "1.0"])
def test_a_citation_that_the_answer_does_not_have_is_said(as_alice: Client, run: Run, cite: str) -> None:
    response = as_alice.get("/filings/9999988801-26-000012/1A", {"run": run.pk, "cite": cite})
    assert response.status_code == 400
    assert f"The answer has no citation “{cite}”: cite= is a number from 1 to 4." in text(response)
    assert SUPPLIER in text(response)


def test_an_address_that_names_no_answer_is_said(as_alice: Client, run: Run) -> None:
    response = as_alice.get("/filings/9999988801-26-000012/1A", {"run": "<b>x"})
    assert response.status_code == 400
    assert "The address names no answer" in text(response)


def test_a_text_read_anew_is_searched_for_the_passage_again(
    as_alice: Client, run: Run, sections: dict[str, Section]
) -> None:
    old = sections["1A"]
    filing, number = old.filing, old.number
    old.delete()
    section(filing, number, "1A", Text().paragraph("Something new stands before it.").paragraph(f"So. {PERMIT}"))
    page = as_alice.get(f"/filings/9999988801-26-000012/1A?run={run.pk}&cite=3")
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", page.content.decode()) == [PERMIT]
    assert "2 cited passages are not in this text" in text(page)


def test_of_co_registrants_the_text_of_the_company_asked_is_opened(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    from filings.models import Company
    from tests.support.holdings import annual_report

    filing = sections["1A"].filing
    twin = Company.objects.create(cik=5, name="Twin Co")
    twins = annual_report(twin, 2025, accession=filing.accession)
    other = section(twins, 2, "1A", Text().paragraph(f"Of the twin. {SUPPLIER}"))
    claim = prose_answers.claim(other, SUPPLIER, cik=5)
    run = answers.run_with(prose_answers.answer(prose_answers.block(claim)), alice)
    (link,) = links(as_alice.get(run.get_absolute_url()).content.decode())
    assert "?cik=5&run=" in link
    assert "Of the twin." in text(as_alice.get(link.partition("#")[0]))


def test_quoted_rows_lead_to_the_whole_table(as_alice: Client, alice: User, sections: dict[str, Section]) -> None:
    answer = prose_answers.table_answer(sections)
    page = as_alice.get(answers.run_with(answer, alice).get_absolute_url()).content.decode()
    start = answer.blocks[0].claims[0].start
    assert f'{sections["1A"].get_absolute_url()}/table.xlsx?at={start}"' in page
    assert page.count("Whole table as") == 1


def test_rows_quoted_from_another_text_lead_to_no_file(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    answer = prose_answers.table_answer(sections)
    sections["1A"].sha256 = "0" * 64
    sections["1A"].save()
    page = as_alice.get(answers.run_with(answer, alice).get_absolute_url()).content.decode()
    assert "Quoted rows" in page
    assert "Whole table as" not in page
