"""`snapshot …`."""
