"""Cannot be loaded."""

raise RuntimeError("broken on purpose")
