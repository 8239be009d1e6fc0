"""Types of the database as source code: the catalogue, read once, and a printer for each language of our own."""
