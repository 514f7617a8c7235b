"""E-mails that somebody asked for: plain text, and stopped by one press of the mail program (RFC 8058)."""

from django.core.mail import EmailMessage, get_connection

# Seconds that a mail server may take.
TIMEOUT = 20


def plain_mail(subject: str, body: str, to: str, *, name: str, site: str, stop: str) -> EmailMessage:
    """A mail that is not sent yet. name: for its Message-ID, the same where it is sent again. stop: address that ends them."""
    host = site.partition("://")[2].strip("/").partition(":")[0]
    return EmailMessage(
        subject=subject[:200],
        body=body,
        to=[to],
        headers={
            "Message-ID": f"<{name}@{host or 'localhost'}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
        connection=get_connection(timeout=TIMEOUT),
    )
