"""A module whose name another function uses too."""

WHO = "echo"
