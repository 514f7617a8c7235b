"""The numbers that pages show, in what was cut at their edges."""

import re
from collections import Counter

ROMAN = r"(?:x{0,3})(?:ix|iv|v?i{0,3})"
PAGE_NUMBER = re.compile(
    rf"[-\u2013—|\s]*(?:page\s*)?(?P<number>(?:[a-z]{{1,2}}\s?[-\u2013—]\s?)?\d{{1,3}}|(?=[ivx]){ROMAN})(?:\s*of\s*\d+)?[-\u2013—|\s]*",
    re.IGNORECASE,
)
FORM_OR_YEAR = re.compile(r"(?:form\s*)?10-?kt?(?:/a)?|\b(?:19|20)\d\d\b", re.IGNORECASE)
TOKEN = re.compile(r"(?<![\w.,$-])(?:([A-Z]{1,2})\s?[-\u2013—]\s?)?(\d{1,3})(?![\w%]|[.,]\d)")
PREFIX = re.compile(r"([a-zA-Z]*)\s?[-\u2013—]?\s?(\d*)")


def printed_numbers(cut: dict[int, list[str]]) -> dict[int, str]:
    """The number each page shows, out of what was cut there: one that goes on from the page before is believed first."""
    tokens: dict[int, list[tuple[str, int, bool]]] = {}
    for page, texts in cut.items():
        found = []
        for text in texts:
            alone = PAGE_NUMBER.fullmatch(text)
            if alone:
                prefix, number = PREFIX.findall(alone["number"])[0]
                found.append((prefix if not number else f"{prefix}-" if prefix else "", int(number or 0), True))
                continue
            bare = FORM_OR_YEAR.sub(" ", text)
            found += [(f"{prefix}-" if prefix else "", int(number), False) for prefix, number in TOKEN.findall(bare)]
        tokens[page] = found
    steps = Counter(number - page for page, found in tokens.items() for prefix, number, _ in found if not prefix)
    usual = steps.most_common(1)[0][0] if steps else 0
    printed: dict[int, str] = {}
    before: tuple[str, int] | None = None
    for page in sorted(tokens):
        found = tokens[page]
        choice = (
            next(((p, n) for p, n, _ in found if before and (p, n) == (before[0], before[1] + 1) and n), None)
            or next(((p, n) for p, n, alone in found if alone), None)
            or next(((p, n) for p, n, _ in found if not p and n - page == usual), None)
            or next(((p, n) for p, n, _ in found if p.endswith("-")), None)
        )
        before = choice if choice else (before[0], before[1] + 1) if before else None
        if choice:
            prefix, number = choice
            printed[page] = f"{prefix}{number}" if number else prefix
    return printed
