"""Sentences around a question carry it: the same figure inside each, and no content word swallowed by any."""

import random

import pytest
from agent.language.frames import Part, framed, patterns
from agent.language.reading import read

from agent.numbers import registry as registry_file
from agent.registrants.companies import Companies
from agent.state import Plan

from .conftest import REGISTRANTS, TODAY, told

COMPANIES = Companies.of(REGISTRANTS)
REGISTRY = registry_file.load()

# {c} a company, {m} a measure, {p} a period.
FRAMES = """
What was {c}'s {m} in {p}?
How much did {c} report as {m} in {p}?
What did {c} book as {m} in {p}?
Could you please tell me {c}'s {m} for {p}?
Would you mind telling me {c}'s {m} in {p}?
Can I get {c}'s {m} for {p} please
I need {c}'s {m} for {p} for my model, thanks
For my model I need {c}'s {m} for {p}
I am looking at {c}. What was its {m} in {p}?
We're preparing a memo on {c}. Please give us the {m} for {p}.
I'm a student writing a paper about {c}; what was its {m} in {p}?
My boss wants {c}'s {m} for {p} asap
Quick question about {c}: what was the {m} in {p}?
Sorry, one more question: {c} {m} {p}?
Regarding {c}, what was {m} for {p}?
With regard to {c}: {m} in {p}?
According to its annual report, what was {c}'s {m} in {p}?
Based on the 10-K, what were {c}'s {m} for {p}?
As stated in its 10-K, {c}'s {m} in {p}
From {c}'s 10-K for {p}: {m}?
What does {c}'s 10-K say its {m} was in {p}?
Company: {c}. Measure: {m}. Period: {p}.
Ticker: {c}; item: {m}; period: {p}
{c} / {m} / {p}
{c} | {p} | {m}
{c} = ? {m}, {p}
\u2022 {c} - {m} - {p}
**{c}** {m} {p}
\u201c{c} {m} {p}\u201d
{c} ({p}): {m}
{m} of {c} for {p}, in $m
How many billions of dollars of {m} did {c} have in {p}?
How many dollars was {c}'s {m} in {p}?
Where did {c}'s {m} stand in {p}?
{c}'s {m} totalled how much in {p}?
{c}'s {m} came to how much in {p}?
What did {c}'s {m} amount to in {p}?
What is the figure for {c}'s {m} in {p}?
What was the exact amount of {m} at {c} in {p}?
For the whole of {p}, how much was {c}'s {m}?
Remind me what {c}'s {m} was in {p} again
Let me have {c}'s {m} for {p} if you can
I would like to know the {m} that {c} posted for {p}
Do you happen to know {c}'s {m} for {p}?
Any idea what {c}'s {m} was in {p}?
Please answer in millions: {c}'s {m} in {p}
Dear team, please send the {m} of {c} for {p}. Best regards
{c} and its {m}, {p}?
State the {m} of {c} for {p}.
What has been the {m} of {c} for {p}?
May I ask what {c}'s {m} was in {p}?
{c} {m} at the close of {p}
What number did {c} disclose for {m} in {p}?
Hi there! Could you look up {c}'s {m} for {p}? Thank you so much!
Just the number please: {c} {m} {p}
The {m} of {c} in {p} was what?
{c}'s {m} for {p} \u2705
""".strip().splitlines()
# (company, measure, period): what is asked, and as what it is read.
ASKED = (
    (("Apple", "revenue", "FY2023"), ("AAPL", ("revenue",))),
    (("Microsoft", "operating income", "fiscal 2022"), ("MSFT", ("operating_income",))),
    (("Nvidia", "total assets", "FY2021"), ("NVDA", ("total_assets",))),
    (("Starbucks", "goodwill", "2022"), ("SBUX", ("goodwill",))),
    (("AMD", "R&D expense", "FY22"), ("AMD", ("rnd",))),
    (("P&G", "income tax expense", "FY2020"), ("PG", ("income_tax",))),
)
# Words that describe a measure or a part of a company: in front of the measure each makes another question.
MODIFIERS = """
    adjusted average organic recurring gross domestic foreign excluding including without before after opening
    cumulative highest first half quarterly interim estimated budgeted restated preliminary deferred prepaid restricted
    noncurrent rental implied remaining other comparable China segment iPhone cloud hardware employees growth margin
    percent data client customer model present variable field account financial new student story table information
    record mobile media music retail government print target minimum committed preferred antidilutive historical hedged
    leased insured unbilled contract advertising energy health trading banking research project team class file paper
    company-owned state world
""".split()  # noqa: SIM905 - read more easily as text


