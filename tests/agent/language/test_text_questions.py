"""Questions for text of a filing: whose, of which year, and what of it; and questions for a figure, which stay that."""

import pytest
from agent.language.misread import Misread
from agent.language.parts import read_parts

from agent.state import Plan, QuestionType

from .conftest import TODAY


@pytest.fixture
def topic(ask):
    def read(question: str):
        found = ask(question)
        assert isinstance(found, Plan), found
        return found.targets[0].topic

    return read


@pytest.mark.parametrize(
    ("question", "form", "first", "text"),
    [
        ("What risks does Apple disclose about its supply chain?", "risks", "1A", "What risks does the company disclose about its supply chain?"),
        ("Why did Amazon's operating income fall in 2022?", "explain", "7", "Why did the company's operating income fall?"),
        ("How does Microsoft recognize revenue?", "explain", "8", "How does the company recognize revenue?"),
        ("Who are Apple's competitors?", "explain", "1", "Who are the company's competitors?"),
        ("Is Apple profitable?", "yes_no", "1A", "Is the company profitable?"),
        ("Does Apple have unresolved staff comments in FY2024?", "yes_no", "1B", "Does the company have unresolved staff comments?"),
        ("What products does AMD sell?", "explain", "1", "What products does the company sell?"),
        ("How dependent is Starbucks on coffee suppliers?", "explain", "1", "How dependent is the company on coffee suppliers?"),
        ("What lifted AMD's gross margin in 2023?", "explain", "7", "What lifted the company's gross margin?"),
    ],
)  # fmt: skip
def test_it_plans_a_question_for_text(topic, question, form, first, text):
    found = topic(question)
    assert (found.form, found.items[0], found.text) == (form, first, text)


def test_the_company_and_the_year_are_no_words_of_the_search(topic):
    words = topic("What did Apple Inc. say about tariffs in its fiscal 2024 10-K?").queries[0].words
    assert words == ("tariffs",)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Summarize Item 1A of AMD's 2023 10-K", ("1A",)),
        ("AMD Item 7", ("7",)),
        ("Apple legal proceedings", ("3",)),
        ("What does the MD&A of Apple say about inflation?", ("7",)),
    ],
)
def test_a_named_part_of_the_filing_is_the_only_one_searched(topic, question, items):
    found = topic(question)
    assert found.named
    assert found.items == items


def test_an_item_without_a_subject_is_asked_about_as_a_whole(topic):
    assert topic("Summarize Item 1A of AMD's 2023 10-K").whole
    assert topic("What are Apple's main risks?").whole
    assert topic("What does Apple do?").whole
    assert not topic("What does Item 7 of AMD's 10-K say about inventory provisions?").whole


def test_a_compound_question_becomes_focused_searches_with_labels(topic):
    queries = topic("What are Apple's cybersecurity and competition risks?").queries
    assert [query.label for query in queries] == ["cybersecurity", "competition"]
    assert all("risks" in query.words for query in queries)


def test_words_that_belong_together_are_not_parted(topic):
    assert len(topic("How does Apple describe research and development of chips?").queries) == 1


def test_an_abbreviation_is_searched_in_full(topic):
    assert "development" in topic("Why did Apple's R&D rise in 2024?").queries[0].words


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("When did Apple file its 2024 10-K?", "filed"),
        ("Who is Apple's auditor?", "auditor"),
        ("Who audits Apple?", "auditor"),
        ("What is the accession number of Apple's 2024 10-K?", "accession"),
        ("Where is Apple incorporated?", "state"),
        ("When does Apple's fiscal year end?", "period_end"),
        ("Where is Apple headquartered?", "headquarters"),
    ],
)
def test_data_of_the_filing_itself_is_known(ask, question, key):
    assert ask(question).targets[0].particular == key


def test_a_reason_for_a_change_of_auditor_is_no_data(ask):
    assert ask("Why did Apple change its auditor?").targets[0].particular == ""


# A question for a figure that a measure could hold is never answered by text.
@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("How much revenue did Apple make in China in 2023?", "dimensional_only"),
        ("How much did Apple's revenue grow in 2023?", "year_over_year"),
        ("Was Apple's revenue under 300 billion?", "not_understood"),
        ("What percentage of Apple's revenue comes from China?", "ratio"),
    ],
)
def test_a_question_for_a_figure_stays_with_the_figures(ask, question, code):
    found = ask(question)
    assert isinstance(found, Misread)
    assert found.code.value == code


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("what's going on with Apple?", "not_understood"),
        ("Apple and Microsoft headcount 2023", "cross_company"),
        ("How is Apple doing?", "not_understood"),
        ("How did the risks of Apple change between 2022 and 2023?", "year_over_year"),
        ("How do Apple and Microsoft describe competition?", "cross_company"),
        ("What drove Apple's sales in Q3 2023?", "interim_period"),
        ("Why should I buy Apple?", "advice"),
        ("Why will Apple fail next year?", "prediction"),
        ("What did Apple say about AI on its earnings call?", "transcript"),
        ("What are the main risks?", "no_company"),
        ("Why is the sky blue?", "off_topic"),
        ("How does Zyntrophic Industries recognize revenue?", "unknown_company"),
    ],
)
def test_it_refuses_what_no_single_filing_can_answer(ask, question, code):
    found = ask(question)
    assert isinstance(found, Misread), found
    assert found.code.value == code


