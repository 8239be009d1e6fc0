"""What a database's schema does wrong: functions that cannot run, weaknesses, slow spots."""
