"""A measure of a part of each of several companies: what is asked of one of them, and how results over all are called."""

from agent.numbers.cells.row_expressions import versions
from agent.numbers.registry.registry import Registry
from agent.refusals.grammar import lower_first
from agent.state.measure_operands import with_parts
from agent.state.query import Measure, Member, PartOf
from agent.state.tables import Result


def for_company(measure: Measure, cik: int) -> Measure:
    """A measure as it is asked of one company: of its own part, where parts of several companies are asked."""
    if not isinstance(measure, Member):
        return with_parts(measure, lambda part: for_company(part, cik))
    if not measure.own:
        return measure
    found = next((one for one in measure.own if one.cik == cik), PartOf(cik=cik, label=measure.label, members=()))
    return measure.model_copy(update={"label": found.label, "members": found.members})


def named_as_row(result: Result, measure: Measure, registry: Registry) -> Result:
    """A result over companies under the name of its row, where each has a part of its own."""
    ciks = dict.fromkeys(one.cik for one in result.order)
    for cik in ciks if len(ciks) > 1 else ():
        own = for_company(measure, cik)
        if own == measure:
            return result
        label, shared = (versions(one, registry)[0].label for one in (own, measure))
        for said, named in ((label, shared), (lower_first(label), lower_first(shared))):
            if said in result.label:
                return result.model_copy(update={"label": result.label.replace(said, named)})
    return result
