"""Public projects that no one here wrote, each started as it is: `make strangers` (CONTRIBUTING.md)."""
