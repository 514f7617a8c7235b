"""URLs of questions and answers."""

from django.urls import path

import filings.web.converters  # noqa: F401 - registers <accession:...> and <section:...>
from agent.web import views
from agent.web.pages import citation_views, feedback, history_views, shares, suggestions

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
    path("runs/<uuid:pk>/share", shares.run_share, name="run_share"),
    path("runs/<uuid:pk>/unshare", shares.run_unshare, name="run_unshare"),
    path("s/<slug:token>", shares.shared, name="shared"),
    path("history", history_views.history, name="history"),
    path("history/selected", history_views.history_selected, name="history_selected"),
    path("method", views.method, name="method"),
    path("filings/<accession:accession>/<section:key>", citation_views.section, name="section"),
]
