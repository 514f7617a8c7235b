"""What an address or a form says of a grid: companies, measures, parts, years and days, each with what is wrong with it."""

from collections.abc import Sequence
from datetime import date

from django.db.models import Q

from agent.numbers.cells.measure_keys import known
from agent.numbers.registry import registry as registry_file
from agent.numbers.registry.registry import Registry, normalise
from agent.registrants.company_lists import NotListedError, companies_listed
from agent.registrants.registrant_index import Companies
from agent.state.query import MOST_COMPANIES, MOST_MEASURES
from agent.web.tables.part_lookup import MOST_MEMBERS, Part, Parts
from filings.models import Company, by_name
from filings.web import company_directory

LONGEST_NAME = 120
# Characters of names typed at once.
LONGEST_TYPED = 600


def companies_of(symbols: str, typed: str, problems: list[str]) -> tuple[Company, ...]:
    """The companies of tickers or CIKs, then those typed, each once."""
    wanted = [one.strip().upper() for one in symbols.split(",") if one.strip()]
    ciks = [int(one) for one in wanted if one.isascii() and one.isdecimal() and len(one) <= 10]
    typed_ciks = ciks_typed(typed, problems)
    meant = Company.objects.filter(Q(tickers__symbol__in=wanted) | Q(cik__in=[*ciks, *typed_ciks]))
    held = by_name(company_directory.with_held(meant.with_successors()))
    named = {one: held.get(one) or held.get(one.lstrip("0")) for one in wanted}
    found = {one.cik: one for one in (*named.values(), *(held.get(str(cik)) for cik in typed_ciks)) if one}
    if unknown := [text for text, one in named.items() if one is None]:
        problems.append(f"No such company: {', '.join(unknown[:5])}. Give tickers or names.")
    if len(found) > MOST_COMPANIES:
        problems.append(f"A grid has {MOST_COMPANIES} companies at most; these are {len(found)}.")
    return tuple(found.values())


def ciks_typed(text: str, problems: list[str]) -> list[int]:
    """The CIKs of companies by name or ticker; none, with the reason, where one is unknown."""
    if len(text) > LONGEST_TYPED:
        problems.append(f"Type up to {LONGEST_TYPED} characters of companies at once; these are {len(text)}.")
    elif text.strip():
        try:
            return [one.cik for one in companies_listed(Companies.current(), text)]
        except NotListedError as error:
            problems.append(str(error))
    return []


def measures_of(keys: str, typed: str, problems: list[str]) -> tuple[str, ...]:
    """Measure keys, then measures typed by name, each once."""
    registry = registry_file.load()
    # A label may contain a comma: Accounts receivable, net.
    texts = [typed] if known(measure_called(typed, registry), registry) else typed.split(",")
    named = [measure_called(text, registry) for text in map(str.strip, texts) if text]
    wanted = dict.fromkeys([*(one.strip().lower() for one in keys.split(",") if one.strip()), *named])
    found = []
    for key in wanted:
        if known(key, registry):
            found.append(key)
        else:
            problems.append(f"There is no such measure: {key[:LONGEST_NAME]}.")
    if len(found) > MOST_MEASURES:
        problems.append(f"A grid has {MOST_MEASURES} measures at most; these are {len(found)}.")
    return tuple(found)


def parts_of(companies: Sequence[Company], names: str, typed: str, problems: list[str]) -> tuple[Part, ...]:
    """The parts of the single company by name, each once."""
    text = f"{names},{typed}"
    if not text.strip(", "):
        return ()
    if len(companies) != 1:
        problems.append("Parts are of one company: choose one alone, or remove the parts.")
        return ()
    if len(text) > LONGEST_TYPED:
        problems.append(f"Type up to {LONGEST_TYPED} characters of parts at once; these are {len(text)}.")
        return ()
    found, unknown = Parts(companies[0]).named(text)
    if unknown:
        problems.append(unknown)
    if len(found) > MOST_MEMBERS:
        problems.append(f"A grid has {MOST_MEMBERS} parts at most; these are {len(found)}.")
    return found


def measure_called(text: str, registry: Registry) -> str:
    """The key of a measure by its label or an unambiguous name; any other text unchanged."""
    words = normalise(text)
    labels = {normalise(one.label): key for key, one in registry.metrics.items() if not one.hidden}
    labels |= {normalise(one.label): key for key, one in registry.concepts.items()}
    keys = registry.aliases.get(words, ())
    return labels.get(words) or (keys[0] if len(keys) == 1 else text.lower())


def year_of(name: str, text: str, otherwise: int, problems: list[str]) -> int:
    """A fiscal year; `otherwise` where none is given."""
    if not text:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) == 4):
        problems.append(f"“{name}” is a fiscal year of four digits.")
        return otherwise
    return int(text)


def day_of(name: str, text: str, problems: list[str]) -> date | None:
    """A day as 2024-03-31; None where none is given."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        problems.append(f"“{name}” is a day such as 2024-03-31.")
    return None
