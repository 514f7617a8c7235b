"""Questions for text of a filing: whose, of which year, and what of it; one target for each company and year."""

from types import SimpleNamespace

import pytest

from agent.query.reading.reading import MOST_TEXTS
from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.state.query import Query, Years
from agent.state.references import PeriodForm
from agent.steps.targets import planned_of
from tests.agent.query.conftest import Line, asks_figures, line_of, query_of


def asked(question: str) -> Query:
    """The query of a question for text."""
    found = query_of(question)
    assert isinstance(found, Query), found
    assert found.topics
    assert not found.rows
    return found


def searched(question: str) -> list[str]:
    return [" ".join(query.words) for topic in asked(question).topics for query in topic.queries]


@pytest.mark.parametrize(
    ("question", "form", "first", "text"),
    [
        ("What risks does Apple disclose about its supply chain?", "risks", "1A", "What risks does the company disclose about its supply chain?"),
        ("Why did Amazon's operating income fall in 2022?", "explain", "7", "Why did the company's operating income fall?"),
        ("How does Microsoft recognize revenue?", "explain", "8", "How does the company recognize revenue?"),
        ("Does Apple have unresolved staff comments in FY2024?", "yes_no", "1B", "Does the company have unresolved staff comments?"),
        ("What does AMD mean by free cash flow in 2023?", "explain", "7", "What does the company mean by free cash flow?"),
        ("How is AMD's adjusted EBITDA defined?", "explain", "1A", "How is the company's adjusted EBITDA defined?"),
        ("What products does AMD sell?", "explain", "1", "What products does the company sell?"),
        ("What lifted AMD's gross margin in 2023?", "explain", "7", "What lifted the company's gross margin?"),
        ("Summarize Item 1A of AMD's 2023 10-K", "explain", "1A", "Summarize Item 1A of the company's 10-K"),
        ("Summarize Apple's 10-K", "explain", "1", "What does the company do? Overview of its business, products and services"),
        ("How did Apple perform in 2024?", "explain", "7", "How did the company perform? Revenue and operating income increased or decreased compared to the prior year"),
    ],
)  # fmt: skip
def test_it_reads_what_is_asked_of_the_text(question: str, form: str, first: str, text: str):
    (topic,) = asked(question).topics
    assert (topic.form, topic.items[0], topic.text) == (form, first, text)


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("What did Apple Inc. say about tariffs in its fiscal 2024 10-K?", ["tariffs"]),
        ("What happened to Nvidia's deal to buy Arm?", ["happened deal buy Arm"]),
        ("Apple cybersecurity and competition risks", ["cybersecurity risks", "competition risks"]),
        ("restrictions on A100 and H100 at Nvidia", ["restrictions A100 H100"]),
        ("Marvin Ellison career at Lowe's", ["Marvin Ellison career"]),
        ("Why did Apple's R&D rise in 2024?", ["research development rise"]),
        ("What does NVIDIA say about its dependence on Boeing?", ["dependence Boeing"]),
        ("Why was FedEx Freight revenue down in FY2025?", ["Freight revenue down"]),
    ],
)
def test_neither_the_company_nor_the_year_is_looked_for(question: str, queries: list[str]):
    assert searched(question) == queries


# --- reasons ---


@pytest.mark.parametrize(
    "question",
    [
        "What held Apple's revenue back in 2023?",
        "What is behind Apple's revenue growth in 2023?",
        "What was behind the fall in Apple's gross margin in 2023?",
        "What drove Apple's sales in 2023?",
        "What if Apple lost its largest supplier?",
        "What led Apple to cut its dividend?",
        "How dependent is Apple on its suppliers?",
        "How come Apple's inventory rose in 2023?",
    ],
)
def test_a_reason_or_a_manner_is_asked_of_the_text(question: str):
    assert asked(question).companies[0].symbol == "AAPL"


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("What diluted earnings per share did Lowe's report in FY2023?", "eps_diluted"),
        ("What accrued liabilities did Lowe's report in FY2023?", "accrued_liabilities"),
        ("What deferred revenue did Lowe's report in FY2023?", "deferred_revenue_current"),
        ("How much did Lowe's revenue grow in FY2023?", "growth(revenue)"),
        ("How fast did Lowe's revenue grow in FY2023?", "growth(revenue)"),
    ],
)
def test_a_word_of_a_measure_is_no_verb_that_asks_for_a_reason(told: Line, question: str, key: str):
    assert told(question) == f"LOW | FY2023 | {key}"


