"""Questions for figures that a model reads: what is grounded makes the query, what no slot holds leaves the nearest one."""

from typing import Any

import pytest

from agent.grounding.candidates import Candidate
from agent.grounding.grounding import ground
from agent.grounding.named_slots import Known
from agent.programs.schemas import UnderstandReply
from agent.programs.understand import checked
from agent.state.query import Query
from tests.agent.grounding.replies import OFFERED, by_rules, grounded, left, row, told
from tests.agent.query.held import REGISTRY, TODAY, WIDER
from tests.support.model_replies import understood

READ: list[tuple[str, dict[str, Any], str]] = [
    (
        "So what moolah did Apple splash on its labs in FY2023, roughly?",
        {
            "rows": [("moolah did Apple splash on its labs", ["rnd"])],
            "left_out": [*left("So", why="courtesy"), *left("roughly", why="form of the answer")],
        },
        "AAPL | FY2023 | rnd",
    ),
    (
        "Apple dosh in fiscal 2019 through 2023",
        {"periods": ["fiscal 2019", "2023"], "rows": [("dosh", ["revenue"])]},
        "AAPL | FY2019..FY2023 | revenue",
    ),
    (
        "Apple dosh in the third quarter of 2023",
        {"periods": ["the third quarter of 2023"], "rows": [("dosh", ["revenue"])]},
        "AAPL | Q3 2023 | revenue",
    ),
    (
        "Apple and Microsoft: the widget spend as a slice of dosh in 2023",
        {"rows": [("the widget spend as a slice of dosh", ["rnd", "revenue"], {"form": "share"})]},
        "AAPL, MSFT | 2023 | rnd % of revenue",
    ),
    (
        "Apple dosh less outgoings in 2023",
        {"rows": [("dosh less outgoings", ["revenue", "sga"], {"form": "difference"})]},
        "AAPL | 2023 | (revenue - sga)",
    ),
    (
        "By what proportion did Apple dosh swell in 2023",
        {"rows": [("By what proportion did Apple dosh swell", ["revenue"], {"form": "growth"})]},
        "AAPL | 2023 | growth(revenue)",
    ),
    (
        "Apple dosh, typical of fiscal 2019 to 2023",
        {
            "periods": ["fiscal 2019 to 2023"],
            "rows": [("dosh", ["revenue"])],
            "operations": [{"kind": "average", "span": "typical"}],
        },
        "AAPL | FY2019..FY2023 | revenue > average",
    ),
    (
        "Was Apple dosh north of $300 billion in 2023",
        {
            "rows": [("dosh", ["revenue"])],
            "operations": [{"kind": "above", "span": "north of", "number": "$300 billion"}],
        },
        "AAPL | 2023 | revenue > > 300000000000",
    ),
]


PERIODS = [
    ("Apple dosh from the lean year (2020) until now", ["from the lean year (2020) until now"], "2020.."),
    ("Apple dosh since the lean year 2020", ["since the lean year 2020"], "2020.."),
    (
        "Apple dosh from the low of 2019 up to the peak of 2022",
        ["from the low of 2019 up to the peak of 2022"],
        "2019..2022",
    ),
    ("apple dosh yr by yr 21-25", ["21-25"], "2021..2025"),
    ("apple dosh 22 v 23", ["22", "23"], "2022, 2023"),
    ("Apple dosh last yr", ["last yr"], "latest"),
    ("Apple dosh in its last complete year", ["last complete year"], "latest"),
    ("Apple dosh in Q1 2023 and Q2 2023", ["Q1 2023", "Q2 2023"], "Q1 2023, Q2 2023"),
    ("Apple dosh", [], "latest"),
]


