"""Questions that go on from an answer: what they take from it, what they leave, and what is refused."""

from datetime import date

import pytest
from agent.follow_ups.follow_on import Followed, follow, offered, refused
from agent.language.misread import Misread
from agent.language.parts import read_parts
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.models import Run
from agent.refusals.codes import Code
from agent.runs import lifecycle
from agent.state import Answer, Block, Plan, QuestionType
from agent.state.found import FilingRef
from agent.steps.deps import Deps
from tests.agent.pages.test_views_run import text
from tests.support import answers

REVENUE = "What was NVIDIA's revenue in FY2024?"
PAIR = "What was the revenue of Apple and NVIDIA in FY2024?"
NEWEST = "What was NVIDIA's revenue?"
DATED = "Apple revenue for the year ended September 28, 2024"
BOTH = "What was Apple's revenue in FY2024, and what drove it?"
SUPPLY = "What supply risks did Apple disclose in its fiscal 2024 10-K?"
COMPETITION = "How does NVIDIA describe competition?"


@pytest.fixture
def deps(db: None, sample: object) -> Deps:
    return Deps.current()


def answer_to(question: str, deps: Deps, year: int | None = 2024) -> Answer:
    """An answer with the plan of its question, quoted from the filing of a fiscal year."""
    found, _ = read_parts(question, deps.companies, deps.registry, deps.today)
    plan = found if isinstance(found, Plan) else Plan(type=found.type, spans=found.spans)
    day = date(2024, 12, 31)
    filing = FilingRef(
        target=0, filing=1, accession="1", form="10-K", filed=day, fiscal_year=year or 0, period_end=day, url=""
    )
    block = Block(target=0, type=plan.type, outcome="answered", filings=(filing,) if year else ())
    return Answer(question=question, plan=plan, blocks=(block,), versions=deps.versions)


def after(question: str, said: str, deps: Deps, year: int | None = 2024) -> Followed:
    return follow(said, answer_to(question, deps, year), deps)


def taken(followed: Followed) -> dict[str, str]:
    return {one.part: one.value for one in followed.taken}


COMPANY, PERIOD, MEASURE = {"Company": "NVIDIA"}, {"Period": "FY2024"}, {"Measure": "Total revenue"}
APPLE, FISCAL, SUPPLIES = {"Company": "Apple"}, {"Period": "fiscal 2024"}, {"Topic": "supply risks"}


