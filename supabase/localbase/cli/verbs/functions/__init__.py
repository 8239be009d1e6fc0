"""`functions …`."""
