"""A reason to stop a command."""

from __future__ import annotations


class CommandError(Exception):
    """The message says what is wrong and what to do; a person reads it at the terminal."""