@pytest.mark.parametrize(
    ("before", "said", "whole", "took"),
    [
        # another period
        (REVENUE, "and in FY2023?", "What was NVIDIA's revenue in FY2023?", COMPANY | MEASURE),
        (REVENUE, "FY22", "What was NVIDIA's revenue in FY22?", COMPANY | MEASURE),
        (REVENUE, "how about fiscal year 2021?", "What was NVIDIA's revenue in fiscal year 2021?", COMPANY | MEASURE),
        (REVENUE, "how much was it in FY2022?", "What was NVIDIA's revenue in FY2022?", COMPANY | MEASURE),
        (REVENUE, "last year?", "What was NVIDIA's revenue last year?", COMPANY | MEASURE),
        (REVENUE, "for the full year 2023", "What was NVIDIA's revenue in 2023?", COMPANY | MEASURE),
        (NEWEST, "And 2022?", "What was NVIDIA's revenue in 2022?", COMPANY | MEASURE),
        (SUPPLY, "and in FY2023?", "What supply risks did Apple disclose in its FY2023 10-K?", APPLE | SUPPLIES),
        (COMPETITION, "and in 2023?", "How does NVIDIA describe competition in 2023?", COMPANY | {"Topic": "competition"}),
        # the year beside that of the answer
        (
            REVENUE, "and the year before?", "What was NVIDIA's revenue in fiscal 2023?",
            COMPANY | MEASURE | {"Period": "fiscal 2023, the year before the previous answer's"},
        ),
        (
            REVENUE, "what about the prior year", "What was NVIDIA's revenue in fiscal 2023?",
            COMPANY | MEASURE | {"Period": "fiscal 2023, the year before the previous answer's"},
        ),
        (
            DATED, "and the following year?", "Apple revenue in fiscal 2025",
            APPLE | MEASURE | {"Period": "fiscal 2025, the year after the previous answer's"},
        ),
        (
            SUPPLY, "the year before?", "What supply risks did Apple disclose in its fiscal 2023 10-K?",
            APPLE | SUPPLIES | {"Period": "fiscal 2023, the year before the previous answer's"},
        ),
        # another company
        (REVENUE, "what about Microsoft?", "What was Microsoft's revenue in FY2024?", PERIOD | MEASURE),
        (REVENUE, "Apple", "What was Apple's revenue in FY2024?", PERIOD | MEASURE),
        (REVENUE, "same for amazon", "What was amazon's revenue in FY2024?", PERIOD | MEASURE),
        (REVENUE, "GOOGL", "What was GOOGL's revenue in FY2024?", PERIOD | MEASURE),
        (REVENUE, "and what was it for Microsoft?", "What was Microsoft's revenue in FY2024?", PERIOD | MEASURE),
        (REVENUE, "what about Apple that year?", "What was Apple's revenue in FY2024?", PERIOD | MEASURE),
        (REVENUE, "And Meta's?", "What was Meta's revenue in FY2024?", PERIOD | MEASURE),
        (REVENUE, "and McDonald's?", "What was McDonald's revenue in FY2024?", PERIOD | MEASURE),
        (REVENUE, "What about Target?", "What was Target's revenue in FY2024?", PERIOD | MEASURE),
        (SUPPLY, "what about NVIDIA?", "What supply risks did NVIDIA disclose in its fiscal 2024 10-K?", FISCAL | SUPPLIES),
        (SUPPLY, "And Amazon's?", "What supply risks did Amazon disclose in its fiscal 2024 10-K?", FISCAL | SUPPLIES),
        (
            BOTH, "what about NVIDIA?", "What was NVIDIA's revenue in FY2024, and what drove it?",
            PERIOD | MEASURE | {"Topic": "revenue"},
        ),
        ("Who audits Apple?", "and NVIDIA?", "Who audits NVIDIA?", {"Data of the filing": "auditor"}),
        # both
        (REVENUE, "and for Apple in 2023?", "What was Apple's revenue in 2023?", MEASURE),
        (REVENUE, "AMZN 2023", "What was AMZN's revenue in 2023?", MEASURE),
        # another measure
        (REVENUE, "and operating income?", "Operating income for NVIDIA in FY2024?", COMPANY | PERIOD),
        (REVENUE, "what was its net income?", "What was NVIDIA's net income in FY2024?", COMPANY | PERIOD),
        (REVENUE, "how about R&D in FY2022", "How about R&D in FY2022 for NVIDIA", COMPANY),
        (REVENUE, "What about the company's debt?", "What about NVIDIA's debt in FY2024?", COMPANY | PERIOD),
        (NEWEST, "total assets", "Total assets for NVIDIA", COMPANY),
        (SUPPLY, "what was revenue?", "What was revenue for Apple in fiscal 2024?", APPLE | FISCAL),
        (DATED, "and net income?", "Net income for Apple for the year ended September 28, 2024?", APPLE | {"Period": "year ended September 28, 2024"}),
        # text behind a figure, and behind text
        (REVENUE, "What about supply chain risks?", "What about supply chain risks for NVIDIA in FY2024?", COMPANY | PERIOD),
        (REVENUE, "does it mention tariffs?", "Does NVIDIA mention tariffs in FY2024?", COMPANY | PERIOD),
        (SUPPLY, "and competition?", "Competition for Apple in fiscal 2024?", APPLE | FISCAL),
        (SUPPLY, "who audits them?", "Who audits Apple in fiscal 2024?", APPLE | FISCAL),
        (SUPPLY, "how does the company compete?", "How does Apple compete in fiscal 2024?", APPLE | FISCAL),
        (SUPPLY, "What does it say about Intel?", "What does Apple say about Intel in fiscal 2024?", APPLE | FISCAL),
        (SUPPLY, "Do they mention China?", "Does Apple mention China in fiscal 2024?", APPLE | FISCAL),
        (COMPETITION, "What is its strategy?", "What is NVIDIA's strategy?", COMPANY),
        # "it" as the figure
        (REVENUE, "why did it increase?", "Why did revenue increase for NVIDIA in FY2024?", COMPANY | PERIOD | MEASURE),
        (REVENUE, "what drove it?", "What drove revenue for NVIDIA in FY2024?", COMPANY | PERIOD | MEASURE),
        (REVENUE, "why?", "Why did revenue change for NVIDIA in FY2024?", COMPANY | PERIOD | MEASURE),
        # the unit of size
        (REVENUE, "in billions", "What was NVIDIA's revenue in FY2024 in billions?", COMPANY | PERIOD | MEASURE),
        # only the period is missing
        (REVENUE, "What was Microsoft's net income?", "What was Microsoft's net income in FY2024?", PERIOD),
        # what a refused question said
        ("What was the revenue in FY2024?", "for Apple", "What was the revenue in FY2024 for Apple?", {"Measure": "revenue", "Period": "FY2024"}),
        ("What was Apple's frobnication in FY2024?", "and revenue?", "Revenue for Apple in FY2024?", APPLE | PERIOD),
        ("What was Tesla's revenue in 2035?", "and in FY2024?", "What was Tesla's revenue in FY2024?", {"Company": "Tesla"} | MEASURE),
    ],
)  # fmt: skip
def test_what_is_left_out_is_taken_and_told(deps: Deps, before: str, said: str, whole: str, took: dict) -> None:
    followed = after(before, said, deps)
    assert (followed.question, taken(followed), followed.unclear) == (whole, took, "")
    found, _ = read_parts(whole, deps.companies, deps.registry, deps.today)
    assert isinstance(found, Plan)


