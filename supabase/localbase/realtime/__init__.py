"""Realtime: channels over a socket (Broadcast, Presence) and the changes of the database (Postgres Changes)."""
