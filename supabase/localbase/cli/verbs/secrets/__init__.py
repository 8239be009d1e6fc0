"""`secrets …`."""
