"""What a person limits a question to, beside its words: one document, or a company, a kind of documents and a period."""

from urllib.parse import urlencode

from pydantic import Field

from agent.state.references import Record


class Scope(Record):
    """One document, or a company, a kind and a fiscal year or quarter; each may be missing, and one of them is there."""

    document: str = Field(default="", description="Accession number or key of the document.")
    cik: int | None = Field(
        default=None, description="The company; beside a document, which of several that filed it."
    )
    kind: str = Field(default="", description="Kind of documents, such as 10-Q or call.")
    fiscal_year: int | None = Field(default=None, description="Fiscal year, where the question names no period.")
    fiscal_quarter: int | None = Field(default=None, description="Quarter of that fiscal year, 1 to 4.")
    label: str = Field(default="", description="What is searched, as it was called when the question was asked.")

    @property
    def fields(self) -> dict[str, str]:
        """The form fields that set it."""
        said = self.model_dump(exclude={"label"}, exclude_defaults=True)
        return {name: str(value) for name, value in said.items()}

    @property
    def address(self) -> str:
        """The fields as part of an address of the ask page."""
        return urlencode(self.fields)
