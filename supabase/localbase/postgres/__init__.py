"""Postgres: the embedded server, sessions under a role, migrations, and the platform's schemas."""
