"""URLs of the account page; signing in and out is allauth's."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("account", views.account, name="account"),
    path("account/tokens", views.token_create, name="token_create"),
    path("account/tokens/<int:pk>/revoke", views.token_revoke, name="token_revoke"),
    path("account/export", views.account_export, name="account_export"),
    path("account/delete", views.account_delete, name="account_delete"),
]
