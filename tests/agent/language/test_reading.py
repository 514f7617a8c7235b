"""Questions people type, and what must become of them."""

import pytest
from agent.language.misread import Misread

from agent.state import PeriodForm, Plan, QuestionType, Scale

from .conftest import told

NET_INCOME = ("net_income",)


@pytest.mark.parametrize(
    ("question", "symbol", "keys", "form", "when"),
    [
        ("What was Apple's R&D spend in FY2024?", "AAPL", ("rnd",), "fiscal", 2024),
        ("how much did apple spend on r and d in fiscal 2024", "AAPL", ("rnd",), "fiscal", 2024),
        ("aapl net income fy16", "AAPL", NET_INCOME, "fiscal", 2016),
        ("What inventory did Apple report at the end of fiscal 2017?", "AAPL", ("inventory",), "fiscal", 2017),
        ("apple gross profit 2018", "AAPL", ("gross_profit",), "bare", 2018),
        ("how much did apple spend on buybacks in fiscal 2020", "AAPL", ("share_repurchases",), "fiscal", 2020),
        ("How much stock did Apple buy back in 2023?", "AAPL", ("share_repurchases",), "bare", 2023),
        ("Apple's cash flow from operating activities for the year ended September 25, 2021", "AAPL", ("cfo",), "ended", "2021-09-25"),
        ("give me accounts payable for AAPL, fiscal 22", "AAPL", ("accounts_payable",), "fiscal", 2022),
        ("apple deferred reveneu fy2022", "AAPL", ("deferred_revenue_current",), "fiscal", 2022),
        ("Apple recievables 2023", "AAPL", ("accounts_receivable",), "bare", 2023),
        ("Microsft operating income fy21", "MSFT", ("operating_income",), "fiscal", 2021),
        ("Waste Managment dividend per share 2022", "WM", ("dividends_per_share",), "bare", 2022),
        ("latest diluted EPS for Apple", "AAPL", ("eps_diluted",), "latest", None),
        ("Apple EPS", "AAPL", ("eps_diluted",), "latest", None),
        ("aapl total assets last year", "AAPL", ("total_assets",), "previous", None),
        ("Apple shares outstanding FY2024", "AAPL", ("shares_out", "shares_out_cover"), "fiscal", 2024),
        ("How many shares does Apple have outstanding?", "AAPL", ("shares_out", "shares_out_cover"), "latest", None),
        ("Apple shares outstanding on the balance sheet 2024", "AAPL", ("shares_out",), "bare", 2024),
        ("Apple shares outstanding on the cover page, 2024", "AAPL", ("shares_out_cover",), "bare", 2024),
        ("Microsoft dividends FY2023", "MSFT", ("dividends_paid", "dividends_per_share"), "fiscal", 2023),
        ("how much did Apple pay in dividends in 2023", "AAPL", ("dividends_paid", "dividends_per_share"), "bare", 2023),
        ("What net loss did Amazon report for 2022?", "AMZN", NET_INCOME, "bare", 2022),
        ("give me property and equipment, net for Amazon, fiscal 23", "AMZN", ("ppe_net",), "fiscal", 2023),
        ("how much did amazon spend on purchases of property and equipment in 2023", "AMZN", ("capex",), "bare", 2023),
        ("Apple total term debt in FY2024", "AAPL", ("total_debt",), "fiscal", 2024),
        ("JP Morgan total net revenue 2023", "JPM", ("revenue",), "bare", 2023),
        ("jpm noninterest expense fy18", "JPM", ("noninterest_expense",), "fiscal", 2018),
        ("JPMorgan Chase net income available to common stockholders FY2023", "JPM", ("net_income_common",), "fiscal", 2023),
        ("Lowe's net sales fiscal 2020", "LOW", ("revenue",), "fiscal", 2020),
        ("What were Lowe's current maturities of long-term debt at January 31, 2025?", "LOW", ("ltd_current",), "ended", "2025-01-31"),
        ("Can you tell me Nvidia's revenue for fiscal 2024 (year ended January 28, 2024)?", "NVDA", ("revenue",), "ended", "2024-01-28"),
        ("Apple revenue FY2023 (2023)", "AAPL", ("revenue",), "fiscal", 2023),
        ("Apple revenue in calendar 2023", "AAPL", ("revenue",), "calendar", 2023),
        ("Apple's 2024 revenue according to its 10-K", "AAPL", ("revenue",), "bare", 2024),
        ("In its 10-K for fiscal 2024, how much revenue did Apple report?", "AAPL", ("revenue",), "fiscal", 2024),
        ("what did Apple report as revenue in its 2024 annual report?", "AAPL", ("revenue",), "bare", 2024),
        ("hi, what was apple revenue in 2023? thanks", "AAPL", ("revenue",), "bare", 2023),
        ("tell us apple revenue 2023 pls", "AAPL", ("revenue",), "bare", 2023),
        ("APPLE REVENUE 2023", "AAPL", ("revenue",), "bare", 2023),
        ("Apple current revenue", "AAPL", ("revenue",), "latest", None),
        ("Apple current assets 2023", "AAPL", ("current_assets",), "bare", 2023),
        ("Apple debt due within one year", "AAPL", ("debt_current",), "latest", None),
        ("Apple consolidated revenue 2024", "AAPL", ("revenue",), "bare", 2024),
        ("Apple consolidated net income 2024", "AAPL", ("net_income_incl_nci",), "bare", 2024),
        ("Apple revenue in 2025", "AAPL", ("revenue",), "bare", 2025),
        ("How much revenue did Apple record in 2023?", "AAPL", ("revenue",), "bare", 2023),
        ("Apple goodwill on the balance sheet 2023", "AAPL", ("goodwill",), "bare", 2023),
        ("Apple stock-based compensation expense 2023", "AAPL", ("stock_comp",), "bare", 2023),
        ("Apple increase in cash 2023", "AAPL", ("net_change_in_cash",), "bare", 2023),
        ("Toyota revenue 2023", "TM", ("revenue",), "bare", 2023),
        ("Apple cash 2024", "AAPL", ("cash",), "bare", 2024),
        ("Apple equity 2024", "AAPL", ("equity", "equity_incl_nci"), "bare", 2024),
    ],
)  # fmt: skip
def test_it_plans_a_question_for_a_figure(ask, question, symbol, keys, form, when):
    assert told(ask(question)) == (symbol, keys, form, when)


