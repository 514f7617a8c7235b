"""Admin of users, who sign in by e-mail address."""

from collections.abc import Sequence
from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.mfa.admin import AuthenticatorAdmin as AllauthAuthenticatorAdmin
from allauth.mfa.models import Authenticator
from allauth.socialaccount import admin as _  # noqa: F401 - registers what is unregistered here
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.db.models import CASCADE, QuerySet
from django.http import HttpRequest

from accounts import account_deletion, admin_lists, quota_admin, staff, tokens  # noqa: F401 - the admin of quotas is registered with it
from accounts.admin_lists import BoundedPaginator, ReadOnlyAdmin
from accounts.models import PastUsage, Token, User

# Django offers no other way to set these, and mypy accepts no replaced methods.
admin.site.login = secure_admin_login(staff.with_second_factor(admin.site.login))  # type: ignore[method-assign, no-untyped-call] # allauth's
admin.site.has_permission = staff.may_administer  # type: ignore[method-assign]
# For every list, including those of Django and allauth.
admin.ModelAdmin.get_changelist = admin_lists.get_changelist  # type: ignore[method-assign]
admin.ModelAdmin.get_object = admin_lists.get_object  # type: ignore[method-assign]
AutocompleteSelect.optgroups = admin_lists.optgroups  # type: ignore[assignment, method-assign] # `attrs` to Django
admin.ModelAdmin.response_action = admin_lists.response_action  # type: ignore[assignment, method-assign] # stubs of a later Django
admin.site.site_header = admin.site.site_title = "Diligence"
admin.site.index_title = "Administration"


class LowerCaseEmail:
    """Stores the e-mail address in lower case, as sign-up does, so that two accounts never differ by case alone."""

    cleaned_data: dict[str, Any]
    instance: User

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        if User.objects.exclude(pk=self.instance.pk).filter(email__iexact=email).exists():
            raise forms.ValidationError("A user with this e-mail address already exists.")
        return email


class NewUserForm(LowerCaseEmail, AdminUserCreationForm):  # type: ignore[type-arg] # Django's takes no argument when it runs
    class Meta:
        model = User
        fields = ("email",)


class UserForm(LowerCaseEmail, UserChangeForm):  # type: ignore[type-arg] # Django's takes no argument when it runs
    class Meta:
        model = User
        fields = "__all__"


@admin.register(User)
class UserAdmin(DjangoUserAdmin):  # type: ignore[type-arg] # Django's takes no argument when it runs
    form = UserForm
    add_form = NewUserForm
    ordering = ("email",)
    list_display = ("email", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "first_name", "last_name")
    readonly_fields = ("date_joined", "last_login")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        ("Person", {"fields": ("first_name", "last_name")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "usable_password", "password1", "password2")}),)

    def get_deleted_objects(
        self, objs: Sequence[Any] | QuerySet[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Counts the data that is deleted with an account; listing it all, as Django does, could take too long."""
        counts = {User._meta.verbose_name_plural: len(objs)}
        for relation in User._meta.related_objects:
            if relation.on_delete is CASCADE:
                theirs = {f"{relation.field.name}__in": objs}
                rows = relation.related_model._base_manager.filter(**theirs).count()
                counts |= {relation.related_model._meta.verbose_name_plural: rows} if rows else {}
        return [str(one) for one in objs], {str(name): rows for name, rows in counts.items()}, set(), []

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        account_deletion.delete(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            account_deletion.delete(user)


@admin.register(Token)
class TokenAdmin(ReadOnlyAdmin):
    """Owners create tokens; administrators can revoke them."""

    list_display = ("prefix", "name", "user", "scopes", "created", "last_used", "expires", "revoked")
    list_filter = ("created", "last_used")
    list_select_related = ("user",)
    search_fields = ("prefix", "name", "user__email")
    exclude = ("hash",)
    actions = ("revoke_selected",)
    paginator = BoundedPaginator

    @admin.action(description="Revoke the selected tokens", permissions=["delete"])
    def revoke_selected(self, request: HttpRequest, queryset: QuerySet[Token]) -> None:
        for token in queryset:
            tokens.revoke(token)
        self.message_user(request, "The tokens have been revoked.")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(PastUsage)
class PastUsageAdmin(ReadOnlyAdmin):
    list_display = ("day", "answers", "requests", "tokens_in", "tokens_out", "cost")


# Providers come from the settings, and their tokens are not stored.
admin.site.unregister([SocialApp, SocialToken] if settings.OIDC else [SocialApp, SocialToken, SocialAccount])
admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class AuthenticatorAdmin(AllauthAuthenticatorAdmin):
    """Second factors, without their secrets. If a person loses one, delete it here so that they can sign in again."""

    exclude = ("data",)
    readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
