"""Verifies a certificate: its form, digest and signature, and every claim against the stored filings."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from agent.certificates import signing
from agent.certificates.build import certificate_of, claims_of
from agent.certificates.records import Certificate, Claim, Figure, FilingDetail, Quotation, ShownPassage, StatedRefusal
from agent.certificates.report import ClaimReport, Problem, Report, different, reported
from agent.certificates.stored import Stored
from agent.certificates.texts import TextCheck
from agent.certificates.verify_figures import FigureCheck, cited
from agent.models import Run
from agent.numbers.registry.formula import FormulaError
from agent.state import Answer, Scale

_CLAIM = re.compile(r"claims\[(\d+)\]\.?(.*)")


class NotACertificate(ValueError):
    """It has not the form of a certificate; the message says where."""


def verify(data: Mapping[str, Any], run: Run | None = None) -> Report:
    """Verify a certificate in JSON. run: the stored run that it names, which it is compared with. Raises NotACertificate."""
    certificate = read_certificate(data)
    problems = list(different("digest", certificate.digest, signing.digest(data)))
    compared = dict[int, list[Problem]]()
    if run is not None:
        for one in unlike_run(data, run):
            place = _CLAIM.fullmatch(one.field)
            if place:
                compared.setdefault(int(place[1]), []).append(one.model_copy(update={"field": place[2]}))
            else:
                problems.append(one)
    claims = verified(certificate.claims, certificate.scale)
    claims = tuple(
        reported(one.id, one.kind, (*one.problems, *compared.get(number, ()))) for number, one in enumerate(claims)
    )
    signature = _signature(certificate)
    holds = not problems and signature != "wrong" and all(one.ok for one in claims)
    return Report(holds=holds, signature=signature, problems=tuple(problems), claims=claims)


def verify_run(run: Run) -> Report | None:
    """Verify the answer of a run by the certificate that it has now; None where no answer can be read."""
    data = certificate_of(run)
    return None if data is None else verify(data)


def reverify(answer: Answer) -> tuple[ClaimReport, ...]:
    """The claims of an answer, each compared with the stored filings."""
    return verified(claims_of(answer), answer.plan.scale)


def verified(claims: Iterable[Claim], scale: Scale | None) -> tuple[ClaimReport, ...]:
    """One report a claim, in their order."""
    claims = tuple(claims)
    stored = Stored.of(*_named(claims))
    figures, texts = FigureCheck(claims, scale, stored), TextCheck(claims, stored)
    found = []
    for claim in claims:
        try:
            problems = tuple(dict.fromkeys((*figures.problems(claim), *texts.problems(claim))))
        except (ArithmeticError, FormulaError):
            said = "A number or formula of the claim cannot be read, shown or computed."
            problems = (Problem(field="value", certificate="", stored="", detail=said),)
        found.append(reported(claim.id, claim.kind, problems))
    return tuple(found)


def read_certificate(data: Mapping[str, Any]) -> Certificate:
    """The records of a certificate in JSON. Raises NotACertificate."""
    try:
        # No database stores the character NUL, and no file lone surrogates.
        if b"\\u0000" in signing.canonical(data):
            raise NotACertificate("It has a character that no filing has.")
        certificate = Certificate.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise NotACertificate(f"{where or 'It'}: {first['msg']}.") from error
    except (ValueError, RecursionError) as error:
        raise NotACertificate(str(error)) from error
    counted: Counter[str] = Counter()
    for one in certificate.claims:
        counted[one.kind] += 1
        if one.id != f"{one.kind}-{counted[one.kind]}":
            raise NotACertificate(f"claims: {one.id} is not numbered by its kind.")
    return certificate


def unlike_run(data: Mapping[str, Any], run: Run) -> Iterator[Problem]:
    """How a certificate differs from the one that is built of the stored run, leaf by leaf."""
    built = certificate_of(run)
    if built is not None:
        for name in signing.APART:
            built.pop(name)
        yield from _unlike({name: value for name, value in data.items() if name not in signing.APART}, built, "")


def _unlike(one: Any, other: Any, path: str) -> Iterator[Problem]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {**one, **other}:
            yield from _unlike(one.get(name), other.get(name), f"{path}.{name}" if path else name)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _unlike(left, right, f"{path}[{number}]")
    elif one != other:
        said = f"{path} is {one!r} in the certificate; the stored answer has {other!r}."
        yield Problem(field=path, certificate=str(one), stored=str(other), detail=said)


def _signature(certificate: Certificate) -> Any:
    signed = certificate.signature
    if signed is None:
        return "none"
    if not signing.is_signed(certificate.digest, signed.public_key, signed.value):
        return "wrong"
    return "valid" if signed.public_key == signing.public_key() else "other_key"


def _named(claims: Iterable[Claim]) -> tuple[set[str], set[int], set[str]]:
    """The accession numbers and CIKs that claims name, and the accession numbers of filings whose text they are of."""
    accessions, ciks, texts = set[str](), set[int](), set[str]()
    for claim in claims:
        facts = [fact for _, fact in cited(claim)]
        accessions |= {one.accession for one in facts}
        texts |= {one.accession for one in facts if one.printed and one.printed.section is not None}
        match claim:
            case Figure():
                ciks.add(claim.cik)
            case Quotation() | ShownPassage():
                texts.add(claim.place.accession)
            case FilingDetail():
                accessions.add(claim.accession)
            case StatedRefusal():
                accessions |= set(claim.accessions)
    return accessions | texts, ciks, texts