@pytest.mark.parametrize(
    ("before", "said", "whole", "code"),
    [
        (REVENUE, "in Q3?", "What was NVIDIA's revenue in Q3?", Code.INTERIM_PERIOD),
        (REVENUE, "over the last three years", "What was NVIDIA's revenue over the last three years?", Code.YEAR_OVER_YEAR),
        (REVENUE, "for the years 2022 and 2023?", "What was NVIDIA's revenue in 2022 and 2023?", Code.YEAR_OVER_YEAR),
        (REVENUE, "should I buy it?", "Should I buy NVIDIA in FY2024?", Code.ADVICE),
        (REVENUE, "what was its growth?", "What was revenue growth for NVIDIA in FY2024?", Code.YEAR_OVER_YEAR),
        (REVENUE, "and the margin?", "The margin for NVIDIA in FY2024?", Code.AMBIGUOUS_CONCEPT),
    ],
)  # fmt: skip
def test_a_whole_question_that_is_refused_is_refused_as_any_other(
    deps: Deps, before: str, said: str, whole: str, code: Code
) -> None:
    followed = after(before, said, deps)
    assert followed.question == whole
    found, _ = read_parts(whole, deps.companies, deps.registry, deps.today)
    assert isinstance(found, Misread)
    assert found.code is code


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (REVENUE, "Microsoft and Apple?"),  # two companies where one was
        (PAIR, "and net income?"),  # of which
        (PAIR, "what about Amazon?"),
        (PAIR, "and in FY2023?"),
        (REVENUE, "what about target?"),  # an everyday word
        (REVENUE, "and BMW?"),  # a name nobody knows
        (REVENUE, "what about AI?"),  # a ticker, or a subject
        (REVENUE, "and the EU?"),
        (REVENUE, "and for data center?"),  # narrows the figure, or is a subject of its own
        (REVENUE, "in the US"),
        (REVENUE, "by segment"),
        (REVENUE, "and 21?"),
        (REVENUE, "what does this mean?"),
        (REVENUE, "make it short"),
        (SUPPLY, "What about competition from Intel?"),  # Apple's words about Intel, or Intel's own
        (SUPPLY, "compare with Microsoft"),
        (SUPPLY, "What has Amazon's 10-K to say about its suppliers?"),
        (REVENUE, "Are they hurt by Apple?"),  # read as a question to Apple
        (REVENUE, "Does Microsoft buy from them?"),
        (SUPPLY, "in Q2"),
        (SUPPLY, "How does it affect margins?"),  # the risk, or the company
        (SUPPLY, "How are they mitigated?"),
        (SUPPLY, "what are those risks?"),
        (SUPPLY, "and in China?"),
        (SUPPLY, "What is its impact?"),
    ],
)
def test_what_could_be_meant_in_two_ways_takes_nothing_and_says_why(deps: Deps, before: str, said: str) -> None:
    followed = after(before, said, deps)
    assert followed.unclear
    assert (followed.question, followed.taken) == (said, ())


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (REVENUE, "What was Microsoft's net income in FY2023?"),
        (NEWEST, "What was Microsoft's net income?"),  # no year was named, so none is taken
        (REVENUE, "thanks"),
        (REVENUE, "?"),
        ("hello", "and Apple?"),
        (REVENUE, "Microsoft in the US in 2023?"),  # not all of it can replace a part: nothing is dropped
        (REVENUE, "only Apple in 2023"),
    ],
)
def test_a_question_that_stands_for_itself_takes_nothing(deps: Deps, before: str, said: str) -> None:
    assert after(before, said, deps) == Followed(said)