def figure(question: str) -> tuple[object, ...] | None:
    found = read(question, COMPANIES, REGISTRY, TODAY)
    # A question for text is no question for a figure.
    return told(found) if isinstance(found, Plan) and any(target.readings for target in found.targets) else None


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_changes_nothing(frame):
    for (company, measure, period), planned in ASKED:
        question = frame.format(c=company, m=measure, p=period)
        found = figure(question)
        assert found is not None, question
        assert found[:2] == planned, question
        assert found[2:] == figure(f"{company} {measure} {period}")[2:], question


# One word in so many, other words in the next frame.
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_swallows_no_word_that_describes_the_measure(frame, step):
    swallowed = []
    for place in range(FRAMES.index(frame) % step, len(MODIFIERS), step):
        word = MODIFIERS[place]
        (company, measure, period), _ = ASKED[place % len(ASKED)]
        asked = figure(frame.format(c=company, m=measure, p=period))
        described = (f"{word} {measure}", f"{measure} {word}")
        questions = (frame.format(c=company, m=one, p=period) for one in described)
        swallowed += [question for question in questions if figure(question) == asked]
    assert swallowed == []


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 6))])
def test_frames_in_any_case_and_order_never_give_another_figure(seed):
    chance = random.Random(seed)  # noqa: S311 - a test that repeats
    for _ in range(60):
        (company, measure, period), planned = chance.choice(ASKED)
        words = chance.choice(FRAMES).format(c=company, m=measure, p=period).split()
        if chance.random() < 0.5:
            words.insert(chance.randrange(len(words)), words.pop(chance.randrange(len(words))))
        else:
            words.pop(chance.randrange(len(words)))
        found = figure(" ".join(words))
        assert found is None or found[0] == planned[0], words
        assert found is None or found[1] == planned[1] or measure not in " ".join(words), words


@pytest.mark.parametrize(
    "question",
    [
        "How much did Apple's record revenue amount to in FY2023?",
        "State income tax expense of Apple in FY2023",
        "According to its off balance sheet debt, Apple revenue FY2023",
        "I need client revenue of Apple for FY2023",
        "Share of Apple revenue FY2023",
        "What was Apple's check revenue in FY2023?",
        "Apple revenue from the annual report filed in 2024",
        "What did Apple say about revenue in FY2023?",
        "Apple book income tax expense FY2023",
        "What is the fair value of goodwill at Apple in FY2023?",
        "Apple total cash FY2023",
        "Apple total short-term investments FY2023",
        "At the beginning of FY2023, what was Apple's inventory?",
        "Apple revenue net of TAC FY2023",
    ],
)
def test_words_of_a_frame_in_another_place_are_no_frame(question):
    assert figure(question) is None


@pytest.mark.parametrize("measure", ["accounts payable", "right-of-use assets", "cash flow from investing activities"])
def test_total_adds_nothing_where_no_other_measure_has_these_words_and_more(measure):
    assert figure(f"Apple total {measure} FY2023") == figure(f"Apple {measure} FY2023") is not None


def test_a_statement_named_by_a_frame_must_be_the_measures_own():
    assert figure("According to its balance sheet, what was Apple's goodwill in FY2023?") is not None
    assert figure("According to its balance sheet, what was Apple's revenue in FY2023?") is None


def test_a_frame_holds_no_word_under_a_mark():
    parts = [
        Part(text, range(place, place + 1))
        for place, text in enumerate(["what", "did", "@c", "book", "as", "@m", "@p"])
    ]
    carried = {place for frame in framed(parts) for place in frame.places}
    assert carried == {1, 3, 4}


def test_without_a_measure_there_is_no_frame():
    assert list(framed([Part("please", range(1)), Part("tell", range(1, 2)), Part("@c", range(2, 3))])) == []


def test_every_word_of_the_patterns_is_known():
    assert {"regarding", "memo", "please", "book"} <= patterns().words
