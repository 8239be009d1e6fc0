"""Realtime: sockets and changes."""
