"""A question about several companies or years is searched in all of their filings at the same time."""

import threading
from typing import Any

import pytest

from agent.refusals.codes import Code
from filings.search import passages
from tests.support.model_behaviours import says
from tests.support.model_replies import understood
from tests.support.model_runs import Made, run
from tests.support.model_server import LocalModel
from tests.support.sample import Sample
from tests.support.searchable import change_text

pytestmark = pytest.mark.django_db

# Seconds after which a search that waits for the others is taken to be alone.
ALONE = 20.0
SEVERAL: dict[str, tuple[str, dict[str, Any]]] = {
    "companies": (
        "How do Northwind and Larkfield describe cybersecurity risks in fiscal 2025?",
        {
            "companies": ["Northwind", "Larkfield"],
            "periods": ["fiscal 2025"],
            "topics": ["cybersecurity risks"],
        },
    ),
    "years": (
        "What does Northwind say about its suppliers in fiscal 2024 and fiscal 2025?",
        {
            "companies": ["Northwind"],
            "periods": ["fiscal 2024", "fiscal 2025"],
            "topics": ["suppliers"],
        },
    ),
}


def asked(model: LocalModel, several: str) -> Made:
    question, read = SEVERAL[several]
    model.always(says(understood(**read)), program="understand")
    return run(question)


@pytest.mark.parametrize("several", SEVERAL)
def test_they_are_searched_at_the_same_time(
    several: str, sample: Sample, scripted: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = threading.Barrier(2)
    listed_by = passages.listed_by

    def waiting(*told: Any) -> Any:
        together.wait(ALONE)
        return listed_by(*told)

    monkeypatch.setattr(passages, "listed_by", waiting)
    blocks = asked(scripted, several).answer.blocks
    assert [len({claim.accession for claim in block.claims}) for block in blocks] == [1, 1]


@pytest.mark.parametrize("several", SEVERAL)
def test_each_finds_what_it_finds_alone(
    several: str, sample: Sample, scripted: LocalModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = asked(scripted, several)
    find_all = passages.find_all
    monkeypatch.setattr(
        passages, "find_all", lambda searches, limit=8: [find_all([one], limit)[0] for one in searches]
    )
    assert asked(scripted, several).state.retrievals == together.state.retrievals


def test_a_filing_that_is_not_indexed_does_not_keep_the_others_from_being_searched(
    sample: Sample, scripted: LocalModel
) -> None:
    change_text(sample.filing("LRKF", 2025))
    made = asked(scripted, "companies")
    first, second = made.answer.blocks
    assert first.claims
    assert second.refusal is not None
    assert second.refusal.code == Code.SEARCH_UNAVAILABLE
    assert made.session.degraded
