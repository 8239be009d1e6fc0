"""Mails and SMS, from their template to the mail server."""
