"""Rows of the `auth` schema."""
