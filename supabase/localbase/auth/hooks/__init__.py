"""Auth hooks: functions of the project that decide."""