def test_of_two_neighbouring_years_a_reason_is_looked_for_in_the_later():
    assert line_of("Why did Apple's revenue fall in 2023 compared to 2022?").startswith("AAPL | 2023 |  text:")


# --- several companies and years ---


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "targets"),
    [
        ("Compare Apple's and Microsoft's risks", [("AAPL", "latest"), ("MSFT", "latest")]),
        ("Apple vs Microsoft risks in 2023", [("AAPL", "2023"), ("MSFT", "2023")]),
        ("How do Apple, Microsoft and Google describe competition?", [("AAPL", "latest"), ("MSFT", "latest"), ("GOOGL", "latest")]),
        ("How did the risks of Apple change between 2022 and 2024?", [("AAPL", "2024")]),
        ("Apple's competition in 2022, 2023 and 2024", [("AAPL", "2022"), ("AAPL", "2023"), ("AAPL", "2024")]),
        ("Apple and Microsoft headcount in 2022 and 2023", [("AAPL", "2022"), ("AAPL", "2023"), ("MSFT", "2022"), ("MSFT", "2023")]),
    ],
)  # fmt: skip
def test_each_company_and_year_is_one_target(question: str, targets: list[tuple[str, str]]):
    plan = planned_of([asked(question)], deps=SimpleNamespace(news_found={}))  # type: ignore[arg-type]
    assert [(one.company.symbol, str(one.period.year or one.period.form)) for one in plan.targets] == targets
    assert [one.id for one in plan.targets] == list(range(len(targets)))
    assert len({one.topic.text for one in plan.targets if one.topic}) == 1


def test_companies_that_are_listed_are_one_company_to_the_search():
    assert asked("Compare Apple's and Microsoft's risks").topics[0].text == "Compare the company's risks"


def test_more_filings_than_can_be_read_at_once_are_refused():
    years = ", ".join(str(year) for year in range(2018, 2018 + MOST_TEXTS // 2 + 1))
    found = query_of(f"Compare Apple's and Microsoft's risks in {years}")
    assert isinstance(found, Misread)
    assert found.code == "too_long"


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("amazon's relationship with rivian", "AMZN"),
        ("Berkshire's Apple stake", "BRK-B"),
        ("Google's payments to Apple", "GOOGL"),
        ("Apple's payments from Google", "AAPL"),
        ("AMD and TSM supply agreement", "AMD"),
        ("Does Meta rely on Apple and Google's mobile operating systems?", "META"),
        ("What does Apple's 10-K say of Google's search?", "AAPL"),
    ],
)
def test_what_companies_have_to_do_with_each_other_is_in_the_filing_of_one(question: str, symbol: str):
    assert [one.symbol for one in asked(question).companies] == [symbol]


# --- years of things ---


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("Amazon climate pledge carbon neutral by 2040", None),
        ("Why was P&G's 2022 Global Productivity Initiative begun?", None),
        ("What are Apple's risks in 2030?", 2030),
        ("Apple 2022 supply chain risks", 2022),
        ("Summarize Apple's 2022 Annual Report risks", 2022),
    ],
)
def test_a_year_of_a_thing_is_no_year_of_a_filing(question: str, year: int | None):
    periods = asked(question).periods
    assert isinstance(periods, Years)
    assert periods.periods[0].year == year


