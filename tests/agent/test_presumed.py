"""Figures that show otherwise than a question takes for granted, over the fictional sample."""

import pytest
from django.test import Client

from accounts.models import User
from agent.numbers.registry import registry
from agent.query.words.lexicon import key_of
from agent.runs.answer_json import as_text
from agent.state import Answer, QuestionType
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.presumed import presumed_in
from evals.golden import TODAY
from tests.support import answers
from tests.support.sample import Sample


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why did Northwind's revenue fall in fiscal 2025?", "Total revenue rose by $8.845 million to $147.88 million in fiscal 2025."),
        ("Why did Northwind cut its R&D in fiscal 2025?", "Research and development expense rose by $975,000 to $20.385 million in fiscal 2025."),
        ("Why did Northwind post a loss in fiscal 2025?", "Net income attributable to the parent was $15.54 million in fiscal 2025, which is no loss."),
        ("Why did Larkfield suspend its dividend?", "It paid $64 million of dividends in fiscal 2025, and no sentence found speaks of an end to them."),
        ("Why did Larkfield stop buying back shares in fiscal 2025?", "It bought back shares for $75 million in fiscal 2025, and no sentence found speaks of an end to that."),
        ("Why did Calder resume its dividend in 2025?", "It paid no dividends in fiscal 2025."),
        ("How did Calder pay off its entire long-term debt in 2025?", "Long-term debt including current portion was $526 million at the end of fiscal 2025."),
    ],
)  # fmt: skip
def test_figures_of_the_filing_answer_what_is_wrongly_taken_for_granted(
    sample: Sample, question: str, said: str
) -> None:
    answer = ask(question)
    block = answer.blocks[0]
    assert (block.outcome, block.type, block.notes) == ("answered", QuestionType.NUMERIC, (said,))
    assert block.table is not None
    (filing,) = {fact.accession for cell in block.table.asserted for fact in cell.facts}
    assert filing in as_text(answer)
    assert as_text(answer).startswith(said)
    assert all(check.ok for check in block.checks)


@pytest.mark.django_db
def test_beside_the_figures_stands_the_cause_of_the_change_that_there_was(sample: Sample) -> None:
    figures, text = ask("Why did Northwind's revenue fall in fiscal 2025?").blocks
    (claim,) = text.claims
    assert claim.quote.startswith("Revenue increased by 6%")
    assert figures.notes
    assert not set(figures.notes) & set(text.notes)


@pytest.mark.django_db
def test_on_the_page_what_the_figures_say_stands_first(sample: Sample, as_alice: Client, alice: User) -> None:
    answer = ask("Why did Northwind's revenue fall in fiscal 2025?")
    page = as_alice.get(answers.run_with(answer, alice).get_absolute_url()).content.decode()
    assert page.index(answer.blocks[0].notes[0]) < page.index("figure__value") < page.index("Revenue increased by 6%")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question",
    [
        "Why did Northwind's revenue rise in fiscal 2025?",
        "Why did Calder suspend its dividend in 2024?",  # it paid in the first half of the year
        "Why did Northwind's software revenue rise in fiscal 2025?",
    ],
)
def test_what_figures_or_text_bear_out_is_not_contradicted(sample: Sample, question: str) -> None:
    for block in ask(question).blocks:
        assert block.table is None
        assert not any("does not say what" in note for note in block.notes)


@pytest.mark.django_db
def test_where_neither_figures_nor_text_tell_of_an_event_the_answer_says_so_and_asserts_nothing(
    sample: Sample,
) -> None:
    (block,) = ask("Why did Northwind recall the Halyard 200 in fiscal 2025?").blocks
    assert block.outcome == "passages"
    assert "Nothing found that says so." in block.notes


def presumed(text: str) -> tuple[tuple[str, ...], str] | None:
    """The measures that a question takes something for granted of, and what."""
    found = presumed_in(text, registry.load())
    return found and (tuple(key_of(row.measure) for row in found.rows), found.moved or found.shown_by)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Why did revenue fall at the company?", (("revenue",), "down")),
        ("What drove the company's net income higher?", (("net_income",), "up")),
        ("Why did the company's gross margin rise?", (("gross_margin",), "up")),
        ("What led the company to lower its dividend?", (("dividends_paid", "dividends_per_share"), "down")),
        ("Why did the company post an operating loss?", (("operating_income",), "positive")),
        ("Why was the company profitable?", (("net_income",), "negative")),
        ("Why did the company suspend its quarterly dividend?", (("dividends_paid",), "positive")),
    ],
)
def test_a_question_presumes_a_move_or_a_sign_of_a_measure(text: str, expected: tuple[tuple[str, ...], str]) -> None:
    assert presumed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Why did cloud revenue fall?",
        "Why did other revenue fall?",
        "Why is the company's gross margin so high?",
        "Why did the company's shares fall?",
        "Why did contract revenue fall?",
        "Why did growth capex rise?",
        "Why did the company raise debt?",
        "Why did operating lease payments fall?",
        "Why did the company lose gross margin?",
        "How did the company pay off debt?",
        "Why did the company initiate a dividend?",
        "Why did revenue fall in Europe?",
        "Why did revenue fall as a share of sales?",
        "Why did revenue growth fall?",
        "Why did revenue not rise?",
        "Why did the company's net loss rise?",
        "Why did costs of sales improve?",
        "Why did the company lose customers?",
        "Why did the company record credit losses?",
        "Why did the company end its loyalty program?",
        "Why did the company suspend its preferred dividend?",
        "Did revenue fall?",
    ],
)
def test_what_is_not_understood_whole_presumes_nothing_of_figures(text: str) -> None:
    assert presumed(text) is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    "question",
    [
        "Why did Northwind's revenue fall over the last three years?",
        "Why was Northwind's revenue lower in fiscal 2025 than in fiscal 2024?",
        "Why did Northwind's revenue fall from fiscal 2024 to fiscal 2025?",
        "Why is Northwind's gross margin lower than Larkfield's?",
    ],
)
def test_of_several_years_or_companies_one_year_denies_nothing(sample: Sample, question: str) -> None:
    assert not any("rose by" in note for block in ask(question).blocks for note in block.notes)
