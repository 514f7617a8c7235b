"""A model that puts words into slots where they do not belong: no figure of another question is asserted."""

from typing import Any

import pytest

from agent.state.query import Query
from tests.agent.grounding.replies import by_rules, grounded

DOSH = [("dosh", ["revenue"])]


def asserted(question: str, **said: Any) -> list[Query]:
    given = {"companies": ["Apple"], "periods": ["2023"], "rows": DOSH, **said}
    found = grounded(question, "A", **given)
    return [one for one in found.halves if one.rows and not one.is_nearest]


def op(kind: str, span: str, number: str = "") -> list[dict[str, str]]:
    return [{"kind": kind, "span": span, "number": number}]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        # in topics
        ("Apple dosh excluding gizmos in 2023", {"topics": ["excluding gizmos"]}),
        ("Apple organic dosh in euros in 2023", {"topics": ["organic", "in euros"]}),
        # in an operation
        ("Apple dosh excluding gizmos in 2023", {"operations": op("positive", "excluding gizmos")}),
        ("Apple dosh excluding gizmos in 2023", {"operations": op("over time", "excluding gizmos")}),
        ("Apple dosh in 2023", {"operations": op("growth", "dosh")}),
        ("Apple dosh below $300 billion in 2023", {"operations": op("above", "below", "$300 billion")}),
        ("Apple dosh not above $300 billion in 2023", {"operations": op("above", "not above", "$300 billion")}),
        ("Apple dosh above $300 billion in 2023", {"operations": op("above", "above", "$300")}),
        ("Apple lowest dosh 2019 to 2023", {"periods": ["2019 to 2023"], "operations": op("highest", "lowest")}),
        ("Apple average dosh 2019 to 2023", {"periods": ["2019 to 2023"], "operations": op("sum", "average")}),
        ("Apple third highest dosh 2019 to 2023", {"periods": ["2019 to 2023"], "operations": op("rank highest", "third highest")}),
        ("top 0 of Apple dosh 2019 to 2023", {"periods": ["2019 to 2023"], "operations": op("rank highest", "top", "0")}),
        # in a period
        ("Apple dosh not in 2023", {"periods": ["not in 2023"]}),
        ("Apple dosh other than 2023", {"periods": ["other than 2023"]}),
        ("Apple dosh per head in 2023", {"periods": ["per head in 2023"]}),
        ("Apple dosh organic in 2023", {"periods": ["organic in 2023"]}),
        ("Apple dosh summer of 2023", {"periods": ["summer of 2023"]}),
        ("Apple dosh leading up to 2023", {"periods": ["leading up to 2023"]}),
        ("Apple dosh 5 years ago", {"periods": ["5 years ago"]}),
        ("Apple dosh 2023 minus 2022", {"periods": ["2023 minus 2022"]}),
        ("Apple dosh not 2022 but 2023", {"periods": ["not 2022 but 2023"]}),
        ("Apple dosh 1999 to 2500", {"periods": ["1999 to 2500"]}),
        ("Apple dosh of 12 gizmos in 2023", {"periods": ["12", "2023"]}),
        ("Apple dosh top 10 phones", {"periods": ["10"]}),
        ("Apple dosh above 20 billion", {"periods": ["20"]}),
        ("Apple dosh $25", {"periods": ["25"]}),
        ("Apple dosh 99", {"periods": ["99"]}),
        # a period in a row
        ("Apple dosh in 2022", {"periods": [], "rows": [("dosh in 2022", ["revenue"])]}),
        ("Apple dosh of the last five years", {"periods": [], "rows": [("dosh of the last five years", ["revenue"])]}),
        # more in a row than its form makes
        ("Apple dosh less outgoings, not counting gizmos, in 2023", {"rows": [("dosh less outgoings, not counting gizmos", ["revenue", "sga"], {"form": "difference"})]}),
        ("Apple dosh net of gizmos in 2023", {"rows": [("dosh net of gizmos", ["revenue"])]}),
        ("Apple average dosh in 2023", {"rows": [("average dosh", ["revenue"], {"form": "growth"})]}),
        ("Apple dosh plus outgoings in 2023", {"rows": [("dosh plus outgoings", ["revenue", "sga"], {"form": "difference"})]}),
        # two readings of one span, and a measure that code knows
        ("Apple dosh in 2023", {"rows": [("dosh", ["revenue"]), ("dosh", ["rnd"])]}),
        ("Apple operating income, dosh in 2023", {"rows": [("operating income, dosh", ["net_income"])]}),
        ("Apple dosh and operating income in 2023", {"rows": [("dosh and operating income", ["revenue"])]}),
        ("Apple dosh in 2023 and buy back shares", {}),
        # nothing in it
        ("Tell me about Apple in 2023", {"rows": [("Tell me about", ["revenue"])]}),
        # another company
        ("Apple dosh owed by Rivian in 2023", {"rows": [("dosh owed by Rivian", ["revenue"])]}),
        ("why was Apple dosh so in 2023", {"rows": [("why was Apple dosh so", ["revenue"])]}),
    ],
    ids=str,
)  # fmt: skip
def test_no_figure_is_asserted(question: str, said: dict[str, Any]) -> None:
    assert asserted(question, **said) == []


def test_a_question_that_goes_on_with_somebody_else_is_not_about_the_company_before() -> None:
    from agent.grounding.grounding import ground
    from agent.grounding.named_slots import Known
    from agent.programs.schemas import UnderstandReply
    from agent.programs.understand import checked
    from tests.agent.grounding.replies import OFFERED, row
    from tests.agent.query.held import REGISTRY, TODAY, WIDER
    from tests.support.model_replies import understood

    (before,) = by_rules("Apple revenue in fiscal 2022")
    assert isinstance(before, Query)
    for question in ("and zorblat's moolah?", "and target's moolah?"):
        said = understood(type="A", rows=[row("moolah", ["revenue"])])
        understanding = checked(question, UnderstandReply.model_validate(said), OFFERED)
        found = ground(question, understanding, by_rules(question), Known(WIDER, REGISTRY, TODAY), previous=before)
        assert found.halves == ()
