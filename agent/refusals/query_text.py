"""Writes a query as an English question that is read as exactly that query."""

from agent.numbers.registry.concept import STATEMENTS
from agent.numbers.registry.registry import Registry, normalise
from agent.refusals.grammar import listed, lower_first
from agent.state.query import (
    Breakdown,
    Change,
    Combined,
    Concept,
    Difference,
    Formula,
    Last,
    Line,
    Measure,
    Member,
    Metric,
    Operation,
    OverYears,
    Periods,
    Printed,
    Query,
    Rank,
    Share,
    Span,
    Statement,
    Years,
)
from agent.state.question_words import Display
from agent.state.references import Period, PeriodForm, RelativePeriod
from filings.xbrl.periods import FiscalPeriod

# Quarters that are named one by one.
MOST_LISTED = 2
_OVER = {
    "average": "average {}", "sum": "sum of {}", "cagr": "CAGR of {}", "growth": "growth in {}", "change": "change in {}",
    "highest": "highest {}", "lowest": "lowest {}",
}  # fmt: skip


def question(query: Query, registry: Registry) -> str:
    """The question for a query on figures: Apple and Microsoft revenue in fiscal 2023."""
    rows = [row for row in query.rows if not row.mention]
    measures = listed(list(dict.fromkeys(measure(row.measure, registry) for row in rows)))
    names = [company.called for company in query.companies]
    for operation in query.operations:
        if isinstance(operation, Rank) and len(names) > 1:
            extreme = "highest" if operation.highest else "lowest"
            return f"Which of {listed(names)} had the {extreme} {measures} {when(query.periods)}?"
        if isinstance(operation, OverYears):
            measures = _OVER[operation.over.value].format(measures)
    return f"{listed(names)} {measures} {when(query.periods)}"


def heading(query: Query, registry: Registry) -> str:
    """What a query asks, in one line: Revenue of Apple and Lowe's from 2020 to 2024; empty where it asks nothing."""
    names = listed([company.called for company in query.companies])
    said = [topic.text.rstrip(" ?!.") for topic in query.topics]
    if rows := [row for row in query.rows if not row.mention]:
        said = [listed(list(dict.fromkeys(measure(row.measure, registry) for row in rows))), *said]
    said += [key.replace("_", " ") for key in query.particulars]
    if not said or not names:
        return ""
    said_of = "; ".join(said)
    if query.rows:
        line = f"{said_of} of {names} {_columns(query.periods)}"
    else:
        line = f"{said_of}: {names}, {_columns(query.periods).removeprefix('in ')}"
    shown = {Display.CHART: "as a chart", Display.GRID: "as a grid"}.get(query.display, "")
    known = f"as known on {query.as_of:%-d %B %Y}" if query.as_of and not query.as_of_words else ""
    basis = f"as {query.basis.replace('_', ' ')}" if query.basis else ""
    line = ", ".join(filter(None, (line, *map(_made_of, query.operations), basis, known, shown)))
    return line[:1].upper() + line[1:]


def _made_of(one: Operation) -> str:
    match one:
        case Rank(highest=highest):
            return f"{'highest' if highest else 'lowest'} first"
        case OverYears(over=over):
            return _OVER[over.value].format("").strip().removesuffix(" of").removesuffix(" in")
        case Difference():
            return "difference"
    return ""


def _columns(periods: Periods) -> str:
    """The periods; of a row of quarters the first and the last."""
    if isinstance(periods, Years) and len(periods.periods) > MOST_LISTED and all(one.part for one in periods.periods):
        return f"from {year(periods.periods[0])} to {year(periods.periods[-1])}"
    return when(periods)


