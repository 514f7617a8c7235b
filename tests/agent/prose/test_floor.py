"""What of a filing is worth reading where nothing is asserted: what has a word of the question, and is no furniture."""

import pytest

from agent.prose.ranking.scoring import Score
from agent.prose.search import near_passages
from agent.prose.search.floor import Floor, floor_of
from agent.prose.text.candidate_sentences import read_units, texts
from agent.state import AgentState, NearPassage, Passage, SubQuery, Topic
from agent.steps.drafting import sources_of
from filings.models import Company, SectionStatus
from tests.support.quotable import CIK, Quotable, company, quotable

pytestmark = pytest.mark.django_db


def filed(lines: list[str], item: str = "1A", status: SectionStatus = SectionStatus.EXTRACTED) -> Quotable:
    """A filing with one section, which is this Item."""
    owner = Company.objects.filter(cik=CIK).first() or company()
    filing = quotable(owner, 2025 - owner.filings.count(), lines)
    filing.section.item, filing.section.status = item, status
    filing.section.save()
    return filing


def topic(words: str, implied: tuple[str, ...] = ("1A",), variants: tuple[str, ...] = ()) -> Topic:
    query = SubQuery(label=words, words=tuple(words.split()), variants=variants)
    return Topic(text=words, form="explain", items=implied, implied=implied, queries=(query,))


def asking(words: str, implied: tuple[str, ...] = ("1A",), variants: tuple[str, ...] = ()) -> Floor:
    asked = topic(words, implied, variants)
    return floor_of(asked, asked.queries)


def worth(filing: Quotable, floor: Floor, **more: object) -> list[bool]:
    """Whether each passage of a filing is worth reading."""
    text = texts([filing.section.pk])[filing.section.pk]
    return [floor.holds(one.model_copy(update=more), text) for one in filing.retrieval.passages]


def shown(filing: Quotable, floor: Floor, worth: dict[str, float]) -> tuple[NearPassage, ...]:
    """What is shown of the sentences with these words, each so worthy."""
    read = texts([filing.section.pk])
    units = read_units(filing.retrieval.passages, read)
    scores = [
        Score(next(unit for unit in units if words in unit.text), 1.0, 1.0, True, total)
        for words, total in worth.items()
    ]
    return near_passages.nearest(filing.target, filing.filing, scores, read, 0, 5, floor)


LENSES = ["# Grinding", "We grind lenses in Oulu.", "# Pay", "Our people are paid monthly."]


def test_a_passage_without_a_word_of_the_question_is_not_worth_reading() -> None:
    filing = filed(LENSES)
    assert worth(filing, asking("lenses")) == [True, False]
    assert worth(filing, asking("grinding")) == [True, False]
    assert worth(filing, asking("zeppelins")) == [False, False]


def test_a_filing_term_or_a_near_meaning_stands_for_a_word() -> None:
    filing = filed(LENSES)
    assert worth(filing, asking("wages", variants=("paid people",))) == [False, True]
    assert worth(filing, asking("wages"), cosine=0.5) == [True, True]
    assert worth(filing, asking("wages"), cosine=0.3) == [False, False]


def test_words_that_say_only_how_much_is_asked_do_not_count_beside_others() -> None:
    filing = filed(["# Results", "Our operating results have changed."])
    assert worth(filing, asking("impact zeppelins results")) == [False]


@pytest.mark.parametrize("status", [SectionStatus.NONE, SectionStatus.OMITTED, SectionStatus.BY_REFERENCE])
def test_an_item_without_text_of_its_own_tells_only_who_asks_for_it(status: SectionStatus) -> None:
    filing = filed(["None of the lenses."], "4", status)
    assert worth(filing, asking("lenses", ("1C", "4"))) == [False]
    assert worth(filing, asking("zeppelins", ("4", "1C"))) == [True]


def test_a_list_of_contents_is_not_worth_reading_and_a_table_of_figures_is() -> None:
    contents = ["| Part | Page", "| Lenses | 3", "| Lenses abroad | 9", "| Lenses at home | 21", "| Other lenses | 30"]
    assert worth(filed(contents), asking("lenses")) == [False]
    assert worth(filed(["| Lenses | 2025", *contents[1:]]), asking("lenses")) == [True]
    assert worth(filed([contents[0], contents[2], contents[1], *contents[3:]]), asking("lenses")) == [True]


def test_a_list_of_exhibits_is_not_worth_reading() -> None:
    exhibits = ["| 10.1 | Lease of the lens works", "| 10.2* | Loan for the lens works", "| 99 | Lenses"]
    assert worth(filed(exhibits, "15"), asking("lens works")) == [False]
    assert worth(filed(exhibits, "7"), asking("lens works")) == [True]


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("/s/ Ida Halvorsen, Chief Lens Officer", "signed lens"),
        ("Indicate by check mark whether a lens is sold.", "lens shell"),
        ("Lease of the lens works, filed herewith.", "lens exhibit"),
    ],
)
def test_furniture_outside_the_telling_items_is_worth_reading_only_for_who_asks_for_it(line: str, asked: str) -> None:
    assert worth(filed([line], ""), asking("lens")) == [False]
    assert worth(filed([line], "1"), asking("lens")) == [True]
    assert worth(filed([line], ""), asking(asked)) == [True]


