"""Studio: the pages that a developer looks into a project with, on a port of its own."""