# "Diluted", "accrued" and "deferred" end as verbs of the past do, and here they are words of the measure.
@pytest.mark.parametrize(
    ("question", "concept"),
    [
        ("What diluted earnings per share did Lowe's report in FY2023?", "eps_diluted"),
        ("What accrued liabilities did Lowe's report in FY2023?", "accrued_liabilities"),
        ("What deferred revenue did Apple report in FY2023?", "deferred_revenue_current"),
    ],
)
def test_a_word_of_a_measure_is_no_verb_that_asks_for_a_reason(ask, question, concept):
    target = ask(question).targets[0]
    assert target.topic is None
    assert [reading.concept for reading in target.readings] == [concept]


@pytest.mark.parametrize(
    "question",
    [
        "Why buy Apple?",
        "How do I invest in Apple?",
        "How good would it be to buy its shares, Apple?",
        "What should I buy now, Apple?",
        "Apple, why buy",
    ],
)
def test_to_buy_the_company_itself_is_advice(ask, question):
    found = ask(question)
    assert isinstance(found, Misread)
    assert found.code.value == "advice"


@pytest.mark.parametrize(
    "question",
    ["What does Apple buy?", "What supplies does Apple buy from Foxconn?", "Why does Apple invest in research?"],
)
def test_what_the_company_buys_is_no_advice(topic, question):
    assert topic(question).form == "explain"


def test_a_company_that_is_only_spoken_of_is_a_word_of_the_search(ask):
    target = ask("What does NVIDIA say about its dependence on Boeing?").targets[0]
    assert target.company.symbol == "NVDA"
    assert "Boeing" in target.topic.queries[0].words


def test_of_two_neighbouring_years_a_reason_is_looked_for_in_the_later(ask):
    assert ask("Why did Apple's revenue fall in 2023 compared to 2022?").targets[0].period.year == 2023


@pytest.mark.parametrize(
    "question",
    [
        "What was Apple's R&D in FY2024 and what drove it?",
        "Describe Apple's competition in FY2024. What was its revenue?",
        "What does Apple say about tariffs and how does it recognize revenue?",
    ],
)
def test_the_spans_of_two_parts_cover_every_word_once(companies, registry, question):
    plan, _ = read_parts(question, companies, registry, TODAY)
    covered = [place for span in plan.spans for place in range(span.start, span.end)]
    assert len(covered) == len(set(covered))
    assert not any(question[place].isalnum() for place in range(len(question)) if place not in covered)


def test_a_figure_and_its_reason_are_two_targets_of_one_company_and_year(companies, registry):
    plan, refused = read_parts("What was Apple's R&D in FY2024 and what drove it?", companies, registry, TODAY)
    assert plan.type is QuestionType.BOTH
    assert refused == ()
    number, text = plan.targets
    assert [reading.concept for reading in number.readings] == ["rnd"]
    assert "research" in text.topic.queries[0].words
    assert {target.company.symbol for target in plan.targets} == {"AAPL"}
    assert {target.period.year for target in plan.targets} == {2024}
    assert [target.id for target in plan.targets] == [0, 1]


def test_a_part_that_is_refused_does_not_stop_the_other(companies, registry):
    plan, refused = read_parts(
        "What was Apple's gross margin in FY2024, and why did it change?", companies, registry, TODAY
    )
    assert [(number, part.code.value) for number, part in refused] == [(0, "ratio")]
    assert [target.id for target in plan.targets] == [1]
    assert plan.targets[0].period.year == 2024


# --- a segment that begins with a held company's name ---


@pytest.mark.parametrize(
    ("question", "symbol"),
    [
        ("Why was FedEx Freight revenue down in FY2025?", "FDX"),
        ("Is FedEx Freight being spun off?", "FDX"),
        ("What are the risks of FedEx Freight Holding Company?", "FDXF"),
        ("What are the risks of Coca-Cola Europacific?", "CCEP"),
        ("What are the risks of Apple Hospitality?", "APLE"),
    ],
)
def test_a_segment_is_part_of_the_held_company_and_a_whole_name_is_another(ask, question, symbol):
    assert ask(question).targets[0].company.symbol == symbol


def test_the_segment_is_a_word_of_the_search(topic):
    assert "Freight" in topic("Why was FedEx Freight revenue down in FY2025?").queries[0].words


# --- the whole of a filing, and how a year went ---


