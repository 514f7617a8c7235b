"""The fictional filings that these tests quote from."""

import pytest

from tests.support.quotable import OTHER_CIK, Quotable, company, lines_of_sentences, quotable


@pytest.fixture
def asked(db: None) -> Quotable:
    """The filing that is asked about."""
    return quotable(company(), 2023, lines_of_sentences())


@pytest.fixture
def year_before(asked: Quotable) -> Quotable:
    """The same company's filing of the year before, with the same words in it."""
    return quotable(asked.section.filing.company, 2022, lines_of_sentences())


@pytest.fixture
def rival(db: None) -> Quotable:
    """Another company's filing, with the same words in it."""
    return quotable(company(OTHER_CIK, "Corvane Systems Corp."), 2023, lines_of_sentences())
