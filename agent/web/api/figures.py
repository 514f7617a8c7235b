"""Figures as the API shows them: a number with every fact it stands on. Amounts are text, in which no digit is lost."""

from datetime import date

from django.urls import reverse
from pydantic import BaseModel, Field

from agent.runs.export import plain
from agent.state import Draft, FactRef, LaterValue, Operand


class CitedFact(BaseModel):
    """One XBRL fact as filed."""

    id: int = Field(description="Of /facts/{id}.")
    tag: str = Field(description="With its taxonomy: us-gaap:Revenues.")
    value: str = Field(description="A decimal number, in full.")
    unit: str = Field(description="As XBRL has it: USD, shares, USD/shares, pure.")
    start: date = Field(description="Of the period; equal to `end` for a balance.")
    end: date = Field(description="Last day of the period, or the day of a balance.")
    statement: str = Field(description="income, balance, cashflow, ..., or empty for a note or where none is held.")
    label: str = Field(description="The row's label as printed, where the document is held.")
    printed: str = Field(description="The figure as printed, where the document is held.")
    form: str = Field(description="Of the filing: 10-K, 10-K/A, ...")
    accession: str = Field(description="Of the filing.")
    filed: date = Field(description="The day the filing was made.")
    source: str = Field(description="companyfacts or document.")
    url: str = Field(description="The filing on sec.gov; empty for a fictional issuer.")
    page: str = Field(description="The fact's page here.")


class OperandOf(BaseModel):
    """A fact that a computed number stands on."""

    concept: str = Field(description="Of /concepts.")
    label: str = Field(description="Its name for people.")
    years_before: int = Field(description="1 where it is of the year before the one answered.")
    fact: CitedFact = Field(description="The fact itself.")


class Later(BaseModel):
    """What a later 10-K reports for the same tag and period."""

    fiscal_year: int | None = Field(description="Of the later 10-K; null where it has no label.")
    accession: str = Field(description="Of the later 10-K.")
    value: str = Field(description="A decimal number, in full.")
    change: str = Field(description="The later value less the one used; 0 where it was not restated.")


class Value(BaseModel):
    """A number that answers: a fact, or a formula over facts."""

    concept: str = Field(description="Of /concepts.")
    label: str = Field(description="The concept's name for people.")
    reading: str = Field(description="Which of several readings it is; empty where there is one.")
    value: str = Field(description="A decimal number, in full: 31370000000.")
    unit: str = Field(description="As XBRL has it: USD, shares, USD/shares, pure.")
    shown: str = Field(description="As people write it: $31,370 million.")
    exact: str = Field(description="In words: 31,370,000,000 US dollars.")
    fiscal_year: int = Field(description="By the company's own label.")
    period_end: date = Field(description="Last day of the fiscal year.")
    accession: str = Field(description="Of the filing that answers.")
    fact: CitedFact | None = Field(description="Null for a computed number.")
    formula: str = Field(description="Of a computed number.")
    operands: list[OperandOf] = Field(description="Facts that the number was computed from.")
    later: list[Later] = Field(description="What later 10-Ks report for the same period.")
    notes: list[str] = Field(description="What the reader must know.")


def value(draft: Draft) -> Value:
    """A number of an answer."""
    found = draft.found
    return Value(
        concept=found.concept,
        label=found.label,
        reading=found.reading,
        value=plain(draft),
        unit=found.unit,
        shown=" ".join(filter(None, (draft.headline, draft.unit_word))),
        exact=draft.exact,
        fiscal_year=found.fiscal_year,
        period_end=found.period_end,
        accession=found.accession,
        fact=cited(found.fact) if found.fact else None,
        formula=found.formula,
        operands=[operand(one) for one in found.operands],
        later=[later(one) for one in found.later],
        notes=list(found.notes),
    )


def cited(fact: FactRef) -> CitedFact:
    """A fact as an answer cites it."""
    return CitedFact(
        id=fact.fact,
        tag=fact.name,
        value=format(fact.value, "f"),
        unit=fact.unit,
        start=fact.start,
        end=fact.end,
        statement=fact.statement,
        label=fact.label,
        printed=fact.printed,
        form=fact.form,
        accession=fact.accession,
        filed=fact.filed,
        source=fact.source,
        url=fact.url,
        page=reverse("fact", args=[fact.fact]),
    )


def operand(one: Operand) -> OperandOf:
    return OperandOf(concept=one.concept, label=one.label, years_before=-one.offset, fact=cited(one.fact))


def later(one: LaterValue) -> Later:
    return Later(
        fiscal_year=one.fiscal_year,
        accession=one.fact.accession,
        value=format(one.fact.value, "f"),
        change=format(one.change, "f"),
    )
