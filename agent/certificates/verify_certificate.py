#!/usr/bin/env python3
"""Checks the certificate of an answer against the SEC's own files. Python 3.9 or newer, standard library only.

    python verify_certificate.py certificate.json --folder FOLDER
    python verify_certificate.py certificate.json --identity "Your Name you@example.com"

FOLDER holds the SEC's files under their own paths: api/xbrl/companyfacts/CIK##########.json and
Archives/edgar/data/CIK/ACCESSION/FILE. With an identity they are fetched, from --address where that is given. Facts of a
whole company are read again from company facts, those of its parts from the tags of the document. Of a figure that is only
printed its digits, sign, scale and label are looked for; its period and unit are not checkable. Words are looked for
without tags, white space and, at a page break, the foot and head of the page.
Exit status: 0 where all claims hold, 1 where any differs, 2 where none differs and not all could be checked.
"""

from __future__ import annotations

import argparse
import ast
import base64
import hashlib
import http.client
import json
import re
import sys
import time
import unicodedata
import urllib.request
from decimal import Context, Decimal, localcontext
from functools import partial
from html.parser import HTMLParser
from operator import add, mul, sub, truediv
from pathlib import Path
from typing import Any

# What stands for a page break; characters of a page's foot or head; of words by which they are found again; of a row.
BREAK, FURNITURE, LEAST, ROW = "\f", 300, 12, 600
PLACE, STANDARD = ("start", "end", "form", "filed"), ("us-gaap", "dei", "srt", "ifrs-full")
COMPUTED = {"percent": "%", "points": "point", "ratio": "x", "days": "day"}  # units, and how they are shown
ELEMENT = r'(?s)<(?:\w+:)?{0}\s[^>]*?\bid="([^"]+)"[^>]*>(.*?)</(?:\w+:)?{0}>'
APART = ("ix:header", "script", "style", "title")  # what is no text of a document
LISTED = "\u2022\u25cf\u25aa\u25a0\u00b7*;,."  # around an item of a list
Json = dict[str, Any]


class Differs(ValueError):
    """A claim is not as the source has it."""


class Unchecked(Exception):
    """A claim cannot be compared with a source."""


class Sources:
    """The SEC's files, from a folder or fetched, each read once."""

    def __init__(self, folder: Path | None, identity: str, address: str = "") -> None:
        self.folder, self.identity, self.address = folder, identity, address
        self.files: dict[str, Any] = {}

    def read(self, host: str, path: str, parse: Any) -> Any:
        try:
            if path not in self.files and self.folder is not None:
                self.files[path] = parse((self.folder / path).read_bytes())
            elif path not in self.files:
                time.sleep(0.15)  # the SEC allows ten requests a second
                request = urllib.request.Request(f"{self.address or host}/{path}", None, {"User-Agent": self.identity})  # noqa: S310
                with urllib.request.urlopen(request, timeout=60) as reply:  # noqa: S310
                    self.files[path] = parse(reply.read())
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Unchecked(f"{path} cannot be read: {error}") from error
        return self.files[path]

    def facts(self, cik: int) -> Json:
        parse = partial(json.loads, parse_float=Decimal, parse_int=Decimal)
        return dict(self.read("https://data.sec.gov", f"api/xbrl/companyfacts/CIK{cik:010d}.json", parse)["facts"])

    def document(self, place: Json, cited: Json) -> Any:
        name, accession = place["document"], cited["accession"]
        if not re.fullmatch(r"\w[\w.-]*", name) or not re.fullmatch(r"\d+-\d+-\d+", accession):
            raise Unchecked(f"{accession} {name} is no document of the SEC")
        path = f"Archives/edgar/data/{int(cited['cik'])}/{accession.replace('-', '')}/{name}"
        return self.read("https://www.sec.gov", path, Document)


