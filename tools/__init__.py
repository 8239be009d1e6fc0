"""Programs for those who work on the project: films, screenshots, pictures of the documents, coverage figures."""
