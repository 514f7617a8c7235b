"""Certificates of answers of each kind, from the bundled sample."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from agent.certificates.build import certificate_of
from agent.models import Run
from agent.steps import pipeline
from agent.steps.deps import Deps
from tests.support import answers
from tests.support.sample import Sample

# What each question is answered with: kinds of claims.
QUESTIONS = {
    "reported": "What was Apple's R&D spend in FY2024?",
    "part": "What was Northwind's revenue by segment in fiscal 2025?",
    "printed": "What is Larkfield's guidance for revenue?",
    "derived": "What was Apple's gross margin in fiscal 2024?",
    "average": "Apple and Microsoft average revenue from fiscal 2022 to fiscal 2024",
    "ranking": "Rank Apple, Microsoft and Nike by revenue in fiscal 2023",
    "threshold": "Did Apple's revenue exceed 300 billion in fiscal 2023?",
    "quotation": "What risks does Northwind face from its suppliers?",
    "passage": "When will the FDA decide on LH-401, according to Larkfield's 10-Q?",
    "data": "Who is Northwind's auditor?",
    "refusal": "Will Apple's revenue grow?",
}
Certified = Callable[[str], tuple[Run, dict[str, Any]]]


@pytest.fixture
def certified(sample: Sample, alice: User) -> Certified:
    """Asks a question of QUESTIONS: alice's run and its certificate."""

    def ask(kind: str) -> tuple[Run, dict[str, Any]]:
        run = answers.run_with(pipeline.answer(QUESTIONS[kind], Deps.current()), alice)
        found = certificate_of(run)
        assert found is not None
        return run, found

    return ask
