"""Small helpers for words inside sentences."""

from collections.abc import Sequence


def listed(words: Sequence[str], last: str = "and") -> str:
    """Joins words: "a, b and c"."""
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def lower_first(label: str) -> str:
    """A label inside a sentence: research and development expense; EPS, R&D and FX keep their capitals."""
    first = label.partition(" ")[0]
    return label if first[1:] != first[1:].lower() else label[:1].lower() + label[1:]


def possessive(name: str) -> str:
    """Apple's, Texas Instruments'; a name that is a possessive already stays: Lowe's."""
    if name.lower().endswith(("'s", "\u2019s")):
        return name
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def capitalized(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def year_ranges(years: Sequence[int]) -> str:
    """Fiscal years as ranges: 2015 to 2019, 2021."""
    ranges: list[list[int]] = []
    for year in years:
        if ranges and year == ranges[-1][1] + 1:
            ranges[-1][1] = year
        else:
            ranges.append([year, year])
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in ranges)


def few_years(years: Sequence[int]) -> str:
    """Fiscal years in a note: 2021 and 2022; more than two as ranges."""
    return year_ranges(years) if len(years) > 2 else listed([str(year) for year in years])
