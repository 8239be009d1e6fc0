"""One client's channel."""
