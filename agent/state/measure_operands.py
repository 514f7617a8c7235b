"""What measures of a query are made of: the parts of a change, a share, a sum or a formula."""

from collections.abc import Callable, Iterator

from agent.state.query import Breakdown, Change, Combined, Formula, Measure, Operand, Printed, Query, Share


def parts_of(measure: Measure) -> tuple[Measure, ...]:
    """The measures that one is made of, one level down; none of one that is named itself."""
    match measure:
        case Change(of=of):
            return (of,)
        case Share(part=part, whole=whole):
            return part, whole
        case Combined(parts=parts):
            return parts
        case Formula(operands=operands):
            return tuple(one.of for one in operands)
    return ()


def with_parts(measure: Measure, put: Callable[[Measure], Measure]) -> Measure:
    """The measure with each that it is made of replaced; one that is named itself as it is."""
    match measure:
        case Change(of=of):
            return measure.model_copy(update={"of": put(of)})
        case Share(part=part, whole=whole):
            return measure.model_copy(update={"part": put(part), "whole": put(whole)})
        case Combined(parts=parts):
            return measure.model_copy(update={"parts": tuple(map(put, parts))})
        case Formula(operands=operands):
            own = tuple(Operand(name=one.name, of=put(one.of)) for one in operands)
            return measure.model_copy(update={"operands": own})
    return measure


def leaves(measure: Measure) -> Iterator[Measure]:
    """The measures that are named themselves, of all that one is made of."""
    if parts := parts_of(measure):
        for one in parts:
            yield from leaves(one)
    else:
        yield measure


def is_divided(measure: Measure) -> bool:
    """Whether a measure is, or is made of, all parts of a kind."""
    return any(isinstance(one, Breakdown) for one in leaves(measure))


def is_printed(query: Query) -> bool:
    """Whether a figure is asked that the documents its topic is asked of print under the words of its row."""
    return bool(query.topics and query.rows) and all(
        isinstance(one, Printed) and (one is row.measure or one.guidance)
        for row in query.rows
        for one in leaves(row.measure)
    )


def is_guided(query: Query) -> bool:
    """Whether guidance is asked."""
    return any(isinstance(one, Printed) and one.guidance for row in query.rows for one in leaves(row.measure))
