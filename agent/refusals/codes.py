"""All refusal codes: for each the step that raises it, its sentences, and what is offered instead (codes.yaml)."""

from enum import StrEnum
from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter

_FILE = Path(__file__).with_name("codes.yaml")


class Offer(StrEnum):
    """Which questions are offered first beside a refusal."""

    MEASURES = "measures"  # others of the company's
    YEARS = "years"  # the same measure in the nearest fiscal years
    COMPANIES = "companies"  # the same measure of other companies


class Said(BaseModel):
    """Two sentences: what is missing, and what to do about it. codes.yaml says which words are filled in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first: str = ""
    second: str = ""
    bare_first: str = ""
    bare_second: str = ""


class Row(BaseModel):
    """The properties of a code, as codes.yaml describes them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: str
    title: str
    asked: Said | None = None
    of_text: Said | None = None
    looked: Said | None = None
    offers: Offer = Offer.MEASURES

    @property
    def outright(self) -> str:
        """The text for a question that is refused before it is read."""
        said = self.asked or Said(first=self.title)
        return " ".join(filter(None, (said.bare_first or said.first, said.bare_second or said.second)))


class Code(StrEnum):
    """Why a question, or one part of it, is not answered."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    NO_COMPANY = "no_company"
    UNKNOWN_COMPANY = "unknown_company"
    AMBIGUOUS_COMPANY = "ambiguous_company"
    COMPANY_NOT_COVERED = "company_not_covered"
    FOREIGN_FILER = "foreign_filer"
    SIGN_IN_REQUIRED = "sign_in_required"
    YEAR_NOT_INGESTED = "year_not_ingested"
    YEAR_BEFORE_2015 = "year_before_2015"
    FUTURE_PERIOD = "future_period"
    NOT_YET_FILED = "not_yet_filed"
    INTERIM_PERIOD = "interim_period"
    CONCEPT_UNKNOWN = "concept_unknown"
    AMBIGUOUS_CONCEPT = "ambiguous_concept"
    CONCEPT_NOT_REPORTED = "concept_not_reported"
    DIMENSIONAL_ONLY = "dimensional_only"
    CONFLICT = "conflict"
    NOT_MEANINGFUL = "not_meaningful"
    NON_GAAP = "non_gaap"
    CROSS_COMPANY = "cross_company"
    PREDICTION = "prediction"
    ADVICE = "advice"
    EXTERNAL_DATA = "external_data"
    PRICE = "price"
    TRANSCRIPT = "transcript"
    NOT_UNDERSTOOD = "not_understood"
    OUT_OF_SCOPE = "out_of_scope"
    NOT_IN_TABLE = "not_in_table"
    LAST_IN_TABLE = "last_in_table"
    PERCENTAGE_OF = "percentage_of"
    OFF_TOPIC = "off_topic"
    SECTION_NOT_AVAILABLE = "section_not_available"
    NOT_FOUND_IN_FILING = "not_found_in_filing"
    TABLE_TOO_LARGE = "table_too_large"
    UNVERIFIED = "unverified"
    SEARCH_UNAVAILABLE = "search_unavailable"

    @property
    def row(self) -> Row:
        """Its sentences, step and offers."""
        return rows()[self]


@lru_cache(maxsize=1)
def rows() -> dict[Code, Row]:
    """The rows by code."""
    return TypeAdapter(dict[Code, Row]).validate_python(yaml.load(_FILE.read_bytes(), yaml.CSafeLoader))
