"""The prose of a fictional annual report as HTML: Items with captions, paragraphs, a table and page breaks."""

from collections.abc import Iterable

BREAK = '<hr style="page-break-after:always"/>'
SUPPLY = "We buy every spring of our widgets from one supplier in Lindau, and we hold no contract with it."
STRIKE = "A work stoppage at our only plant would stop deliveries within nine days."
PRICES = "Net sales increased by $3 million, primarily due to higher prices of tuned widgets."
BUSINESS = (
    "Tiny Widgets designs and tunes small widgets for makers of clocks and scales.",
    "We sell through eleven dealers in four countries and through our own shop.",
    "Our plant employs two hundred and ten people, most of whom have worked there for more than ten years.",
)


def paragraph(text: str) -> str:
    return f'<p style="font-size:10pt">{text}</p>'


def heading(text: str) -> str:
    return f'<p style="font-size:10pt;font-weight:bold">{text}</p>'


def prose(risks: Iterable[str] = (SUPPLY, STRIKE), filler: int = 24) -> str:
    """Items 1, 1A, 1B, 7 and 9B. risks: sentences, each under a caption of its own. filler: sentences behind each."""
    more = " ".join(
        f"We have looked at case {number} of this and cannot say how likely it is or what it would cost us."
        for number in range(filler)
    )
    captions = "".join(
        heading(f"Risk {place}: something we depend on may fail us.") + paragraph(f"{risk} {more}")
        for place, risk in enumerate(risks, 1)
    )
    rows = "".join(
        f"<tr><td>{name}</td><td>$ {amount}</td><td>{change}</td></tr>"
        for name, amount, change in (("Clocks", "612", "3 %"), ("Scales", "315", "(8)%"), ("Total", "927", "—"))
    )
    head = "<tr><td></td><td>Net sales</td><td>Change</td></tr>"
    return (
        f"{BREAK}{heading('PART I')}{heading('Item 1. Business')}"
        + "".join(paragraph(f"{text} {more}") for text in BUSINESS)
        + f"{BREAK}{heading('Item 1A. Risk Factors')}{paragraph('Each of these risks could harm our business.')}{captions}"
        + f"{BREAK}{heading('Item 1B. Unresolved Staff Comments')}{paragraph('None.')}"
        + f"{BREAK}{heading('PART II')}"
        + heading("Item 7. Management's Discussion and Analysis of Financial Condition and Results of Operations")
        + paragraph(f"{PRICES} {more}")
        + paragraph("The following table shows net sales by market (in millions):")
        + f"<table>{head}{rows}</table>"
        + paragraph(f"Operating costs did not change. {more}")
        + f"{BREAK}{heading('Item 9B. Other Information')}{paragraph('None.')}"
    )
