"""A project's database, from the commands."""
