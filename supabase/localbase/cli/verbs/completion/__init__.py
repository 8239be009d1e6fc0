"""`completion …`."""