class Document(HTMLParser):
    """The text of a document without white space."""

    def __init__(self, raw: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.hashes = {hashlib.sha256(one).hexdigest() for one in (raw, raw.strip(), raw.strip() + b"\n")}
        self.pieces, self.apart = list[str](), 0
        try:
            self.source = raw.decode()
        except UnicodeDecodeError:
            self.source = raw.decode("cp1252", "replace")
        self.feed(self.source)
        self.close()
        self.text = bare("".join(self.pieces))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.apart += tag in APART
        style = (dict(attrs).get("style") or "").replace(" ", "").lower()
        if tag == "hr" or re.search(r"break-(before|after):(always|page)", style):
            self.pieces.append(BREAK)

    def handle_endtag(self, tag: str) -> None:
        self.apart -= tag in APART

    def handle_data(self, data: str) -> None:
        if not self.apart:
            self.pieces.append(data)

    def holds(self, words: str) -> bool:
        """Whether words stand in the document in one piece, but for page breaks."""
        wanted = bare(words).replace(BREAK, "")
        starts = [one.start() for one in re.finditer(re.escape(wanted[:LEAST]), self.text)]
        return bool(wanted) and any(self._goes_on(start, wanted) for start in starts)

    def _goes_on(self, at: int, wanted: str) -> bool:
        length = next((n for n, one in enumerate(wanted) if self.text[at + n : at + n + 1] != one), len(wanted))
        if length == len(wanted):
            return True
        # The foot of a page may begin with characters of the words that go on behind its head.
        for done in range(length, max(length - LEAST, 0), -1):
            stop = self.text.find(BREAK, at + done, at + done + FURNITURE)
            head = self.text[stop : stop + FURNITURE] if stop >= 0 else ""
            again = head.find(wanted[done : done + LEAST]) if len(wanted) - done >= LEAST else -1
            if again >= 0 and self._goes_on(stop + again, wanted[done:]):
                return True
        return False

    def tagged(self, fact: Json) -> set[Decimal]:
        """The values that are tagged in the document as a fact is."""
        contexts, units = (dict(re.findall(ELEMENT.format(one), self.source)) for one in ("context", "unit"))
        wanted = [fact["element"], fact["unit"], fact["start"], fact["end"], {*fact["dimensions"].split(";")} - {""}]
        found = set()
        for tag in re.finditer(r"<ix:nonFraction\s([^>]*)>", self.source):
            of = {"scale": "0", **dict(re.findall(r'(\w+)="([^"]*)"', tag[1]))}
            context, unit = contexts.get(of["contextRef"], ""), units.get(of["unitRef"], "")
            days = re.findall(r"(?:Date|instant)>\s*(\d[\d-]{9})", context)
            parts = {
                "=".join(one) for one in re.findall(r'dimension="[\w-]+:([\w.-]+)"[^>]*>\s*[\w-]+:([\w.-]+)', context)
            }
            measures = "/".join(re.findall(r"measure>\s*(?:[\w-]+:)?([^<\s]+)", unit))
            text = self.source[tag.end() : self.source.find("</ix:nonFraction>", tag.end())]
            shown = re.sub(r"<[^>]*>|[,\s]", "", text)
            if [of["name"], measures, *days[:1], *days[-1:], parts] == wanted and re.fullmatch(r"\d*\.?\d+", shown):
                found.add(Decimal(shown).scaleb(int(of["scale"])) * (-1 if of.get("sign") else 1))
        return found

    def check_bytes(self, place: Json) -> None:
        if place["document_sha256"] not in self.hashes:
            raise Unchecked(f"{place['document']} has the words, and other bytes than the certificate says")


def bare(text: str) -> str:
    """A text without white space and characters of no width; page breaks are kept."""
    return "".join(one for one in text if one == BREAK or not (one.isspace() or unicodedata.category(one) == "Cf"))


NAME = re.compile(r"([a-z_][a-z0-9_]*(?::[a-z_][a-z0-9_]*)?)(?:\[FY([+-]\d+)?\])?")
OPERATORS: Any = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv, ast.Pow: pow}