# Each would be a wrong figure if the words in question were passed over.
@pytest.mark.parametrize(
    ("question", "code", "words"),
    [
        ("Apple's iPhone revenue 2023", "dimensional_only", "iPhone"),
        ("Apple Watch sales 2023", "dimensional_only", "Apple Watch"),
        ("Apple revenue from China 2023", "dimensional_only", "China"),
        ("Apple services revenue 2023", "dimensional_only", "services revenue"),
        ("Apple U.S. revenue 2023", "dimensional_only", "U.S."),
        ("Apple domestic revenue 2023", "dimensional_only", "domestic"),
        ("AWS operating income 2023", "dimensional_only", "AWS"),
        ("Apple class A shares 2023", "dimensional_only", "class A shares"),
        ("Apple revenue by segment 2023", "dimensional_only", "by segment"),
        ("apple adjusted net income 2023", "non_gaap", "adjusted"),
        ("apple adjustd net income 2023", "non_gaap", "adjustd"),
        ("Apple pro forma revenue 2023", "non_gaap", "pro forma"),
        ("AMD non-GAAP diluted EPS 2023", "non_gaap", "non-GAAP"),
        ("Apple revenue in constant currency 2023", "non_gaap", "constant currency"),
        ("Apple average cash 2023", "not_understood", "average"),
        ("Apple revenue excluding services 2023", "not_understood", "excluding"),
        ("Apple revenue before returns 2023", "not_understood", "before returns"),
        ("Apple revenue and profit 2023", "not_understood", "profit"),
        ("Apple revenue and net income 2023", "not_understood", "net income"),
        ("not Apple revenue 2023", "not_understood", "not"),
        ("Apple first revenue 2023", "not_understood", "first"),
        ("Apple gross revenue 2023", "not_understood", "gross"),
        ("Apple revenue, net 2023", "not_understood", "net"),
        ("Apple maximum revenue 2023", "not_understood", "maximum"),
        ("Apple cumulative revenue 2023", "not_understood", "cumulative"),
        ("Apple total cash 2023", "not_understood", "total"),
        ("Apple total deferred revenue 2023", "not_understood", "total"),
        ("Apple deferred income taxes 2023", "not_understood", "deferred"),
        ("Apple current tax expense 2023", "not_understood", "current"),
        ("Apple state income taxes 2023", "not_understood", "state"),
        ("Apple restricted cash 2023", "not_understood", "restricted"),
        ("Apple convertible debt 2023", "not_understood", "convertible"),
        ("Apple noncurrent assets 2023", "not_understood", "noncurrent"),
        ("Apple's record revenue", "not_understood", "record"),
        ("Apple half revenue 2023", "not_understood", "half"),
        ("Apple revenue minus cost of revenue 2023", "not_understood", "cost of revenue"),
        ("Apple restated revenue 2023", "not_understood", "restated"),
        ("Apple revenue filed in 2024", "not_understood", "filed"),
        ("Apple beginning cash 2023", "not_understood", "beginning"),
        ("Apple shares repurchased 2023", "not_understood", "repurchased"),
        ("Apple inventory write-downs 2023", "not_understood", "write-downs"),
        ("Apple goodwill acquired in 2023", "not_understood", "acquired"),
        ("Apple sales tax 2023", "not_understood", "tax"),
        ("Apple bank debt 2023", "not_understood", "bank"),
        ("Apple risk revenue 2023", "not_understood", "risk"),
        ("Apple weather revenue 2023", "not_understood", "weather"),
        ("consolidated net earnings of Apple 2023", "not_understood", "consolidated"),
        ("Apple depreciation and amortization on the income statement 2023", "not_understood", "on the income statement"),
        ("how many acquisitions did apple make in 2023", "not_understood", "how many"),
        ("Apple net income per share 2023", "not_understood", "per share"),
        ("Apple revenue 2023 in euros", "not_understood", "in euros"),
        ("Apple revenue in non-fiscal 2023", "not_understood", "non-fiscal"),
        ("Apple revenue > 300 in 2023", "not_understood", "> 300"),
        ("Apple revenue twice 2023", "not_understood", "twice"),
        ("Microsoft IT revenue 2023", "not_understood", "IT"),
        ("Apple Bank revenue 2023", "not_understood", "Bank"),
        ("Apple revenue in millions and billions 2023", "not_understood", "billions"),
        ("Apple revenue didn't 2023", "not_understood", "didn't"),
        ("Apple revenue per employee 2023", "ratio", "per employee"),
        ("Apple net income / revenue 2023", "ratio", "net income"),
        ("Apple R&D as a percentage of revenue 2023", "ratio", "R&D as a percentage of revenue"),
        ("Apple gross margin 2023", "ratio", "gross margin"),
        ("Apple ebitda 2023", "ratio", "ebitda"),
        ("Apple net debt 2023", "ratio", "net debt"),
        ("Apple working capital 2023", "ratio", "working capital"),
        ("Apple revenue in Q3", "interim_period", "Q3"),
        ("Apple quarterly revenue 2023", "interim_period", "quarterly"),
        ("Apple revenue ttm", "interim_period", "ttm"),
        ("Apple revenue first half of 2023", "interim_period", "first half"),
        ("Apple revenue in June 2023", "interim_period", "June 2023"),
        ("Apple revenue growth 2023", "year_over_year", "growth"),
        ("Apple revenue 2022 vs 2023", "year_over_year", "vs"),
        ("Apple revenue FY2022 FY2023", "year_over_year", "FY2022"),
        ("Apple revenue 2020 to 2024", "year_over_year", "2020"),
        ("Apple revenue since 2020", "year_over_year", "since 2020"),
        ("Apple revenue fiscal 2022 (ended September 30, 2023)", "year_over_year", "fiscal 2022"),
        ("Change in Lowe's inventory from FY2022 to FY2023", "year_over_year", "Change"),
        ("Apple R&D vs Microsoft FY2024", "cross_company", None),
        ("Apple and Target revenue 2023", "cross_company", None),
        ("Who had more revenue in 2023, Amazon or JPMorgan?", "cross_company", "Who had"),
        ("Which company had the highest revenue in 2023?", "cross_company", "Which company had"),
        ("What was total revenue in fiscal 2023?", "no_company", None),
        ("net income fy22", "no_company", None),
        ("the company's revenue 2023", "no_company", None),
        ("Acme Rockets revenue 2023", "unknown_company", "Acme Rockets"),
        ("What was Zyntrophic Industries' revenue in 2023?", "unknown_company", "Zyntrophic Industries"),
        ("quellmark systems net income fy22", "unknown_company", "quellmark systems"),
        ("ZQXJ total assets fy2021", "unknown_company", "ZQXJ"),
        ("Telsa revenue 2023", "unknown_company", "Telsa"),
        ("graham revenue fy22", "ambiguous_company", "graham"),
        ("What were Independent Bank Corp's total assets in 2022?", "ambiguous_company", "Independent Bank Corp's"),
        ("Delta revenue 2023", "ambiguous_company", "Delta"),
        ("Apple profit 2023", "ambiguous_concept", "profit"),
        ("amd income fy22", "ambiguous_concept", "income"),
        ("Apple margin 2023", "ambiguous_concept", "margin"),
        ("Apple cash flow 2023", "ambiguous_concept", "cash flow"),
        ("Apple interest 2023", "ambiguous_concept", "interest"),
        ("How much did Apple make in 2023?", "ambiguous_concept", None),
        ("How much tax did Apple pay in 2023?", "ambiguous_concept", "pay"),
        ("How many employees did Boeing have in 2023?", "concept_unknown", "employees"),
        ("Apple 2023", "concept_unknown", None),
        ("What will Apple's revenue be next year?", "prediction", "will"),
        ("amazon operating income forecast", "prediction", "forecast"),
        ("Apple target revenue 2023", "prediction", "target"),
        ("Should I buy Apple stock?", "advice", "Should I buy"),
        ("price target for Starbucks", "advice", "price target"),
        ("What is Apple's market cap?", "price", "market cap"),
        ("amd p/e fy23", "price", "p/e"),
        ("Apple stock", "price", "stock"),
        ("What did Microsoft say on its Q4 earnings call?", "transcript", "earnings call"),
        ("What do analysts estimate for Amazon's FY2024 EPS?", "external_data", "analysts"),
        ("latest 8-K of Microsoft", "external_data", "8-K"),
        ("Apple 10-Q revenue", "external_data", "10-Q"),
        ("What's the weather in Seattle tomorrow?", "off_topic", "weather"),
        ("write me a poem about Apple", "off_topic", "poem"),
        ("best way to learn python", "off_topic", None),
        ("2+2", "off_topic", None),
        ("???", "empty", None),
        ("", "empty", None),
    ],
)  # fmt: skip
def test_it_refuses_and_names_the_words(ask, question, code, words):
    found = ask(question)
    assert isinstance(found, Misread), told(found)
    assert found.code == code
    if words is not None:
        assert words.lower() in " ".join(found.words).lower()


