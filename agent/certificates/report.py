"""What a verification finds of a certificate."""

from typing import Literal

from pydantic import Field

from agent.state.references import Record

Status = Literal["holds", "differs", "not_checkable"]


class Problem(Record):
    """One field of a claim that is not as the filings have it."""

    field: str = Field(description="Path of the field in the claim or certificate, such as fact.end.")
    certificate: str = Field(description="Its value in the certificate.")
    stored: str = Field(description="What the stored filing has, or what follows from it; empty if it has nothing.")
    detail: str = Field(default="", description="What is wrong, in a sentence, where two values do not say it.")
    unheld: bool = Field(default=False, description="Whether the stored filings cannot tell if it is right.")

    @property
    def moved(self) -> bool:
        """Whether only the place is another: a document that is read again may have other sections and pages."""
        *_, of, name = ("", *self.field.split("."))
        return of in ("place", "printed") and name in ("page", "section", "start", "end", "anchor")

    @property
    def said(self) -> str:
        """The problem in a sentence."""
        if self.detail:
            return self.detail
        held = f"the stored filing has {self.stored}" if self.stored else "the stored filing has none"
        return f"{self.field} is {self.certificate or 'empty'} in the certificate; {held}."


class ClaimReport(Record):
    """The verification of one claim."""

    id: str = Field(description="Its id in the certificate, such as quotation-2.")
    kind: str = Field(description="Its kind, such as quotation.")
    problems: tuple[Problem, ...] = Field(default=(), description="What differs or cannot be compared.")
    status: Status = Field(
        description="holds, differs, or not_checkable: nothing differs, and not all could be compared."
    )

    @property
    def ok(self) -> bool:
        return self.status != "differs"

    @property
    def detail(self) -> str:
        """The claim and what was found of it, in a sentence."""
        return f"{self.id}: {self.problems[0].said if self.problems else 'as in the stored filing.'}"


class Report(Record):
    """The verification of a certificate."""

    holds: bool = Field(description="Whether nothing differs.")
    signature: Literal["none", "valid", "other_key", "wrong"] = Field(
        description="none; valid, by this site's key; other_key: valid by another key; wrong."
    )
    problems: tuple[Problem, ...] = Field(default=(), description="What is wrong with the certificate as a whole.")
    claims: tuple[ClaimReport, ...] = Field(default=(), description="One report for each claim, in their order.")

    @property
    def broken(self) -> tuple[str, ...]:
        """Everything that differs, in sentences."""
        return (*(one.said for one in self.problems), *(one.detail for one in self.claims if not one.ok))


def reported(claim_id: str, kind: str, problems: tuple[Problem, ...]) -> ClaimReport:
    """The report of one claim with its problems, those first that the stored filings can tell."""
    ordered = tuple(sorted(problems, key=lambda one: one.unheld))
    status: Status = "holds" if not ordered else "not_checkable" if ordered[0].unheld else "differs"
    return ClaimReport(id=claim_id, kind=kind, problems=ordered, status=status)


def different(field: str, certificate: object, stored: object, *, unheld: bool = False) -> tuple[Problem, ...]:
    """A problem where two values differ; else none."""
    if certificate == stored:
        return ()
    return (Problem(field=field, certificate=said(certificate), stored=said(stored), unheld=unheld),)


def said(value: object) -> str:
    """A value as text; empty for None."""
    return "" if value is None else str(value)
