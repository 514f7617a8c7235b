"""The parts that documents are divided into: the SEC's closed lists of Items for each form, and the parts of a call."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

LONGEST_KEY = 12  # characters of a stored key


class Item(NamedTuple):
    """One part: its key as "1A", the form's part as "I", its title, and its name in sentences where not "Item 1A"."""

    key: str
    part: str
    title: str
    name: str = ""

    @property
    def called(self) -> str:
        """Its short name: Item 1A; Part II, Item 1A of a 10-Q; Exhibit 99.1; Prepared remarks."""
        return self.name or f"Item {self.key}"

    @property
    def entry(self) -> str:
        """Its line in an outline: 1A Risk Factors; Part II, Item 1A Risk Factors."""
        return f"{self.name or self.key} {self.title}".rstrip()

    @property
    def label(self) -> str:
        """Its name in citations: Item 1A, Risk Factors."""
        return f"{self.called}, {self.title}" if self.title else self.called


def _table(items: Iterable[Item]) -> dict[str, Item]:
    return {item.key: item for item in items}


# Form 10-K, General Instructions and Parts I to IV.
ITEMS: dict[str, Item] = _table(
    Item(key, part, title)
    for part, key, title in (
        ("I", "1", "Business"),
        ("I", "1A", "Risk Factors"),
        ("I", "1B", "Unresolved Staff Comments"),
        ("I", "1C", "Cybersecurity"),
        ("I", "2", "Properties"),
        ("I", "3", "Legal Proceedings"),
        ("I", "4", "Mine Safety Disclosures"),
        ("II", "5", "Market for Registrant's Common Equity"),
        ("II", "6", "Selected Financial Data"),
        ("II", "7", "Management's Discussion and Analysis"),
        ("II", "7A", "Market Risk Disclosures"),
        ("II", "8", "Financial Statements"),
        ("II", "9", "Changes in and Disagreements with Accountants"),
        ("II", "9A", "Controls and Procedures"),
        ("II", "9B", "Other Information"),
        ("II", "9C", "Foreign Jurisdictions that Prevent Inspections"),
        ("III", "10", "Directors and Corporate Governance"),
        ("III", "11", "Executive Compensation"),
        ("III", "12", "Security Ownership"),
        ("III", "13", "Related Transactions and Director Independence"),
        ("III", "14", "Principal Accountant Fees"),
        ("IV", "15", "Exhibits and Financial Statement Schedules"),
        ("IV", "16", "Form 10-K Summary"),
    )
)
# Form 10-Q, Parts I and II, whose Items begin again at 1.
QUARTERLY_ITEMS: dict[str, Item] = _table(
    Item(f"{part}.{key}", part, title, f"Part {part}, Item {key}")
    for part, key, title in (
        ("I", "1", "Financial Statements"),
        ("I", "2", "Management's Discussion and Analysis"),
        ("I", "3", "Market Risk Disclosures"),
        ("I", "4", "Controls and Procedures"),
        ("II", "1", "Legal Proceedings"),
        ("II", "1A", "Risk Factors"),
        ("II", "2", "Unregistered Sales of Equity Securities"),
        ("II", "3", "Defaults Upon Senior Securities"),
        ("II", "4", "Mine Safety Disclosures"),
        ("II", "5", "Other Information"),
        ("II", "6", "Exhibits"),
    )
)
# Form 8-K, Sections 1 to 9; its exhibits 99 are documents of their own, up to 99.9.
CURRENT_ITEMS: dict[str, Item] = _table(
    (
        *(
            Item(key, key[0], title)
            for key, title in (
                ("1.01", "Entry into a Material Definitive Agreement"),
                ("1.02", "Termination of a Material Definitive Agreement"),
                ("1.03", "Bankruptcy or Receivership"),
                ("1.04", "Mine Safety"),
                ("1.05", "Material Cybersecurity Incidents"),
                ("2.01", "Completion of Acquisition or Disposition of Assets"),
                ("2.02", "Results of Operations and Financial Condition"),
                ("2.03", "Creation of a Direct Financial Obligation"),
                ("2.04", "Triggering Events That Accelerate an Obligation"),
                ("2.05", "Costs of Exit or Disposal Activities"),
                ("2.06", "Material Impairments"),
                ("3.01", "Notice of Delisting"),
                ("3.02", "Unregistered Sales of Equity Securities"),
                ("3.03", "Material Modification to Rights of Security Holders"),
                ("4.01", "Changes in Certifying Accountant"),
                ("4.02", "Non-Reliance on Previously Issued Financial Statements"),
                ("5.01", "Changes in Control of Registrant"),
                ("5.02", "Departure and Election of Directors and Officers"),
                ("5.03", "Amendments to Articles or Bylaws"),
                ("5.04", "Suspension of Trading Under Benefit Plans"),
                ("5.05", "Amendments to the Code of Ethics"),
                ("5.06", "Change in Shell Company Status"),
                ("5.07", "Submission of Matters to a Vote"),
                ("5.08", "Shareholder Director Nominations"),
                ("6.01", "ABS Informational and Computational Material"),
                ("6.02", "Change of Servicer or Trustee"),
                ("6.03", "Change in Credit Enhancement"),
                ("6.04", "Failure to Make a Required Distribution"),
                ("6.05", "Securities Act Updating Disclosure"),
                ("7.01", "Regulation FD Disclosure"),
                ("8.01", "Other Events"),
                ("9.01", "Financial Statements and Exhibits"),
            )
        ),
        *(Item(f"99.{number}", "99", "", f"Exhibit 99.{number}") for number in range(1, 10)),
    )
)
# Form 20-F, Parts I to III. Item 3D is cut from Item 3, as risk factors are what is asked about.
FOREIGN_ITEMS: dict[str, Item] = _table(
    Item(f"20F.{key}", part, title, f"Item {key}")
    for part, key, title in (
        ("I", "1", "Identity of Directors, Senior Management and Advisers"),
        ("I", "2", "Offer Statistics and Expected Timetable"),
        ("I", "3", "Key Information"),
        ("I", "3D", "Risk Factors"),
        ("I", "4", "Information on the Company"),
        ("I", "4A", "Unresolved Staff Comments"),
        ("I", "5", "Operating and Financial Review and Prospects"),
        ("I", "6", "Directors, Senior Management and Employees"),
        ("I", "7", "Major Shareholders and Related Party Transactions"),
        ("I", "8", "Financial Information"),
        ("I", "9", "The Offer and Listing"),
        ("I", "10", "Additional Information"),
        ("I", "11", "Market Risk Disclosures"),
        ("I", "12", "Description of Securities Other than Equity Securities"),
        ("II", "13", "Defaults, Dividend Arrearages and Delinquencies"),
        ("II", "14", "Material Modifications to the Rights of Security Holders"),
        ("II", "15", "Controls and Procedures"),
        ("II", "16A", "Audit Committee Financial Expert"),
        ("II", "16B", "Code of Ethics"),
        ("II", "16C", "Principal Accountant Fees and Services"),
        ("II", "16D", "Exemptions from the Listing Standards for Audit Committees"),
        ("II", "16E", "Purchases of Equity Securities by the Issuer"),
        ("II", "16F", "Change in Certifying Accountant"),
        ("II", "16G", "Corporate Governance"),
        ("II", "16H", "Mine Safety Disclosure"),
        ("II", "16I", "Foreign Jurisdictions that Prevent Inspections"),
        ("II", "16J", "Insider Trading Policies"),
        ("II", "16K", "Cybersecurity"),
        ("III", "17", "Financial Statements"),
        ("III", "18", "Financial Statements"),
        ("III", "19", "Exhibits"),
    )
)
MARKET_RISK = frozenset({"7A", "I.3"})  # usually a part of management's discussion
CALL_PARTS: dict[str, Item] = _table(
    (Item("prepared", "", "", "Prepared remarks"), Item("questions", "", "", "Questions and answers"))
)

