"""Whether the filing tells what a question takes for granted, or the opposite of it."""

import pytest

from agent.prose.answers.premises import opposed, premises, presumed
from agent.prose.questions.weights import Term
from agent.prose.ranking.scoring import Score
from agent.prose.text.candidate_sentences import Unit
from agent.state import Passage
from agent.words.stems import roots, words


def unit(text: str, before: str = "", item: str = "7") -> Unit:
    passage = Passage(
        chunk=1, filing=1, cik=1, accession="a", section=1, sha256="", item=item, kind="prose", ranges=((0, len(text)),), text=text
    )  # fmt: skip
    told = tuple(words(text))
    return Unit(
        kind="paragraph", start=0, end=len(text), text=text, words=told, roots=frozenset(word.root for word in told),
        order=0, block=0, before=before, passage=passage, place=0,
    )  # fmt: skip


def around(one: Unit) -> frozenset[str]:
    return one.roots | roots(one.before)


def judged(question: str, asked: str, *said: Unit) -> tuple[str | None, list[str]]:
    """The sentence that denies what is taken for granted, and those that tell it. asked: the words looked for."""
    terms = [Term(root, 1.0, 1) for root in dict.fromkeys(word.root for word in words(asked))]
    scores = [Score(one, 1.0, 1.0, True, 1.0 - 0.1 * place) for place, one in enumerate(said)]
    against = opposed(question, scores, scores, terms, around)
    return against and against.unit.text, [one.unit.text for one in presumed(question, scores, terms, around)]


FELL = "Lens revenue decreased by 4%, partly offset by higher sales of frames."
ROSE = "Frame sales increased by 4% because clinics opened."


@pytest.mark.parametrize("verb", ["surge", "increase", "soar", "go up", "pick up", "rebound"])
def test_a_fall_denies_a_question_that_takes_a_rise_for_granted(verb):
    against, told = judged(f"Why did lens revenue {verb}?", f"lens revenue {verb}", unit(FELL), unit(ROSE))
    assert against == FELL
    assert FELL not in told


@pytest.mark.parametrize("verb", ["plunge", "fall", "tumble", "sink", "go down", "slip"])
def test_the_same_fall_tells_what_a_question_rightly_takes_for_granted(verb):
    against, told = judged(f"Why did lens revenue {verb}?", f"lens revenue {verb}", unit(FELL))
    assert (against, told) == (None, [FELL])


def test_sales_are_the_revenue_that_is_asked_about():
    against, _ = judged("Why did frame revenue shrink?", "frame revenue shrink", unit(ROSE))
    assert against == ROSE


def test_what_moved_may_stand_in_the_sentence_before():
    reason = "The decrease was due to magnets."
    before = "Lens revenue decreased by 4%."
    assert judged("Why did lens revenue surge?", "lens revenue surge", unit(reason, before))[0] == reason


def test_another_line_that_moved_the_other_way_denies_nothing():
    other = "Frame sales decreased by 4%."
    assert judged("Why did lens revenue surge?", "lens revenue surge", unit(other))[0] is None


def test_of_two_sentences_at_odds_the_discussion_of_results_decides():
    feared = unit("Lens revenue increased in the past and may not again.", item="1A")
    assert judged("Why did lens revenue surge?", "lens revenue surge", feared, unit(FELL))[0] == FELL


def test_most_sentences_of_the_discussion_of_results_decide():
    said = unit("Lens revenue increased by 1% in May."), unit(FELL), unit("Lens revenue decreased by 9% abroad.")
    assert judged("Why did lens revenue surge?", "lens revenue surge", *said)[0] == FELL


def test_a_dividend_that_only_may_be_ended_was_not_ended():
    feared = "The dividend may be suspended or terminated at any time."
    paid = "We paid a dividend of one dollar."
    assert judged("Why did it end its dividend?", "dividend", unit(feared), unit(paid)) == (paid, [])


def test_that_shares_are_bought_back_at_times_denies_no_end():
    habit = "From time to time we repurchase shares under a program that the board authorized."
    assert judged("Why did it halt its repurchases?", "halt repurchases", unit(habit)) == (None, [])


def test_a_program_that_was_ended_is_told():
    ended = "The board suspended the repurchase program in May."
    assert judged("Why did it halt its repurchases?", "halt repurchases", unit(ended)) == (None, [ended])


def test_a_phrase_that_denies_needs_a_sentence_that_does():
    union = unit("A union represents the employees in Galway.")
    assert judged("Why was there a walkout in Galway?", "Galway", union)[0] is None
    without = "No union has represented the employees in Galway, who are not represented."
    assert judged("Why was there a walkout in Galway?", "Galway", unit(without))[0] == without


def test_what_a_sentence_says_did_not_happen_is_not_told():
    said = unit("The board has not decided to suspend the dividend.")
    assert judged("Why did it suspend its dividend?", "suspend dividend", said) == (said.text, [])


def test_what_was_ended_and_not_resumed_was_ended():
    said = unit("The board suspended the dividend in July and has not resumed it.")
    assert judged("Why did it suspend its dividend?", "suspend dividend", said) == (None, [said.text])


def test_the_end_of_a_year_ends_no_dividend():
    (event,) = premises("Why did it end its dividend?")
    assert not event.told(roots("At the end of the year the dividend was one dollar."))


def test_a_question_that_takes_nothing_for_granted_is_denied_by_nothing():
    assert judged("Did lens revenue surge?", "lens revenue surge", unit(FELL))[0] is None
