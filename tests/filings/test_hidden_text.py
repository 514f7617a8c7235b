"""What a page hides from its reader is no text of the filing, however it is hidden; what it shows is."""

import pytest

from filings.document.layout import UnreadableText, read_layout

BODY = "<p>Before it.</p>{}<p>After it.</p>"
DARK = "background-color:#003366"


def text(page: str, head: str = "", body: str = "") -> str:
    return read_layout(f"<html><head>{head}</head><body {body}>{BODY.format(page)}</body></html>".encode()).text


def styled(style: str) -> str:
    return f'<div style="{style}">SECRET</div>'


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "DISPLAY:NONE",
        "display : none ! important",
        "display:none!important;display:block",
        "display:none;display:bogus",
        "display:/* a */none",
        "dis\\70lay:none",
        "display:n\\6f ne",
        "font-family:'a;b';display:none",
        "visibility:hidden",
        "visibility:collapse",
        "opacity:0",
        "opacity:.00",
        "opacity:0%",
        "opacity:calc(1 - 1)",
        "filter:opacity(0)",
        "filter:blur(1px) opacity(0%)",
        "filter:alpha(opacity=0)",
        "color:white",
        "color:#fff",
        "color:#ffffffff",
        "color:#fefefe",
        "color:snow",
        "color:transparent",
        "color:rgb(255, 255, 255)",
        "color:rgb(100% 100% 100%)",
        "color:rgba(0,0,0,0)",
        "color:rgb(0 0 0 / 0%)",
        "color:#0000",
        "color:hsl(0, 0%, 100%)",
        "color:hwb(0 100% 0%)",
        "color:#fff!important;color:#000",
        "color:#fff;color:nonsense",
        "color:black;-webkit-text-fill-color:transparent",
        "color:#003366;background:#003366",
        "background:black",
        "background-color:navy;color:navy",
        "background:url(a.png);background:#fff;color:#fff",
        "font-size:0",
        "font-size:0pt",
        "font-size:1px",
        "font-size:.01em",
        "font-size:1%",
        "font-size:0.01in",
        "font-size:0.02cm",
        "font-size:calc(1px - 1px)",
        "font-size:min(0px, 12pt)",
        "font-size:0!important;font-size:12pt",
        "font:0/0 a",
        "font:bold 0px Arial",
        "line-height:0",
        "line-height:0pt",
        "height:0;overflow:hidden",
        "width:0;overflow:hidden",
        "max-height:0;overflow:hidden",
        "max-width:0px;overflow-x:clip",
        "height:1px;width:1px;overflow:hidden",
        "height:calc(0px);overflow:auto",
        "position:absolute;left:-9999px",
        "position:absolute;top:-5000px",
        "position:fixed;left:-100in",
        "position:absolute;left:-100vw",
        "position:absolute;left:-999em",
        "position:absolute;left:calc(0px - 9999px)",
        "position:absolute;right:-9999px",
        "position:absolute;left:9999px",
        "position:absolute;inset:auto auto auto -9999px",
        "text-indent:-9999px",
        "text-indent:-999cm",
        "text-indent:100%;white-space:nowrap;overflow:hidden",
        "margin-left:-9999px",
        "margin:0 0 0 -9999px",
        "margin-top:-9999px",
        "clip:rect(0,0,0,0);position:absolute",
        "clip:rect(1px 1px 1px 1px);position:absolute",
        "clip-path:inset(100%)",
        "clip-path:inset(50%)",
        "clip-path:circle(0)",
        "clip-path:ellipse(0 0 at 50% 50%)",
        "clip-path:polygon(0 0, 0 0, 0 0)",
        "transform:scale(0)",
        "transform:scaleX(0)",
        "transform:scale(0, 1)",
        "transform:scale3d(0,0,0)",
        "transform:matrix(0,0,0,0,0,0)",
        "transform:translateX(-9999px)",
        "transform:rotate(3deg) translate(-9999px, 0)",
        "transform:rotateY(90deg)",
        "scale:0",
        "translate:-9999px",
        "zoom:0.001",
        "content-visibility:hidden",
    ],
)
def test_what_a_style_hides_is_no_text(style: str) -> None:
    assert text(styled(style)) == "Before it.\n\nAfter it."
    assert (
        text(f"<div><div style='{style.replace(chr(39), '')}'><p><b>SECRET</b></p></div></div>").count("SECRET") == 0
    )