@pytest.mark.parametrize(
    ("question", "meta"),
    [
        ("hi", "greeting"),
        ("Hello there!", "greeting"),
        ("thanks!", "thanks"),
        ("What can you do?", "coverage"),
        ("who are you", "coverage"),
        ("which companies do you cover?", "coverage"),
        ("do you cover Apple?", "coverage"),
    ],
)
def test_it_knows_when_it_is_spoken_to(ask, question, meta):
    assert told(ask(question)) == ("meta", meta)


@pytest.mark.parametrize(
    ("question", "scale"),
    [
        ("Apple revenue 2023 in billions", Scale.BILLIONS),
        ("Apple revenue 2023 in $ millions", Scale.MILLIONS),
        ("Apple revenue 2023 (USD billions)", Scale.BILLIONS),
        ("Apple revenue 2023 in thousands of dollars", Scale.THOUSANDS),
        ("Apple revenue 2023 in $M", Scale.MILLIONS),
        ("Apple revenue 2023 in dollars", Scale.UNITS),
        ("Apple revenue 2023", None),
    ],
)
def test_it_reads_the_scale(ask, question, scale):
    found = ask(question)
    assert isinstance(found, Plan)
    assert found.scale == scale


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Apple adjusted revenue 2023", QuestionType.NUMERIC),
        ("Apple gross margin 2023", QuestionType.NUMERIC),
        ("revenue 2023", QuestionType.NUMERIC),
        ("Why did Apple's revenue fall in 2023?", QuestionType.PROSE),
        ("Should I buy Apple stock?", QuestionType.REFUSE),
        ("Apple stock price", QuestionType.REFUSE),
        ("tell me a joke", QuestionType.REFUSE),
    ],
)
def test_a_refused_question_keeps_its_type(ask, question, kind):
    assert ask(question).type == kind


