"""Companies typed one behind the other."""

import pytest

from agent.registrants.company_lists import NotListedError, companies_listed
from tests.agent.query.held import COMPANIES


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("", []),
        ("AAPL", ["AAPL"]),
        ("aapl msft", ["AAPL", "MSFT"]),
        ("AAPL, Microsoft and brk.b", ["AAPL", "MSFT", "BRK-B"]),
        ("Apple, Inc.; AT&T / facebook", ["AAPL", "T", "META"]),
        ("320193\n0000789019, CIK 1045810", ["AAPL", "MSFT", "NVDA"]),
        ("Apple, AAPL, 320193", ["AAPL"]),
        ("visa, target, it", ["V", "TGT", "IT"]),
    ],
)
def test_they_are_names_tickers_and_ciks_each_once(text: str, symbols: list[str]) -> None:
    assert [one.symbol for one in companies_listed(COMPANIES, text)] == symbols


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AAPL, Microsft, NVDA", "“Microsft” is not on the SEC's list. Did you mean Microsoft (MSFT)?"),
        ("AAPL, no such name, NVDA", "“no such name” is not on the SEC's list."),
        ("999999", "“999999” is not on the SEC's list. Check the spelling, or use the ticker."),
        ("Graham", "“Graham” fits several companies: "),
    ],
)
def test_what_is_none_is_said(text: str, said: str) -> None:
    with pytest.raises(NotListedError) as refused:
        companies_listed(COMPANIES, text)
    assert str(refused.value).startswith(said)