# --- data of the filing ---


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("When did Apple file its 2024 10-K?", "filed"),
        ("When was Apple's 10-K for 2024 filed?", "filed"),
        ("Who is Apple's auditor?", "auditor"),
        ("Who audits Apple?", "auditor"),
        ("What is the accession number of Apple's 2024 10-K?", "accession"),
        ("Where is Apple incorporated?", "state"),
        ("When does Apple's fiscal year end?", "period_end"),
        ("Where is Apple headquartered?", "headquarters"),
        ("Which stock exchange is Apple listed on?", "exchange"),
    ],
)
def test_data_of_the_filing_itself_is_known(question: str, key: str):
    found = query_of(question)
    assert isinstance(found, Query)
    assert (found.particulars, found.topics, found.rows) == ((key,), (), ())


@pytest.mark.parametrize(
    "question",
    [
        "Why did Apple change its auditor?",
        "When was the complaint against Apple filed?",
        "What risks does Apple's 10-K filed in 2024 describe?",
    ],
)
def test_a_question_that_names_such_data_and_asks_of_something_else_is_for_text(question: str):
    assert not asked(question).particulars


@pytest.mark.parametrize(
    "question",
    [
        "How much did Apple pay its auditor?",
        "What did the auditor of Apple charge in 2024?",
        "What were Apple's audit fees?",
        "How much did Apple pay for audits?",
    ],
)
def test_what_the_auditor_is_paid_is_asked_of_item_14(question: str) -> None:
    found = asked(question)
    assert [(topic.text, topic.items) for topic in found.topics] == [("audit fees", ("14",))]
    assert not found.particulars


@pytest.mark.parametrize(
    "question", ["Which auditor does Apple pay?", "What amount of revenue did Apple have and who audits it?"]
)
def test_an_amount_beside_it_hides_no_auditor(question: str) -> None:
    found = query_of(question)
    assert isinstance(found, Query)
    assert found.particulars == ("auditor",)


def test_an_amount_is_no_data_of_the_filing() -> None:
    assert not asked("How much of its budget does Apple spend on its auditor?").particulars
    assert [topic.text for topic in asked("How does Apple pay its auditor?").topics] != ["audit fees"]


def test_how_long_an_auditor_has_served_is_asked_of_the_latest_filing() -> None:
    def forms(question: str) -> list[PeriodForm]:
        periods = asked(question).periods
        assert isinstance(periods, Years)
        return [one.form for one in periods.periods]

    assert forms("Has KPMG been Apple's auditor since 2015?") == [PeriodForm.LATEST]
    assert len(forms("What risks did Apple face since 2015?")) == 2


# --- figures that no measure holds ---


@pytest.mark.parametrize(
    ("question", "words", "amount"),
    [
        ("How many employees did Apple have in 2023?", ("employees",), "count"),
        ("how many folks quit starbucks in fiscal 2024", ("folks quit",), "count"),
        ("How many countries is Starbucks in?", ("countries",), "count"),
        ("How much did Apple spend on lobbying in 2023?", ("lobbying",), "money"),
        ("Apple headcount 2023", ("headcount",), ""),
        ("What was Apple's churn rate?", ("churn",), ""),
    ],
)
def test_what_no_measure_holds_is_looked_for_in_the_text(question: str, words: tuple[str, ...], amount: str):
    found = asked(question)
    assert (found.unheld, found.topics[0].amount) == (words, amount)
    assert not asks_figures(question)


def test_a_question_for_text_has_no_figure_that_is_missing():
    assert asked("What risks does Apple see?").unheld == ()


# --- Diligence itself ---


@pytest.mark.parametrize(
    ("question", "meta"),
    [
        ("hi", "greeting"),
        ("Hello there!", "greeting"),
        ("thanks!", "thanks"),
        ("Thank you very much", "thanks"),
        ("What can you do?", "coverage"),
        ("who are you", "coverage"),
        ("which companies do you cover?", "coverage"),
        ("do you cover Apple?", "coverage"),
    ],
)
def test_it_knows_when_it_is_spoken_to(question: str, meta: str):
    found = query_of(question)
    assert isinstance(found, Query)
    assert (found.meta, found.rows, found.topics) == (meta, (), ())