def measure(one: Measure, registry: Registry) -> str:
    """A measure in words: research and development expense, growth in revenue."""
    match one:
        case Concept(key=key):
            return named(key, registry)
        case Metric(key=key, variant=variant):
            return named(f"{key}:{variant}" if variant else key, registry)
        case Line(label=label) | Printed(words=label):
            return label
        case Formula(text=text):
            return text
        case Breakdown(of=of, axis=axis, first=first):
            return f"{measure(of, registry)} of the {first}" if first else f"{measure(of, registry)} by {axis}"
        case Member(of=of, label=label):
            return f"{measure(of, registry)} of {label}"
        case Statement(statement=kind, form=form):
            return {"common_size": "common-size {}", "growth": "{} growth"}.get(form, "{}").format(STATEMENTS[kind])
        case Change(of=of, percent=percent, sequential=sequential):
            over = "quarter over quarter " if sequential else ""
            return f"{over}{'growth' if percent else 'change'} in {measure(of, registry)}"
        case Share(part=part, whole=whole):
            return f"{measure(part, registry)} as a percentage of {measure(whole, registry)}"
        case Combined(sign=sign, parts=parts):
            return (" plus " if sign == "+" else " minus ").join(measure(part, registry) for part in parts)


def named(key: str, registry: Registry) -> str:
    """An unambiguous name of a registry key: its label, or the first clear alias."""
    name, _, variant = key.partition(":")
    metric = registry.metrics.get(name)
    if metric is not None:
        aliases = metric.variants[variant].aliases if variant in metric.variants else ()
        return lower_first(next(iter((*aliases, *metric.aliases, metric.label))))
    concept = registry.concepts[name]
    known = [alias for alias in (concept.label, *concept.aliases) if registry.aliases.get(normalise(alias)) == (name,)]
    return lower_first(next((alias for alias in known if is_clear(alias, registry)), concept.label))


def is_clear(alias: str, registry: Registry) -> bool:
    """Whether words have one reading."""
    term = registry.ambiguous.get(normalise(alias))
    return term is None or (not term.ask and len(term.concepts) + len(term.metrics) == 1)


def when(periods: Periods) -> str:
    """Periods as they end a question: in fiscal 2024, from fiscal 2019 to fiscal 2023."""
    match periods:
        case Span(first=first, last=None):
            return f"since {year(first)}"
        case Span(first=first, last=last):
            return f"from {year(first)} to {year(last) if last else ''}"
        case Last(count=count, until=until, quarters=quarters):
            return f"over the last {count} {'quarters' if quarters else 'years'}" + (
                f" to {year(until)}" if until else ""
            )
    named_years = [year(period) for period in periods.periods]
    return f"in {listed(named_years)}" if all(period.year for period in periods.periods) else listed(named_years)


def year(period: Period) -> str:
    """fiscal 2024, 2024, calendar 2024, the year ended 28 September 2024, the latest year; of a part, Q3 fiscal 2024."""
    if period.part is not None:
        return _part(period.part, period)
    match period.form:
        case PeriodForm.ENDED if period.end:
            return f"the year ended {period.end:%B} {period.end.day}, {period.end.year}"
        case PeriodForm.LATEST:
            return "in the latest year"
        case PeriodForm.PREVIOUS:
            return "last year"
        case PeriodForm.BARE:
            return str(period.year)
    return f"{period.form.value} {period.year}"


_STRETCHES = {
    RelativePeriod.QUARTER: "quarter",
    RelativePeriod.TEN_Q: "10-Q",
    RelativePeriod.HALF: "half",
    RelativePeriod.NINE_MONTHS: "nine months",
    RelativePeriod.TO_DATE: "year to date",
    RelativePeriod.TRAILING: "trailing twelve months",
    RelativePeriod.DAY: "day",
}
_PARTS = {FiscalPeriod.H1: "first half", FiscalPeriod.H2: "second half", FiscalPeriod.NINE_MONTHS: "first nine months"}


def _part(part: FiscalPeriod | RelativePeriod, period: Period) -> str:
    """A part of a year: Q3 fiscal 2024, the quarter ended June 29, 2024, the latest quarter."""
    name = _STRETCHES[part] if isinstance(part, RelativePeriod) else _PARTS.get(part, part.value)
    if period.form is PeriodForm.ENDED and period.end:
        return f"the {name} ended {period.end:%B} {period.end.day}, {period.end.year}"
    if period.year is None:
        return f"in the latest {name}"
    return f"{name} {year(period.model_copy(update={'part': None}))}"
