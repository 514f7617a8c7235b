"""What is looked for: introductions and polite leads left out, words of the subject kept, years of things left alone."""

import pytest
from agent.language.clauses import is_introduction
from agent.language.misread import Misread
from agent.language.parts import read_parts

from agent.prose.topics import items_of
from agent.state import Plan
from agent.words.roots import root
from agent.words.tokens import tokenise
from tests.agent.language.conftest import TODAY
from tests.agent.language.held import WIDER


def read(question, registry):
    return read_parts(question, WIDER, registry, TODAY)[0]


def searched(question, registry):
    plan, refused = read_parts(question, WIDER, registry, TODAY)
    assert isinstance(plan, Plan), plan
    assert refused == ()
    return [" ".join(query.words) for target in plan.targets for query in target.topic.queries]


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("Explain the State Aid Decision tax charge Apple booked", ["State Aid Decision tax charge booked"]),
        ("What happened to Nvidia's deal to buy Arm?", ["happened deal buy Arm"]),
        ("Activision deal status at Microsoft", ["Activision deal status"]),
        ("Why did General Electric change its name?", ["change name"]),
        ("What is One Medical to Amazon?", ["One Medical"]),
        ("Why did Starbucks grow in the US?", ["grow US"]),
        ("Are Starbucks stores mostly company-operated?", ["stores mostly company operated"]),
        ("NVIDIA long-term purchase obligations", ["long term purchase obligations"]),
        ("What is DRIVE at FedEx?", ["DRIVE"]),
        ("Tell us the state of competition at Apple", ["competition"]),
        ("How does Google deal with privacy?", ["privacy"]),
        ("Target's owned brands", ["owned brands"]),
        ("What do we need to know about Apple's supply chain?", ["supply chain"]),
    ],
)
def test_words_of_asking_are_looked_for_where_they_name_the_subject(registry, question, queries):
    assert searched(question, registry) == queries


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("How dependent is Tesla on Panasonic and CATL cells?", ["dependent Panasonic CATL cells"]),
        ("Which brands are in Procter & Gamble's Fabric & Home Care segment?", ["brands Fabric Home Care segment"]),
        ("Why did volume slip in Apple's Europe, Middle East and Africa segment?", ["volume slip Europe Middle East Africa segment"]),
        ("Apple cybersecurity and competition risks", ["cybersecurity risks", "competition risks"]),
    ],
)  # fmt: skip
def test_two_names_are_one_subject_and_two_subjects_two(registry, question, queries):
    assert searched(question, registry) == queries


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Can you explain Tesla's warranty policy?", "explain"),
        ("could you describe how Tesla recognises revenue", "explain"),
        ("Could you kindly walk me through the headwinds FedEx faced?", "risks"),
        ("Can Tesla's warranty costs rise?", "yes_no"),
        ("Can you tell me whether Tesla is unionised?", "yes_no"),
    ],
)
def test_a_polite_lead_asks_for_no_yes_or_no(registry, question, form):
    assert read(question, registry).targets[0].topic.form == form


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("In plain English, who buys NVIDIA's products?", ["buys products"]),
        ("For our portfolio review, which lawsuits does Apple face?", ["lawsuits"]),
        ("My professor asked: what are Apple's climate risks?", ["climate risks"]),
        ("Recommendation aside, what are Apple's climate risks?", ["climate risks"]),
        ("Compared to the prior year, why was NVIDIA's gross margin lower in fiscal 2023?", ["gross margin lower"]),
        ("In fact, did AMD lose share in PCs in 2023?", ["lose share PCs"]),
        ("Describe Apple's patents, and what are its tariff risks?", ["patents", "tariff risks"]),
    ],
)
def test_an_introduction_is_no_part_of_what_is_asked(registry, question, queries):
    assert searched(question, registry) == queries


def test_an_introduction_with_a_year_or_a_place_is_read(registry):
    assert read("For my 2023 review, what are Apple's climate risks?", registry).targets[0].period.year == 2023
    assert not is_introduction(tokenise("In the US"))


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("I need one number, excluding services: what was Apple's revenue in 2023?", "not_understood"),
        ("For Europe only, what was Apple's revenue in 2023?", "dimensional_only"),
        ("For my fund, should I sell Apple?", "advice"),
        ("I want to write a poem: what does Apple do?", "off_topic"),
    ],
)
def test_an_introduction_that_changes_the_question_is_read(registry, question, code):
    found = read(question, registry)
    assert isinstance(found, Misread), found
    assert found.code.value == code


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("Amazon climate pledge carbon neutral by 2040", None),
        ("TI capital expenditures plan through 2026", None),
        ("Why was P&G's 2022 Global Productivity Initiative begun?", None),
        ("What are Apple's risks in 2030?", 2030),
        ("Apple 2022 supply chain risks", 2022),
        ("nvidia f2024 gaming rebound why", 2024),
        ("Summarize Apple's 2022 Annual Report risks", 2022),
    ],
)
def test_a_year_of_a_thing_is_no_year_of_a_filing(registry, question, year):
    assert read(question, registry).targets[0].period.year == year


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("restrictions on A100 and H100 at Nvidia", ["restrictions A100 H100"]),
        ("Nike StockX litigation", ["StockX litigation"]),
        ("Marvin Ellison career at Lowe's", ["Marvin Ellison career"]),
        ("What happened to Similac at Apple?", ["happened Similac"]),
        ("What's wrong with the supply chain at Nike?", ["wrong supply chain"]),
    ],
)
def test_a_word_that_only_looks_like_another_is_itself(registry, question, queries):
    assert searched(question, registry) == queries


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Apple H1 2023 revenue", "interim_period"),
        ("Apple revenue h1'23", "interim_period"),
        ("Apple revenue over many years", "year_over_year"),
        ("Apple revnue Q1 2023", "interim_period"),
        ("what is going on with Nike?", "not_understood"),
        ("What happened with Nike?", "not_understood"),
    ],
)
def test_half_years_series_and_questions_without_a_subject_stay_refused(registry, question, code):
    found = read(question, registry)
    assert isinstance(found, Misread), found
    assert found.code.value == code


def test_words_of_different_meaning_have_different_roots():
    pairs = [("fact", "factor"), ("factor", "factories"), ("officer", "offices"), ("direct", "directors")]
    assert all(root(first) != root(second) for first, second in pairs)
    assert root("factories") == root("factory")
    assert root("officers") == root("officer")


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("Where are its factories?", "2"),
        ("Who are the executive officers?", "10"),
        ("Are its internal controls effective?", "9A"),
        ("Was the control flaw mended?", "9A"),
    ],
)
def test_a_subject_is_looked_for_where_it_is_told(text, item):
    assert items_of(text)[0] == item


@pytest.mark.parametrize(
    "text", ["export controls in China", "Who controls the votes?", "Consumer Direct Acceleration"]
)
def test_another_sense_of_a_word_names_no_item(text):
    assert not {"9A", "10"} & set(items_of(text))
