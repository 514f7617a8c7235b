"""Verifies quotations against the filing, and what is shown against its quotation."""
