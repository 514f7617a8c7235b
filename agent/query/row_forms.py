"""The forms of a row: the measure itself, its growth, its share of another; and what they are of."""

from agent.state.query import Breakdown, Change, Measure, Member, Row, Share


def base_of(measure: Measure) -> Measure:
    """The measure that growth, a share or a part is of."""
    match measure:
        case Change(of=of) | Member(of=of) | Breakdown(of=of):
            return base_of(of)
        case Share(part=part):
            return base_of(part)
    return measure


def level_of(measure: Measure) -> Measure:
    """The measure itself, of the same part of a company, in place of its growth or share."""
    match measure:
        case Change(of=of):
            return level_of(of)
        case Share(part=part):
            return level_of(part)
        case Breakdown(of=of):
            return measure.model_copy(update={"of": level_of(of), "shares": False})
    return measure


def grown(row: Row) -> Row:
    """The growth of a row over the year before, of all parts that of each; of percentages, the change in points."""
    if isinstance(row.measure, Breakdown):
        of = Change(of=level_of(row.measure.of), percent=True)
        return row.model_copy(update={"measure": row.measure.model_copy(update={"of": of, "shares": False})})
    if isinstance(row.measure, Change) and row.measure.percent:
        return row
    return row.model_copy(update={"measure": Change(of=level_of(row.measure), percent=True)})