@pytest.mark.parametrize(
    "page",
    [
        "<p hidden>SECRET</p>",
        '<p hidden="until-found">SECRET</p>',
        '<p><font color="white">SECRET</font></p>',
        '<p><font color="FFFFFF">SECRET</font></p>',
        '<table bgcolor="#cceeff"><tr><td><font color="#cceeff">SECRET</font></td></tr></table>',
        '<table><tr bgcolor="navy"><td><p style="color:navy">SECRET</p></td></tr></table>',
        '<div style="color:#fff"><span style="font-weight:bold">SECRET</span></div>',
        '<div style="color:#fff"><a name="x">SECRET</a></div>',
        '<div style="visibility:hidden"><p style="visibility:inherit">SECRET</p></div>',
        '<div style="font-size:0"><p>SECRET</p></div>',
        '<div style="font-size:1pt"><span style="font-size:50%">SECRET</span></div>',
        f'<div style="{DARK}"><div style="background:#fff"><p style="color:#fff">SECRET</p></div></div>',
        '<div style="background:rgba(255,255,255,.5);color:#fff">SECRET</div>',
        '<div style="opacity:0"><p style="opacity:1;color:#000">SECRET</p></div>',
        '<div style="display:none"><p style="display:block">SECRET</p></div>',
    ],
)
def test_what_an_element_or_one_around_it_hides_is_no_text(page: str) -> None:
    assert text(page) == "Before it.\n\nAfter it."


@pytest.mark.parametrize(
    ("sheet", "page"),
    [
        (".gone{display:none}", '<p class="gone">SECRET</p>'),
        (".GONE{DISPLAY:NONE}", '<p class="gone">SECRET</p>'),
        ("#gone{display:none}", '<p id="gone">SECRET</p>'),
        ("p.gone, b{color:#fff}", '<p class="a gone">SECRET</p>'),
        (".a.b{opacity:0}", '<p class="b a">SECRET</p>'),
        (".out .in{font-size:0}", '<div class="out"><div><p class="in">SECRET</p></div></div>'),
        ("div > p.in{font-size:0}", '<div><p class="in">SECRET</p></div>'),
        ("i{color:#fff!important}", '<p><i style="color:#000">SECRET</i></p>'),
        ("@media screen{.a{display:none}}", '<p class="a">SECRET</p>'),
        ("/* .b{ */.a{display:none}", '<p class="a">SECRET</p>'),
        (".a{display:block}.a{display:none}", '<p class="a">SECRET</p>'),
        (".a{display:none", '<p class="a">SECRET</p>'),
        ('.b{content:"}"}.a{display:none}', '<p class="a">SECRET</p>'),
        ("\\.a, .a{display:none}", '<p class="a">SECRET</p>'),
        (".a{color:rgb(255 255 255)}p{color:#000}", '<p class="a">SECRET</p>'),
    ],
)
def test_what_a_style_sheet_hides_is_no_text(sheet: str, page: str) -> None:
    assert text(page, f"<style>{sheet}</style>") == "Before it.\n\nAfter it."


@pytest.mark.parametrize(
    "style",
    [
        "display:block",
        "display:inline-block",
        "display:none;display:block",
        "dis/**/play:none",
        "*display:none",
        "font-family:'a;display:none;b'",
        "background:url(data:text/css;display:none)",
        "visibility:visible",
        "opacity:.6",
        "opacity:100%",
        "color:#ccc",
        "color:#003366",
        "color:transparent;color:#000",
        "color:rgba(0,0,0,.5)",
        f"color:#fff;{DARK}",
        "color:#fff;background:url(a.png)",
        "color:#fff;background:linear-gradient(red, blue)",
        "background:#efefef",
        "font-size:4pt",
        "font-size:50%",
        "font-size:0.4cm",
        "font-size:",
        "font:bold 10pt/12pt Times",
        "font-size:0;font:12pt Times",
        "line-height:100%",
        "line-height:1.0",
        "line-height:12pt",
        "height:0",
        "max-height:0",
        "width:1%;overflow:hidden",
        "height:12pt;overflow:hidden",
        "overflow:hidden",
        "position:relative;top:-3.5pt",
        "position:absolute;left:36pt;top:4000px",
        "padding-left:120pt;text-indent:-120pt",
        "margin-left:108pt;text-indent:-108pt",
        "margin-left:-12pt",
        "clip:auto",
        "clip:rect(0,100px,20px,0)",
        "clip-path:none",
        "clip-path:inset(0 5% 0 5%)",
        "clip-path:circle(50%)",
        "transform:none",
        "transform:rotate(90deg)",
        "transform:translate(-50%, -50%)",
        "transform:scale(.8)",
        "zoom:90%",
        "filter:none",
        "content-visibility:auto",
    ],
)
def test_what_a_style_shows_is_text(style: str) -> None:
    shown = text(f'<div style="{style}">SHOWN</div>')
    assert shown == "Before it.\n\nSHOWN\n\nAfter it."