@pytest.mark.parametrize("heading", ["Cautionary Note", "Forward-Looking Statements", "Basis for Opinions"])
def test_what_stands_under_a_heading_of_every_filing_is_not_worth_reading(heading: str) -> None:
    filing = filed([f"# {heading}", "Lenses may not sell.", "# Lenses", "Lenses sell in Oulu."])
    assert worth(filing, asking("lenses")) == [False, True]
    assert worth(filing, asking("lenses cautionary forward-looking auditor")) == [True, True]


def test_of_a_passage_with_furniture_the_rest_is_shown() -> None:
    filing = filed(["# Lenses", "Actual results could differ for lenses. Lenses sell in Oulu."])
    (one,) = shown(filing, asking("lenses"), {"Actual": 1.0, "Lenses sell": 0.9})
    assert [filing.text[start:end] for start, end in one.marked] == ["Lenses sell in Oulu."]


PLACES = [
    "# Oulu",
    "Lenses sell in Oulu. Lenses break in Oulu.",
    "# Lund",
    "Lenses sell in Lund.",
    "# Turku",
    "A lens.",
]


def test_what_is_far_behind_the_best_is_not_shown() -> None:
    filing = filed(PLACES)
    assert len(shown(filing, asking("lenses"), {"in Oulu": 2.0, "in Lund": 0.9, "A lens": 0.7})) == 2
    assert shown(filing, asking("lenses"), {"in Oulu": 0.2}) == ()


def test_where_passages_are_equally_near_each_part_of_the_filing_comes_before_a_second_of_one() -> None:
    filing = filed(["# Oulu", "Lenses sell here.", "Lenses break here.", "# Lund", "Lenses sell in Lund."])
    own, other = filing.retrieval.passages
    first, second = (
        texts([filing.section.pk])[filing.section.pk].bounds.units(block)[0]
        for block in filing.section.parsed_blocks[1:3]
    )
    halves = [
        own.model_copy(update={"ranges": (span,), "text": filing.text[slice(*span)]}) for span in (first, second)
    ]
    found = parted(filing, [*halves, other], [1.0, 0.99, 0.98])
    assert [one.headings[-1] for one in found] == ["Oulu", "Lund", "Oulu"]
    found = parted(filing, [*halves, other], [1.0, 0.99, 0.9])
    assert [one.headings[-1] for one in found] == ["Oulu", "Oulu", "Lund"]


def test_a_paragraph_is_shown_once_and_so_is_what_says_the_same() -> None:
    filing = filed(["# Oulu", "Lenses sell here. Lenses break here.", "# Lund", "Lenses sell here."])
    own, other = filing.retrieval.passages
    text = texts([filing.section.pk])[filing.section.pk]
    spans = text.bounds.units(text.block(1))
    halves = [own.model_copy(update={"ranges": (span,), "text": filing.text[slice(*span)]}) for span in spans]
    assert [one.headings[-1] for one in parted(filing, [*halves, other], [1.0, 0.95, 0.9])] == ["Oulu"]


def parted(filing: Quotable, passages: list[Passage], worth: list[float]) -> tuple[NearPassage, ...]:
    """What is shown of the first sentence of each of these passages, each so worthy."""
    read = texts([filing.section.pk])
    units = read_units(passages, read)
    firsts = [
        next(unit for unit in units if unit.place == place and unit.kind != "heading")
        for place in range(len(passages))
    ]
    scores = [Score(unit, 1.0, 1.0, True, total) for unit, total in zip(firsts, worth, strict=True)]
    return near_passages.nearest(filing.target, filing.filing, scores, read, 0, 5, asking("lenses"))


def test_a_draft_is_given_what_is_worth_reading_for_what_any_search_looked_for() -> None:
    filing = filed(LENSES)

    def given(asked: Topic) -> list[str]:
        target = filing.target.model_copy(update={"topic": asked})
        state = AgentState(question=asked.text, filings=(filing.filing,), retrievals=(filing.retrieval,))
        return [one.passage.text.partition("\n")[0] for one in sources_of(state, [target], ())]

    assert given(topic("lenses")) == ["Grinding"]
    searched = topic("zeppelins").model_copy(update={"searches": (SubQuery(label="wages", words=("paid",)),)})
    assert given(searched) == ["Pay"]
    # Where nothing is worth reading, a draft says itself that nothing answers.
    assert given(topic("zeppelins")) == ["Grinding", "Pay"]


def test_a_passage_has_the_paragraphs_next_to_it_unless_they_are_shown_themselves() -> None:
    lines = [
        "# Oulu",
        "We are old.",
        "Lenses sell here.",
        "Oulu is cold.",
        "Lenses break here.",
        "# Lund",
        "All is well.",
    ]
    filing = filed(lines)
    own = filing.retrieval.passages[0]
    spans = [(block.start, block.end) for block in filing.section.parsed_blocks]
    sold, broken = (own.model_copy(update={"ranges": (spans[place],)}) for place in (2, 4))
    (one,) = parted(filing, [sold], [1.0])
    assert one.text.split("\n\n") == lines[1:4]
    assert [filing.text[start:end] for start, end in one.marked] == ["Lenses sell here."]
    assert [two.text.split("\n\n") for two in parted(filing, [sold, broken], [1.0, 0.9])] == [lines[1:4], lines[4:5]]