@pytest.mark.parametrize(
    ("question", "periods", "expected"), PERIODS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_periods_are_read_by_code_from_their_words(question: str, periods: list[str], expected: str) -> None:
    name = "apple" if "apple" in question else "Apple"
    out = left(*[one for one in ("yr by yr",) if one in question])
    found = grounded(question, "A", [name], periods, [("dosh", ["revenue"])], left_out=out)
    assert told(found) in {
        f"AAPL | {expected} | revenue",
        f"AAPL | {expected.replace('latest', 'previous')} | revenue",
    }
    assert not found.halves[0].is_nearest


@pytest.mark.parametrize(
    "periods",
    [
        ["2020 until"],
        ["until 2020"],
        ["early 2020"],
        ["the gloomy 2020"],
        ["half of 2020"],
        ["2020 or so, from then onwards"],
        ["the lean year"],
        ["March 2020"],
    ],
    ids=str,
)
def test_words_that_say_more_of_a_period_than_is_read_make_no_figure(periods: list[str]) -> None:
    assert grounded(f"Apple dosh {periods[0]}", "A", ["Apple"], periods, [("dosh", ["revenue"])]).halves == ()


@pytest.mark.parametrize(
    ("question", "span", "key", "out"),
    [
        ("Apple payouts (dollars, not per share) in 2023", "payouts (dollars, not per share)", "dividends_paid", ()),
        (
            "Apple eps in 2023 - basic, not the diluted one",
            "eps in 2023 - basic, not the diluted one",
            "eps_basic",
            (),
        ),
        ("Apple in 2023 >> dosh", "dosh", "revenue", ()),
        ("Apple dosh in 2023. It is for a class", "dosh", "revenue", ("It is for a class",)),
        ("Apple dosh in 2023 against 2022", "dosh", "revenue", ()),
        ("Apple, ticker AAPL, dosh in 2023", "dosh", "revenue", ("ticker AAPL",)),
    ],
)
def test_words_that_agree_with_what_a_slot_holds_are_no_loss(
    question: str, span: str, key: str, out: tuple[str, ...]
) -> None:
    periods = [one for one in ("2023", "2022") if one in question]
    found = grounded(question, "A", ["Apple"], periods, [(span, [key])], left_out=left(*out))
    assert found.halves
    assert found.halves[0].left_out == ()


@pytest.mark.parametrize(("question", "said", "expected"), READ, ids=lambda one: one if isinstance(one, str) else "")
def test_slots_that_are_grounded_make_the_query(question: str, said: dict[str, Any], expected: str) -> None:
    names = [one for one in ("Apple", "Microsoft") if one in question]
    periods = said.pop("periods", [next(one for one in ("FY2023", "2023") if one in question)])
    found = grounded(question, "A", names, periods, **said)
    assert told(found) == expected
    assert not found.halves[0].is_nearest
    assert found.halves[0].by_model


@pytest.mark.parametrize(
    ("question", "span", "words"),
    [
        ("Apple dosh excluding gizmos in 2023", "dosh", ("excluding", "gizmos")),
        ("Apple organic dosh in 2023", "organic dosh", ("organic",)),
        ("Apple dosh in 2023, not 2022", "dosh", ("not", "2022")),
        ("Apple dosh per head in 2023", "dosh per head", ("per",)),
        ("Apple dosh above 5 billion in 2023", "dosh", ("above", "5")),
    ],
)
def test_what_may_change_a_figure_and_no_slot_holds_leaves_the_nearest_question(
    question: str, span: str, words: tuple[str, ...]
) -> None:
    out = [one for one in question.replace(",", "").split(" 2023")[0].split() if one in words]
    out += ["not 2022"] if "not" in question else []
    found = grounded(question, "A", ["Apple"], ["2023"], [(span, ["revenue"])], left_out=left(*out))
    assert found.halves
    assert found.halves[0].is_nearest
    assert words[0] in " ".join(found.halves[0].left_out)
    assert grounded(question, "A", ["Apple"], ["2023"], [("dosh", ["revenue"])]).halves == () or "organic" in question


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Apple dosh in 2023", {"companies": ["Microsoft"]}),
        ("Apple dosh in 2023 and 2022", {}),
        ("Apple dosh in the lean year", {"periods": ["the lean year"]}),
        ("Apple dosh and revenue in 2023", {}),
        ("Apple and Microsoft dosh in 2023", {}),
        ("Apple dosh from Microsoft in 2023", {"rows": [("dosh from Microsoft", ["revenue"])]}),
        ("Apple Zorblat dosh in 2023", {"rows": [("Zorblat dosh", ["revenue"])]}),
        ("How many doodahs did Apple have in 2023", {"rows": [("doodahs", ["revenue"])]}),
        ("Apple dosh in 2023", {"rows": [("dosh", [])]}),
        ("Apple dosh in 2023", {"rows": [("dosh", ["revenue"]), ("glory", ["revenue"])]}),
        ("Apple dosh in 2023", {"rows": [("dosh", ["revenue", "eps_diluted"], {"form": "sum"})]}),
        ("Apple dosh in 2023", {"operations": [{"kind": "average", "span": "dosh"}]}),
        ("Will Apple dosh swell in 2023", {}),
    ],
    ids=str,
)
def test_a_slot_that_code_does_not_confirm_makes_no_figure(question: str, said: dict[str, Any]) -> None:
    given = {"companies": ["Apple"], "periods": ["2023"], "rows": [("dosh", ["revenue"])], **said}
    assert grounded(question, "A", **given).halves == ()