def test_a_term_with_mentions_asserts_one_reading_and_mentions_the_others(ask):
    readings = ask("Apple cash 2024").targets[0].readings
    assert [(reading.concept, reading.mention) for reading in readings] == [
        ("cash", False),
        ("cash_and_sti", True),
        ("cash_incl_restricted", True),
    ]


def test_a_reading_that_needs_a_metric_is_named_as_not_available(ask):
    target = ask("Apple total debt 2024").targets[0]
    assert [reading.concept for reading in target.readings] == ["total_debt"]
    assert len(target.unavailable) == 1
    assert "debt" in target.unavailable[0]
    assert ask("Apple term debt 2024").targets[0].unavailable == ()


def test_readings_that_may_be_equal_collapse(ask):
    assert ask("Apple equity 2024").targets[0].collapse
    assert not ask("Apple shares outstanding 2024").targets[0].collapse


def test_no_period_is_the_latest_with_no_words(ask):
    period = ask("Apple revenue").targets[0].period
    assert (period.form, period.text) == (PeriodForm.LATEST, "")


def test_a_refusal_keeps_what_was_understood(ask):
    found = ask("Apple average revenue fiscal 2023")
    assert found.about.company.symbol == "AAPL"
    assert found.about.period.year == 2023
    assert [reading.concept for reading in found.about.readings] == ["revenue"]
    assert found.concepts == ("revenue",)


