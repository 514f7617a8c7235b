"""The error of a mail that could not be sent."""


class MailNotSent(Exception):
    """The mail server did not take a mail: the request is answered 503 (`diligence.unavailable`)."""
