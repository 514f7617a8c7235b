"""How a passage that is near to a question is shown: from its nearest sentence on, the rest of it one tap away."""

from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.state import NearPassage
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.cards.nearest_passages import ShownPassage
from agent.web.cards.prose_card import NearGroup
from evals import golden
from tests.support import answers
from tests.support.sample import Sample

TEXT = "We grind lenses. The machines are ours. The floor is rented.\n\nWe sell to hospitals. They pay late.\n\nAll is well."


def shown(*marked: str) -> ShownPassage:
    """A passage with these sentences marked, the nearest first."""
    spans = tuple((TEXT.index(one), TEXT.index(one) + len(one)) for one in marked)
    return ShownPassage(
        NearPassage(
            target=0, cik=1, accession="a", section=1, sha256="", item="1", start=0, end=len(TEXT),
            ranges=((0, len(TEXT)),), text=TEXT, marked=spans,
        ),
        None,
    )  # fmt: skip


def opening(one: ShownPassage) -> list[str]:
    return ["".join(f"[{words}]" if marked else words for words, marked in line.pieces) for line in one.opening]


def test_a_passage_opens_with_its_nearest_sentence_and_goes_on_to_the_end_of_the_paragraph() -> None:
    one = shown("The machines are ours.")
    assert opening(one) == ["\u2026 [The machines are ours.] The floor is rented."]
    assert one.has_more


def test_other_marked_paragraphs_follow_the_nearest_each_from_its_mark_on() -> None:
    assert opening(shown("They pay late.", "We grind lenses.")) == [
        "\u2026 [They pay late.]",
        "[We grind lenses.] The machines are ours. The floor is rented.",
    ]
    assert opening(shown("The machines are ours.", "We grind lenses.")) == [
        "\u2026 [The machines are ours.] The floor is rented."
    ]


@pytest.mark.parametrize(("many", "more"), [(3, ""), (4, "1 more passage"), (5, "2 more passages")])
def test_three_passages_are_open_and_the_others_fold(many: int, more: str) -> None:
    group = NearGroup("", (shown("All is well."),) * many)
    html = render_to_string("agent/_passages.html", {"prose": {"near": [group]}, "run": {"pk": uuid4()}})
    opened, _, folded = html.partition('<details class="fold">\n        <summary class="small">' + more)
    assert opened.count('<li class="claim">') == min(many, 3)
    assert folded.count('<li class="claim">') == max(many - 3, 0)
    assert ('<ol class="claims" start="4">' in folded) is bool(more)


@pytest.mark.django_db
def test_beside_a_passage_its_item_can_be_searched_and_the_question_asked_with_other_words(
    sample: Sample, as_alice: Client, alice: User
) -> None:
    question = "How does Northwind keep its laboratory instruments clean?"
    run = answers.run_with(pipeline.answer(question, Deps.current(golden.TODAY)), alice)
    html = as_alice.get(run.get_absolute_url()).content.decode()
    filing = sample.filing("NWND", 2025)
    words = "keep+laboratory+instruments+clean"
    search = f"?q={words}&amp;company={filing.company.cik}&amp;accession={filing.accession}&amp;item=1A"
    assert f'<a href="{reverse("search")}{search}">Search this Item' in html
    assert f'<a href="{reverse("ask")}?run={run.pk}">Ask with other words</a>' in html
    assert (
        "keep laboratory instruments clean"
        in as_alice.get(reverse("search") + search.replace("&amp;", "&")).content.decode()
    )
