"""axe-core over pages: at two widths, which nothing exceeds, colours in the dark too, folded parts opened. And which pages there are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from django.urls import URLPattern, URLResolver
from playwright.sync_api import Page

WIDTHS = (1280, 360)
GRAVE = {"serious", "critical"}
COLOURS = ["color-contrast", "link-in-text-block"]
# Without preload: it puts style sheets that others import into a <style>, which the policy of the page forbids.
OPTIONS = {"resultTypes": ["violations"], "preload": False}


def findings(page: Page, **options: Any) -> list[str]:
    """What axe finds grave on a page as it stands: rule, element, and what is wrong with it."""
    told = Axe().run(page, options={**OPTIONS, **options}).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {' '.join(map(str, node['target']))}: "
        f"{' '.join(one['message'] for one in (*node['any'], *node['all'], *node['none']))[:200]}"
        for rule in told
        for node in rule["nodes"]
        if (node.get("impact") or rule["impact"]) in GRAVE
    ]


def seen(page: Page, name: str, widths: Sequence[int] = WIDTHS) -> list[str]:
    """The grave findings on the page that is open. In the dark only what colours decide can be otherwise, at any width."""
    found = []
    page.emulate_media(reduced_motion="reduce")
    for fold in page.locator("details").all():
        fold.evaluate("node => { node.open = true }")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{name}, {width}: sticks out sideways")
        for scheme in ("light", "dark") if width == widths[0] else ("light",):
            page.emulate_media(color_scheme=scheme)
            options = {} if scheme == "light" else {"runOnly": {"type": "rule", "values": COLOURS}}
            found += [f"{name}, {width}, {scheme}: {one}" for one in findings(page, **options)]
    return found


def check(page: Page, addresses: Mapping[str, str], widths: Sequence[int] = WIDTHS) -> None:
    """No page has a grave finding."""
    found = []
    for name, address in addresses.items():
        page.goto(address)
        assert urlsplit(page.url).path == urlsplit(address).path, f"{name} leads to {page.url}"
        found += seen(page, name, widths)
    assert not found, "\n".join(found)


def names(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str]:
    """Of every address below: its name, "" where it has none."""
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from names(one.url_patterns)
        else:
            yield one.name or ""
