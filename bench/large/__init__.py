"""A shop of a million designs, and every query of web and functions measured on it."""
