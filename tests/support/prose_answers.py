"""Prose answers about the fictional Northwind Instruments, quoted from the sections that `texts` stores."""

from datetime import date
from typing import Any

from agent.refusals.codes import Code
from agent.state import (
    Answer,
    Block,
    Claim,
    Dropped,
    FilingDatum,
    FilingRef,
    Period,
    PeriodForm,
    Plan,
    Query,
    QuestionType,
    Retrieval,
    Target,
)
from agent.state.query import Years
from agent.state.references import SubQuery, Topic
from filings.models import Section
from tests.support import answers
from tests.support.texts import COSTS, PERMIT, STOPPED, SUPPLIER, place

ACCESSION = f"{answers.CIK}-26-000012"
PERIOD = Period(form=PeriodForm.FISCAL, year=2025, text="fiscal 2025")
QUESTION = "What supply risks did Northwind disclose in its fiscal 2025 10-K, and what did they do to costs?"


def topic(*labels: str, **fields: Any) -> Topic:
    queries = tuple(SubQuery(label=label, words=tuple(label.split())) for label in labels)
    return Topic(**{"text": "supply risks", "form": "risks", "items": ("1A", "7"), "queries": queries, **fields})


def target(number: int = 1, *labels: str, **fields: Any) -> Target:
    return Target(
        **{
            "id": number,
            "company": answers.COMPANY,
            "period": PERIOD,
            "topic": topic(*(labels or ("supply risks",))),
            **fields,
        }
    )


def filing_ref(number: int = 1) -> FilingRef:
    return FilingRef(
        target=number,
        filing=1,
        accession=ACCESSION,
        form="10-K",
        filed=date(2026, 2, 20),
        fiscal_year=2025,
        period_end=date(2025, 12, 31),
        url="https://www.sec.gov/Archives/edgar/data/9999988801/999998880126000012/nwi-20251231.htm",
    )


def claim(section: Section, words: str, query: int = 0, number: int = 1, **fields: Any) -> Claim:
    """A claim that quotes words of a stored section."""
    start, end = place(section, words)
    page = section.page(start)
    return Claim(
        **{
            "target": number,
            "text": words,
            "quote": words,
            "chunk": 1,
            "section": section.pk,
            "sha256": section.sha256,
            "start": start,
            "end": end,
            "cik": answers.CIK,
            "accession": section.filing.accession,
            "item": section.item,
            "page": page.label if page else "",
            "query": query,
            "verdict": "verbatim",
            **fields,
        }
    )


def block(*claims: Claim, number: int = 1, **fields: Any) -> Block:
    retrieval = Retrieval(target=number, index="embedded", model="all-MiniLM-L6-v2")
    return Block(
        **{
            "target": number,
            "type": QuestionType.PROSE,
            "outcome": "answered",
            "claims": claims,
            "retrieval": retrieval,
            "filings": (filing_ref(number),),
            **fields,
        }
    )


def answer(
    *blocks: Block, targets: tuple[Target, ...] = (), kind: QuestionType = QuestionType.PROSE, question: str = QUESTION
) -> Answer:
    targets = targets or (target(),)
    query = Query(
        companies=tuple(dict.fromkeys(one.company for one in targets)),
        periods=Years(periods=(PERIOD,)),
        rows=answers.query().rows if any(one.figures for one in targets) else (),
        topics=tuple(one.topic for one in targets if one.topic),
        particulars=tuple(one.particular for one in targets if one.particular),
    )
    plan = Plan(type=kind, targets=targets, query=query)
    return Answer(question=question, plan=plan, blocks=blocks, versions=answers.VERSIONS)


def supply_answer(sections: dict[str, Section]) -> Answer:
    """Two parts, four claims shown and one dropped, out of Items 1A and 7."""
    risks, costs = sections["1A"], sections["7"]
    claims = (
        claim(risks, SUPPLIER, caption="We buy several critical components from one supplier each."),
        claim(costs, COSTS, query=1),
        claim(risks, STOPPED),
        claim(risks, PERMIT, caption="Magnets reach us through a short and fragile chain."),
    )
    dropped = (Dropped(target=1, why="One sentence joined facts of two paragraphs that the filing does not join."),)
    notes = ("No year was given. The latest 10-K, fiscal 2025, was used.",)
    return answer(
        block(*claims, dropped=dropped, notes=notes), targets=(target(1, "supply risks", "effect on costs"),)
    )


def table_answer(sections: dict[str, Section]) -> Answer:
    """A claim that quotes rows of a table, and one out of text under no Item."""
    return answer(
        block(
            claim(sections["1A"], "Ceramic stage\tMeridian\t31%\nDetector chip\tMeridian, Halyard\t(48)"),
            claim(sections["p"], "Notes that stand under no Item that could be verified."),
        )
    )


def particular_answer() -> Answer:
    """Data about the filing and no quotation."""
    auditor = FilingDatum(
        target=1,
        key="auditor",
        label="Auditor",
        value="Fjord & Partner LLP",
        source="Cover page, dei:AuditorName",
        accession=ACCESSION,
        fiscal_year=2025,
    )
    asked = target(1, topic=None, particular="auditor")
    return answer(block(particulars=(auditor,), retrieval=None), targets=(asked,), question="Who audited Northwind?")


def refused(code: Code = Code.NOT_FOUND_IN_FILING, stage: str = "retrieve", number: int = 1) -> Block:
    """A refused prose part that reached its filing."""
    words = {
        Code.SECTION_NOT_AVAILABLE: "Item 8 of Northwind's fiscal 2025 10-K is by reference to its annual report.",
        Code.NOT_FOUND_IN_FILING: "Northwind's fiscal 2025 10-K does not answer this in Items 1A and 7.",
        Code.UNVERIFIED: "More than a third of the sentences found could not be verified, so none is given.",
        Code.SEARCH_UNAVAILABLE: "The search of filing text cannot be reached now.",
    }
    first = answers.refusal_answer(code, stage=stage, text=words.get(code, "Not answered."), detail="", tags=())
    refusal = first.blocks[0].refusal
    assert refusal
    looked = (("Filing", f"10-K for the year ended 31 Dec 2025, {ACCESSION}"), ("Items", "1A and 7"))
    refusal = refusal.model_copy(update={"target": number, "looked_for": looked, "accessions": (ACCESSION,)})
    return Block(target=number, type=QuestionType.PROSE, outcome="refused", refusal=refusal)


def both_answer(sections: dict[str, Section]) -> Answer:
    """A figure, and what the filing says about it."""
    number = answers.number_answer().blocks[0].model_copy(update={"type": QuestionType.BOTH})
    asked = (answers.plan().targets[0], target(2, "cost of sales"))
    of_prose = block(claim(sections["7"], COSTS, number=2), number=2, type=QuestionType.BOTH)
    return answer(number, of_prose, targets=asked, kind=QuestionType.BOTH, question="What was R&D and why?")


def half_answer() -> Answer:
    """A figure, and a refusal of its reason."""
    number = answers.number_answer().blocks[0].model_copy(update={"type": QuestionType.BOTH})
    asked = (answers.plan().targets[0], target(2, "research and development"))
    return answer(number, refused(number=2), targets=asked, kind=QuestionType.BOTH, question="What was R&D and why?")
