"""In a measure phrase every word is understood, or the question is refused or left to the text: never the plain figure."""

import pytest

from agent.query.words.refused_question import Misread
from tests.agent.query.conftest import Line, Read, asks_figures
from tests.agent.query.held import REGISTRY

NARROWED = [
    "P&G Tide revenue 2023",
    "tide P&G revenue 2023",
    "P&G revenue 2023 tide",
    "P&G's tide business: revenue 2023",
    "At Alphabet's cloud unit, what was revenue in 2023?",
    "Regarding iphones, what was Apple's revenue in 2023?",
    "Apple revenue, iPhone only, 2023",
    "Apple revenue from licences 2023",
    "Apple revenue from China 2023",
    "Apple services revenue 2023",
    "AWS operating income Amazon 2023",
    "Nike revenue without Converse 2023",
    "Apple revenue excluding services 2023",
    "Apple revenue per employee 2023",
    "Apple revenue that came from iphones 2023",
    "Apple goodwill in its retail arm 2023",
    "Apple lost revenue 2023",
    "How much revenue did Apple lose in 2023?",
    "How much did Alphabet make from advertising in 2022?",
    "Nike employee turnover 2022",
    "Apple employees' equity in 2023",
    "Starbucks earnings date, fiscal 2021",
    "Apple revenue 2023 for 3 stores",
    "Apple half of revenue 2023",
    "Apple interest on long-term debt 2023",
    "Apple goodwill excluding intangibles 2023",
    "Apple total assets excluding intangible assets 2023",
    "Apple interest income including noncontrolling interests 2023",
    "Apple short-term debt including leases 2023",
    "Apple debt (noncurrent) 2023",
    "Apple liabilities (equity) 2023",
    "Apple goodwill (intangibles) 2023",
    "Apple operating income excluding noncontrolling interests 2023",
    "Apple net income excluding interest 2023",
    "Apple short-term debt excluding current portion of long-term debt 2023",
    "carbon credits - how much did Tesla earn with them in 2023",
]


@pytest.mark.parametrize("question", NARROWED)
def test_a_word_that_narrows_is_never_passed_over(question: str):
    assert not asks_figures(question)


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("P&G Tide revenue 2023", "Tide"),
        ("Apple revenue from licences 2023", "licences"),
        ("Nike revenue without Converse 2023", "Converse"),
    ],
)
def test_the_refusal_names_the_word(query: Read, question: str, word: str):
    found = query(question)
    assert isinstance(found, Misread)
    assert word in " ".join(found.words)


@pytest.mark.parametrize(
    "words",
    [
        "adjusted",
        "non-GAAP",
        "organic",
        "pro forma",
        "underlying",
        "normalized",
        "constant currency",
        "guided",
        "core",
    ],
)
def test_accounting_that_no_filing_prints_is_refused(told: Line, words: str):
    assert told(f"Apple {words} operating income 2023").startswith("non_gaap")


