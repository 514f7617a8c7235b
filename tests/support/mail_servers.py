"""Mail servers that do not do what they should: backends of Django's mail."""

from collections.abc import Sequence
from smtplib import SMTPServerDisconnected

from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend


class Killed(BaseException):
    """The worker is gone; nothing catches it."""


class KilledAfter(EmailBackend):
    """Takes the mail, and its sender does not live to hear it."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        super().send_messages(messages)
        raise Killed


class KilledBefore(EmailBackend):
    """Its sender does not live to send."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        raise Killed


class Refusing(EmailBackend):
    """Takes nothing."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        raise SMTPServerDisconnected("Come back later")