# The Item of a 10-K that tells of the same, for those parts of other documents that have one.
SAME_IN_ANNUAL: Mapping[str, str] = {
    "I.1": "8",
    "I.2": "7",
    "I.3": "7A",
    "I.4": "9A",
    "II.1": "3",
    "II.1A": "1A",
    "II.4": "4",
    "II.5": "9B",
    "II.6": "15",
    "9.01": "15",
    "20F.3D": "1A",
    "20F.4": "1",
    "20F.5": "7",
    "20F.8": "8",
    "20F.18": "8",
}


def annual_item(key: str) -> str:
    """The Item of a 10-K that tells of the same as a part of any document; the key itself where none does."""
    return SAME_IN_ANNUAL.get(key, key)


# Keys differ between the lists, so that a stored key names one part whatever the document.
ALL_ITEMS: Mapping[str, Item] = ITEMS | QUARTERLY_ITEMS | CURRENT_ITEMS | FOREIGN_ITEMS | CALL_PARTS
# The parts of each scheme of sections; those with headings of their own have no list.
PARTS: Mapping[str, Mapping[str, Item]] = {
    "annual": ITEMS,
    "quarterly": QUARTERLY_ITEMS,
    "current": CURRENT_ITEMS,
    "foreign": FOREIGN_ITEMS,
    "call": CALL_PARTS,
}
