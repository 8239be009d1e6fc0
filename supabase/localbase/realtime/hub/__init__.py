"""The common state of a project's channels."""
