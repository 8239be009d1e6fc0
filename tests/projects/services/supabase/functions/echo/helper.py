"""A module with a name that another function uses too."""

WHO = "echo"
