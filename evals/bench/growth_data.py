"""Pieces of the structured files of a filing, for the bench of growth: inline XBRL, companyfacts, linkbases, containers."""

from evals.bench.growth_pieces import MARKS, WORDS, Build, tenth

XBRL = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" '
    'xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:dei="http://xbrl.sec.gov/dei/2024" '
    'xmlns:us-gaap="http://fasb.org/us-gaap/2024" xmlns:xbrldi="http://xbrl.org/2006/xbrldi"{more}><body>'
)
CONTEXT = (
    '<xbrli:context id="{name}"><xbrli:entity/><xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate>'
    "<xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period></xbrli:context>"
)
UNIT = '<xbrli:unit id="{name}"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
HEADER = (
    "<ix:header>" + CONTEXT.format(name="c") + UNIT.format(name="u") + "</ix:header>"
    '<ix:nonNumeric name="dei:DocumentType" contextRef="c">10-K</ix:nonNumeric>'
)
FACT = '<ix:nonFraction name="us-gaap:{tag}" contextRef="c" unitRef="u" decimals="0" id="{name}">1</ix:nonFraction>'
FACES = "".join(
    f"<tr><td>A row</td><td>{FACT.format(tag=tag, name='')}</td></tr>"
    for tag in ("Assets", "Liabilities", "LiabilitiesAndStockholdersEquity", "StockholdersEquity", "Goodwill")
)


def inline(pattern: str, before: str = "", after: str = "", more: str = "") -> Build:
    return lambda count: (
        XBRL.format(more="".join(more.replace("#", str(at)) for at in range(count)) if more else "")
        + HEADER
        + before
        + "".join(pattern.replace("#", str(at)) for at in range(count))
        + after
        + "</body></html>"
    ).encode()


REVENUE, NAMED_FACT = FACT.format(tag="Revenues", name=""), FACT.format(tag="Assets", name="f#")
INLINE: dict[str, Build] = {
    **{f"text of {name}": inline(piece.replace("&", "&amp;").replace("<", "&lt;").replace("\f", "")) for name, piece in WORDS.items()},
    **{f"label of {name}": inline(
        piece.replace("&", "&amp;").replace("<", "&lt;").replace("\f", ""), "<table><tr><td>Assets ", f" x</td><td>{REVENUE}</td></tr>{FACES}</table>"
    ) for name, piece in WORDS.items()},
    "contexts": inline(CONTEXT.format(name="c#")),
    "nested contexts": inline('<xbrli:context id="c#">'),
    "members": inline('<xbrldi:explicitMember dimension="a:b">c:d</xbrldi:explicitMember>', '<xbrli:context id="d">'),
    "nested members": inline('<xbrldi:explicitMember dimension="a:b">c', '<xbrli:context id="d">'),
    "units": inline(UNIT.format(name="u#")),
    "nested units": inline('<xbrli:unit id="u#">'),
    "measures": inline("<xbrli:measure>a:USD</xbrli:measure>", '<xbrli:unit id="v">', "</xbrli:unit>"),
    "facts": inline(REVENUE),
    "facts without context": inline(REVENUE.replace('"c"', '"none"')),
    "nested facts": inline(REVENUE.partition("1</")[0] + "1"),
    "facts of a cell": inline(REVENUE, "<table><tr><td>A row ", f"</td></tr>{FACES}</table>"),
    "facts of a row": inline(f"<td>{REVENUE}</td>", "<table><tr><td>A row</td>", f"</tr>{FACES}</table>"),
    "rows of facts": inline(f"<tr><td>A row</td><td>{NAMED_FACT}</td></tr>", f"<table>{FACES}", "</table>"),
    "tables of facts": tenth(inline(f"<table>{FACES}</table>")),
    "tables and titles": tenth(inline(f"<p>Consolidated balance sheets</p><table>{FACES}</table>")),
    "nested tables of facts": inline(f"<table><tr><td>A row</td><td>{NAMED_FACT}"),
    "text before a table": inline("<p>a</p>", "", f"<table>{FACES}</table>"),
    "empty text before a table": inline("<p></p>", "", f"<table>{FACES}</table>"),
    "hidden facts": inline(NAMED_FACT, "<ix:hidden>", "</ix:hidden>"),
    "hidden facts and links": inline(
        '<table><tr><td>A row</td><td><span style="-sec-ix-hidden:f#">1</span></td></tr></table>',
        "<ix:hidden>" + "".join(NAMED_FACT.replace("#", str(at)) for at in range(10_000)) + "</ix:hidden>",
    ),
    "links of hidden facts": inline('<span style="-sec-ix-hidden:f#">1</span>'),
    "facts of one link": inline(
        FACT.format(tag="Assets", name="f"), '<p style="-sec-ix-hidden:f">' + "a " * 1000 + "</p><ix:hidden>", "</ix:hidden>"
    ),
    "nested hidden": inline("<ix:hidden>"),
    "cover": inline('<ix:nonNumeric name="dei:EntityRegistrantName" contextRef="c">a</ix:nonNumeric>'),
    "nested cover": inline('<ix:nonNumeric name="dei:AuditorName" contextRef="c">'),
    "namespaces": inline(REVENUE, more=' xmlns:n#="http://n/#"'),
    "raised": inline("<sup>1</sup>", "<table><tr><td>Assets", f"</td><td>{REVENUE}</td></tr>{FACES}</table>"),
    "nested raised": inline("<sup>", "<table><tr><td>Assets"),
    "padding": inline("padding-left:1px;", '<table><tr><td style="', f'">Assets</td><td>{REVENUE}</td></tr>{FACES}</table>'),
    "digits of a fact": inline("1", REVENUE.partition("1</")[0], f"</ix:nonFraction><table>{FACES}</table>"),
    "words of a fact": inline("one ", REVENUE.partition("1</")[0].replace(" id", ' format="ixt:numwordsen" id'), "</ix:nonFraction>"),
}  # fmt: skip

