"""The colours of charts can be seen: three to one against what they are drawn on, in the light and in the dark."""

import re

import pytest

from tests.support.processes import ROOT

STYLES = (ROOT / "diligence/static/app.css").read_text(encoding="utf-8")
ROOTS = re.findall(r":root \{(.*?)\}", STYLES, re.DOTALL)
LIGHT, DARK = (dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{3,6});", block)) for block in ROOTS[:2])


def luminance(colour: str) -> float:
    """As WCAG 2.2 defines it."""
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_what_it_is_defined_to_be() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_of_a_chart_stands_out_from_its_ground(tokens: dict[str, str]) -> None:
    series = {name: colour for name, colour in tokens.items() if name.startswith("--series-")}
    assert len(series) == 9
    grounds = [tokens[name] for name in ("--surface", "--bg", "--sunk")]
    assert {
        name for name, colour in series.items() if min(contrast(colour, ground) for ground in grounds) < 3
    } == set()
    # The asked column from its neighbours, by more than a shade.
    assert contrast(series["--series-1"], series["--series-quiet"]) > 2
