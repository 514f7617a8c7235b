"""The sample's own sentences, mutated: none is shown, and none that is only set otherwise is dropped."""

import pytest

from evals.mutation_check import check
from filings.models import Filing
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


def test_the_samples_sentences_are_shown_only_as_they_stand(sample: Sample) -> None:
    filings = list(Filing.objects.filter(chunks__isnull=False).select_related("company").distinct()[:2])
    assert filings, "The sample has no text."
    tally = check(filings, sentences=3)
    assert sum(tally.mutated.values()) >= 200
    assert (tally.passed, tally.same_dropped, tally.dropped) == ({}, 0, 0), tally.line()
