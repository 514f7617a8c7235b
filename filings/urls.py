"""URLs of companies and facts."""

from django.urls import path

from filings import views

urlpatterns = [
    path("companies", views.companies, name="companies"),
    path("companies/add", views.add_company, name="add_company"),
    path("companies/<int:cik>", views.company, name="company"),
    path("companies/<int:cik>/progress", views.company_progress, name="company_progress"),
    path("companies/<int:cik>/cancel", views.cancel_ingestion, name="cancel_ingestion"),
    path("facts/<int:pk>", views.fact, name="fact"),
]
