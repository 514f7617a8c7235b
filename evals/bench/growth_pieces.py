"""What the bench of growth repeats: characters, words, marks and elements of a page, its tables and its styles."""

from collections.abc import Callable

Build = Callable[[int], bytes]

WORDS = {
    "blanks": " ",
    "no-break spaces": "\u00a0",
    "blanks of both kinds": " \u00a0",
    "blanks and letters": "a ",
    "line feeds": "\n",
    "blank lines": "\n \n",
    "tabs": "\t",
    "form feeds": "\fa\n\n",
    "letters": "a",
    "digits": "7",
    "full stops": ".",
    "spaced full stops": " .",
    "ended full stops": "a. ",
    "ellipses": "\u2026",
    "exclamations": "Yahoo! ",
    "commas": ",",
    "colons": ":",
    "semicolons": ";",
    "double quotes": '"',
    "opening quotes": "\u201c",
    "quoted sentences": "\u201cA b. C d. ",
    "apostrophes": "'",
    "opening brackets": "(",
    "closing brackets": ")",
    "stop and brackets": ".)",
    "square brackets": "[",
    "braces": "{",
    "hyphens": "-",
    "dashes": "\u2014",
    "spaced dashes": "- ",
    "rules": "_",
    "stars": "*",
    "daggers": "\u2020",
    "bullets": "\u2022 ",
    "bars": "|",
    "soft hyphens": "\u00ad",
    "currency": "$ ",
    "percent": "5 % ",
    "figures": "1,",
    "footnotes": "(1)",
    "enumerators": "1. ",
    "initials": "A. ",
    "abbreviations": "Inc. ",
    "lost blanks": "abc.The ",
    "numbered references": "see Item 1. Abc Def ",
    "names of Items": "Item 1. ",
    "keys of Items": "Items 1, ",
    "numbers of Items": "1 and ",
    "parts": "part i ",
    "notes": "note 1, ",
    "titles": "Item 1A. Risk Factors ",
    "by reference": "incorporated ",
    "pointers": "see page ",
    "refusals": "no changes ",
    "statements": "statements of ",
    "continued": "continued ",
    "capitals": "SUPPLY ",
    "fiscal years": "fiscal 2024 ",
    "fiscal": "fiscal ",
    "signatures": "/s/ ",
    "long words": "a" * 50 + " ",
}
MARKS = {
    "entities": "&nbsp;",
    "numeric entities": "&#160;",
    "ampersands": "&",
    "cut entities": "&a",
    "less than": "<",
    "greater than": ">",
    "cut tags": "<p",
    "cut ends": "</",
    "cut comments": "<!--",
    "comments": "<!-- a -->",
    "cut instructions": "<?xml ",
    "instructions": "<?a?>",
    "cut data": "<![CDATA[",
    "cut html": "<html ",
    "containers": "<DOCUMENT>",
    "texts": "<TEXT>",
    "pages of old": "<PAGE>a\n\n",
}
ELEMENTS = {
    "opened p": "<p>",
    "opened div": "<div>",
    "opened span": "<span>a",
    "opened b": "<b>",
    "opened font": "<font>a",
    "opened a": "<a href='#x'>a",
    "opened tables": "<table>",
    "opened cells": "<td>",
    "nested tables": "<table><tr><td>a",
    "nested lists": "<ul><li>a",
    "closed p": "</p>",
    "closed div": "</div>",
    "closed b": "</b>",
    "closed tables": "</table>",
    "closed cells": "</td>",
    "crossed": "<b><i>a</b></i>",
    "crossed blocks": "<div><b></div>",
    "paragraphs": "<p>a b c.</p>",
    "one letter spans": "<span>a</span>",
    "empty spans": "<span></span>",
    "bold letters": "<b>a</b> ",
    "breaks": "a<br/>",
    "breaks and bold": "a<br/><b>b</b><br/>",
    "rules": "<hr/>",
    "anchors": "<a name='x'></a>",
    "links": "<a href='#x'>a</a> ",
    "links of contents": "<p><a href='#x'>Item 1. Business</a></p>",
    "lists": "<ul><li>a</li></ul>",
    "preformatted": "<pre>a\n\nb</pre>",
    "tables": "<table><tr><td>a</td><td>1</td></tr></table>",
    "pages": "<p>Some text of it.</p><p>7</p><hr style='page-break-after:always'/>",
    "running headers": "<p>Lantern Works</p><p>Text.</p><hr style='page-break-after:always'/>",
    "open sentences": "<p>where the brass is landed from the ships of harbours and of</p><hr style='page-break-after:always'/>",
    "broken sentences": "<p>lanterns of brass that are landed from ships where the works stand by</p>",
    "headings of Items": "<p><b>Item 1. Business</b></p><p>a.</p>",
    "headings of two Items": "<p><b>Item 1. Business</b></p><p><b>Item 2. Properties</b></p>",
    "labels of Items": "<p><b>Item 1.</b></p>",
    "part three": "<p>PART III</p><p>See the proxy.</p>",
    "none": "<p><b>Item 4. Mine Safety Disclosures</b></p><p>None.</p>",
    "hidden": "<div style='display:none'>a</div>",
    "nested hidden": "<div style='color:#fff'>a",
    "svg": "<svg>a</svg>",
    "unknown": "<foo:bar>a</foo:bar>",
    "empty elements": "<td/>",
}


