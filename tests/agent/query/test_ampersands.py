"""Names with an ampersand: of a company, and of what nobody knows."""

import pytest

from agent.query.question import read
from agent.state.query import Query
from tests.agent.query.held import REGISTRY, TODAY, WIDER
from tests.agent.query.test_members import PARTS, told


def test_a_company_with_and_in_its_name_lists_no_parts() -> None:
    asked = "What was revenue of Procter & Gamble's lanterns in 2023?"
    assert told(asked) == "PG | 2023 | revenue of 'Lanterns'"


@pytest.mark.parametrize(
    "question",
    ["Apple Good & Gather revenue 2023", "Apple Up & Up revenue 2023", "What was Apple's Good & Gather revenue"],
)
def test_words_that_say_nothing_elsewhere_are_a_name_between_capitals(question: str) -> None:
    assert not any(
        isinstance(one, Query) and one.rows for one in read(question, WIDER, REGISTRY, TODAY, lambda ciks: PARTS)
    )
