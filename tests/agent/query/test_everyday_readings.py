"""Everyday questions whose readings hang on a single rule each, which no other test needs."""

import pytest

from tests.agent.query.conftest import Line

_NET_INCOME = "net_income + ~net_income_incl_nci + ~net_income_common"


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Apple revenue vs net income 2023", f"AAPL | 2023 | revenue + {_NET_INCOME}"),
        ("Compare Apple's revenue and net income in 2023", f"AAPL | 2023 | revenue + {_NET_INCOME}"),
        ("Apple revenue CAGR 2019 and 2024", "AAPL | 2019..2024 | revenue > cagr"),
        ("How has Apple revenue moved through 2021, 2022 and 2023", "AAPL | 2021, 2022, 2023 | revenue"),
        ("Apple Q3 revenue 2020, 2021 and 2022", "AAPL | Q3 2020, Q3 2021, Q3 2022 | revenue"),
        ("Apple cash used in investing 2023", "AAPL | 2023 | cfi"),
        ("Apple profit (net income) 2023", f"AAPL | 2023 | {_NET_INCOME}"),
        ("revenue of Google's parent in 2023", "GOOGL | 2023 | revenue"),
    ],
)
def test_everyday_questions_are_read(told: Line, question: str, line: str) -> None:
    assert told(question) == line