def tenth(build: Build) -> Build:
    """A tenth as many of a piece that is many pieces itself."""
    return lambda count: build(count // 10)


def html(body: str, head: str = "") -> bytes:
    return f"<html><head>{head}</head><body><p>Lanterns.</p>{body}</body></html>".encode()


def of_html(piece: str, count: int) -> bytes:
    return html(piece * count)


def of_xhtml(piece: str, count: int) -> bytes:
    return html(piece * count).replace(b"<html>", b'<html xmlns="http://www.w3.org/1999/xhtml">')


def of_text(piece: str, count: int) -> bytes:
    return f"Lanterns. {piece * count} x".encode()


def numbered(pattern: str, before: str = "", after: str = "") -> Build:
    """Pieces that differ by the number in them, between two ends."""
    return lambda count: html(before + "".join(pattern.replace("#", str(at)) for at in range(count)) + after)


def sheet(pattern: str, body: str = "<p class='a'>a</p>") -> Build:
    return lambda count: html(
        "".join(body.replace("#", str(at)) for at in range(count)) if "#" in body else body,
        "<style>" + "".join(pattern.replace("#", str(at)) for at in range(count)) + "</style>",
    )


def style(pattern: str) -> Build:
    return lambda count: html(
        '<p style="' + "".join(pattern.replace("#", str(at)) for at in range(count)) + '">a</p><p>b</p>'
    )


def grid(rows: str, wide: str) -> Build:
    """A table of so many rows, or of rows of which the first has so many cells."""
    return lambda count: html(
        "<table>"
        + (f"<tr>{wide * (count // 2)}</tr>" if wide else "")
        + "".join(f"<tr>{rows.replace('#', str(at % 199 + 1))}</tr>" for at in range(count // 2 if wide else count))
        + "</table>"
    )


LAYOUTS: dict[str, Build] = {
    "tables of contents": tenth(
        numbered(
            "<table>"
            + "".join(f"<tr><td>Item {item}.</td><td>Business</td><td>{item}</td></tr>" for item in (1, 2, 3, 4, 5))
            + "</table><p>a</p>"
        )
    ),
    "balance sheets": tenth(
        numbered("<table>" + "<tr><td>Total assets, liabilities and equity</td><td>1</td></tr>" * 10 + "</table>")
    ),
    "attributes": lambda count: html("<p " + "".join(f"a{at}='x' " for at in range(count)) + ">a</p>"),
    "styles": numbered("<p style='margin:#px'>a</p>"),
    "sizes": numbered("<p style='font-size:#pt'><b>Heading of it</b></p><p>A text.</p>"),
    "ids": numbered("<p id='a#'>a</p>"),
    "rows": grid("<td>a</td><td>1</td>", ""),
    "rows of many spans": grid("<td colspan='#'>a</td><td>1</td><td colspan='#'>b</td>", ""),
    "rows under a long word": lambda count: html(
        f"<table><tr><td>a</td><td>{'b' * 19_000}</td></tr>{'<tr><td>a</td><td>1</td></tr>' * count}</table>"
    ),
    "rows under a long caption": lambda count: html(
        f"<p><b>{'b' * 460}</b></p><p>{'c' * 19_000}</p><table>{'<tr><td>a</td><td>1</td></tr>' * count}</table>"
    ),
    "cells of a row": grid("", "<td>a</td>"),
    "figures of a row": grid("", "<td>$</td><td>1</td><td>%</td>"),
    "signs of a row": grid("", "<td>)</td>"),
    "long and wide": grid("<td>a</td>", "<td>1</td>"),
    "long and spread": grid("<td rowspan='500' colspan='#'>a</td>", "<td colspan='200'>1</td>"),
    "rows and contents": numbered("<tr><td>Item #.</td><td>Risk</td><td>#</td></tr>", "<table>", "</table>"),
    "index of pages": lambda count: html(
        "<table>"
        + "".join(
            f"<tr><td>Item {item}.</td><td>Business</td><td>1-3</td></tr>" for item in ("1", "1A", "7", "8", "9")
        )
        + f"<tr><td>Item 10.</td><td>Directors</td><td>{'1, 2, 3, (a) ' * (count // 4)}</td></tr>"
        + "<tr><td>Overview of it</td><td>2</td></tr>" * count
        + "</table>"
        + "".join(f"<p>Some text.</p><p>{at}</p><hr style='page-break-after:always'/>" for at in range(1, 100))
    ),
}
STYLES: dict[str, Build] = {
    **{f"of {name}": style(piece) for name, piece in {
        "declarations": "color:red;", "names": "a", "colons": ":", "semicolons": ";", "blanks": " ", "numbers": "font-size:#pt;",
        "comments": "/* */", "open comments": "/*", "escapes": "\\63 ", "quotes": "'", "brackets": "(", "closing": ")",
        "calc": "font-size:calc(1px + 1px);", "one calc": "+ 1px ", "important": "!important", "shorthands": "background:url(x) red;",
        "margins": "margin:1px 2px;", "functions": "transform:scale(1) ", "commas": "a,",
    }.items()},
    **{f"sheet of {name}": sheet(piece) for name, piece in {
        "rules": ".a#{color:red}", "one rule": ".a{color:red}", "declarations": ".a{color:red;", "selectors": ".a#,", "opening": "{",
        "closing": "}", "names": "a", "blanks": " ", "commas": ",", "comments": "/* */", "open comments": "/*", "stars": "/**",
        "media": "@media print{", "descendants": ".a .a ", "compounds": ".a.b#{color:red}", "nested": "p{", "quotes": "'", "escapes": "\\",
        "chains": "p > .a {color:red}", "hashes": "#x#{display:block}",
    }.items()},
    "rules and elements": sheet(".a{margin:#px}", "<p class='a' style='margin:#px'>a</p>"),
    "rules of each element": sheet(".a#{color:red}", "<p class='a#'>a</p>"),
    "chains and elements": sheet(".b# .a{color:red}", "<p class='a' id='#'>a</p>"),
    "compounds and elements": sheet(".a.b#{color:red}", "<p class='a b#'>a</p>"),
}  # fmt: skip