@pytest.mark.parametrize(
    ("page", "head"),
    [
        ('<div style="font-size:0"><span style="font-size:10pt">SHOWN</span></div>', ""),
        ('<div style="visibility:hidden"><p style="visibility:visible">SHOWN</p></div>', ""),
        ('<div style="color:#fff"><p style="color:#000">SHOWN</p></div>', ""),
        ('<div style="line-height:0"><p style="line-height:1.2">SHOWN</p></div>', ""),
        (
            '<table><tr style="height:0;overflow:hidden"><td style="height:0;overflow:hidden">SHOWN</td></tr></table>',
            "",
        ),
        ('<table><tr bgcolor="#003366"><td><font color="white">SHOWN</font></td></tr></table>', ""),
        ('<table><tr bgcolor="003366"><td><font color="FFFFFF">SHOWN</font></td></tr></table>', ""),
        (f'<div style="{DARK}"><p><span style="color:#ffffff">SHOWN</span></p></div>', ""),
        ('<p>SHOWN<sup style="line-height:0;font-size:65%"></sup></p>', ""),
        ('<p class="a">SHOWN</p>', "<style>@media print{.a{display:none}}</style>"),
        ('<p class="a">SHOWN</p>', "<style>.a:before{display:none}.a::after{opacity:0}</style>"),
        ('<p class="in">SHOWN</p>', "<style>.out .in{display:none}</style>"),
        ('<p class="a">SHOWN</p>', "<style>.a.b{display:none}</style>"),
        ('<p class="a" style="display:block">SHOWN</p>', "<style>.a{display:none}</style>"),
        ('<p><i class="a">SHOWN</i></p>', "<style>.a{color:#000}i{color:#fff}</style>"),
        ("<p>SHOWN</p>", "<style>/* p{display:none} */</style>"),
        ("<p>SHOWN</p>", "<style>@font-face{display:none}</style>"),
    ],
)
def test_what_an_element_or_a_style_sheet_shows_is_text(page: str, head: str) -> None:
    assert text(page, head) == "Before it.\n\nSHOWN\n\nAfter it."


def test_white_text_on_the_ground_of_the_whole_page_is_text() -> None:
    shown = text(
        '<p style="color:#fff">SHOWN</p><p style="color:#000">SECRET</p>', body='bgcolor="black" text="#eeeeee"'
    )
    assert shown == "Before it.\n\nSHOWN\n\nAfter it."


def test_text_that_is_hidden_by_its_colour_parts_what_stands_around_it_and_a_speck_does_not() -> None:
    assert text('<p>one<span style="color:#fff">SECRET</span>two</p>').split("\n\n")[1] == "one two"
    assert text('<p>one<span style="font-size:1pt">SECRET</span>two</p>').split("\n\n")[1] == "onetwo"


def test_hidden_cells_keep_the_columns_of_their_table() -> None:
    row = '<tr><td>{}</td><td style="background:#efefef"><font style="color:#efefef">{}</font></td><td>{}</td></tr>'
    layout = read_layout(
        f"<html><body><table>{row.format('Sales', 1, 2)}<tr><td>Costs</td><td>3</td><td>4</td></tr></table></body></html>".encode()
    )
    assert layout.text == "Sales\t\t2\nCosts\t3\t4"


def test_a_document_that_hides_all_of_its_text_has_none() -> None:
    with pytest.raises(UnreadableText):
        read_layout(b'<html><body style="color:#fff"><p>SECRET</p></body></html>')
