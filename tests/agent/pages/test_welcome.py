"""The ask page offers only what the sample answers, and shows refusals only as refusals."""

import pytest

from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.pages import welcome
from filings.models import Company, Filing
from tests.support.sample import Sample

OFFERED = [(kind, example) for kind, group in welcome.EXAMPLES for example in group]


@pytest.mark.parametrize(("kind", "example"), OFFERED, ids=[example.question for _, example in OFFERED])
def test_every_example_comes_out_as_its_heading_says(sample: Sample, kind: str, example: welcome.Example) -> None:
    answer = pipeline.answer(example.question, Deps.current())
    assert answer.outcome == ("refused" if kind == "A refusal, and why" else "answered")
    assert {target.company.cik for target in answer.plan.targets} == {example.cik}


@pytest.mark.parametrize("example", [one for _, one in OFFERED if one.text], ids=lambda one: one.question)
def test_an_example_of_text_answers_every_part_with_verified_sentences(
    sample: Sample, example: welcome.Example
) -> None:
    blocks = pipeline.answer(example.question, Deps.current()).blocks
    assert all(block.table or (block.claims and not block.dropped) for block in blocks)
    assert any(block.claims for block in blocks)


def test_with_the_sample_every_example_is_offered(sample: Sample) -> None:
    assert [example for _, group in welcome.examples() for example in group] == [example for _, example in OFFERED]


def test_an_example_about_a_company_that_is_switched_off_is_not_offered(sample: Sample) -> None:
    Company.objects.filter(pk=sample["NVDA"].pk).update(active=False)
    assert all("NVIDIA" not in example.question for _, group in welcome.examples() for example in group)


def test_questions_about_text_are_offered_while_it_is_held(sample: Sample) -> None:
    Filing.objects.update(chunks_stored=0)
    offered = [example for _, group in welcome.examples() for example in group]
    assert offered
    assert not any(example.text for example in offered)


def test_a_kind_without_an_example_has_no_heading(sample: Sample) -> None:
    Company.objects.filter(pk__in=[sample["JPM"].pk, sample["AMZN"].pk]).update(active=False)
    assert "A refusal, and why" not in [kind for kind, _ in welcome.examples()]
