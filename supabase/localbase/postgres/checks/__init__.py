"""Faults of a database's schema: functions that cannot run, weaknesses, slow spots."""
