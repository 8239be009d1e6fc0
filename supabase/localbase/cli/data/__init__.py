"""A project's data as files."""
