"""Backends that store the bytes of objects."""