def test_an_unknown_measure_names_the_nearest(ask):
    found = ask("Boeing comparable sales 2023")
    assert found.concepts[0] == "revenue"
    assert found.labels[0] == "Total revenue"


def test_an_ambiguous_word_names_the_measures_it_fits(ask):
    assert ask("Apple profit 2023").concepts == ("gross_profit", "operating_income", "net_income")
    assert ask("Apple margin 2023").labels == ("Gross margin", "Operating margin", "Net profit margin")


@pytest.mark.parametrize(
    "question",
    [
        "What was Apple's R&D spend in FY2024, in billions?",
        "  Lowe\u2019s   net sales (fiscal 2020)?! ",
        "Apple average revenue \U0001f34e excluding 5% of China",
        "Why did Amazon\u2019s operating income fall?",
    ],
)
def test_the_spans_cover_every_word_once(ask, question):
    spans = ask(question).spans
    covered = [place for span in spans for place in range(span.start, span.end)]
    assert len(covered) == len(set(covered))
    outside = {question[place] for place in range(len(question)) if place not in covered}
    assert not any(character.isalnum() for character in outside)
    assert all(question[span.start : span.end] == span.text for span in spans)


def test_a_plan_has_no_unused_span_and_a_refusal_names_one(ask):
    assert all(span.role != "unused" for span in ask("Apple revenue 2023").spans)
    unused = [span.text for span in ask("Apple gross revenue 2023").spans if span.role == "unused"]
    assert unused == ["gross"]
