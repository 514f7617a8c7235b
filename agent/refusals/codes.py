"""All refusal codes: for each the step that raises it, its sentences, and what is offered instead.

Sentences say what is available: "has no line" stands only where the statement is stored and lacks it. A refusal of the
plan names words of the question (`asked`); one of a later step names what it looked for (`looked`).
"""

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Self


class Offer(Enum):
    """Which questions are offered first beside a refusal."""

    MEASURES = "others of the company's measures"
    YEARS = "the same measure in the nearest fiscal years"
    COMPANIES = "the same measure of other companies"


@dataclass(frozen=True, slots=True)
class Said:
    """Two sentences: what is missing, and what to do about it. Words in braces are filled in.

    Of the plan: words, names, labels, and verbs that agree with the words. Of a later step: company, company_s, label,
    Label, year, years, period, latest, held, industry, claims, failed. The bare ones are used where no words, names or
    labels can be named.
    """

    first: str
    second: str = ""
    bare_first: str = ""
    bare_second: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """The properties of a code.

    stage: the step that usually raises it. title: a few words for lists. of_text: the sentences where no figure is asked.
    """

    stage: str
    title: str
    asked: Said | None = None
    of_text: Said | None = None
    looked: Said | None = None
    offers: Offer = Offer.MEASURES

    @property
    def outright(self) -> str:
        """The text for a question that is refused before it is read."""
        said = self.asked or Said(self.title)
        return " ".join(filter(None, (said.bare_first or said.first, said.bare_second or said.second)))


