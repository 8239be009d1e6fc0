"""Shared by the functions of this project."""

import os


def greet(name: str) -> str:
    return f"{os.environ.get('GREETING', 'Hello')} {name}"
