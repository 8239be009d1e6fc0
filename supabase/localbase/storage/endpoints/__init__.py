"""Storage's own API."""
