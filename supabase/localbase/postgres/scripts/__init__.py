"""The project's files of SQL: which there are, how they are cut into statements, and how those run."""
