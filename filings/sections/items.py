"""The Items of Form 10-K: the SEC's closed list (Form 10-K, General Instructions and Parts I to IV)."""

from typing import NamedTuple


class Item(NamedTuple):
    """One Item: its key as "1A", its part as "I", and its title."""

    key: str
    part: str
    title: str

    @property
    def label(self) -> str:
        """The Item's name in citations: Item 1A, Risk Factors."""
        return f"Item {self.key}, {self.title}"


ITEMS: dict[str, Item] = {
    key: Item(key, part, title)
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
}