def computed(formula: str, operands: list[Json]) -> Decimal:
    """A formula over its operands, in 80 digits: a | b is the first that has a value, d(x) is x - x[FY-1]. Raises Differs."""
    plain = re.sub(r"\b(avg|prev|d|opt|abs)\(", lambda match: match[0].upper(), formula)
    names = {match.start(): (match[1], int(match[2] or 0)) for match in NAME.finditer(plain)}
    plain = NAME.sub(lambda match: f"N{match.start()}", plain)
    known = {(match[1], int(match[2] or 0)): one for one in operands if (match := NAME.fullmatch(one["name"]))}

    def value(node: Any, offset: int) -> Decimal:
        if isinstance(node, ast.Constant):
            return Decimal(ast.get_source_segment(plain, node) or 0)
        if isinstance(node, ast.Name):
            name, by = names[int(node.id[1:])]
            return Decimal(known[name, by + offset]["fact"]["value"])
        if isinstance(node, ast.UnaryOp):
            return -value(node.operand, offset)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            try:
                return value(node.left, offset)
            except KeyError:
                return value(node.right, offset)
        if isinstance(node, ast.BinOp):
            return Decimal(OPERATORS[type(node.op)](value(node.left, offset), value(node.right, offset)))
        function, inner = node.func.id, node.args[0]
        if function == "OPT":
            return value(ast.BinOp(inner, ast.BitOr(), ast.Constant(0)), offset)
        if function == "ABS":
            return abs(value(inner, offset))
        before = value(inner, offset - 1)
        if function == "PREV":
            return before
        return value(inner, offset) - before if function == "D" else (value(inner, offset) + before) / 2

    try:
        with localcontext(Context(prec=80)):
            return value(ast.parse(plain, mode="eval").body, 0)
    except (ArithmeticError, AttributeError, LookupError, SyntaxError, TypeError, ValueError) as error:
        raise Differs(f"{formula} cannot be computed from its operands") from error


def check_shown(shown: str, value: Decimal, unit: str) -> None:
    """That a figure as it is shown is the value, to the digits shown."""
    match = re.search(r"\d[\d,]*(?:\.\d+)?", shown)
    if match is None:
        raise Differs(f"no figure is shown for {value}")
    before, number, words = shown[: match.start()], Decimal(match[0].replace(",", "")), shown[match.end() :]
    power = next((by for word, by in (("thousand", 3), ("million", 6), ("billion", 9)) if word in words), 0)
    power -= 2 if unit == "pure" and "%" in words else 0
    step = Decimal(1).scaleb(power + int(number.as_tuple().exponent))
    whole, _, per = unit.partition("/")
    named = {**COMPUTED, "shares": "share", "USD": "$"}.get(whole, "") in shown and bool(per) == ("per " in shown)
    signed = not number or bool(re.search("[-\u2212(]", before)) == (value < 0)
    if abs(abs(value) - number.scaleb(power)) > step / 2 or not signed or not named:
        raise Differs(f"{shown} is shown where the value is {value} {unit}")


def check_fact(fact: Json, sources: Sources) -> None:
    """Read a fact again: in company facts, else where its document prints it."""
    value, printed = Decimal(fact["raw"]), fact["printed"]
    if Decimal(fact["value"]) != (-value if fact["negated"] else value):
        raise Differs(f"the value {fact['value']} is not that of {fact['raw']}")
    taxonomy, _, tag = fact["element"].partition(":")
    if fact["source"] != "printed" and not fact["dimensions"]:
        rows = sources.facts(fact["cik"]).get(taxonomy, {}).get(tag, {}).get("units", {}).get(fact["unit"], [])
        wanted = [fact[name] for name in ("accession", *PLACE)]
        held = [
            one["val"] for one in rows if [{"start": one["end"], **one}[name] for name in ("accn", *PLACE)] == wanted
        ]
        if value in held:
            return
        if held or printed is None or taxonomy in STANDARD:
            said = " and ".join(map(str, held)) or "no such fact"
            raise Differs(f"{fact['element']} {fact['unit']} {' '.join(wanted)}: {value}, the SEC has {said}")
    document, text = sources.document(printed, fact), printed["text"]
    same = re.sub(r"\D", "", text).strip("0") == re.sub(r"\D", "", fact["raw"]).strip("0")
    if fact["source"] == "printed":
        same = (value < 0) == bool(re.search("[-\u2212(]", text))
        same &= abs(value) in [Decimal(re.sub(r"[^\d.]", "", text)).scaleb(power) for power in (0, 3, 6, 9)]
    if not same:
        raise Differs(f"{text} is printed for {fact['raw']}")
    ends = [one.end() for one in re.finditer(re.escape(bare(printed["label"])), document.text)]
    if not any(bare(text) in document.text[at : at + ROW] for at in ends):
        raise Differs(f"{printed['document']} has no row {printed['label']} with {text}")
    document.check_bytes(printed)
    tagged = document.tagged(fact)
    if not tagged:
        raise Unchecked(f"{printed['document']} has {text} beside {printed['label']}, without tags of period and unit")
    if value not in tagged:
        raise Differs(f"{fact['element']} is {value}, {printed['document']} has {' and '.join(map(str, tagged))}")


