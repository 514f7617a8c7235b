"""URLs of questions and answers."""

from django.urls import path

import filings.converters  # noqa: F401 - registers <accession:...> and <section:...>
from agent import citation_views, views

urlpatterns = [
    path("", views.ask, name="ask"),
    path("ask", views.ask, name="ask_question"),
    path("runs/<uuid:pk>", views.run, name="run"),
    path("runs/<uuid:pk>/progress", views.run_progress, name="run_progress"),
    path("runs/<uuid:pk>/verify", views.run_verify, name="run_verify"),
    path("runs/<uuid:pk>/again", views.run_ask_again, name="run_ask_again"),
    path("runs/<uuid:pk>/deeper", views.run_search_deeper, name="run_search_deeper"),
    path("runs/<uuid:pk>/delete", views.run_delete, name="run_delete"),
    path("history", views.history, name="history"),
    path("history/selected", views.history_selected, name="history_selected"),
    path("method", views.method, name="method"),
    path("filings/<accession:accession>/<section:key>", citation_views.section, name="section"),
]
