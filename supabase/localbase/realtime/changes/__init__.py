"""Postgres Changes: who hears of which row, decided by Postgres for each subscriber's role and claims."""