def check_words(place: Json, texts: list[str], sources: Sources) -> None:
    """That a document has these words, paragraph by paragraph."""
    document = sources.document(place, place)
    for block in (one for text in texts for one in re.split(r"\n\s*\n", text) if one.strip()):
        if not document.holds(block):
            raise Differs(f"{place['document']} does not have: {' '.join(block.split())[:120]}")
    document.check_bytes(place)


def check_value(claim: Json, claims: list[Json]) -> None:
    """That a value is that of its fact, formula or figures, and is shown as it is."""
    fact, value, unit = claim.get("fact"), Decimal(claim["value"]), claim["unit"]
    check_shown(claim["shown"], value, unit)
    if fact and (value, unit) != (Decimal(fact["value"]), fact["unit"]):
        raise Differs(f"{value} {unit} is given, its fact is {fact['value']} {fact['unit']}")
    if claim["formula"] and computed(claim["formula"], claim["operands"]) != value:
        raise Differs(f"{claim['formula']} does not give {value}")
    figures = [one for one in claims if one is not claim and (one.get("fact") or one.get("formula"))]
    of_row = [one for one in figures if one["row"] == claim["row"]]
    units = {one["fact"]["unit"] for one in claim["operands"]} | {one["unit"] for one in of_row}
    if not fact and not {*unit.split("/")} <= {*COMPUTED, *"/".join(units).split("/")}:
        raise Differs(f"the unit {unit} is none of the facts")
    if not fact and not claim["formula"] and claim["value"] not in [one["value"] for one in of_row]:
        raise Differs(f"{value} follows from no fact")
    order, known = claim.get("order", ()), {(one["row"], one["cik"], one["value"]) for one in figures}
    if any((one["row"], one["cik"], one["value"]) not in known for one in order):
        raise Differs("a place of the order is none of the figures")
    if claim.get("operation") in ("rank", "highest", "lowest"):
        told = [(one["rank"], Decimal(one["value"])) for one in order]
        values = sorted((one for _, one in told), reverse=claim["highest"])
        if values[:1] != [value] or told != [(1 + values.index(one), one) for one in values]:
            raise Differs("the order is not that of the values")
    if claim.get("holds") is not None:
        signs = {">": (1,), "<": (-1,), ">=": (0, 1), "<=": (-1, 0), "==": (0,)}[claim["comparison"]]
        if claim["holds"] != (value.compare(Decimal(claim["bound"])) in signs):
            raise Differs(f"the comparison of {value} with {claim['bound']} is not so")


def check(claim: Json, claims: list[Json], sources: Sources) -> None:
    """Check one claim. Raises Differs and Unchecked."""
    kind = claim["kind"]
    if kind in ("data", "judgement") or (kind == "refusal" and not claim["facts"]):
        raise Unchecked("it cites no fact and no words of a document")
    if kind == "quotation":
        check_words(claim["place"], [claim["quote"], *(one["text"] for one in claim["about"])], sources)
        if claim["relation"] != "verbatim":
            raise Unchecked("its document has the quotation; of that the text shown is an edit or a paraphrase")
        text, lead = bare(claim["text"]), bare("".join(one["text"] for one in claim["about"] if one["kind"] == "lead"))
        if text[: len(lead)] != lead or text[len(lead) :].strip(LISTED) != bare(claim["quote"]).strip(LISTED):
            raise Differs("the text shown is not the quotation")
    elif kind == "passage":
        texts, at = list(claim["headings"]), 0
        for start, end in claim["ranges"]:
            texts.append(claim["text"][at : at + end - start])
            at += end - start + 1
        if at != len(claim["text"]) + 1:
            raise Differs("the ranges are not as long as the text")
        check_words(claim["place"], texts, sources)
    elif claim.get("value") is not None:
        check_value(claim, claims)
    facts = [claim["fact"]] if claim.get("fact") else list(claim.get("facts", ()))
    for fact in facts + [one["fact"] for name in ("operands", "breakdown") for one in claim.get(name, ())]:
        check_fact(fact, sources)