@pytest.mark.parametrize(
    "question",
    ["Hi, what was Apple's revenue in 2023?", "Apple revenue 2023, thanks!", "Hello, why did Apple's sales fall?"],
)
def test_a_greeting_beside_a_question_is_none(question: str):
    found = query_of(question)
    assert isinstance(found, Query)
    assert not found.meta


@pytest.mark.parametrize(
    "question",
    [
        "Does McDonald's say its dividend can affect its stock price?",
        "Does Apple think its purchase orders will strain its liquidity?",
        "Could tougher export rules make it harder for AMD to sell chips?",
        "Can Apple's dividend move its share price?",
        "What are the hard estimates in Apple's accounts?",
    ],
)
def test_whether_a_company_says_so_or_something_may_be_is_asked_of_the_text(question: str):
    assert asked(question)


@pytest.mark.parametrize(
    "question",
    [
        "Can you give me Apple's revenue in 2024?",
        "Could someone tell me Apple's revenue in 2024?",
        "would Apple's revenue have grown in 2024",
        "I would like Apple's revenue in 2024",
        "May I have Apple's revenue for 2023?",
        "Might you have Apple's net income for 2023?",
        "Does Apple state its net income for 2023?",
        "Did Apple say how much revenue it had in 2023?",
        "Did AMD say how much its revenue grew in fiscal 2024?",
        "Did Apple see revenue growth in 2023?",
        "Where did Apple's revenue stand in 2023?",
        "Where did Apple's gross margin end up in 2023?",
    ],
)
def test_whoever_asks_politely_asks_for_the_figure(question: str):
    assert asks_figures(question)


@pytest.mark.parametrize(
    ("question", "code", "words"),
    [
        (
            "How much of what Apple sells goes to people outside America in 2023?",
            Code.NOT_UNDERSTOOD,
            "people America",
        ),
        ("By what year does Apple want its fleet to be electric?", Code.AMBIGUOUS_CONCEPT, "fleet electric"),
        ("Will Apple keep shopping for airwaves?", Code.PREDICTION, "shopping airwaves"),
        ("What happened at Apple in Q3 FY2023?", Code.INTERIM_PERIOD, "happened"),
    ],
)
def test_what_is_refused_as_a_figure_may_be_told_by_the_text(question: str, code: Code, words: str):
    found = query_of(question)
    assert isinstance(found, Misread)
    assert found.code is code
    assert found.told is not None
    looked_for = [word for topic in found.told.topics for query in topic.queries for word in query.words]
    assert set(words.split()) <= set(looked_for)
    assert found.query.topics == ()


@pytest.mark.parametrize("question", ["Will Apple's revenue grow?", "What was Apple's revenue in June 2023?"])
def test_a_figure_of_another_time_is_told_apart(question: str):
    found = query_of(question)
    assert isinstance(found, Misread)
    assert found.untimely


@pytest.mark.parametrize("question", ["Should I buy Apple?", "revenue 2023"])
def test_what_is_no_question_for_a_filing_is_only_refused(question: str):
    found = query_of(question)
    assert isinstance(found, Misread)
    assert found.told is None


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("What happened at Apple in Q3 FY2023?", 2023),
        ("What happened at Apple in Q3'23?", 2023),
        ("Did Apple announce layoffs in Q2 FY22?", 2022),
        ("What happened at Apple in Q1 2022 and Q1 2023?", None),
        ("What happened at Apple in Q3?", None),
    ],
)
def test_what_is_told_of_a_quarter_is_looked_for_in_the_filing_of_its_year(question: str, year: int | None):
    found = query_of(question)
    assert isinstance(found, Misread)
    periods = found.told.periods if found.told else None
    assert (periods.periods[0].year if isinstance(periods, Years) else None) == year
