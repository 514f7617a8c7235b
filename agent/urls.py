"""URLs of questions and answers."""

from django.urls import path

import filings.web.converters  # noqa: F401 - registers <accession:...> and <section:...>
from agent.web import views
from agent.web.exports import views as export_views
from agent.web.pages import certificate_views as certificates
from agent.web.pages import (
    citation_views,
    company_views,
    digest_views,
    feedback,
    grid_views,
    history_views,
    restatement_views,
    screener_views,
    share_links,
    suggestions,
    trust,
    watchlist_alerts,
    watchlist_views,
)
from agent.web.redline import views as redline_views
from filings.web import original_views

urlpatterns = [
    path("", views.ask, name="ask"),
    path("ask", views.ask, name="ask_question"),
    path("suggest", suggestions.suggest, name="suggest"),
    path("runs/<uuid:pk>", views.run, name="run"),
    path("runs/<uuid:pk>/progress", views.run_progress, name="run_progress"),
    path("runs/<uuid:pk>/verify", views.run_verify, name="run_verify"),
    path("runs/<uuid:pk>/again", views.run_ask_again, name="run_ask_again"),
    path("runs/<uuid:pk>/deeper", views.run_search_deeper, name="run_search_deeper"),
    path("runs/<uuid:pk>/delete", views.run_delete, name="run_delete"),
    path("runs/<uuid:pk>/star", history_views.run_star, name="run_star"),
    path("runs/<uuid:pk>/note", history_views.run_note, name="run_note"),
    path("runs/<uuid:pk>/compare/<uuid:other>", history_views.run_compare, name="run_compare"),
    path("runs/<uuid:pk>/feedback", feedback.run_feedback, name="run_feedback"),
    path("runs/<uuid:pk>/share", share_links.run_share, name="run_share"),
    path("runs/<uuid:pk>/unshare", share_links.run_unshare, name="run_unshare"),
    path("runs/<uuid:pk>/table.<str:ending>", export_views.run_table, name="run_table"),
    path("runs/<uuid:pk>/certificate.json", certificates.run_certificate, name="run_certificate"),
    path("s/<slug:token>/certificate.json", certificates.shared_certificate, name="shared_certificate"),
    path("schemas/certificate-1.json", certificates.certificate_schema, name="certificate_schema"),
    path(".well-known/diligence-certificate-key", certificates.certificate_key, name="certificate_key"),
    path("verify_certificate.py", certificates.certificate_script, name="certificate_script"),
    path("s/<slug:token>", share_links.shared, name="shared"),
    path("s/<slug:token>/table.<str:ending>", export_views.shared_table, name="shared_table"),
    path("history", history_views.history, name="history"),
    path("history/export.<str:ending>", export_views.history_file, name="history_file"),
    path("history/selected", history_views.history_selected, name="history_selected"),
    path("grid", grid_views.grid, name="grid"),
    path("grid.<str:ending>", grid_views.grid_file, name="grid_file"),
    path("grid/save", grid_views.grid_save, name="grid_save"),
    path("screener", screener_views.screener, name="screener"),
    path("screener.<str:ending>", screener_views.screener_file, name="screener_file"),
    path("screener/save", screener_views.screen_save, name="screen_save"),
    path("screener/<int:pk>/delete", screener_views.screen_delete, name="screen_delete"),
    path("figures/<int:cik>/<int:year>/<str:measure>", grid_views.figure, name="figure"),
    path("watchlists", watchlist_views.watchlists, name="watchlists"),
    path("watchlists/<int:pk>/add", watchlist_views.watchlist_add, name="watchlist_add"),
    path("watchlists/<int:pk>/remove/<int:cik>", watchlist_views.watchlist_remove, name="watchlist_remove"),
    path("watchlists/<int:pk>/rename", watchlist_views.watchlist_rename, name="watchlist_rename"),
    path("watchlists/<int:pk>/up", watchlist_views.watchlist_up, name="watchlist_up"),
    path("watchlists/<int:pk>/delete", watchlist_views.watchlist_delete, name="watchlist_delete"),
    path("watchlists/<int:pk>/feed", watchlist_alerts.watchlist_feed_address, name="watchlist_feed_address"),
    path("watchlists/<int:pk>/mail", watchlist_alerts.watchlist_mail, name="watchlist_mail"),
    path("watchlists/<slug:token>.atom", watchlist_alerts.watchlist_feed, name="watchlist_feed"),
    path("watchlists/stop/<slug:token>", watchlist_alerts.watchlist_unsubscribe, name="watchlist_unsubscribe"),
    path("account/digest", digest_views.digest, name="digest"),
    path("digest/stop/<slug:token>", digest_views.digest_unsubscribe, name="digest_unsubscribe"),
    path("companies/<int:cik>/watch", watchlist_views.watch, name="watch"),
    path("method", views.method, name="method"),
    path("how-we-know", trust.how_we_know, name="how_we_know"),
    path("companies/<int:cik>", company_views.company, name="company"),
    path("companies/<int:cik>/restatements", restatement_views.restatements, name="restatements"),
    path(
        "companies/<int:cik>/restatements.<str:ending>", restatement_views.restatements_file, name="restatements_file"
    ),
    path(
        "companies/<str:ticker>/restatements", restatement_views.restatements_by_ticker, name="restatements_by_ticker"
    ),
    path("companies/<int:cik>/redline", redline_views.redline, name="redline"),
    path("companies/<int:cik>/redline.<str:ending>", redline_views.redline_file, name="redline_file"),
    path("companies/<str:ticker>/redline", redline_views.redline_by_ticker, name="redline_by_ticker"),
    path("filings/<accession:accession>", company_views.filing, name="filing"),
    # Before the sections, whose keys it looks like.
    path("filings/<accession:accession>/original", original_views.original, name="original"),
    path("filings/<accession:accession>/<section:key>", citation_views.section, name="section"),
    path(
        "filings/<accession:accession>/<section:key>/table.<str:ending>",
        export_views.printed_table_file,
        name="printed_table",
    ),
    path("filings/<accession:accession>/<section:key>/captions", citation_views.captions, name="captions"),
]
