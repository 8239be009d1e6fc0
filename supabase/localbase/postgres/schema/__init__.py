"""The schema model of a database, read from its catalog, and the SQL between two of them."""