@pytest.mark.parametrize(
    ("phrase", "key"),
    [
        ("current portion of long-term debt on the balance sheet", "ltd_current"),
        ("long-term debt, excluding the current portion,", "ltd_noncurrent"),
        ("long-term debt net of current maturities", "ltd_noncurrent"),
        ("short-term debt including current portion of long-term debt", "debt_current"),
        ("current marketable securities", "short_term_investments"),
        ("noncurrent portion of deferred revenue", "deferred_revenue_noncurrent"),
        ("operating lease liabilities, noncurrent portion,", "operating_lease_liab_noncurrent"),
        ("wtd avg diluted shares", "shares_diluted_wa"),
        ("weighted average shares outstanding, basic,", "shares_basic_wa"),
        ("dil eps", "eps_diluted"),
        ("income taxes paid in cash", "taxes_paid"),
        ("cash paid for interest", "interest_paid"),
        ("net income attributable to the parent", "net_income"),
        ("net income attributable to common shareholders", "net_income_common"),
        ("net income including noncontrolling interests", "net_income_incl_nci"),
        ("net income attributable to noncontrolling interests", "nci_income"),
        ("total equity including noncontrolling interests", "equity_incl_nci"),
        ("book value of goodwill", "goodwill"),
        ("net carrying amount of property, plant and equipment", "ppe_net"),
        ("gross property, plant and equipment", "ppe_gross"),
        ("stock-based compensation expense on the cash flow statement", "stock_comp"),
        ("shares outstanding per the cover of the 10-K", "shares_out_cover"),
        ("shares outstanding on the balance sheet", "shares_out"),
        ("shares outstanding per the 10-K cover", "shares_out_cover"),
        ("shares outstanding on the front cover of its annual report", "shares_out_cover"),
        ("shares outstanding according to the 10-K cover page", "shares_out_cover"),
        ("goodwill impairment charge", "goodwill_impairment"),
        ("goodwill (balance sheet)", "goodwill"),
        ("goodwill (per the balance sheet)", "goodwill"),
        ("noncontrolling interests (equity)", "nci"),
        ("noncontrolling interests (income)", "nci_income"),
        ("accounts payable (current)", "accounts_payable"),
        ("debt (short-term)", "debt_current"),
        ("net income excluding noncontrolling interests", "net_income"),
        ("net income (including minority interest)", "net_income_incl_nci"),
        ("total equity excluding NCI", "equity"),
        ("shareholders' equity excluding non-controlling interests", "equity"),
        ("comprehensive income including noncontrolling interests", "comprehensive_income_incl_nci"),
        ("intangible assets excluding goodwill", "intangibles"),
        ("total current assets per the balance sheet", "current_assets"),
        ("consolidated revenue", "revenue"),
        ("dividends paid, not the per share amount,", "dividends_paid"),
    ],
)
def test_words_of_accounting_select_or_agree(told: Line, phrase: str, key: str):
    assert told(f"Apple {phrase} 2023") == f"AAPL | 2023 | {key}"


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("How much did Apple pay in cash for income taxes in FY2023?", "taxes_paid"),
        ("How much income tax did Apple actually pay in FY2023?", "taxes_paid"),
        ("How much did Apple pay in interest in FY2023?", "interest_paid"),
        ("How much cash did Apple spend on R&D in FY2023?", "rnd"),
        ("How much did Apple pay out in dividends in FY2023?", "dividends_paid"),
        ("How much did Apple spend buying back its own shares in FY2023?", "share_repurchases"),
        ("How much stock did Apple repurchase in FY2023?", "share_repurchases"),
        ("How much long-term debt did Apple issue in FY2023?", "debt_issued"),
        ("How much debt did Apple repay in FY2023?", "debt_repaid"),
        ("How much cash did Apple use in financing activities in FY2023?", "cff"),
        ("How much cash did Apple generate from operations in FY2023?", "cfo"),
        ("How much profit did Apple make before tax in FY2023?", "pretax_income"),
        ("How much interest income did Apple earn in FY2023?", "interest_income"),
        ("How much did Apple lose in FY2023 (net loss)?", "net_income"),
        ("What dividends per share did Apple declare in FY2023?", "dividends_per_share"),
        ("How much did Apple pay per share in dividends in FY2023?", "dividends_per_share"),
    ],
)
def test_verbs_select_or_agree(told: Line, question: str, key: str):
    assert told(question) == f"AAPL | FY2023 | {key}"


@pytest.mark.parametrize(
    "phrase",
    [
        "current income tax",
        "deferred income tax expense",
        "revenue on the balance sheet",
        "inventory on the income statement",
        "diluted revenue",
        "gross revenue",
        "long-term revenue",
        "noncurrent inventory",
        "revenue paid",
        "deferred revenue recognized",
        "unrecognized stock-based compensation",
        "capitalized interest",
        "restricted cash",
        "gross inventory",
    ],
)
def test_words_of_accounting_that_make_it_another_measure_are_refused(phrase: str):
    assert not asks_figures(f"Apple {phrase} 2023")


@pytest.mark.parametrize(
    ("question", "measure"),
    [
        ("debt to equity of Apple using total liabilities 2024", "debt_to_equity:liabilities"),
        ("Nvidia FCF 2023 (CFO less capex)", "fcf"),
        ("Tesla working capital (current assets minus current liabilities) 2024", "working_capital:total"),
        ("Apple EBITDA 2024 (operating income + D&A is fine)", "ebitda:op_income_plus_da"),
        ("Apple net debt 2024 (excl leases)", "net_debt"),
        ("Apple total debt including leases 2024", "total_debt_all:with_leases"),
        ("Apple interest coverage 2024 (EBIT / interest)", "interest_coverage:ebit"),
    ],
)
def test_a_definition_selects_its_variant(told: Line, question: str, measure: str):
    assert told(question).split(" | ")[2] == measure


def test_declared_readings_are_rows_of_one_term(query: Read):
    rows = query("Apple working capital 2023").rows
    assert len(rows) > 1
    assert {row.term for row in rows} == {"working capital"}


def test_a_term_without_safe_reading_gives_each_and_asserts_none(told: Line, query: Read):
    assert told("Apple profit 2023") == "AAPL | 2023 | gross_profit + operating_income + net_income for any 'profit'"
    assert told("Apple marketable securities 2023").endswith(" for any 'marketable securities'")
    assert query("Apple profit 2023").is_nearest


@pytest.mark.parametrize("question", ["Apple profit plus interest 2023", "Apple profit and margin 2023"])
def test_two_terms_without_safe_reading_are_refused(told: Line, question: str):
    assert told(question).startswith("ambiguous_concept")


@pytest.mark.parametrize("statement", ["balance sheet", "income statement", "cash flow statement"])
def test_a_whole_statement_is_a_row(told: Line, statement: str):
    assert "| statement " in told(f"show me Apple's {statement} for 2023")


