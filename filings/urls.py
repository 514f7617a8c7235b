"""URLs of companies, filings, searches and facts. Those that show figures, or an answer's citations, are in agent.urls."""

from django.urls import path

import filings.web.converters  # noqa: F401 - registers <accession:...>
from filings.web import document_views, import_views, search_views, views

urlpatterns = [
    path("companies", views.companies, name="companies"),
    path("companies/add", views.add_company, name="add_company"),
    path("companies/<int:cik>/progress", views.company_progress, name="company_progress"),
    path("companies/<int:cik>/documents", views.company_documents, name="company_documents"),
    path("companies/<int:cik>/read", views.read_reports, name="read_reports"),
    path("companies/<int:cik>/cancel", views.cancel_ingestion, name="cancel_ingestion"),
    # Behind the other addresses of companies.
    path("companies/<str:ticker>", views.company_by_ticker, name="company_by_ticker"),
    path("documents/import", import_views.import_documents, name="import_documents"),
    path("documents/import/<uuid:pk>", import_views.import_confirm, name="import_confirm"),
    path("documents/import/<uuid:pk>/progress", import_views.import_progress, name="import_progress"),
    path("documents/<accession:accession>/pages/<int:number>.png", document_views.page_file, name="page_file"),
    path(
        "documents/<accession:accession>/<section:key>/pages/<int:number>",
        document_views.page_picture,
        name="page_picture",
    ),
    path("facts/<int:pk>", views.fact, name="fact"),
    path("search", search_views.search, name="search"),
    path("search/<uuid:pk>", search_views.search_results, name="search_results"),
    path("search/<uuid:pk>/progress", search_views.search_progress, name="search_progress"),
]
