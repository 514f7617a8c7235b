"""URLs of the account page; signing in and out is allauth's."""

from django.urls import path

from accounts import views

urlpatterns = [path("account", views.account, name="account")]
