"""Objects of Storage, from the commands."""
