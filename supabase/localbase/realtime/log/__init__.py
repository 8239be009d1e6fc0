"""Postgres's logical replication."""
