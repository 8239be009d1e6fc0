"""`storage …`."""
