"""A text says what its quotation says, with every number, name and qualification in its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.prose.verification.salience import salience_problem
from evals.mutations.mutations import SENTENCES
from filings.document.sentences import sentence_spans

LINES = [line for line in SENTENCES.read_text(encoding="utf-8").splitlines() if line[0] not in "#-"]
ALL = [line[start:end] for line in LINES for start, end in sentence_spans(line)]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (
            "Northwind relies on a limited number of foundries to produce its chips.",
            "We depend on a limited number of foundries to manufacture our chips.",
        ),
        ("We don't carry insurance.", "We do not carry insurance."),
        ("Revenue increased, due to freight.", "Revenue increased 12%, due to freight."),
        ("The plant may close.", "However, the plant may close."),
        ("We buy parts abroad.", "We buy parts abroad, including lenses."),
        ("Northwind has not shipped.", "The Company has not shipped."),
        ("Northwind's plant burned.", "Our plant burned."),
    ],
)
def test_a_faithful_text_passes(text: str, quote: str) -> None:
    assert salience_problem(text, quote, ["Northwind"]) == ""


@pytest.mark.parametrize(
    ("text", "quote", "said"),
    [
        ("We are exposed to fires.", "We do not believe we are exposed to fires.", "negation"),
        ("We can ship.", "We cannot ship.", "negation"),
        ("We will lose it.", "We may lose it.", "modality"),
        ("We lost it.", "We may lose it.", ""),
        ("Revenue fell 9%.", "Revenue grew 9%.", "direction"),
        ("Revenue grew 8%.", "Revenue grew 9%.", "number"),
        ("It took nine weeks.", "It took nine days.", "date or period"),
        ("It cost $9.", "It cost \u20ac9.", "number"),
        ("It cost $9 million.", "It cost $9 billion.", "number"),
        ("It sold 9 tons.", "It sold 9 barrels.", "unit"),
        ("It ends on May 5, 2024.", "It ends on June 5, 2024.", "date or period"),
        ("We sued Corvane.", "We sued Brackwater.", "name"),
        ("All plants closed.", "Some plants closed.", "quantifier"),
        ("Plants closed.", "Some plants closed.", "quantifier"),
        ("It was higher than planned.", "It was lower than planned.", ""),
        ("Revenue decreased.", "Revenue increased 12% and costs decreased 8%.", ""),
        ("Revenue decreased 8%.", "Revenue increased 12% and costs decreased 8%.", ""),
        ("Optics fell.", "Optics grew, while Marine fell.", ""),
        ("Marine paid Optics.", "Optics paid Marine.", "rearranges"),
        ("Default increased.", "The risk of default increased.", ""),
        ("Revenue increased.", "Net revenue increased.", "restriction"),
        ("Revenue increased.", "In Europe, revenue increased.", ""),
        ("Sales of A and B were 1% and 2%.", "Sales of A and B were 2% and 1%, respectively.", ""),
        # The size of a change may be left out, not where it led.
        ("Revenue rose.", "Revenue rose by 12% to $5 billion.", "rearranges"),
        # A count is no size of a change.
        ("We reduced positions.", "We reduced 400 positions.", ""),
        ("We ship in time.", "We ship in time, unless it rains.", "condition"),
        ("Our suppliers rely on us.", "We rely on our suppliers.", ""),
        # A number is shown as it is printed.
        ("Revenue was $1,200 million.", "Revenue was $1.2 billion.", "number"),
        ("The notes mature on 15 June 2033.", "The notes mature on June 15, 2033.", "rearranges"),
        ("", "We ship.", "nothing"),
    ],
)
def test_a_text_that_says_otherwise_does_not(text: str, quote: str, said: str) -> None:
    problem = salience_problem(text, quote, ["Northwind"])
    assert problem
    assert said in problem


@pytest.mark.parametrize("sentence", ALL)
def test_a_sentence_says_what_it_says(sentence: str) -> None:
    assert salience_problem(sentence, sentence, ["Halvorsen"]) == ""


@given(st.sampled_from(ALL), st.data())
def test_any_inserted_not_fails(sentence: str, data: st.DataObject) -> None:
    words = sentence.split(" ")
    place = data.draw(st.integers(0, len(words)))
    assert salience_problem(" ".join([*words[:place], "not", *words[place:]]), sentence)


@given(st.sampled_from(ALL), st.sampled_from(ALL))
def test_no_sentence_passes_for_another(one: str, other: str) -> None:
    assert (salience_problem(one, other) == "") == (one == other)


@given(st.sampled_from(ALL), st.data())
def test_no_two_words_of_weight_change_places(sentence: str, data: st.DataObject) -> None:
    words = sentence.split(" ")
    heavy = [place for place, word in enumerate(words) if len(word) > 4 and word.isalpha() and place]
    if len(heavy) < 2:
        return
    one, other = data.draw(st.permutations(heavy))[:2]
    if words[one].lower() == words[other].lower():
        return
    words[one], words[other] = words[other], words[one]
    assert salience_problem(" ".join(words), sentence)
