"""Counts usage against quotas: reserves it before a question is answered, and settles it afterwards.

The tables are the truth. Every reservation and settlement of one key locks the row of its meter first (on SQLite the
whole database), reads, and writes: so no limit is exceeded by one, whatever happens at the same time. With Redis the
last minute is counted there instead, see `accounts.rate_windows`. An IPv6 address has two allowances, its own and its
site's; each is checked, and both are counted.

A request counts for a minute from when it is made. Tokens count from when they are reserved until a minute after they
were used: in no minute are more used than the limit. All times are those of the database, and of Redis there: no
process's clock is read, so it does no harm when these disagree. SQLite's is the clock of the one machine it is on.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.identity import Identity, Tier
from accounts.limit_errors import Limit, LimitReached, QuotaExceeded, TooLong, headers, response
from accounts.models import Meter, Reservation, User
from accounts.plans import NETWORKS_OF_A_SITE, Allowance, allowances, of_tier, terms
from accounts.rate_windows import Lost, windows
from accounts.usage import (
    NOTHING,
    Use,
    answers,
    clock,
    cost_of_month,
    locked,
    money_left,
    month,
    plain,
    questions,
    requests,
    requests_in_redis,
    tokens_of_minute,
    unfinished,
    use,
)

if TYPE_CHECKING:
    from accounts.redis_rate_windows import Windows

__all__ = [
    "Length",
    "Limit",
    "LimitReached",
    "QuotaExceeded",
    "Share",
    "TooLong",
    "Want",
    "check_length",
    "enlarge",
    "forget",
    "forsaken",
    "headers",
    "refusal_headers",
    "release",
    "request",
    "reserve",
    "reserved",
    "response",
    "settle",
    "sweep",
    "uses",
]  # fmt: skip

# A reservation without a run was left by a crash, unless it is younger than the longest transaction.
GRACE = timedelta(minutes=2)
# Reservations are kept this long for inspection; the sums in their meter stay.
KEPT = timedelta(days=35)
MOST_AT_ONCE = 1000


@dataclass(frozen=True)
class Want:
    """An amount that a run asks for: tokens, their cost in USD, and the tokens of the minute to leave for other questions."""

    tokens: int
    cost: Decimal = NOTHING
    leaves: int = 0


@dataclass(frozen=True)
class Share:
    """How many questions and answers a request counts as. what: why, as a sentence: The table has 600 cells."""

    answers: int = 1
    what: str = ""


@dataclass(frozen=True)
class Length:
    """Tokens of a question: an upper bound, and the exact number, which takes longer."""

    at_most: int
    exact: Callable[[], int]


@dataclass(frozen=True)
class Asking:
    """The asker and the use of each allowance, locked until the transaction ends.

    used: the identity's own first. in_redis: the windows that count requests; None: the ledger does.
    """

    identity: Identity
    used: Sequence[Use]
    in_redis: "Windows | None"

    @property
    def anonymous(self) -> bool:
        return self.identity.tier is Tier.ANON

    @property
    def moment(self) -> datetime:
        return self.used[0].moment


def reserve(
    identity: Identity, ref: UUID, *, length: Length, wants: Sequence[Want], share: Share = Share()
) -> Reservation:
    """Reserve what a run may use, until it is settled or released. ref: the run's key.

    Called in the transaction that creates the run, so that there is never one without the other. wants: the most
    expensive first; the first with room is reserved. Before the last is refused, its question is counted exactly, and
    no more is reserved than a minute has. Raises TooLong or QuotaExceeded.
    """
    mine, anonymous = allowances(identity), identity.tier is Tier.ANON
    check_length(identity, length, mine[0].terms.input_tokens)
    in_redis = with_room(mine, windows(), anonymous)
    with transaction.atomic():
        asking = Asking(identity, locked_use(mine), in_redis)
        check_requests(asking)
        for one in asking.used:
            check_room(unfinished(one), one.allowance, anonymous)
        for one in asking.used:
            check_share(questions(one), share, one.allowance, anonymous)
        for one in asking.used:
            check_share(answers(one, share.answers), share, one.allowance, anonymous)
        want = affordable(asking, wants, length)
        return recorded(asking, ref, tokens=want.tokens, cost=want.cost, answers=share.answers)


def enlarge(ref: UUID, share: Share, user: User | None) -> None:
    """Reserve more answers for a run that turns out to count as several.

    user: None for a visitor. Raises QuotaExceeded where fewer are left, and then changes nothing. Safe to call twice.
    """
    row = Reservation.objects.filter(ref=ref, state=Reservation.State.OPEN).first()
    held = (row.answers or 1) if row else 0
    if row is None or held >= share.answers:
        return
    own = terms(Identity(user=user)) if user else of_tier(Tier(row.tier))
    mine = [Allowance((row.key,), own)]
    if row.site:
        mine.append(Allowance((row.site,), own.of_a_site(), of_site=True))
    with transaction.atomic():
        for one in locked_use(mine):
            for limit in (questions(one), answers(one, share.answers)):
                free = replace(limit, used=limit.used - held) if limit else None
                check_share(free, share, one.allowance, user is None)
        Reservation.objects.filter(pk=row.pk).update(answers=share.answers)


def request(identity: Identity, ref: UUID) -> None:
    """Count a request that is not a question, such as a search, in its minute. ref: its key. Raises QuotaExceeded."""
    mine = allowances(identity)
    in_redis = with_room(mine, windows(), identity.tier is Tier.ANON)
    with transaction.atomic():
        asking = Asking(identity, locked_use(mine), in_redis)
        check_requests(asking)
        recorded(asking, ref, tokens=0, state=Reservation.State.SETTLED, closed=asking.moment)


def check_length(identity: Identity, length: Length, most: int | None) -> None:
    """Raises TooLong for a question with more tokens than its asker may send."""
    if most is not None and length.at_most > most and (used := length.exact()) > most:
        raise TooLong(Limit("input_tokens", most, used), auth_required=identity.tier is Tier.ANON)


def check_room(limit: Limit | None, whose: Allowance, anonymous: bool) -> None:
    """Raises QuotaExceeded for a reached limit."""
    if limit is not None and limit.used >= limit.limit:
        raise QuotaExceeded(limit, auth_required=anonymous, shared=whose.of_site)


def check_share(limit: Limit | None, share: Share, whose: Allowance, anonymous: bool) -> None:
    """Raises QuotaExceeded if a limit has less left than the request counts as."""
    if share.answers == 1 or limit is None or limit.left >= share.answers:
        check_room(limit, whose, anonymous)
        return
    left = "1 is left" if limit.left == 1 else f"{limit.left:,} are left"
    title = f"{share.what} and takes {share.answers:,} answers; {left}"
    raise QuotaExceeded(limit, auth_required=anonymous, shared=whose.of_site, title=title)


def with_room(mine: Sequence[Allowance], found: "Windows | None", anonymous: bool) -> "Windows | None":
    """The Redis windows, where they have room; None where the ledger counts. Raises QuotaExceeded.

    Checked before any row is locked, so that refused requests keep nobody waiting.
    """
    if found is None:
        return None
    try:
        for one in mine:
            check_room(requests_in_redis(one, found), one, anonymous)
    except Lost:
        return None
    return found


def locked_use(mine: Sequence[Allowance]) -> list[Use]:
    """The use of each allowance, whose meters are locked until the transaction ends."""
    meters = locked([one.keys[0] for one in mine], [key for one in mine for key in one.keys])
    moment = clock()
    return [use(one, meters, moment) for one in mine]


def check_requests(asking: Asking) -> None:
    """Raises QuotaExceeded where no request of the minute is left. With Redis this is known earlier."""
    for one in asking.used if asking.in_redis is None else ():
        check_room(requests(one.allowance, one.moment), one.allowance, asking.anonymous)


def recorded(asking: Asking, ref: UUID, **fields: Any) -> Reservation:
    """The reservation of an accepted request, after it is counted in Redis. Raises QuotaExceeded."""
    count_in_redis(asking)
    mine, *sites = (one.allowance for one in asking.used)
    return Reservation.objects.create(
        ref=ref,
        key=mine.keys[0],
        site=sites[0].keys[0] if sites else None,
        tier=asking.identity.tier,
        at=asking.moment,
        tokens_per_minute=mine.terms.tokens_per_minute,
        **fields,
    )


def count_in_redis(asking: Asking) -> None:
    """Count a request, as the last check: requests refused by another limit are not counted."""
    mine, in_redis = [one.allowance for one in asking.used], asking.in_redis
    entries = [(one.keys[0], most) for one in mine if (most := one.terms.requests_per_minute) is not None]
    if in_redis is None or not entries:
        return
    try:
        if in_redis.request(entries):
            return
        found = [(limit, one) for one in mine if (limit := requests_in_redis(one, in_redis)) is not None]
    except Lost:
        for one in mine:
            check_room(requests(one, asking.moment), one, asking.anonymous)
        return
    reached, whose = min(found, key=lambda one: one[0].left)
    raise QuotaExceeded(reached, auth_required=asking.anonymous, shared=whose.of_site)


def affordable(asking: Asking, wants: Sequence[Want], length: Length) -> Want:
    """The first of the wanted amounts that tokens and money allow. Raises QuotaExceeded."""
    used, in_redis = asking.used, asking.in_redis
    minutes = [(limit, one.allowance) for one in used if (limit := tokens_of_minute(one, in_redis)) is not None]
    minute, whose = min(minutes, key=lambda found: found[0].left, default=(None, used[0].allowance))
    money = min((left for one in used if (left := money_left(one)) is not None), default=None)
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
    raise QuotaExceeded(minute, auth_required=asking.anonymous, shared=whose.of_site)


def settle(ref: UUID, *, tokens: int, cost: Decimal, answered: bool, asked: bool = True) -> None:
    """Count what a run has used, once, and close its reservation.

    asked: whether it counts as a question; not where we failed. Usage counts however the reservation ended.
    """
    keys = Reservation.objects.filter(ref=ref).values_list("key", "site").first()
    if keys is None:
        return
    with transaction.atomic():
        meters = locked([key for key in keys if key])
        moment = clock()
        row = Reservation.objects.filter(ref=ref).exclude(state=Reservation.State.SETTLED).first()
        if row is None:
            return
        row.state, row.closed, row.answered = Reservation.State.SETTLED, moment, answered
        row.used_tokens, row.used_cost = tokens, cost
        row.save(update_fields=["state", "closed", "answered", "used_tokens", "used_cost"])
        for meter in meters:
            count(meter, moment, tokens, cost, answered * (row.answers or 1), asked * (row.answers or 1))
        found = windows()
        if found is not None and row.tokens_per_minute and tokens:
            # Before the commit: after it, the next request would see these tokens neither here nor there.
            with suppress(Lost):
                found.spend(row.key, row.tokens_per_minute, tokens)
                if row.site:
                    found.spend(row.site, NETWORKS_OF_A_SITE * row.tokens_per_minute, tokens)


def count(meter: Meter, moment: datetime, tokens: int, cost: Decimal, answered: int, asked: int) -> None:
    """Add one run to the sums of a locked meter. answered, asked: how many answers and questions it counts as."""
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
    """Release the reservation of a run that never began. Its request still counts for its minute."""
    close(Reservation.objects.filter(ref=ref), Reservation.State.RELEASED)


def reserved(ref: UUID) -> Reservation | None:
    """What is reserved for a run; None if nothing is, as for a run started by a command."""
    return Reservation.objects.filter(ref=ref).first()


def forsaken(living: "Collection[UUID] | QuerySet[Any, Any]") -> list[UUID]:
    """Open reservations whose runs have ended: they were never settled."""
    old = Reservation.objects.filter(state=Reservation.State.OPEN, at__lt=clock() - GRACE).exclude(ref__in=living)
    return list(old.values_list("ref", flat=True)[:MOST_AT_ONCE])


def sweep(living: "Collection[UUID] | QuerySet[Any, Any]") -> int:
    """Release reservations without an unfinished run, and delete old ones; returns how many were released."""
    found = close(Reservation.objects.filter(ref__in=forsaken(living)), Reservation.State.EXPIRED)
    old = Reservation.objects.filter(at__lt=clock() - KEPT).exclude(state=Reservation.State.OPEN)
    Reservation.objects.filter(pk__in=list(old.order_by("at").values_list("pk", flat=True)[:MOST_AT_ONCE])).delete()
    return found


def close(rows: "QuerySet[Reservation]", state: str) -> int:
    return rows.filter(state=Reservation.State.OPEN).update(state=state, closed=clock())


def forget(identity: Identity) -> None:
    """Delete the usage of a deleted account; `accounts.models.PastUsage` keeps sums of all of them."""
    with transaction.atomic():
        locked(identity.keys)
        for model in (Meter, Reservation):
            model.objects.filter(key__in=identity.keys).delete()


def uses(identity: Identity) -> list[Limit]:
    """Every limit of an identity with its current use, for the account page, the API and its headers.

    Of two allowances the one nearer to its end, which will refuse first.
    """
    mine, moment, in_redis = allowances(identity), clock(), windows()
    meters = list(Meter.objects.filter(key__in=[key for one in mine for key in one.keys]))
    of_each = zip(*(limits(use(one, meters, moment), in_redis) for one in mine), strict=True)
    found = (min(filter(None, same), key=lambda one: one.left, default=None) for same in of_each)
    return [replace(one, retry_after_s=None) if one.left else one for one in found if one is not None]


def limits(found: Use, in_redis: "Windows | None") -> tuple[Limit | None, ...]:
    """All limits of an allowance, in the order of display."""
    return (
        requests(found.allowance, found.moment, in_redis),
        tokens_of_minute(found, in_redis),
        answers(found),
        cost_of_month(found),
        questions(found),
        unfinished(found),
        plain("input_tokens", found.allowance.terms.input_tokens, 0),
    )


def refusal_headers(reached: LimitReached, identity: Identity) -> dict[str, str]:
    """The headers of a reply over a limit. A too long question has used nothing, so it gets the usual headers too."""
    if not isinstance(reached, TooLong):
        return reached.headers
    length = replace(reached.limit, used=0)
    return headers([*(one for one in uses(identity) if one.name != length.name), length])