def test_a_question_that_goes_on_is_about_the_companies_and_years_before() -> None:
    (before,) = by_rules("Apple revenue in fiscal 2022")
    assert isinstance(before, Query)
    question = "and the moolah for its boffins?"
    said = understood(type="A", rows=[row("moolah for its boffins", ["rnd"])])
    understanding = checked(question, UnderstandReply.model_validate(said), OFFERED)
    known = Known(WIDER, REGISTRY, TODAY)
    found = ground(question, understanding, by_rules(question), known, previous=before)
    assert told(found) == "AAPL | FY2022 | rnd"
    assert ground(question, understanding, by_rules(question), known).halves == ()


def part(label: str, *members: str) -> Candidate:
    return Candidate(id="p1", label=f"{label} (product)", part=label, members=members, names=(label,))


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("value", "revenue of 'iPhone'"),
        ("growth", "growth(revenue of 'iPhone')"),
        ("share", "revenue of 'iPhone' % of revenue"),
        ("difference", "(revenue - revenue of 'iPhone')"),
    ],
)
def test_a_part_of_a_company_is_of_the_companies_that_it_was_offered_for(form: str, expected: str) -> None:
    question = "Apple takings of the phone in 2023"
    offered = (*OFFERED, part("iPhone", "ProductOrServiceAxis=IPhoneMember"))
    told_row = {**row("takings of the phone", ["revenue"]), "form": form, "part": "p1"}
    said = understood(type="A", companies=["Apple"], periods=["2023"], rows=[told_row])
    understanding = checked(question, UnderstandReply.model_validate(said), offered)
    known = Known(WIDER, REGISTRY, TODAY)
    found = ground(question, understanding, by_rules(question), known, offered=[320193])
    assert told(found) == f"AAPL | 2023 | {expected}"
    assert ground(question, understanding, by_rules(question), known, offered=[789019]).halves == ()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"by": "segment"}, "revenue by segment"),
        ({"by": "region", "first": "largest"}, "highest region by revenue"),
        ({"by": "product", "form": "share"}, "each % of total revenue by product"),
    ],
)
def test_all_parts_of_a_kind_are_a_breakdown(fields: dict[str, Any], expected: str) -> None:
    question = "Apple dosh apiece in 2023"
    found = grounded(question, "A", ["Apple"], ["2023"], [("dosh apiece", ["revenue"], fields)])
    assert told(found) == f"AAPL | 2023 | {expected}"


def test_where_code_and_model_read_otherwise_both_are_shown_and_neither_is_asserted() -> None:
    question = "Apple operating income in fiscal 2023, zippy stuff"
    (near,) = by_rules("Apple operating income in fiscal 2023")
    assert isinstance(near, Query)
    near = near.model_copy(update={"left_out": ("zippy stuff",)})
    given = {
        "companies": ["Apple"], "periods": ["fiscal 2023"], "halves": (near,),
        "left_out": left("zippy stuff", why="emphasis"),
    }  # fmt: skip
    other = grounded(question, "A", rows=[("operating income", ["net_income"])], **given)
    assert told(other) == "AAPL | FY2023 | net_income + operating_income without 'zippy stuff'"
    assert other.chips[1].others[0].question == "Apple operating income (loss) in fiscal 2023"
    same = grounded(question, "A", rows=[("operating income", ["operating_income"])], **given)
    assert told(same) == "AAPL | FY2023 | operating_income"
    later = grounded(
        question.replace("2023", "2022"),
        "A",
        rows=[("operating income", ["operating_income"])],
        **{**given, "periods": ["fiscal 2022"]},
    )
    assert told(later) == "AAPL | FY2022 | operating_income without 'zippy stuff'"
    assert later.chips[1].others[0].question == "Apple operating income (loss) in fiscal 2023"


def test_a_text_that_a_model_asks_a_figure_of_is_shown_beside_it() -> None:
    question = "What does Apple say of its dosh in fiscal 2023?"
    assert isinstance(first := by_rules(question)[0], Query)
    assert first.topics
    found = grounded(question, "A+B", ["Apple"], ["fiscal 2023"], [("dosh", ["revenue"])], ["dosh"])
    assert [bool(one.rows) for one in found.halves] == [True, False]


def test_each_chip_offers_another_question_that_code_reads() -> None:
    found = grounded("Apple dosh in fiscal 2022", "A", ["Apple"], ["fiscal 2022"], [("dosh", ["revenue"])])
    company, measure, period = found.chips
    assert (company.label, measure.label, period.label) == ("Apple", "Total revenue", "fiscal 2022")
    assert (measure.text, period.text) == ("dosh", "fiscal 2022")
    assert [one.question for one in period.others][:2] == [
        "Apple total revenue in fiscal 2021",
        "Apple total revenue in fiscal 2023",
    ]
    assert measure.others
    for one in (*measure.others, *period.others):
        (query,) = by_rules(one.question)
        assert isinstance(query, Query)
        assert query.rows
        assert not query.is_nearest
