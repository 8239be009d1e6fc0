"""Types of the database as source code: its schema, read once, and a printer for each language."""