# Ed25519 as RFC 8032 describes it: points (x, y) of the curve, the sum of two, and a multiple of one.
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def joined(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    (a, b), (c, d) = one, other
    both = D * a * b * c * d % P
    return (a * d + b * c) * pow(1 + both, P - 2, P) % P, (b * d + a * c) * pow(1 - both, P - 2, P) % P


def times(number: int, point: tuple[int, int]) -> tuple[int, int]:
    half = times(number // 2, joined(point, point)) if number else (0, 1)
    return joined(half, point) if number % 2 else half


def point_of(data: bytes) -> tuple[int, int]:
    """The point that 32 bytes encode. Raises ValueError."""
    sign, y = divmod(int.from_bytes(data, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if len(data) != 32 or y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("no point of the curve")
    return P - x if x % 2 != sign else x, y


def is_signed(message: bytes, key: str, signature: str) -> bool:
    """Whether a signature of a message is that of a public key; both in base64."""
    try:
        public, signed = base64.b64decode(key, validate=True), base64.b64decode(signature, validate=True)
        point, first, scalar = point_of(public), point_of(signed[:32]), int.from_bytes(signed[32:], "little")
    except ValueError:
        return False
    base = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    number = int.from_bytes(hashlib.sha512(signed[:32] + public + message).digest(), "little") % ORDER
    return scalar < ORDER and len(signed) == 64 and times(scalar, base) == joined(first, times(number, point))


def main() -> int:
    """Print what becomes of each claim. Returns the exit status."""
    parser = argparse.ArgumentParser(description="Check the certificate of an answer against the SEC's own files.")
    parser.add_argument("certificate", type=Path)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--folder", type=Path, help="Folder with the SEC's files.")
    source.add_argument("--identity", default="", help="Your name and e-mail address, sent to the SEC.")
    parser.add_argument("--address", default="", help="Address of a server with the SEC's paths, in place of the SEC.")
    parser.add_argument("--key", help="Public key in base64 that must have signed.")
    given = parser.parse_args()
    if given.folder is None and not re.fullmatch(r"[ -~]+@[ -~]+", given.identity):
        parser.error("--identity needs your name and e-mail address, in ASCII")
    try:
        certificate = json.loads(given.certificate.read_text(encoding="utf-8"))
        claims, digest, signed = certificate["claims"], certificate.pop("digest"), certificate.pop("signature") or {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"{given.certificate} is no certificate: {error!r}")
    text = json.dumps(certificate, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    statuses = set()

    def tell(name: str, status: str, why: str = "") -> None:
        statuses.add(status)
        sys.stdout.write(f"{name}: {status}{why and ': '}{why}\n")

    tell("digest", "holds" if hashlib.sha256(text.encode()).hexdigest() == digest else "differs")
    if given.key:
        tell("signature", "holds" if is_signed(digest.encode(), given.key, signed.get("value", "")) else "differs")
    sources = Sources(given.folder, given.identity, given.address.rstrip("/"))
    for claim in claims:
        try:
            check(claim, claims, sources)
            tell(claim["id"], "holds")
        except Unchecked as error:
            tell(claim["id"], "not checkable", str(error))
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            why = str(error) if isinstance(error, Differs) else f"no claim has this form: {error!r}"
            tell(claim["id"], "differs", why)
    return 1 if "differs" in statuses else 2 if "not checkable" in statuses else 0


if __name__ == "__main__":
    sys.exit(main())
