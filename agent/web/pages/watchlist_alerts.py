"""The feed and the e-mails of a watchlist: switched on and off by its owner, read and stopped by whoever has the address."""

import hashlib
from datetime import datetime
from typing import cast
from uuid import NAMESPACE_URL, uuid5

from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.http import http_date, quote_etag
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.request_types import Request
from accounts.verified_address import verified_address
from agent.models import Watchlist, WatchlistAlert, unguessable
from agent.runs.watchlist_news import News, news
from agent.web.pages.unsubscribing import unsubscribing
from agent.web.shared_links import TOKEN, read_by_link

# Readers ask for a feed often; it is computed this often.
KEPT_SECONDS = 300
MOST_ENTRIES = 100


class Feed(Atom1Feed):
    """A feed that is as new as its newest entry; one without entries as new as itself."""

    def latest_post_date(self) -> datetime:
        if self.items:
            return super().latest_post_date()
        made: datetime = self.feed["made"]
        return made


@require_POST
def watchlist_feed_address(request: Request, pk: int) -> HttpResponse:
    """Give a watchlist's feed a new address, or switch it off: action is new or off. A former address is gone."""
    mine = get_object_or_404(Watchlist.objects.visible_to(request.identity), pk=pk)
    alert, _ = WatchlistAlert.objects.get_or_create(watchlist=mine)
    token = None if request.POST.get("action") == "off" else unguessable()
    WatchlistAlert.objects.filter(pk=alert.pk).update(feed=token)
    messages.success(request, f"“{mine}” has a new feed address." if token else f"The feed of “{mine}” is off.")
    return redirect(mine)


@require_POST
def watchlist_mail(request: Request, pk: int) -> HttpResponse:
    """Switch a watchlist's e-mails on or off: mail is 1 or 0. They go to a verified address only."""
    mine = get_object_or_404(Watchlist.objects.visible_to(request.identity), pk=pk)
    if request.POST.get("mail") != "1":
        WatchlistAlert.objects.filter(watchlist=mine).update(mail=False)
        messages.success(request, f"There are no more e-mails about “{mine}”.")
    elif address := verified_address(mine.user):
        alert, _ = WatchlistAlert.objects.get_or_create(watchlist=mine)
        site = request.build_absolute_uri("/")
        WatchlistAlert.objects.filter(pk=alert.pk, mail=False).update(mail=True, since=now(), site=site)
        messages.success(request, f"News about “{mine}” will be sent to {address}.")
    else:
        messages.warning(request, "Verify your e-mail address first.")
    return redirect(mine)


@require_safe
def watchlist_feed(request: Request, token: str) -> HttpResponseBase:
    """What is new of a watchlist, as an Atom feed (RFC 4287), for whoever has its address."""
    found = (
        WatchlistAlert.objects.select_related("watchlist") if TOKEN.fullmatch(token) else WatchlistAlert.objects.none()
    )
    alert = found.exclude(watchlist__user__is_active=False).filter(feed=token).first()
    if alert is None:
        raise Http404
    watchlist = alert.watchlist
    found_news = cast(
        "list[News]",
        cache.get_or_set(
            f"news:{watchlist.pk}:{hash_of(*watchlist.ciks)}", lambda: news(watchlist)[:MOST_ENTRIES], KEPT_SECONDS
        ),
    )
    feed = Feed(
        title=f"Diligence: {watchlist.name}",
        link=request.build_absolute_uri(watchlist.get_absolute_url()),
        description="",
        subtitle="New filings, and your answers that they overtake or restate",
        language="en",
        author_name="Diligence",
        feed_url=request.build_absolute_uri(request.path),
        feed_guid=urn(watchlist, ""),
        made=alert.created,
    )
    for one in found_news:
        feed.add_item(
            title=one.title,
            link=request.build_absolute_uri(one.path),
            description=escape(one.text),  # written as HTML
            unique_id=urn(watchlist, one.key),
            pubdate=one.at,
            updateddate=one.at,
        )
    response = read_by_link(HttpResponse(feed.writeString("utf-8"), content_type=Feed.content_type))
    changed = int(feed.latest_post_date().timestamp())
    response["ETag"] = etag = quote_etag(hashlib.sha256(response.content).hexdigest())
    response["Last-Modified"] = http_date(changed)
    response["Cache-Control"] = "private, no-cache"
    return get_conditional_response(request, etag=etag, last_modified=changed, response=response) or response


@csrf_exempt  # mail programs post to it (RFC 8058), without a cookie; the token is in the address
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def watchlist_unsubscribe(request: Request, token: str) -> HttpResponse:
    """A page with a button that stops a watchlist's e-mails; its POST stops them."""
    found = WatchlistAlert.objects.filter(unsubscribe=token)
    name = found.values_list("watchlist__name", flat=True).first()
    return unsubscribing(request, found, token, f"“{name}”", "watchlists")


def urn(watchlist: Watchlist, key: str) -> str:
    """A name that stays, for a feed or for one of its entries."""
    return uuid5(NAMESPACE_URL, f"diligence:watchlist:{watchlist.pk}:{watchlist.created.isoformat()}:{key}").urn


def hash_of(*values: int) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()
