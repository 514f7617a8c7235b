"""The box that questions are typed in is the same on every page, and says what a question goes on from."""

import re

import pytest
from django.test import Client

from accounts.models import User
from agent.models import Run
from tests.support import answers
from tests.support.sample import Sample

BOX = re.compile(r'<form class="ask[ "].*?</form>', re.DOTALL)


def boxes(client: Client, address: str) -> list[str]:
    return BOX.findall(client.get(address).content.decode())


@pytest.fixture
def run(alice: User) -> Run:
    return answers.run_with(answers.number_answer(), alice)


def test_every_page_that_a_question_is_typed_on_has_the_same_box(as_alice: Client, run: Run, sample: Sample) -> None:
    company = sample["AAPL"].get_absolute_url()
    ids = {
        address: re.findall(r'id="([\w-]+)" name="question"', "".join(boxes(as_alice, address)))
        for address in ("/", "/history", company, run.get_absolute_url())
    }
    assert ids == {
        "/": ["question"],
        "/history": ["ask-bar"],
        company: ["ask-bar", "company-question"],
        run.get_absolute_url(): ["ask-bar", "follow-question"],
    }
    for address in ids:
        for box in boxes(as_alice, address):
            assert 'action="/ask" method="post"' in box
            assert 'data-suggest="/suggest"' in box
            assert "csrfmiddlewaretoken" in box


def test_without_a_script_it_is_no_combobox(client: Client, db: None) -> None:
    (box,) = boxes(client, "/")
    assert "role=" not in box
    assert "aria-expanded" not in box
    assert "autofocus" in box


def test_only_the_box_below_an_answer_goes_on_from_it(as_alice: Client, run: Run) -> None:
    header, below = boxes(as_alice, run.get_absolute_url())
    assert "continues" not in header
    assert f'name="continues" value="{run.pk}"' in below
    assert f'about <a href="{run.get_absolute_url()}">Northwind, fiscal 2024</a>' in below
    assert 'href="/" aria-label="Ask on its own, not about Northwind, fiscal 2024"' in below


def test_without_a_script_the_question_stays_where_it_goes_on_no_more(as_alice: Client, run: Run) -> None:
    (box,) = boxes(as_alice, f"/?q=R%26D+in+2023%3F&continues={run.pk}")
    (alone,) = re.findall(r'class="chip__drop" href="([^"]*)"', box)
    assert alone == "/?q=R%26D%20in%202023%3F"
    (box,) = boxes(as_alice, alone)
    assert 'value="R&amp;D in 2023?"' in box
    assert "continues" not in box


def test_several_companies_are_named_or_counted(as_alice: Client, alice: User) -> None:
    answer = answers.number_answer()
    query = answer.plan.query
    assert query is not None

    def about(*names: str) -> str:
        company = query.companies[0]
        companies = tuple(
            company.model_copy(update={"cik": place, "short": name}) for place, name in enumerate(names, 1)
        )
        plan = answer.plan.model_copy(update={"query": query.model_copy(update={"companies": companies})})
        kept = answers.run_with(answer.model_copy(update={"plan": plan}), alice)
        return re.findall(r'about <a href="[^"]*">([^<]*)</a>', boxes(as_alice, f"/?continues={kept.pk}")[0])[0]

    assert about("Apple", "Nike") == "Apple and Nike, fiscal 2024"
    assert about("Apple", "Nike", "Visa") == "Apple and 2 more, fiscal 2024"


def test_an_answer_whose_form_is_read_no_more_is_gone_on_from_without_its_name(as_alice: Client, run: Run) -> None:
    Run.objects.update(answer={"of": "a former release"})
    assert (
        f'about <a href="{run.get_absolute_url()}">your previous question</a>'
        in boxes(as_alice, f"/?continues={run.pk}")[0]
    )


def test_a_stranger_sees_nothing_of_it(as_bob: Client, run: Run) -> None:
    page = as_bob.get(f"/?q=and+in+2023%3F&continues={run.pk}").content.decode()
    assert "Northwind, fiscal 2024" not in page
    assert 'name="continues"' not in page
    assert "is not in this browser&#x27;s history" in page
