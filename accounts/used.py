"""What stands against each limit of an identity, by the tables and, for the last minute, by Redis where there is one.

keys: `accounts.identity.Identity.keys`. The first is the one that is written, and the only one that Redis is asked for:
a change of SECRET_KEY forgives a minute there.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Count, Sum

from accounts.exceeded import Limit
from accounts.models import Meter, Reservation
from accounts.plans import Terms
from accounts.windows import WINDOW, Lost

if TYPE_CHECKING:
    from accounts.redis_windows import Windows

MINUTE = timedelta(seconds=WINDOW)
CLOCKS = {
    "postgresql": "SELECT CLOCK_TIMESTAMP()",
    "sqlite": "SELECT STRFTIME('%Y-%m-%dT%H:%M:%f+00:00', 'NOW')",
}
NOTHING = Decimal(0)
# Seconds after which to ask again, where a run has to end first.
SOON = 5


@dataclass(frozen=True)
class Standing:
    """What unfinished runs hold."""

    runs: int
    tokens: int
    cost: Decimal


# --- time, and the row that is locked ---


def locked(keys: Sequence[str]) -> list[Meter]:
    """The meters of keys, locked until the transaction ends; that of the first is made where there is none."""
    wanted = Meter.objects.select_for_update().filter(key__in=keys).order_by("key")
    found = list(wanted)
    if not any(meter.key == keys[0] for meter in found):
        Meter.objects.bulk_create([Meter(key=keys[0])], ignore_conflicts=True)
        found = list(wanted.all())
    return found


def summed(meters: Iterable[Meter], moment: datetime) -> Meter:
    """The sums of several meters, in one that is not stored."""
    total = Meter(month=month(moment))
    for meter in meters:
        total.questions += meter.questions
        if meter.month == total.month:
            total.month_answers += meter.month_answers
            total.month_cost += meter.month_cost
    return total


def clock() -> datetime:
    """The database's time, now and not at the beginning of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(CLOCKS[connection.vendor])
        (found,) = cursor.fetchone()
    return datetime.fromisoformat(found) if isinstance(found, str) else found


def month(moment: datetime) -> date:
    """The first day of a moment's month, in UTC."""
    return moment.astimezone(UTC).date().replace(day=1)


def _of_month(moment: datetime, *, full: bool) -> tuple[int, int | None]:
    """Seconds of a moment's month, and until the next one begins where this one is used up."""
    first = month(moment)
    following = (first + timedelta(days=31)).replace(day=1)
    ends = datetime(following.year, following.month, 1, tzinfo=UTC)
    return (following - first).days * 24 * 3600, _seconds(ends - moment) if full else None


def _seconds(wait: timedelta) -> int:
    """Whole seconds, rounded up, one at least."""
    return max(1, math.ceil(wait.total_seconds()))


# --- each limit ---


def plain(name: str, limit: int | None, used: int) -> Limit | None:
    """A limit that falls with no time."""
    return None if limit is None else Limit(name, limit, used)


def unfinished(mine: Terms, runs: int) -> Limit | None:
    """The limit of runs that are not answered yet, which ends as one of them does."""
    return None if mine.unfinished_runs is None else Limit("unfinished_runs", mine.unfinished_runs, runs, None, SOON)


def requests(keys: Sequence[str], mine: Terms, moment: datetime, in_redis: "Windows | None" = None) -> Limit | None:
    """Requests of the last minute."""
    most = mine.requests_per_minute
    if most is None:
        return None
    if in_redis is not None:
        try:
            used, wait = in_redis.requests(keys[0], most)
            return Limit("requests_per_minute", most, used, WINDOW, wait if used >= most else None)
        except Lost:
            pass
    made = Reservation.objects.filter(key__in=keys, at__gt=moment - MINUTE, at__lte=moment + MINUTE).order_by("-at")
    used = made.count()
    if used < most:
        return Limit("requests_per_minute", most, used, WINDOW)
    # There is room when the oldest of the newest so many is a minute old.
    oldest = made.values_list("at", flat=True)[most - 1] if most else moment
    return Limit("requests_per_minute", most, used, WINDOW, _seconds(oldest + MINUTE - moment))


def tokens_of_minute(
    keys: Sequence[str], mine: Terms, moment: datetime, held: Standing, in_redis: "Windows | None"
) -> Limit | None:
    """Tokens held by unfinished runs, and those used by runs that ended within the last minute."""
    most = mine.tokens_per_minute
    if most is None:
        return None
    used, wait = None, 0
    if in_redis is not None:
        try:
            used, wait = in_redis.tokens(keys[0], most)
        except Lost:
            used = None
    if used is None:
        ended = Reservation.objects.filter(key__in=keys, closed__gt=moment - MINUTE, closed__lte=moment + MINUTE)
        ended = ended.filter(used_tokens__gt=0).order_by("closed")
        used = ended.aggregate(sum=Sum("used_tokens"))["sum"] or 0
        first = ended.values_list("closed", flat=True).first()
        wait = _seconds(first + MINUTE - moment) if first else 0
    # Of tokens that are held it is not known when they are free: after a minute at most where their run has ended.
    return Limit("tokens_per_minute", most, used + held.tokens, WINDOW, wait or (WINDOW if held.tokens else None))


def answers(meter: Meter, mine: Terms, moment: datetime, held: Standing) -> Limit | None:
    """Answers of the month; each unfinished run may become one."""
    most = mine.answers_per_month
    if most is None:
        return None
    used = (meter.month_answers if meter.month == month(moment) else 0) + held.runs
    return Limit("answers_per_month", most, used, *_of_month(moment, full=used >= most))


def cost_of_month(meter: Meter, mine: Terms, moment: datetime, held: Standing) -> Limit | None:
    """Cost of the month in US cents, rounded up."""
    most = mine.cost_per_month
    if most is None:
        return None
    used = math.ceil(100 * (spent(meter, moment) + held.cost))
    return Limit("cost_per_month", int(100 * most), used, *_of_month(moment, full=used >= 100 * most))


def spent(meter: Meter, moment: datetime) -> Decimal:
    """USD of the month."""
    return meter.month_cost if meter.month == month(moment) else NOTHING


def standing(keys: Sequence[str]) -> Standing:
    """What the unfinished runs of an identity hold."""
    found = Reservation.objects.filter(key__in=keys, state=Reservation.State.OPEN).aggregate(
        runs=Count("pk"), tokens=Sum("tokens"), cost=Sum("cost")
    )
    return Standing(found["runs"], found["tokens"] or 0, found["cost"] or NOTHING)
