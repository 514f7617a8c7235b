"""The current use of each limit of an allowance, from the tables and, for the last minute, from Redis if there is one."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Count, Sum
from django.db.models.functions import Coalesce

from accounts.limit_errors import Limit
from accounts.models import Meter, Reservation
from accounts.plans import Allowance
from accounts.rate_windows import WINDOW, Lost

if TYPE_CHECKING:
    from accounts.redis_rate_windows import Windows

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
    """What unfinished runs have reserved. answers: how many questions they count as."""

    runs: int
    answers: int
    tokens: int
    cost: Decimal


@dataclass(frozen=True)
class Use:
    """The use of an allowance at a moment. meter: the sums of its keys."""

    allowance: Allowance
    moment: datetime
    meter: Meter
    held: Standing


# --- time, and the row that is locked ---


def locked(written: Sequence[str], read: Iterable[str] = ()) -> list[Meter]:
    """The meters of keys, locked until the transaction ends. Those that are written are created if missing.

    All are created before any is locked, and locked in one order, to avoid deadlocks.
    """
    there = set(Meter.objects.filter(key__in=written).values_list("key", flat=True))
    if missing := sorted(set(written) - there):
        Meter.objects.bulk_create([Meter(key=key) for key in missing], ignore_conflicts=True)
    return list(Meter.objects.select_for_update().filter(key__in=[*written, *read]).order_by("key"))


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
    """The database's current time, not that of the transaction's beginning."""
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
    """Whole seconds, rounded up, at least one."""
    return max(1, math.ceil(wait.total_seconds()))


# --- each limit ---


def use(allowance: Allowance, meters: Iterable[Meter], moment: datetime) -> Use:
    """The use of an allowance. meters: those of its keys, among others."""
    mine = (meter for meter in meters if meter.key in allowance.keys)
    return Use(allowance, moment, summed(mine, moment), standing(allowance))


def standing(allowance: Allowance) -> Standing:
    """What its unfinished runs have reserved."""
    found = allowance.reservations.filter(state=Reservation.State.OPEN).aggregate(
        runs=Count("pk"), answers=Sum(Coalesce("answers", 1)), tokens=Sum("tokens"), cost=Sum("cost")
    )
    return Standing(found["runs"], found["answers"] or 0, found["tokens"] or 0, found["cost"] or NOTHING)


def plain(name: str, limit: int | None, used: int) -> Limit | None:
    """A limit whose use never falls with time."""
    return None if limit is None else Limit(name, limit, used)


def unfinished(found: Use) -> Limit | None:
    """The limit of unanswered runs, which falls as runs end."""
    most = found.allowance.terms.unfinished_runs
    return None if most is None else Limit("unfinished_runs", most, found.held.runs, None, SOON)


def questions(found: Use) -> Limit | None:
    """Questions ever asked, including those of unfinished runs."""
    asked = found.meter.questions + found.held.answers
    return plain("questions_in_all", found.allowance.terms.questions_in_all, asked)


def requests(allowance: Allowance, moment: datetime, in_redis: "Windows | None" = None) -> Limit | None:
    """Requests of the last minute."""
    if in_redis is not None:
        try:
            return requests_in_redis(allowance, in_redis)
        except Lost:
            pass
    most = allowance.terms.requests_per_minute
    if most is None:
        return None
    made = allowance.reservations.filter(at__gt=moment - MINUTE, at__lte=moment + MINUTE).order_by("-at")
    used = made.count()
    if used < most:
        return Limit("requests_per_minute", most, used, WINDOW)
    # There is room when the oldest of the last so many is a minute old.
    oldest = made.values_list("at", flat=True)[most - 1] if most else moment
    return Limit("requests_per_minute", most, used, WINDOW, _seconds(oldest + MINUTE - moment))


def requests_in_redis(allowance: Allowance, in_redis: "Windows") -> Limit | None:
    """Requests of the last minute. Raises Lost."""
    most = allowance.terms.requests_per_minute
    if most is None:
        return None
    used, wait = in_redis.requests(allowance.keys[0], most)
    return Limit("requests_per_minute", most, used, WINDOW, wait if used >= most else None)


def tokens_of_minute(found: Use, in_redis: "Windows | None") -> Limit | None:
    """Tokens reserved by unfinished runs, and those used by runs that ended within the last minute."""
    most = found.allowance.terms.tokens_per_minute
    if most is None:
        return None
    used, wait = None, 0
    if in_redis is not None:
        try:
            used, wait = in_redis.tokens(found.allowance.keys[0], most)
        except Lost:
            used = None
    if used is None:
        since, until = found.moment - MINUTE, found.moment + MINUTE
        ended = found.allowance.reservations.filter(closed__gt=since, closed__lte=until, used_tokens__gt=0)
        used = ended.aggregate(sum=Sum("used_tokens"))["sum"] or 0
        first = ended.order_by("closed").values_list("closed", flat=True).first()
        wait = _seconds(first - since) if first else 0
    held = found.held.tokens
    # It is unknown when reserved tokens become free: at most a minute after their run has ended.
    return Limit("tokens_per_minute", most, used + held, WINDOW, wait or (WINDOW if held else None))


def answers(found: Use, takes: int = 1) -> Limit | None:
    """Answers of the month, and those that unfinished runs may become. takes: how many are wanted."""
    most = found.allowance.terms.answers_per_month
    if most is None:
        return None
    used = found.meter.month_answers + found.held.answers
    return Limit("answers_per_month", most, used, *_of_month(found.moment, full=used + takes > most >= takes))


def cost_of_month(found: Use) -> Limit | None:
    """Cost of the month in US cents, rounded up."""
    most = found.allowance.terms.cost_per_month
    if most is None:
        return None
    used = math.ceil(100 * (found.meter.month_cost + found.held.cost))
    return Limit("cost_per_month", int(100 * most), used, *_of_month(found.moment, full=used >= 100 * most))


def money_left(found: Use) -> Decimal | None:
    """USD of the month neither spent nor reserved; None for no limit."""
    most = found.allowance.terms.cost_per_month
    return None if most is None else most - found.meter.month_cost - found.held.cost
