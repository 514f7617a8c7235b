"""What the ask page offers: example questions, and the companies that can be asked about."""

from dataclasses import dataclass

from django.db.models.functions import Lower

from agent.steps import deps
from filings.edgar.names import everyday_name
from filings.models import Company, Filing


@dataclass(frozen=True)
class Example:
    """A question, offered only while its companies are covered; one of text, while its text is held."""

    cik: int
    question: str
    text: bool = False
    beside: tuple[int, ...] = ()  # further companies that it names


EXAMPLES: tuple[tuple[str, tuple[Example, ...]], ...] = (
    (
        "A figure",
        (
            Example(320193, "What was Apple's R&D spend in FY2024?"),
            Example(1045810, "NVIDIA revenue in fiscal 2024"),
            Example(789019, "Microsoft net income in fiscal 2024, in billions"),
        ),
    ),
    (
        "Ratios, years and companies",
        (
            Example(320193, "How did Apple's gross margin move in five years?"),
            Example(320193, "Compare the operating margins of Apple and Microsoft, 2022 to 2024", beside=(789019,)),
            Example(1045810, "NVIDIA revenue CAGR 2019-2024"),
        ),
    ),
    (
        "In the filing's words",
        (
            Example(9999999901, "What supply risks did Northwind Instruments disclose in fiscal 2025?", text=True),
            Example(9999999902, "Why did revenue of Brenova decrease at Larkfield Health in fiscal 2025?", text=True),
            Example(9999999903, "What risks does Calder Power Systems disclose about strikes?", text=True),
            Example(9999999901, "What was Northwind Instruments' R&D in fiscal 2025 and what drove it?", text=True),
        ),
    ),
    (
        "Two readings",
        (
            Example(320193, "Apple shares outstanding, fiscal 2024"),
            Example(320193, "Apple total term debt in FY2024"),
        ),
    ),
    (
        "A refusal, and why",
        (
            Example(19617, "JPMorgan gross profit in fiscal 2024"),
            Example(1018724, "What was Amazon's R&D spend in FY2024?"),
        ),
    ),
)


def examples() -> list[tuple[str, list[Example]]]:
    """Example questions by kind; none about a company that is not covered."""
    ciks = {cik for _, group in EXAMPLES for example in group for cik in (example.cik, *example.beside)}
    covered = set(Company.objects.covered().filter(cik__in=ciks).values_list("cik", flat=True))
    texts = set(
        Filing.objects.filter(company__cik__in=ciks, chunks_stored__gt=0).values_list("company__cik", flat=True)
    )
    groups = [
        (kind, [one for one in group if {one.cik, *one.beside} <= covered and (one.cik in texts or not one.text)])
        for kind, group in EXAMPLES
    ]
    return [(kind, group) for kind, group in groups if group]


def open_to_visitors() -> list[str]:
    """Names of the covered companies that can be asked about without an account; empty where these are all of them."""
    ciks = deps.open_to_visitors()
    if ciks is None:
        return []
    held = Company.objects.covered().order_by(Lower("name")).values_list("cik", "name")
    names = [everyday_name(cik, name) for cik, name in held if cik in ciks]
    return names if len(names) < len(held) else []