@pytest.mark.parametrize(
    ("question", "item"),
    [
        ("Summarize Apple's 10-K", "1"),
        ("summary of amazon annual report 2022", "1"),
        ("Key points of Amazon's 2022 10-K", "1"),
        ("how did starbucks do in fiscal 2024", "7"),
        ("How did Apple perform in 2024?", "7"),
        ("how was apple's year", "7"),
        ("apple 2024 performance", "7"),
    ],
)
def test_a_vague_question_about_a_filing_or_a_year_has_a_subject(topic, question, item):
    assert topic(question).items[0] == item


def test_under_a_thing_compares_nothing(topic):
    assert topic("Is Apple still under the asset cap?").form == "yes_no"


# --- two parts ---


def targets(question, companies, registry):
    plan, refused = read_parts(question, companies, registry, TODAY)
    assert isinstance(plan, Plan), plan
    return plan, [(target.readings and "number") or "text" for target in plan.targets], refused


@pytest.mark.parametrize(
    "question",
    ["Apple net income 2024 and main risks", "Apple revenue 2024 plus legal proceedings"],
)
def test_a_figure_and_a_subject_side_by_side_are_two_parts(companies, registry, question):
    plan, kinds, refused = targets(question, companies, registry)
    assert (plan.type, kinds, refused) == (QuestionType.BOTH, ["number", "text"], ())
    assert {target.period.year for target in plan.targets} == {2024}


def test_two_figures_side_by_side_are_still_refused(companies, registry):
    assert isinstance(read_parts("amazon revenue and profit 2023", companies, registry, TODAY)[0], Misread)


@pytest.mark.parametrize(
    "question",
    [
        "In FY23, what shields AMD's ideas, and could its chips be hacked?",
        "How is Apple taxed, and would floods close its plants?",
    ],
)
def test_a_verb_that_may_begin_a_question_begins_the_second(companies, registry, question):
    _, kinds, refused = targets(question, companies, registry)
    assert (kinds, refused) == (["text", "text"], ())


def test_a_when_that_only_names_the_filing_is_no_part(companies, registry):
    _, kinds, refused = targets("Who took over as Starbucks' boss, and when? fiscal 2024 10-K", companies, registry)
    assert (kinds, refused) == (["text"], ())


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Starbucks: effect of health fads on drinks, and of Mars rovers on milk", ["effect health fads drinks", "Mars rovers milk"]),
        ("Amazon: hacker threats, and rules of TikTok Shop?", ["hacker threats", "rules TikTok Shop"]),
        ("Lowe's - installers who botch jobs and bad weather", ["installers botch jobs", "bad weather"]),
        ("What does Apple disclose about its R&D cause and its Vision headset?", ["research development", "Vision headset"]),
    ],
)  # fmt: skip
def test_two_subjects_that_nobody_listed_are_two_searches(topic, question, labels):
    assert [query.label for query in topic(question).queries] == labels


@pytest.mark.parametrize(
    "question",
    [
        "What held Apple's service and calibration revenue back?",
        "Who guards Apple against hackers, and how seasoned is that person?",
        "How does Apple attract and retain people?",
        "Where's Amazon's head office, going by Item 2?",
    ],
)
def test_what_goes_on_about_one_subject_is_one_search(topic, question):
    assert len(topic(question).queries) == 1


def test_a_plural_it_takes_the_words_it_stands_for(topic):
    first, second = topic("How many workers has Apple and are they organised?").queries
    assert (first.words, second.words) == (("workers",), ("organised", "workers"))


def test_a_part_ends_with_no_letter_of_the_next(companies, registry):
    plan, _ = read_parts(
        "Apple, who keeps watch over hackers and how are leases accounted for?", companies, registry, TODAY
    )
    assert plan.targets[0].topic.text.rstrip("?").endswith("hackers")


@pytest.mark.parametrize(
    "question",
    [
        "apple biggest customers",
        "Apple debt covenants",
        "Apple gross margin pressure",
        "Apple's goodwill testing",
        "Apple's backlog of orders - what is it made of",
        "Apple - anything on steel prices",
        "apple employee turnover",
        "Apple 2023: share of turnover through its largest retailer",
        "Apple R&D: what is in it",
    ],
)
def test_what_asks_for_no_figure_is_looked_for_in_the_text(topic, question):
    assert topic(question) is not None


@pytest.mark.parametrize(
    ("question", "code"), [("Who supplies the ceramic stage?", "no_company"), ("the stage supplier", "no_company")]
)
def test_a_subject_of_a_filing_without_a_company_asks_for_one(ask, question, code):
    assert ask(question).code.value == code


def test_why_alone_asks_of_what_the_part_before_names(companies, registry):
    plan, _ = read_parts("Apple 2024 inventory, why so high", companies, registry, TODAY)
    assert isinstance(plan, Plan)
    assert plan.targets[-1].topic.text == "why so high inventory"