ROW = '{{"end":"2024-12-31","start":"2024-01-01","val":{value},"accn":"{accession}","fy":2024,"form":"10-K","filed":"2025-02-01"}}'


def facts(
    pattern: str, between: str = ",", before: str = '{"Revenues":{"units":{"USD":[', after: str = "]}}}"
) -> Build:
    """A companyfacts file of us-gaap with so many of a piece."""
    return lambda count: (
        '{"cik":1,"entityName":"A","facts":{"us-gaap":'
        + before
        + between.join(pattern.replace("#", str(at)) for at in range(count))
        + after
        + "}}"
    ).encode()


ONE_ROW = ROW.format(value="#", accession="0000000001-25-000001")
COMPANYFACTS: dict[str, Build] = {
    "facts": facts(ONE_ROW.replace("2024-01-01", "2024-01-01")),
    "equal facts": facts(ROW.format(value=1, accession="0000000001-25-000001")),
    "accessions": facts(ROW.format(value=1, accession="0000000001-25-#")),
    "tags": facts(f'"T#":{{"units":{{"USD":[{ONE_ROW}]}}}}', before="{", after="}"),
    "units": facts(f'"U#":[{ONE_ROW}]', before='{"Revenues":{"units":{', after="}}}"),
    "digits": lambda count: facts(ONE_ROW)(100).replace(b'"val":7,', b'"val":' + b"7" * count + b","),
    "digits against facts": lambda count: facts(ROW.format(value=1, accession="a"))(count).replace(
        b'"val":1', b'"val":' + b"7" * count, 1
    ),
    "fields": lambda count: b'{"cik":1,"facts":{},' + b",".join(b'"a%d":1' % at for at in range(count)) + b"}",
    "blanks": lambda count: b'{"cik":1,"facts":{}' + b" " * count + b"}",
    "open text": lambda count: b'{"cik":1,"a":"' + b"\\u0061" * count,
}
LINKBASE = '<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink">{}</link:linkbase>'
LINK = '<link:presentationLink xlink:type="extended" xlink:role="{role}">'
LOC = '<link:loc xlink:type="locator" xlink:label="l@" xlink:href="a.xsd#us-gaap_Assets"/>'
ARC = '<link:presentationArc xlink:type="arc" xlink:from="{parent}" xlink:to="{child}" order="@"/>'


def links(*patterns: str, role: str = "http://a/BalanceSheet") -> Build:
    """A linkbase of one role with so many of each piece; "@@" in a piece is the number after its own."""

    def build(count: int) -> bytes:
        pieces = (
            pattern.replace("@@", str(at + 1)).replace("@", str(at)) for pattern in patterns for at in range(count)
        )
        named = LINK.format(role=role.replace("*", "stock" * count))
        return LINKBASE.format(f"{named}{''.join(pieces)}</link:presentationLink>").encode()

    return build


LINKBASES: dict[str, Build] = {
    "locators": links(LOC),
    "arcs": links(LOC, ARC.format(parent="root", child="l@")),
    "equal arcs": links(LOC, ARC.format(parent="root", child="x")),
    "chain": links(LOC, ARC.format(parent="l@", child="l@@")),
    "ring": links(LOC, ARC.format(parent="l@", child="l@@"), ARC.format(parent="l@@", child="l@")),
    "sheaf": links(ARC.format(parent="l@", child="hub"), ARC.format(parent="hub", child="m@")),
    "names of a role": links(LOC, role="*"),
    "roles": lambda count: LINKBASE.format(
        "".join(LINK.format(role=f"http://a/{at}") + "</link:presentationLink>" for at in range(count))
    ).encode(),
    "nested links": lambda count: LINKBASE.format(LINK.format(role="a") * count).encode(),
    "blanks": lambda count: b" " * count + LINKBASE.format(" " * count).encode(),
    "comments": lambda count: LINKBASE.format("<!-- a -->" * count).encode(),
}


def container(document: bytes) -> bytes:
    """A full submission text around one document."""
    return (
        b"<SEC-DOCUMENT>0000000001-25-000001.txt : 20250201\n<SEC-HEADER>0000000001-25-000001.hdr.sgml : 20250201\n"
        b"ACCESSION NUMBER:\t\t0000000001-25-000001\nCONFORMED SUBMISSION TYPE:\t10-K\nPUBLIC DOCUMENT COUNT:\t\t1\n"
        b"FILED AS OF DATE:\t\t20250201\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<FILENAME>a.htm\n<TEXT>\n"
        + document
        + b"\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n"
    )


CONTAINERS: dict[str, Build] = {
    **{name: lambda count, piece=piece: container((piece * count).encode()) for name, piece in (WORDS | MARKS).items()},
    "documents": lambda count: container(
        b"a\n</TEXT>\n</DOCUMENT>\n"
        + b"".join(b"<DOCUMENT>\n<TYPE>EX-%d\n<SEQUENCE>%d\n<FILENAME>a%d.htm\n<TEXT>\na\n</TEXT>\n</DOCUMENT>\n" % (at, at, at) for at in range(count // 10))
    ),
}  # fmt: skip