def test_the_year_before_is_not_guessed_where_the_answer_has_none(deps: Deps) -> None:
    assert after(NEWEST, "and the year before?", deps, year=None).unclear
    assert not after(NEWEST, "and the year before?", deps, year=2024).unclear


def test_it_is_offered_where_there_is_something_to_take(deps: Deps) -> None:
    assert offered(answer_to(REVENUE, deps))
    assert offered(answer_to("What was the revenue in FY2024?", deps))
    assert not offered(answer_to("hello", deps))


def test_a_question_that_grows_too_long_takes_nothing(deps: Deps, settings) -> None:
    settings.QUESTION_MAX_LENGTH = 40
    assert after(REVENUE, "What are the main risks?", deps).unclear


# --- as a run ---


def asked(user: User, question: str, **fields: object) -> Run:
    """A run of the question, worked through."""
    run = Run.objects.create(user=user, question=question, **fields)
    attempt = Run.objects.claim(run.pk)
    assert attempt
    lifecycle.answer(run.pk, attempt)
    run.refresh_from_db()
    return run


def shown(client: Client, run: Run) -> str:
    return text(client.get(run.get_absolute_url()))


@pytest.fixture
def revenue(alice: User, sample: object) -> Run:
    return asked(alice, REVENUE)


def test_the_form_below_an_answer_asks_a_run_that_continues_it(as_alice: Client, alice: User, revenue: Run) -> None:
    page = as_alice.get(revenue.get_absolute_url()).content.decode()
    assert f'action="{reverse("run_follow", args=[revenue.pk])}"' in page
    response = as_alice.post(reverse("run_follow", args=[revenue.pk]), {"question": " and in\nFY2023? "})
    new = Run.objects.get(continues=revenue)
    assert response.url == new.get_absolute_url()
    assert (new.user, new.question, new.composed) == (alice, "and in FY2023?", "")


def test_an_answer_tells_what_was_taken(as_alice: Client, alice: User, revenue: Run) -> None:
    run = asked(alice, "and in FY2023?", continues=revenue)
    assert (run.question, run.composed) == ("and in FY2023?", "What was NVIDIA's revenue in FY2023?")
    assert run.outcome == "answered"
    page = shown(as_alice, run)
    assert "Read as What was NVIDIA's revenue in FY2023?" in page
    assert "Company taken from your previous question: NVIDIA" in page
    assert "Measure taken from your previous question: Total revenue" in page
    assert "Period taken" not in page
    assert run.summary != revenue.summary


