"""The ledger: what is reserved before a question is answered, and what was used when it is.

The tables are the truth. Every reservation and settlement of one key locks the row of its meter first (on SQLite the
whole database), reads what stands, and writes: so no limit is exceeded by one, whatever asks at the same time. With
Redis the last minute is counted there instead, as `accounts.windows` tells.

A request counts for a minute from when it is made. Tokens count from when they are reserved until a minute after they
were used: in no minute are more used than the limit. All times are those of the database, and of Redis there: no clock
of a process is read, so it does no harm when these disagree. SQLite's is the clock of the one machine it is on.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.exceeded import Limit, LimitReached, QuotaExceeded, TooLong, headers, response
from accounts.identity import Identity, Tier
from accounts.models import Meter, Reservation
from accounts.plans import Terms, terms
from accounts.used import (
    NOTHING,
    Standing,
    answers,
    clock,
    cost_of_month,
    locked,
    month,
    plain,
    requests,
    spent,
    standing,
    summed,
    tokens_of_minute,
    unfinished,
)
from accounts.windows import WINDOW, Lost, windows

if TYPE_CHECKING:
    from accounts.redis_windows import Windows

__all__ = [
    "Length", "Limit", "LimitReached", "QuotaExceeded", "TooLong", "Want",
    "check_length", "forget", "forsaken", "headers", "release", "request", "reserve", "reserved", "response", "settle",
    "sweep", "told", "uses",
]  # fmt: skip

# A reservation that no run stands for has been left by a crash, unless it is younger than the longest transaction.
GRACE = timedelta(minutes=2)
# Reservations are kept so long to be looked at; the sums in their meter stay.
KEPT = timedelta(days=35)
MOST_AT_ONCE = 1000


@dataclass(frozen=True)
class Want:
    """What a run needs at most: tokens, what these may cost in USD, and the tokens of the minute that it leaves to others."""

    tokens: int
    cost: Decimal = NOTHING
    leaves: int = 0


@dataclass(frozen=True)
class Length:
    """Tokens of a question: a number it surely does not exceed, and the exact one, which takes longer to find."""

    at_most: int
    exact: Callable[[], int]


def reserve(identity: Identity, ref: UUID, *, length: Length, wants: Sequence[Want]) -> Reservation:
    """Hold what a run may use, until it is settled or released.

    ref: the run's key. Made in the transaction that makes the run, there is never one without the other.
    wants: the dearest first, each with the most tokens that the question may have; the first that there is room for is
    reserved. Before the last is refused its question is counted exactly, and no more of it is held than there is in a
    minute at all. Raises TooLong or QuotaExceeded.
    """
    mine = terms(identity)
    check_length(identity, mine, length)
    keys, anonymous = identity.keys, identity.tier is Tier.ANON
    in_redis = counted(keys[0], mine, windows(), anonymous)
    with transaction.atomic():
        meters = locked(keys)
        moment = clock()
        meter, held = summed(meters, moment), standing(keys)
        limits = (
            None if in_redis else requests(keys, mine, moment),
            unfinished(mine, held.runs),
            plain("questions_in_all", mine.questions_in_all, meter.questions + held.runs),
            answers(meter, mine, moment, held),
        )
        check_room(limits, anonymous)
        want = affordable(wants, length, keys, mine, meter, moment, held, in_redis, anonymous)
        return Reservation.objects.create(
            ref=ref,
            key=keys[0],
            tier=identity.tier,
            at=moment,
            tokens=want.tokens,
            cost=want.cost,
            tokens_per_minute=mine.tokens_per_minute,
        )


def request(identity: Identity, ref: UUID) -> None:
    """Count what is asked beside questions, as a search: among the requests of its minute.

    ref: its key. Raises QuotaExceeded.
    """
    mine, keys, anonymous = terms(identity), identity.keys, identity.tier is Tier.ANON
    in_redis = counted(keys[0], mine, windows(), anonymous)
    with transaction.atomic():
        locked(keys)
        moment = clock()
        check_room([None if in_redis else requests(keys, mine, moment)], anonymous)
        Reservation.objects.create(
            ref=ref,
            key=keys[0],
            tier=identity.tier,
            state=Reservation.State.SETTLED,
            at=moment,
            closed=moment,
            tokens=0,
        )


def check_length(identity: Identity, mine: Terms, length: Length) -> None:
    """Raises TooLong for a question of more tokens than its asker may send."""
    most = mine.input_tokens
    if most is not None and length.at_most > most and (used := length.exact()) > most:
        raise TooLong(Limit("input_tokens", most, used), auth_required=identity.tier is Tier.ANON)


def check_room(limits: Iterable[Limit | None], anonymous: bool) -> None:
    """Raises QuotaExceeded of the first limit that is reached."""
    for limit in limits:
        if limit is not None and limit.used >= limit.limit:
            raise QuotaExceeded(limit, auth_required=anonymous)


def counted(key: str, mine: Terms, found: "Windows | None", anonymous: bool) -> "Windows | None":
    """The windows, with this request counted; None where the ledger has to count. Raises QuotaExceeded."""
    most = mine.requests_per_minute
    if found is None or most is None:
        return found
    try:
        if found.request(key, most):
            return found
        used, wait = found.requests(key, most)
    except Lost:
        return None
    raise QuotaExceeded(Limit("requests_per_minute", most, used, WINDOW, wait), auth_required=anonymous)


def affordable(
    wants: Sequence[Want], length: Length, keys: Sequence[str], mine: Terms, meter: Meter, moment: datetime,
    held: Standing, in_redis: "Windows | None", anonymous: bool,
) -> Want:  # fmt: skip
    """The first want that there are tokens and money for. Raises QuotaExceeded."""
    minute = tokens_of_minute(keys, mine, moment, held, in_redis)
    money = None if mine.cost_per_month is None else mine.cost_per_month - spent(meter, moment) - held.cost
    for want in wants:
        fits = minute is None or want.tokens + want.leaves <= minute.left
        if fits and (money is None or not want.cost or want.cost <= money):
            return want
    if minute is None:
        raise ValueError("The last want costs money: there is none that always fits.")
    least = Want(wants[-1].tokens - length.at_most + length.exact())
    if least.tokens <= minute.left:
        return least
    if 0 < minute.limit <= least.tokens and not minute.used:
        return Want(minute.limit)
    raise QuotaExceeded(minute, auth_required=anonymous)


def settle(ref: UUID, *, tokens: int, cost: Decimal, answered: bool, asked: bool = True) -> None:
    """Count what a run has used, once, and let go of what it held.

    asked: whether it counts as a question; not where we failed. What was used counts however the reservation ended.
    """
    key = Reservation.objects.filter(ref=ref).values_list("key", flat=True).first()
    if key is None:
        return
    with transaction.atomic():
        (meter,) = locked([key])
        moment = clock()
        row = Reservation.objects.filter(ref=ref).exclude(state=Reservation.State.SETTLED).first()
        if row is None:
            return
        row.state, row.closed, row.answered = Reservation.State.SETTLED, moment, answered
        row.used_tokens, row.used_cost = tokens, cost
        row.save(update_fields=["state", "closed", "answered", "used_tokens", "used_cost"])
        count(meter, moment, tokens, cost, answered, asked)
        found = windows()
        if found is not None and row.tokens_per_minute and tokens:
            # Before the commit: behind it, what asks next would see these tokens neither here nor there.
            with suppress(Lost):
                found.spend(key, row.tokens_per_minute, tokens)


def count(meter: Meter, moment: datetime, tokens: int, cost: Decimal, answered: bool, asked: bool) -> None:
    """Add one run to the sums of a meter that is locked."""
    if meter.month != month(moment):
        meter.month, meter.month_answers, meter.month_tokens, meter.month_cost = month(moment), 0, 0, NOTHING
    meter.month_answers += answered
    meter.month_tokens += tokens
    meter.month_cost += cost
    meter.questions += asked
    meter.answers += answered
    meter.tokens += tokens
    meter.cost += cost
    meter.save()


def release(ref: UUID) -> None:
    """Give back what a run held that was never begun. That it was asked for still counts for its minute."""
    close(Reservation.objects.filter(ref=ref), Reservation.State.RELEASED)


def reserved(ref: UUID) -> Reservation | None:
    """What a run may use; None where nothing was reserved for it, as for a command's."""
    return Reservation.objects.filter(ref=ref).first()


