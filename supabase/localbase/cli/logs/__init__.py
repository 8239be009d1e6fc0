"""Logs of a stack."""
