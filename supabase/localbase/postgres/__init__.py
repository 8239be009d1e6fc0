"""Postgres: the embedded server, sessions that run as somebody, migrations, and what the platform lays down."""