def test_every_concept_is_read_by_each_of_its_names(query: Read):
    for key, concept in REGISTRY.concepts.items():
        for name in (concept.label, *concept.aliases):
            found = query(f"What was Apple's {name} in FY2023?")
            if isinstance(found, Misread):
                assert found.code == "ambiguous_concept", (name, found)
                continue
            assert key in {getattr(row.measure, "key", "") for row in found.rows}, (name, found.rows)


@pytest.mark.parametrize(
    "question",
    [
        "GM Financial revenue 2023",
        "Amazon books revenue 2023",
        "Amazon book revenue 2023",
        "Apple print revenue 2023",
        "Apple data revenue 2023",
        "Apple paper revenue 2023",
        "Apple revenue from paper 2023",
        "Apple research revenue 2023",
        "Apple line revenue 2023",
        "Apple advertising revenue 2023",
        "Apple cash used 2023",
        "Apple accrued revenue 2023",
        "Apple shares repurchased 2023",
        "How many shares did Apple repurchase in 2023?",
        "What was Apple's print revenue in 2023?",
        "What was Apple's show revenue in 2023?",
        "How much did Apple's record revenue amount to in FY2023?",
        "Microsoft IT revenue 2023",
        "Apple share 2023",
    ],
)
def test_words_of_asking_may_be_the_name_of_a_part(question: str):
    assert not asks_figures(question)


@pytest.mark.parametrize(
    "word", ["vs", "positive", "at least", "in percent", "compared", "added up", "which year", "per", "lost", "apiece"]
)
def test_a_word_of_an_operation_that_the_query_does_not_hold_is_refused(word: str):
    assert not asks_figures(f"Apple inventory {word} 2023")


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("How much profit did Apple make in 2023?", "AAPL | 2023 | net_income + ~gross_profit + ~operating_income"),
        ("Which made more profit in 2023, Apple or Microsoft?", "AAPL, MSFT | 2023 | net_income > highest 1"),
        ("How much did Apple keep as profit in 2023?", "AAPL | 2023 | net_income + ~gross_profit + ~operating_income"),
        ("How much did Apple take home in 2023?", "AAPL | 2023 | net_income"),
        ("How much did Apple bring in in 2023?", "AAPL | 2023 | revenue"),
        ("Who made more money in 2023, Apple or Microsoft?", "AAPL, MSFT | 2023 | net_income > highest 1"),
        ("Did Apple make money in 2023?", "AAPL | 2023 | net_income"),
        ("Was Apple profitable in 2023?", "AAPL | 2023 | net_income"),
        ("How much did Apple pay its shareholders in 2023?", "AAPL | 2023 | dividends_paid"),
        ("How much did Apple return to shareholders in 2023?", "AAPL | 2023 | shareholder_distributions"),
    ],
)
def test_a_verb_says_which_profit_and_which_money(told: Line, question: str, read: str):
    assert told(question) == read


@pytest.mark.parametrize(
    "question",
    [
        "How much did Apple bring in from licences in 2023?",
        "How much adjusted profit did Apple make in 2023?",
        "Was Apple profitable on an adjusted basis in 2023?",
        "Which was more profitable in 2023, Apple or Microsoft?",
        "How profitable was Apple in 2023?",
        "Did Apple make money from licences in 2023?",
        "How did Apple make money in 2023?",
    ],
)
def test_a_verb_passes_nothing_over(question: str):
    assert not asks_figures(question)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Apple cash plus investments 2023", "AAPL | 2023 | cash_and_sti"),
        ("Apple dividends + buybacks 2023", "AAPL | 2023 | shareholder_distributions"),
        ("Apple free cash flow (CFO less purchases of PP&E) 2023", "AAPL | 2023 | fcf"),
        ("Apple total RPO 2023", "AAPL | 2023 | rpo"),
        ("Apple capex % sales 2023", "AAPL | 2023 | capex_to_revenue"),
        ("Apple free cash flow less dividends 2023", "AAPL | 2023 | (fcf - dividends_paid)"),
        ("Apple dividends as % of free cash flow 2023", "AAPL | 2023 | dividends_paid % of fcf"),
        ("Apple gross margin %, operating margin % 2023", "AAPL | 2023 | gross_margin + operating_margin"),
        ("How much cash came from operations at Apple in 2023?", "AAPL | 2023 | cfo"),
        ("In plain words, what was Apple's revenue in 2023?", "AAPL | 2023 | revenue"),
    ],
)
def test_a_sum_a_verb_and_a_form_are_read_as_what_they_mean(told: Line, question: str, read: str):
    assert told(question) == read


@pytest.mark.parametrize(
    "question",
    [
        "How much cash came from licences at Apple in 2023?",
        "In plain paper, what was Apple's revenue in 2023?",
        "Apple gross margin % operating margin 2023",
    ],
)
def test_a_definition_or_an_origin_that_nobody_holds_is_refused(question: str):
    assert not asks_figures(question)
