"""axe-core over pages: at two widths, which nothing exceeds, colours in the dark too, folded parts opened. And which pages there are.

Beside it what axe does not say: one main heading, one main part, no id twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from django.urls import URLPattern, URLResolver
from playwright.sync_api import Page

WIDTHS = (1280, 360)
GRAVE = {"serious", "critical"}
COLOURS = ["color-contrast", "link-in-text-block"]
WITHOUT_COLOURS = {"rules": {name: {"enabled": False} for name in COLOURS}}
# Entries of a long list are alike.
ALIKE = "document.querySelectorAll('details.entry ~ details.entry ~ details.entry').forEach(node => node.remove())"
HEADINGS = """() => [...document.querySelectorAll("h1, main")].map(node => node.localName).sort().join(" ")"""
DOUBLED = """() => { const ids = [...document.querySelectorAll("[id]")].map(node => node.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at) }"""
# Without preload: it puts style sheets that others import into a <style>, which the policy of the page forbids.
ONCE_A_PAGE = Axe(f"if (!window.axe) {{ {AXE_SCRIPT} }}")
OPTIONS = {"resultTypes": ["violations"], "preload": False}


def findings(page: Page, **options: Any) -> list[str]:
    """What axe finds grave on a page as it stands: rule, element, and what is wrong with it."""
    told = ONCE_A_PAGE.run(page, options={**OPTIONS, **options}).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {' '.join(map(str, node['target']))}: "
        f"{' '.join(one['message'] for one in (*node['any'], *node['all'], *node['none']))[:200]}"
        for rule in told
        for node in rule["nodes"]
        if (node.get("impact") or rule["impact"]) in GRAVE
    ]


def seen(page: Page, name: str, widths: Sequence[int] = WIDTHS) -> list[str]:
    """The grave findings on the page that is open. Colours are the same at any width, and in the dark only they differ."""
    found = []
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(ALIKE)
    page.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true })")
    if not urlsplit(page.url).path.startswith("/admin/") and (held := page.evaluate(HEADINGS)) != "h1 main":
        found.append(f"{name}: not one main heading and one main part, but {held}")
    if doubled := page.evaluate(DOUBLED):
        found.append(f"{name}: the ids {doubled} stand twice")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{name}, {width}: sticks out sideways")
        for scheme in ("light", "dark") if width == widths[0] else ("light",):
            page.emulate_media(color_scheme=scheme)
            options = {} if width == widths[0] else WITHOUT_COLOURS
            options = options if scheme == "light" else {"runOnly": {"type": "rule", "values": COLOURS}}
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
