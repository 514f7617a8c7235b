"""What a company expects of a time to come: the questions for it, and the sentences that say it."""

import pytest

from agent.prose.answers.foretold import asks_ahead, looks_forward


@pytest.mark.parametrize(
    "question",
    [
        "What does the company expect for next year?",
        "What is the company's outlook for lenses?",
        "What guidance does the company give?",
        "What does the company's management expect of lens prices?",
        "What does the company's expect its tax rate to be?",  # of a company whose name ends in "'s"
        "How much does the company plan to spend on furnaces?",
        "What are the company's plans for furnaces?",
        "What does the company expect its tax rate will be?",
    ],
)
def test_a_question_may_be_for_what_the_company_itself_expects(question: str) -> None:
    assert asks_ahead(question)


@pytest.mark.parametrize(
    "question",
    [
        "Will the company's revenue grow next year?",
        "Will the company meet its guidance?",
        "What do analysts expect of the company's outlook?",
        "What do the company's customers expect?",
        "What new accounting guidance did the company adopt?",
        "What are the company's expected credit losses?",
        "What was the company's expected return on plan assets?",
        "How does the company raise capital?",
        "What customers does the company target?",
        "the company operating income forecast",
    ],
)
def test_a_forecast_or_somebody_elses_expectation_or_a_thing_that_is_called_so_is_none(question: str) -> None:
    assert not asks_ahead(question)


@pytest.mark.parametrize(
    "sentence",
    [
        "We expect capital expenditures of $3 billion in 2025.",
        "We do not currently expect to pay dividends.",
        "Capital expenditures are expected to be about $1 billion.",
        "We believe our cash will be sufficient for the next twelve months.",
        "We plan to open 50 stores.",
        "For fiscal 2025, HALDEN expects revenue to decline.",
    ],
)
def test_a_sentence_says_what_is_expected(sentence: str) -> None:
    assert looks_forward(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We may incur more costs than we expect.",
        "If we fail, we will lose customers.",
        "We cannot tell how long that demand will last.",
        "We expected revenue to rise.",
        "The amount was expected to be paid within a year.",
        "Revenue is the consideration which we expect to receive.",
        "Our pension plans hold bonds.",
        "Customers expect low prices.",
    ],
)
def test_what_could_be_and_what_was_expected_and_what_describes_a_thing_looks_not_forward(sentence: str) -> None:
    assert not looks_forward(sentence)
