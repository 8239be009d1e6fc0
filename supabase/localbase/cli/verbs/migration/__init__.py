"""`migration …`."""
