"""Refusal codes."""

from enum import StrEnum


class Code(StrEnum):
    """Why a question, or one part of it, is not answered."""

    NO_COMPANY = "no_company"
    UNKNOWN_COMPANY = "unknown_company"
    AMBIGUOUS_COMPANY = "ambiguous_company"
    COMPANY_NOT_COVERED = "company_not_covered"
    FOREIGN_FILER = "foreign_filer"
    YEAR_NOT_INGESTED = "year_not_ingested"
    YEAR_BEFORE_2015 = "year_before_2015"
    FUTURE_PERIOD = "future_period"
    INTERIM_PERIOD = "interim_period"
    CONCEPT_UNKNOWN = "concept_unknown"
    AMBIGUOUS_CONCEPT = "ambiguous_concept"
    CONCEPT_NOT_REPORTED = "concept_not_reported"
    DIMENSIONAL_ONLY = "dimensional_only"
    CONFLICT = "conflict"
    NOT_MEANINGFUL = "not_meaningful"
    NON_GAAP = "non_gaap"
    YEAR_OVER_YEAR = "year_over_year"
    CROSS_COMPANY = "cross_company"
    RATIO = "ratio"
    PREDICTION = "prediction"
    ADVICE = "advice"
    EXTERNAL_DATA = "external_data"
    PRICE = "price"
    TRANSCRIPT = "transcript"
    NOT_UNDERSTOOD = "not_understood"
    OFF_TOPIC = "off_topic"
    PROSE_NOT_AVAILABLE = "prose_not_available"
    # Decided before a run exists.
    TOO_LONG = "too_long"
    EMPTY = "empty"