def forsaken(living: "Collection[UUID] | QuerySet") -> list[UUID]:
    """Runs that hold something and are not among the unfinished ones: their settlement was lost."""
    old = Reservation.objects.filter(state=Reservation.State.OPEN, at__lt=clock() - GRACE).exclude(ref__in=living)
    return list(old.values_list("ref", flat=True)[:MOST_AT_ONCE])


def sweep(living: "Collection[UUID] | QuerySet") -> int:
    """Give back what no unfinished run stands for, and forget reservations of long ago; how many were given back."""
    found = close(Reservation.objects.filter(ref__in=forsaken(living)), Reservation.State.EXPIRED)
    old = Reservation.objects.filter(at__lt=clock() - KEPT).exclude(state=Reservation.State.OPEN)
    Reservation.objects.filter(pk__in=list(old.order_by("at").values_list("pk", flat=True)[:MOST_AT_ONCE])).delete()
    return found


def close(rows: "QuerySet[Reservation]", state: str) -> int:
    return rows.filter(state=Reservation.State.OPEN).update(state=state, closed=clock())


def forget(identity: Identity) -> None:
    """Forget what an account has used, which is deleted; `accounts.models.PastUsage` keeps the sums of all of them."""
    with transaction.atomic():
        locked(identity.keys)
        for model in (Meter, Reservation):
            model.objects.filter(key__in=identity.keys).delete()


def uses(identity: Identity) -> list[Limit]:
    """Every limit of an identity with its use at this moment: for the account page, the API and its headers."""
    mine, keys, moment, in_redis = terms(identity), identity.keys, clock(), windows()
    meter, held = summed(Meter.objects.filter(key__in=keys), moment), standing(keys)
    found = (
        requests(keys, mine, moment, in_redis),
        tokens_of_minute(keys, mine, moment, held, in_redis),
        answers(meter, mine, moment, held),
        cost_of_month(meter, mine, moment, held),
        plain("questions_in_all", mine.questions_in_all, meter.questions + held.runs),
        unfinished(mine, held.runs),
        plain("input_tokens", mine.input_tokens, 0),
    )
    return [replace(one, retry_after_s=None) if one.left else one for one in found if one is not None]


def told(reached: LimitReached, identity: Identity) -> dict[str, str]:
    """The headers of a refusal; with too long a question, which has used nothing, those of any reply too."""
    if not isinstance(reached, TooLong):
        return reached.headers
    length = replace(reached.limit, used=0)
    return headers([*(one for one in uses(identity) if one.name != length.name), length])
