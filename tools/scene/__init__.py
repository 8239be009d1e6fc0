"""Writes the files of functions/_shared/scene, and the table that holds both languages together."""