def test_a_chain_goes_on_from_the_whole_question(as_alice: Client, alice: User, revenue: Run) -> None:
    second = asked(alice, "what about Apple?", continues=revenue)
    third = asked(alice, "and net income?", continues=second)
    assert third.composed == "Net income for Apple in FY2024?"
    assert third.company == "Apple Inc."


def test_nothing_is_taken_without_the_choice(alice: User, revenue: Run) -> None:
    run = asked(alice, "and in FY2023?")
    assert (run.outcome, run.refusal_code, run.taken, run.composed) == ("refused", "no_company", None, "")


def test_what_is_unclear_is_refused_and_said(as_alice: Client, alice: User, revenue: Run) -> None:
    run = asked(alice, "Microsoft and Apple?", continues=revenue)
    assert (run.outcome, run.refusal_code, run.taken) == ("refused", Code.NOT_UNDERSTOOD, None)
    page = shown(as_alice, run)
    assert "takes from the previous question: it names several companies" in page
    assert "Refused at Plan" in page
    assert run.steps.get().refused


def test_asked_again_it_asks_the_same_though_the_answer_before_is_gone(
    as_alice: Client, alice: User, revenue: Run
) -> None:
    run = asked(alice, "and in FY2023?", continues=revenue)
    revenue.delete()
    as_alice.post(f"/runs/{run.pk}/again")
    again = Run.objects.get(again_of=run)
    assert (again.question, again.composed, again.taken) == (run.question, run.composed, run.taken)
    attempt = Run.objects.claim(again.pk)
    assert attempt
    lifecycle.answer(again.pk, attempt)
    again.refresh_from_db()
    assert again.summary == run.summary
    assert "The same as" in shown(as_alice, again)


def test_a_second_attempt_asks_what_the_first_one_asked(alice: User, revenue: Run) -> None:
    run = asked(alice, "and in FY2023?", continues=revenue)
    Run.objects.filter(pk=run.pk).update(status=Run.Status.QUEUED, continues=None)
    attempt = Run.objects.claim(run.pk)
    assert attempt == 2
    lifecycle.answer(run.pk, attempt)
    before, run = run, Run.objects.get(pk=run.pk)
    assert run.summary == before.summary


def test_an_answer_that_is_read_no_more_gives_nothing(alice: User, revenue: Run) -> None:
    Run.objects.filter(pk=revenue.pk).update(answer={"of": "a former release"})
    run = asked(alice, "and in FY2023?", continues=revenue)
    assert (run.refusal_code, run.taken) == ("no_company", None)


def test_an_empty_question_is_told_on_the_page_of_the_answer(as_alice: Client, revenue: Run) -> None:
    response = as_alice.post(reverse("run_follow", args=[revenue.pk]), {"question": "  "})
    assert response.status_code == 422
    assert "Type a question first." in text(response)
    assert Run.objects.count() == 1


def test_a_refused_question_offers_to_go_on_and_small_talk_does_not(as_alice: Client, alice: User) -> None:
    unknown = asked(alice, "What was Apple's frobnication in FY2024?")
    assert b'id="follow"' in as_alice.get(unknown.get_absolute_url()).content
    meta = answers.run_with(answers.meta_answer(), alice)
    assert b'id="follow"' not in as_alice.get(meta.get_absolute_url()).content


def test_the_plan_of_a_refusal_is_none(deps: Deps) -> None:
    before = answer_to(REVENUE, deps)
    answer = refused("by segment", follow("by segment", before, deps), before, deps)
    assert (answer.outcome, answer.plan.type, answer.refusal_code) == (
        "refused",
        QuestionType.REFUSE,
        "not_understood",
    )