class Code(StrEnum):
    """Why a question, or one part of it, is not answered."""

    row: Row

    def __new__(cls, code: str, row: Row) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.row = row
        return member

    # fmt: off
    EMPTY = "empty", Row("plan", "Nothing asked", asked=Said("Type a question first.", "Name a company, a measure and a year."))
    TOO_LONG = "too_long", Row(
        "plan", "Question too long",
        asked=Said(
            "With {words} the question covers more than {most} companies.",
            "Ask about up to {most}, or use a shorter watchlist.",
            bare_first="The question is too long.",
            bare_second="Ask one thing about one company.",
        ),
    )
    NO_COMPANY = "no_company", Row(
        "plan", "No company named",
        asked=Said(
            "You have no companies on a watchlist yet, so {words} {is} empty.",
            "Add companies on the Watchlists page, or name them in the question.",
            bare_first="The question names no company.",
            bare_second="Add a company's name or ticker.",
        ),
        offers=Offer.COMPANIES,
    )
    UNKNOWN_COMPANY = "unknown_company", Row(
        "plan", "Unknown company",
        asked=Said(
            "{words} {matches} no company on the SEC's list.",
            "Closest names: {names}.",
            bare_first="The company named is not on the SEC's list.",
            bare_second="Check the spelling, or use the ticker.",
        ),
        offers=Offer.COMPANIES,
    )
    AMBIGUOUS_COMPANY = "ambiguous_company", Row(
        "plan", "Several companies fit",
        asked=Said("{words} {fits} several companies: {names}.", "Say which one you mean."),
        offers=Offer.COMPANIES,
    )
    COMPANY_NOT_COVERED = "company_not_covered", Row(
        "fetch", "Company not covered",
        looked=Said("No 10-K of {company} is loaded from the SEC.", "You can ask only about companies whose filings are loaded."),
        offers=Offer.COMPANIES,
    )
    FOREIGN_FILER = "foreign_filer", Row(
        "fetch", "Files no 10-K",
        looked=Said("{company} files its annual report on Form 20-F or 40-F.", "Only companies that file 10-Ks are covered."),
        offers=Offer.COMPANIES,
    )
    SIGN_IN_REQUIRED = "sign_in_required", Row(
        "fetch", "Account needed",
        looked=Said("Sign in to ask about {company}.", "Without an account, only some companies are available."),
        offers=Offer.COMPANIES,
    )
    YEAR_NOT_INGESTED = "year_not_ingested", Row(
        "fetch", "Year not available",
        looked=Said("{company_s} fiscal {year} 10-K is not in our data.", "Available: {years}."),
        offers=Offer.YEARS,
    )
    YEAR_BEFORE_2015 = "year_before_2015", Row(
        "fetch", "Before 2015",
        looked=Said("Our data begins with fiscal 2015; you asked about {year}.", "Available for {company}: {years}."),
        offers=Offer.YEARS,
    )
    FUTURE_PERIOD = "future_period", Row(
        "fetch", "Year not over",
        looked=Said("{company_s} fiscal {year} has not ended, so no 10-K reports it.", "Available: {years}."),
        offers=Offer.YEARS,
    )
    NOT_YET_FILED = "not_yet_filed", Row(
        "fetch", "Not reported by that day",
        looked=Said("{company} had not reported {period} by {day}.", "{filed}"),
        offers=Offer.YEARS,
    )
    INTERIM_PERIOD = "interim_period", Row(
        "fetch", "Period not available",
        asked=Said(
            "We cannot give this for {words}.",
            "Ask for fiscal years, quarters, year to date or trailing twelve months, one kind at a time.",
            bare_first="We cannot give this for that period.",
        ),
        of_text=Said(
            "No quarterly report, release or call for that period is in our data.",
            "Ask for a fiscal year. Staff can ingest 10-Qs and 8-Ks or import a call.",
        ),
        looked=Said("No report of {company} for {period} is in our data.", "Available: {years}."),
        offers=Offer.YEARS,
    )
    CONCEPT_UNKNOWN = "concept_unknown", Row(
        "plan", "Unknown measure",
        asked=Said(
            "{words} {is} not a measure we know.",
            "Closest measures: {labels}.",
            bare_first="The question names no measure.",
            bare_second="Use its name in the financial statements.",
        ),
    )
    AMBIGUOUS_CONCEPT = "ambiguous_concept", Row(
        "plan", "Several measures fit",
        asked=Said(
            "{words} {fits} several measures: {labels}.", "Say which one you mean.",
            bare_first="{words} can mean several things.",
        ),
    )
    CONCEPT_NOT_REPORTED = "concept_not_reported", Row(
        "retrieve", "Measure not reported",
        looked=Said(
            "{company_s} {label} for fiscal {year} is not in our data."),
    )
    DIMENSIONAL_ONLY = "dimensional_only", Row(
        "retrieve", "Only by class or segment",
        asked=Said("We have no separate figures for {words}.", "Ask about the whole company, or use the filing's own name for the part."),
        looked=Said(
            "{company} reports {label} only by class or segment in its fiscal {year} 10-K.",
            "The filing gives no total.",
        ),
    )
    CONFLICT = "conflict", Row(
        "retrieve", "Figures disagree",
        looked=Said("{company_s} fiscal {year} 10-K gives different figures for {label}.", "They are listed below."),
    )
    NOT_MEANINGFUL = "not_meaningful", Row(
        "locate", "Not meaningful",
        looked=Said(
            "{Label} is not meaningful for {company}, {industry}.", "Its statements have no such line."
        ),
    )
    NON_GAAP = "non_gaap", Row(
        "plan", "Not a GAAP figure",
        asked=Said(
            "Figures called {words} are not in our data.",
            "Ask for the figure as reported in the financial statements.",
        ),
    )
    CROSS_COMPANY = "cross_company", Row(
        "plan", "Sum across companies",
        asked=Said("We do not add up figures of several companies{among}.", "You can compare or rank them."),
        offers=Offer.COMPANIES,
    )
    PREDICTION = "prediction", Row(
        "plan", "About the future",
        asked=Said("Forecasts are not in our data.", "Ask for reported figures."),
        offers=Offer.YEARS,
    )
    ADVICE = "advice", Row(
        "plan", "Investment advice",
        asked=Said("We give no investment advice.", "Ask what the filings report."),
    )
    EXTERNAL_DATA = "external_data", Row(
        "plan", "Not in our documents",
        asked=Said("{words} {is} not in the documents we hold.", "Staff can import a document that tells of it."),
    )
    PRICE = "price", Row(
        "plan", "Market price",
        asked=Said("{words} {depends} on the market price.", "Filings report no current price."),
    )
    TRANSCRIPT = "transcript", Row(
        "plan", "No such document",
        asked=Said("{words} {is} not in our data.", "Staff can import it. You can ask about 10-Ks, and about figures in 10-Qs."),
    )
    NOT_UNDERSTOOD = "not_understood", Row(
        "plan", "Not understood",
        asked=Said(
            "We could not interpret {words}.",
            "Use other words, or leave this out.",
            bare_first="We could not interpret part of the question.",
            bare_second="Name a company, a measure and a year.",
        ),
    )
    OUT_OF_SCOPE = "out_of_scope", Row(
        "plan", "Outside what was chosen",
        asked=Said(
            "Only {words} is searched, and the question names {names}.",
            "Ask it of all documents, or of the company that was chosen.",
            bare_first="{words} is not in our data.",
            bare_second="Ask of all documents, or choose another one.",
        ),
    )
    NOT_IN_TABLE = "not_in_table", Row(
        "plan", "Not in the table",
        asked=Said(
            "{words} {is} not in the table above.",
            "It shows {labels} of {names}.",
            bare_first="The table above does not have that.",
            bare_second="Name a company or measure that it shows.",
        ),
    )
    LAST_IN_TABLE = "last_in_table", Row(
        "plan", "Nothing left to show",
        asked=Said(
            "Without {words} the table above is empty.",
            "Add another company or measure first.",
            bare_first="That would leave the table empty.",
        ),
    )
    PERCENTAGE_OF = "percentage_of", Row(
        "plan", "Percentage of what",
        asked=Said(
            "The table cannot be shown {words}.",
            "Say \u201cyear over year\u201d for growth, or \u201cas a percentage of {labels}\u201d.",
            bare_first="A percentage can be growth or a share.",
            bare_second="Say \u201cyear over year\u201d for growth, or \u201cas a percentage of revenue\u201d.",
        ),
    )
    OFF_TOPIC = "off_topic", Row(
        "plan", "Off topic",
        asked=Said(
            "We could not relate this to a company's filings.",
            "Name a company and what you want to know, such as its revenue in fiscal 2024.",
        ),
        offers=Offer.COMPANIES,
    )
    SECTION_NOT_AVAILABLE = "section_not_available", Row(
        "locate", "Section not available",
        looked=Said("The text of that part of {company_s} 10-K is not available."),
    )
    NOT_FOUND_IN_FILING = "not_found_in_filing", Row(
        "retrieve", "Not found in the filing",
        looked=Said("We found no sentence in {company_s} 10-K that answers this."),
    )
    TABLE_TOO_LARGE = "table_too_large", Row(
        "retrieve", "Not enough quota left",
        looked=Said("", "Ask for fewer companies, years or measures."),
        offers=Offer.YEARS,
    )
    UNVERIFIED = "unverified", Row(
        "cite_check", "Not verified",
        looked=Said(
            "{failed} of {claims} could not be verified against the text of {company_s} 10-K.",
            "Unverified sentences are not shown.",
        ),
    )
    SEARCH_UNAVAILABLE = "search_unavailable", Row(
        "retrieve", "Search unavailable",
        looked=Said("The text of {company_s} 10-K cannot be searched right now.", "Try again later."),
    )
    # fmt: on
