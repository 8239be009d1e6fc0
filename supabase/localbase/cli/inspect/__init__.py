"""Postgres's own statistics, for `inspect`."""
