"""What a question for text names beside its company and its subject, without asking for it."""

import pytest

from agent.state import Plan, QuestionType


@pytest.mark.parametrize(
    "question",
    [
        "Apple 2024: penalties the EU could order under new rules?",
        "Apple 2024 10-K - any comments from the staff left unanswered?",
        "Apple 2024: which firm did it agree to join with after the balance sheet date?",
        "Apple 2024: which countries' inflation lifted price and mix?",
    ],
)
def test_it_looks_for_text_of_the_one_company_asked(ask, question):
    found = ask(question)
    assert isinstance(found, Plan)
    assert found.type is QuestionType.PROSE
    assert [target.company.symbol for target in found.targets] == ["AAPL"]
    assert found.targets[0].topic is not None


@pytest.mark.parametrize("question", ["Apple services revenue 2023", "Microsoft cloud revenue FY2024"])
def test_a_figure_of_a_part_stays_a_question_for_a_figure(ask, question):
    assert not isinstance(ask(question), Plan)
